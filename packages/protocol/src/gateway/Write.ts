/**
 * The model's events as the gateway says them: a cursor and an entry of the log give a cursor and what the reader is told.
 *
 * A message that begins ends, with all its blocks, before the turn of its speaker does. Whoever stops a turn is told its
 * end at once, and nothing of it afterwards: what the agent still says of it is in the history.
 */
import type { Event, EventOf, EventType, Lane } from "../model/Event.ts"
import { turnStopping } from "../model/Notices.ts"
import { withEntry, withoutEntry } from "../model/Situation.ts"
import { noUsage } from "../model/Usage.ts"
import { fieldsIn } from "../wire/Fields.ts"
import { blocksOf } from "./Block.ts"
import type { GatewayCursor, OpenBlock } from "./Cursor.ts"
import {
  blockOf,
  type Draft,
  endLooseMessage,
  endMessage,
  forgetBlock,
  growBlock,
  openBlock,
  sealBlock,
  set,
  startMessage,
  stopBlock,
  type Told,
  tell,
  tellMessage
} from "./Draft.ts"
import type { SessionEvent } from "./Event.ts"
import { saidBlocks, usageOf } from "./History.ts"

/** An entry of a session's log: an event, its number, and when it happened, in milliseconds since 1970. */
export interface LoggedEvent {
  readonly seq: number
  readonly at: number
  readonly event: Event
}

/** A cursor, and what its reader is told. */
export type GatewayWritten = readonly [GatewayCursor, ReadonlyArray<SessionEvent>]

/** What the reader is told of an entry. */
export const writeGateway = (cursor: GatewayCursor, { event, seq }: LoggedEvent): GatewayWritten => {
  const draft: Draft = { cursor: { ...cursor, seq }, out: [] }
  ;(writers[event.type] as (draft: Draft, event: Event) => void)(draft, event)
  return [draft.cursor, placed(draft)]
}

/** An entry as it is, for those who want everything. `hasMore`: events that are made of it follow. */
export const modelEvent = (sessionId: string, { at, event, seq }: LoggedEvent, hasMore: boolean): SessionEvent => ({
  type: "event",
  event: "session.event",
  payload: { type: "event", sessionId, seq, ...(hasMore && { part: -1 }), at, event }
})

/**
 * What somebody is told who begins to read here: what is open, with all that it has until now. What is not open is in the
 * history.
 */
export const joinGateway = (cursor: GatewayCursor): ReadonlyArray<SessionEvent> => {
  const draft: Draft = { cursor, out: [] }
  const { blocks, isStopped, lanes, messages, requests, turn } = cursor
  if (turn !== undefined && !isStopped) tellTurn(draft, turn)
  for (const [id, { description, name, parent }] of lanes) tellLane(draft, id, parent, name, description)
  for (const [lane, { id }] of messages) {
    tellMessage(draft, lane, id)
    for (const [block, open] of blocks)
      if (open.lane === lane && open.index !== undefined)
        tell(draft, "content_block_start", {
          parent_tool_use_id: lane,
          index: open.index,
          content_block: blockOf(block, open)
        })
  }
  for (const { lane, request } of requests.values())
    tell(draft, "request_opened", { parent_tool_use_id: lane, request })
  return placed(draft, joinPart)
}

/** The `part` of an event of `joinGateway`: none that an event of an entry has, and it tells how many follow. */
const joinPart = (index: number, count: number): number => index - count

/** How many events of `joinGateway` follow that of a `part`; undefined: that is one of an entry. */
export const joinsAfter = (part: number): number | undefined => (part <= -2 ? -1 - part : undefined)

/** What was told, each with its place. */
const placed = (
  { cursor: { seq, sessionId }, out }: Draft,
  partOf: (index: number, count: number) => number = (index) => index
): ReadonlyArray<SessionEvent> =>
  out.map(
    ({ type, ...fields }: Told, index) =>
      ({
        type: "event",
        event: `session.${type}`,
        payload: { type, sessionId, seq, ...(index < out.length - 1 && { part: partOf(index, out.length) }), ...fields }
      }) as unknown as SessionEvent
  )

const tellTurn = (draft: Draft, { cause, ticket }: NonNullable<GatewayCursor["turn"]>): void =>
  tell(draft, "turn_start", { cause, ...(ticket !== undefined && { promptId: ticket }) })

const tellLane = (draft: Draft, id: string, parent: Lane, name: string, description: string | undefined): void =>
  tell(draft, "subagent_start", {
    parent_tool_use_id: parent,
    id,
    name,
    ...(description !== undefined && { description })
  })

/** What each event is to the reader; those that say `nothing` are not told. */
const writers: { readonly [T in EventType]: (draft: Draft, event: EventOf<T>) => void } = {
  turn_started: (draft, { cause, ticket }) => {
    endLooseMessage(draft, null)
    const turn = { cause, ticket }
    set(draft, { turn, isStopped: false, spent: noUsage })
    tellTurn(draft, turn)
  },
  turn_ended: (draft, { outcome, usage }) => {
    const { isStopped, lanes, turn } = draft.cursor
    if (!isStopped) {
      endMessage(draft, null, outcome.type !== "completed")
      if (usage !== undefined) set(draft, { spent: usage })
      if (turn !== undefined) tellEnd(draft, outcome)
    }
    // Those of sub-agents that go on in the background go on.
    const blocks = [...draft.cursor.blocks].filter(([, { lane }]) => lane !== null && lanes.has(lane))
    set(draft, { turn: undefined, isStopped: false, blocks: new Map(blocks) })
  },
  reply_started: (draft, { id, lane }) => {
    if (!draft.cursor.isStopped) startMessage(draft, lane, id, true)
  },
  reply_ended: (draft, { id, lane }) => {
    if (draft.cursor.messages.get(lane)?.id === id) endMessage(draft, lane)
  },
  spent: (draft, { model, usage }) => set(draft, { spent: usage, ...(model !== undefined && { model }) }),
  item_started: (draft, event) => begun[event.item.kind](draft, event),
  item_grew: (draft, { delta, id }) => {
    const block = draft.cursor.blocks.get(id)
    if (block !== undefined) growBlock(draft, id, block, delta)
  },
  item_changed: (draft, { content, id, lane }) =>
    tell(draft, "task", { parent_tool_use_id: lane, task_id: id, content }),
  item_ended: (draft, { id, signature }) => {
    const known = draft.cursor.blocks.get(id)
    if (known === undefined) return
    const block = signature === undefined ? known : sealBlock(draft, id, known, signature)
    stopBlock(draft, id, block)
  },
  call_answered: (draft, { content, exitCode, failed, id, lane }) => {
    const call = draft.cursor.blocks.get(id)
    if (call !== undefined) {
      stopBlock(draft, id, call)
      forgetBlock(draft, id)
    }
    if (draft.cursor.isStopped) return
    endLooseMessage(draft, lane)
    const result = {
      tool_use_id: id,
      content: blocksOf(content),
      is_error: failed,
      ...(exitCode !== undefined && { exit_code: exitCode })
    }
    tell(draft, "request_tool_results", { parent_tool_use_id: lane, tool_results: [result] })
  },
  request_opened: (draft, { lane, request }) => {
    set(draft, { requests: withEntry(draft.cursor.requests, request.id, { lane, request }) })
    tell(draft, "request_opened", { parent_tool_use_id: lane, request })
  },
  request_closed: (draft, { by, id, lane, verdict }) => {
    if (!draft.cursor.requests.has(id)) return
    set(draft, { requests: withoutEntry(draft.cursor.requests, id) })
    tell(draft, "request_closed", {
      parent_tool_use_id: lane,
      requestId: id,
      by,
      ...(verdict !== undefined && { verdict })
    })
  },
  lane_opened: (draft, { description, lane, name, parent }) => {
    set(draft, { lanes: withEntry(draft.cursor.lanes, lane, { parent, name, description }) })
    tellLane(draft, lane, parent, name, description)
  },
  lane_closed: (draft, { lane, outcome }) => {
    if (!draft.cursor.lanes.has(lane)) return
    endMessage(draft, lane, outcome.type !== "completed")
    const blocks = [...draft.cursor.blocks].filter(([, block]) => block.lane !== lane)
    set(draft, { lanes: withoutEntry(draft.cursor.lanes, lane), blocks: new Map(blocks) })
    tell(draft, "subagent_stop", { id: lane, outcome })
  },
  session_changed: (draft, { info }) => set(draft, { model: info.model }),
  branched: (draft, { after, branch, from }) => {
    for (const lane of draft.cursor.messages.keys()) endMessage(draft, lane, true)
    set(draft, { blocks: new Map(), lanes: new Map() })
    tell(draft, "branched", { branch, after, from })
  },
  noticed: (draft, { name, value }) => {
    if (name === turnStopping) stopTurn(draft)
    // Claude Code says what it has cost with each result.
    const { total_cost_usd: cost } = name === "result_stats" ? fieldsIn(value) : {}
    if (typeof cost === "number" && Number.isFinite(cost)) set(draft, { cost })
  },
  anchored: () => undefined,
  state_changed: () => undefined,
  context_reset: () => undefined,
  unknown: () => undefined
}

/** The turn is over, for its reader, before the agent has heard of it. */
const stopTurn = (draft: Draft): void => {
  const { isStopped, messages, turn } = draft.cursor
  if (turn === undefined || isStopped) return
  for (const lane of messages.keys()) endMessage(draft, lane, true)
  tellEnd(draft, { type: "cancelled" })
  set(draft, { isStopped: true })
}

const tellEnd = (draft: Draft, outcome: EventOf<"turn_ended">["outcome"]): void => {
  const { cost, spent } = draft.cursor
  tell(draft, "turn_stop", { outcome, usage: usageOf(spent), ...(cost !== undefined && { total_cost_usd: cost }) })
}

type Started = EventOf<"item_started">

const begin = (
  draft: Draft,
  { id, lane }: Started,
  block: Omit<OpenBlock, "lane" | "text" | "signature" | "index">
): void => {
  const known = draft.cursor.blocks.get(id)
  const open = known ?? { ...block, lane, text: "", signature: undefined, index: undefined }
  if (draft.cursor.isStopped) set(draft, { blocks: withEntry(draft.cursor.blocks, id, open) })
  else openBlock(draft, id, open)
}

const begun: { readonly [K in Started["item"]["kind"]]: (draft: Draft, event: Started) => void } = {
  text: (draft, event) => begin(draft, event, { kind: "text", message: event.id, call: undefined }),
  thought: (draft, event) => begin(draft, event, { kind: "thinking", message: event.id, call: undefined }),
  call: (draft, event) => {
    const { item } = event
    if (item.kind !== "call") return
    const call = { name: item.tool, action: item.action }
    begin(draft, event, { kind: "tool_use", message: item.parent, call })
  },
  prompt: (draft, { id, item, lane }) => {
    if (item.kind !== "prompt") return
    endLooseMessage(draft, lane)
    const message = { id, role: "user" as const, content: saidBlocks(item.content) }
    tell(draft, "user_message", { parent_tool_use_id: lane, message })
  },
  task: (draft, { id, item, lane }) => {
    if (item.kind === "task") tell(draft, "task", { parent_tool_use_id: lane, task_id: id, content: item.content })
  }
}
