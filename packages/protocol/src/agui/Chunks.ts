/**
 * What `*_CHUNK` events stand for: the start and the content they are short for.
 *
 * A chunk without an id goes on with what its speaker has open, so this remembers what each has: at most one
 * message or call, begun by a chunk and ended by the speaker's next event of another kind. The rules are those
 * of `transformChunks` of `@ag-ui/client` 1.0.0. The ends it makes up are left out, for they say nothing.
 */
import type { AguiEvent, AguiEventOf } from "./Event.ts"

/** A message or call that chunks began and that chunks may go on with. */
export interface OpenChunk {
  readonly kind: "text" | "tool" | "reasoning"
  /** The message's id, or the call's. */
  readonly id: string
  /** Who speaks; absent for the agent itself. */
  readonly subagentRunId?: string
  /** What the first chunk said, which a later one may repeat and not change. */
  readonly opening: Readonly<Record<string, string | undefined>>
}

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
  switch (event.type) {
    case "TEXT_MESSAGE_CHUNK": {
      const role = event.role ?? "assistant"
      const opening = { role, name: event.name }
      return expand(open, event, "text", event.messageId, opening, {
        agrees: { role: event.role, name: event.name },
        start: (messageId) => ({
          type: "TEXT_MESSAGE_START",
          messageId,
          role,
          ...(event.name !== undefined && { name: event.name }),
          ...stamp(event)
        }),
        content: (messageId, delta) => ({ type: "TEXT_MESSAGE_CONTENT", messageId, delta, ...stamp(event) })
      })
    }
    case "TOOL_CALL_CHUNK": {
      const { parentMessageId, toolCallName } = event
      return expand(
        open,
        event,
        "tool",
        event.toolCallId,
        { toolCallName, parentMessageId },
        {
          agrees: { toolCallName, parentMessageId },
          start: (toolCallId) =>
            toolCallName === undefined
              ? undefined
              : {
                  type: "TOOL_CALL_START",
                  toolCallId,
                  toolCallName,
                  ...(parentMessageId !== undefined && { parentMessageId }),
                  ...stamp(event)
                },
          content: (toolCallId, delta) => ({ type: "TOOL_CALL_ARGS", toolCallId, delta, ...stamp(event) })
        }
      )
    }
    case "REASONING_MESSAGE_CHUNK":
      return expand(
        open,
        event,
        "reasoning",
        event.messageId,
        {},
        {
          agrees: {},
          start: (messageId) => ({ type: "REASONING_MESSAGE_START", messageId, role: "reasoning", ...stamp(event) }),
          content: (messageId, delta) => ({ type: "REASONING_MESSAGE_CONTENT", messageId, delta, ...stamp(event) })
        }
      )
    default:
      return { open: open.length === 0 ? open : open.filter((each) => !closes(event, each)), events: [event] }
  }
}

interface Form {
  /** What the chunk says about the message or call it goes on with. */
  readonly agrees: Readonly<Record<string, string | undefined>>
  readonly start: (id: string) => WholeEvent | undefined
  readonly content: (id: string, delta: string) => WholeEvent
}

const expand = (
  open: ReadonlyArray<OpenChunk>,
  event: ChunkEvent,
  kind: OpenChunk["kind"],
  id: string | undefined,
  opening: OpenChunk["opening"],
  form: Form
): Expanded => {
  const rejected: Expanded = { open, events: [] }
  const lane = laneOf(open, event, kind, id)
  if (lane === undefined) return rejected
  const { owner } = lane
  const current = open.find((each) => each.subagentRunId === owner)
  const says = event.delta !== undefined || event.rawEvent !== undefined

  if (current?.kind === kind && (id === undefined || id === current.id)) {
    const agrees = Object.entries(form.agrees).every(
      ([key, value]) => value === undefined || value === current.opening[key]
    )
    if (!agrees) return rejected
    const content = says || event.metadata !== undefined
    return { open, events: content ? [form.content(current.id, event.delta ?? "")] : [] }
  }

  const start = id === undefined ? undefined : form.start(id)
  if (id === undefined || start === undefined) return rejected
  const begun: OpenChunk = { kind, id, opening, ...(owner !== undefined && { subagentRunId: owner }) }
  return {
    open: [...open.filter((each) => each !== current), begun],
    events: says ? [start, form.content(id, event.delta ?? "")] : [start]
  }
}

/** Who speaks in a chunk; undefined when it contradicts what is open, or leaves open which of several it is. */
const laneOf = (
  open: ReadonlyArray<OpenChunk>,
  { subagentRunId: tag }: ChunkEvent,
  kind: OpenChunk["kind"],
  id: string | undefined
): { readonly owner: string | undefined } | undefined => {
  const same = open.filter((each) => each.kind === kind)
  if (id !== undefined) {
    const holder = same.find((each) => each.id === id)
    if (holder === undefined) return { owner: tag }
    return tag === undefined || tag === holder.subagentRunId ? { owner: holder.subagentRunId } : undefined
  }
  if (tag !== undefined || same.some((each) => each.subagentRunId === undefined)) return { owner: tag }
  return same.length > 1 ? undefined : { owner: same[0]?.subagentRunId }
}

const stamp = ({ metadata, subagentRunId }: ChunkEvent) => ({
  ...(metadata !== undefined && { metadata }),
  ...(subagentRunId !== undefined && { subagentRunId })
})

// What else a speaker may do while its message goes on; SUBAGENT_STARTED speaks of somebody new.
const bystanders: ReadonlySet<string> = new Set([
  "RAW",
  "ACTIVITY_SNAPSHOT",
  "ACTIVITY_DELTA",
  "REASONING_ENCRYPTED_VALUE",
  "SUBAGENT_STARTED"
])

const closes = (event: WholeEvent, open: OpenChunk): boolean => {
  switch (event.type) {
    case "RUN_STARTED":
    case "RUN_FINISHED":
    case "RUN_ERROR":
    case "MESSAGES_SNAPSHOT":
      return true
    default:
      return !bystanders.has(event.type) && event.subagentRunId === open.subagentRunId
  }
}
