/**
 * What `*_CHUNK` events stand for: the start and the content they are short for. The ends that `transformChunks` of
 * `@ag-ui/client` 1.0.0 makes up are left out, because they say nothing.
 */
import type { AguiEvent, AguiEventOf } from "./Event.ts"
import { endsChunk, type OpenChunk, openAfter, stepOf } from "./OpenChunks.ts"

export type { OpenChunk } from "./OpenChunks.ts"

/** An event that stands for itself. */
export type WholeEvent = Exclude<AguiEvent, ChunkEvent>

type ChunkEvent = AguiEventOf<"TEXT_MESSAGE_CHUNK" | "TOOL_CALL_CHUNK" | "REASONING_MESSAGE_CHUNK">

/** Events with their chunks expanded, and what is open after them. */
export interface Expanded {
  readonly open: ReadonlyArray<OpenChunk>
  readonly events: ReadonlyArray<WholeEvent>
}

/** The events one event stands for. A chunk at which the client ends the run stands for none. */
export const expandChunk = (open: ReadonlyArray<OpenChunk>, event: AguiEvent): Expanded => {
  if (!isChunk(event)) {
    const { subagentRunId, type } = event as WholeEvent & { readonly subagentRunId?: string }
    return {
      open: open.length === 0 ? open : open.filter((each) => !endsChunk(type, subagentRunId, each)),
      events: [event]
    }
  }
  const step = stepOf(open, event)
  if (step._tag === "Refused" || (step._tag === "Continues" && step.changed.length > 0)) return { open, events: [] }
  const { delta = "", metadata, rawEvent, subagentRunId } = event
  const stamp = { ...(metadata !== undefined && { metadata }), ...(subagentRunId !== undefined && { subagentRunId }) }
  const says = event.delta !== undefined || rawEvent !== undefined
  const { item } = step
  const content = contentOf(item, delta, stamp)
  if (step._tag === "Continues") return { open, events: says || metadata !== undefined ? [content] : [] }
  return {
    open: openAfter(open, { begun: item, ended: step.ended }),
    events: says ? [startOf(item, stamp), content] : [startOf(item, stamp)]
  }
}

const isChunk = (event: AguiEvent): event is ChunkEvent =>
  event.type === "TEXT_MESSAGE_CHUNK" || event.type === "TOOL_CALL_CHUNK" || event.type === "REASONING_MESSAGE_CHUNK"

/** What a chunk hands on to the events it is short for. */
export type Stamp = Pick<ChunkEvent, "metadata" | "subagentRunId">

/** The start that the first chunk of an item is short for. */
export const startOf = ({ id, kind, opening }: OpenChunk, stamp: Stamp): WholeEvent => {
  const { name, parentMessageId, role, toolCallName = "" } = opening
  switch (kind) {
    case "text":
      return {
        type: "TEXT_MESSAGE_START",
        messageId: id,
        role: role as NonNullable<AguiEventOf<"TEXT_MESSAGE_START">["role"]>,
        ...(name !== undefined && { name }),
        ...stamp
      }
    case "tool":
      return {
        type: "TOOL_CALL_START",
        toolCallId: id,
        toolCallName,
        ...(parentMessageId !== undefined && { parentMessageId }),
        ...stamp
      }
    case "reasoning":
      return { type: "REASONING_MESSAGE_START", messageId: id, role: "reasoning", ...stamp }
  }
}

/** The piece that a chunk of an item is short for. */
export const contentOf = ({ id, kind }: OpenChunk, delta: string, stamp: Stamp): WholeEvent => {
  switch (kind) {
    case "text":
      return { type: "TEXT_MESSAGE_CONTENT", messageId: id, delta, ...stamp }
    case "tool":
      return { type: "TOOL_CALL_ARGS", toolCallId: id, delta, ...stamp }
    case "reasoning":
      return { type: "REASONING_MESSAGE_CONTENT", messageId: id, delta, ...stamp }
  }
}
