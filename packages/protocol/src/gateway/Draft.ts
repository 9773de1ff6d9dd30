/**
 * A step of the writer: messages and blocks begun, continued and ended, as their reader is told.
 */
import type { Lane } from "../model/Event.ts"
import { withEntry, withoutEntry } from "../model/Situation.ts"
import type { AgentBlock } from "./Block.ts"
import type { GatewayCursor, OpenBlock, OpenMessage } from "./Cursor.ts"
import type { PayloadOf, PayloadType } from "./Event.ts"
import { usageOf } from "./History.ts"

/** What an event says, before it has a place. */
export type Told = { readonly [T in PayloadType]: Omit<PayloadOf<T>, "sessionId" | "seq" | "part"> }[PayloadType]

/** A step that is being taken. */
export interface Draft {
  cursor: GatewayCursor
  readonly out: Array<Told>
}

/** Changes where the reader is. */
export const set = (draft: Draft, fields: Partial<GatewayCursor>): void => {
  draft.cursor = { ...draft.cursor, ...fields }
}

/** Tells the reader something. */
export const tell = <T extends PayloadType>(
  draft: Draft,
  type: T,
  fields: Omit<PayloadOf<T>, "type" | "sessionId" | "seq" | "part">
): void => void draft.out.push({ type, ...fields } as unknown as Told)

const setBlock = (draft: Draft, id: string, block: OpenBlock): void =>
  set(draft, { blocks: withEntry(draft.cursor.blocks, id, block) })

/** The message of a speaker: the one that is open, else one that begins now. */
const messageOf = (draft: Draft, lane: Lane, id: string): OpenMessage => {
  const open = draft.cursor.messages.get(lane)
  if (open !== undefined) return open
  return startMessage(draft, lane, id, false)
}

/** Begins a message. One that is open ends before. */
export const startMessage = (draft: Draft, lane: Lane, id: string, isReply: boolean): OpenMessage => {
  endMessage(draft, lane)
  const message = { id, isReply, next: 0, hasCalls: false }
  set(draft, { messages: withEntry(draft.cursor.messages, lane, message) })
  tellMessage(draft, lane, id)
  return message
}

/** Tells that a message begins. */
export const tellMessage = (draft: Draft, lane: Lane, id: string): void => {
  const { model, spent } = draft.cursor
  tell(draft, "message_start", {
    parent_tool_use_id: lane,
    message: {
      id,
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: usageOf(spent)
    }
  })
}

/** A block as the reader gets it when it begins: with all that it has until now. */
export const blockOf = (id: string, { call, kind, signature, text }: OpenBlock): AgentBlock => {
  switch (kind) {
    case "text":
      return { type: "text", id, text }
    case "thinking":
      return { type: "thinking", id, thinking: text, ...(signature !== undefined && { signature }) }
    case "tool_use": {
      const input = { input: {}, ...(text !== "" && { partial_json: text }) }
      return { type: "tool_use", id, name: call?.name ?? "", ...input, action: call?.action ?? "other" }
    }
  }
}

/** Begins a block, or begins it again, where it is not open. Its index. */
export const openBlock = (draft: Draft, id: string, block: OpenBlock): number => {
  if (block.index !== undefined) return block.index
  const { lane } = block
  const message = messageOf(draft, lane, block.message)
  const index = message.next
  const hasCalls = message.hasCalls || block.kind === "tool_use"
  set(draft, { messages: withEntry(draft.cursor.messages, lane, { ...message, next: index + 1, hasCalls }) })
  setBlock(draft, id, { ...block, index })
  tell(draft, "content_block_start", { parent_tool_use_id: lane, index, content_block: blockOf(id, block) })
  return index
}

const deltaOf = (kind: OpenBlock["kind"], delta: string): PayloadOf<"content_block_delta">["delta"] => {
  switch (kind) {
    case "text":
      return { type: "text_delta", text: delta }
    case "thinking":
      return { type: "thinking_delta", thinking: delta }
    case "tool_use":
      return { type: "input_json_delta", partial_json: delta }
  }
}

/** The next piece of a block. */
export const growBlock = (draft: Draft, id: string, block: OpenBlock, delta: string): void => {
  const grown = { ...block, text: block.text + delta }
  if (draft.cursor.isStopped) {
    setBlock(draft, id, grown)
    return
  }
  if (delta === "") return
  const index = openBlock(draft, id, block)
  setBlock(draft, id, { ...grown, index })
  tell(draft, "content_block_delta", { parent_tool_use_id: block.lane, index, delta: deltaOf(block.kind, delta) })
}

/** A block is over, for now: it may be abandoned, and go on after all. */
export const stopBlock = (draft: Draft, id: string, block: OpenBlock): void => {
  if (block.index === undefined) return
  setBlock(draft, id, { ...block, index: undefined })
  tell(draft, "content_block_stop", { parent_tool_use_id: block.lane, index: block.index })
}

/** The provider's seal on a thought. */
export const sealBlock = (draft: Draft, id: string, block: OpenBlock, signature: string): OpenBlock => {
  const sealed = { ...block, signature }
  if (draft.cursor.isStopped) {
    setBlock(draft, id, sealed)
    return sealed
  }
  const index = openBlock(draft, id, block)
  tell(draft, "content_block_delta", {
    parent_tool_use_id: block.lane,
    index,
    delta: { type: "signature_delta", signature }
  })
  setBlock(draft, id, { ...sealed, index })
  return { ...sealed, index }
}

/** Forgets a block that cannot go on. */
export const forgetBlock = (draft: Draft, id: string): void =>
  set(draft, { blocks: withoutEntry(draft.cursor.blocks, id) })

/** Ends the message of a speaker, and what is open in it. */
export const endMessage = (draft: Draft, lane: Lane, wasCut = false): void => {
  const { messages, spent } = draft.cursor
  const message = messages.get(lane)
  if (message === undefined) return
  let isCut = wasCut
  for (const [id, block] of draft.cursor.blocks) {
    if (block.lane !== lane || block.index === undefined) continue
    isCut = true
    stopBlock(draft, id, block)
  }
  set(draft, { messages: withoutEntry(messages, lane) })
  const stop_reason = isCut ? "abort" : message.hasCalls ? "tool_use" : "end_turn"
  tell(draft, "message_delta", {
    parent_tool_use_id: lane,
    delta: { stop_reason, stop_sequence: null },
    usage: usageOf(spent)
  })
  tell(draft, "message_stop", { parent_tool_use_id: lane })
}

/** Ends a message that no reply of the model ends, unless something in it goes on. */
export const endLooseMessage = (draft: Draft, lane: Lane): void => {
  const { blocks, messages } = draft.cursor
  if (messages.get(lane)?.isReply !== false) return
  for (const block of blocks.values()) if (block.lane === lane && block.index !== undefined) return
  endMessage(draft, lane)
}
