/**
 * Joining a conversation that is under way, so that the reader has all of it once.
 *
 * A reader that joins gets what was said so far as snapshots, then the events that follow. A snapshot in the middle
 * of a message would leave the deltas that follow without a start, which clients reject or drop (docs/wire/ag-ui.md
 * §2.1, §2.4). So the snapshot has the message as far as it goes, and after it whatever is open is opened again:
 * both clients let a second start of a known id be, and go on appending.
 */
import { Agui } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { EventLog, LogEntry } from "../../log/EventLog.ts"

/** Events that belong together in an answer, and what their reader has had once they are sent. */
export interface Outgoing {
  readonly events: ReadonlyArray<Agui.AguiEvent>
  /** The number before which the reader has everything. */
  readonly seq: number
}

/** A run as the kept part of a log shows it. */
export interface SeenRun {
  /** The number of its first event that is kept. */
  readonly from: number
  /** Its first event; undefined when the log has forgotten it. */
  readonly started: (LogEntry & { readonly event: Agui.AguiEventOf<"RUN_STARTED"> }) | undefined
  /** What ended it; undefined while it is open. */
  readonly ended: (LogEntry & { readonly event: RunEnd }) | undefined
  /** The events that began what is open, in order. */
  readonly opening: ReadonlyArray<Agui.AguiEvent>
}

type RunEnd = Agui.AguiEventOf<"RUN_FINISHED" | "RUN_ERROR">

/** Whether an event ends a run. */
export const endsRun = (event: Agui.AguiEvent): event is RunEnd =>
  event.type === "RUN_FINISHED" || event.type === "RUN_ERROR"

/** A moment of a log: the conversation, and the runs that are still kept. */
export interface Moment {
  readonly history: Agui.History
  /** The number of the first event that is not in the history. */
  readonly seq: number
  readonly runs: ReadonlyArray<SeenRun>
}

/** What a log is at this moment. */
export const momentOf = (log: EventLog): Effect.Effect<Moment> =>
  Effect.gen(function* () {
    let oldest = 0
    for (;;) {
      const { history, seq } = yield* log.history
      if (oldest >= seq) return { history, seq, runs: [] }
      const entries = yield* log.read(oldest).pipe(
        Stream.take(seq - oldest),
        Stream.runCollect,
        Effect.catchTag("LogGap", (gap) => Effect.succeed(gap.oldest))
      )
      if (typeof entries !== "number") return { history, seq, runs: runsOf(entries) }
      // Forgotten in the meantime, or never looked for.
      oldest = entries
    }
  })

interface Part {
  readonly part: "opens" | "goes on" | "closes"
  readonly key: string
}

type Rule = { readonly [T in Agui.EventType]?: (event: Agui.AguiEventOf<T>) => Part }

const part =
  <E>(part: Part["part"], key: (event: E) => string) =>
  (event: E): Part => ({ part, key: key(event) })

const text = ({ messageId }: { readonly messageId: string }) => `text ${messageId}`
const call = ({ toolCallId }: { readonly toolCallId: string }) => `call ${toolCallId}`
const span = ({ messageId }: { readonly messageId: string }) => `span ${messageId}`
const thought = ({ messageId }: { readonly messageId: string }) => `thought ${messageId}`
const subagent = ({ subagentRunId }: { readonly subagentRunId: string }) => `subagent ${subagentRunId}`
const step = ({ stepName, subagentRunId = "" }: { readonly stepName: string; readonly subagentRunId?: string }) =>
  `step ${JSON.stringify([subagentRunId, stepName])}`

/** What events open and close. */
const rules: Rule = {
  TEXT_MESSAGE_START: part("opens", text),
  TEXT_MESSAGE_CONTENT: part("goes on", text),
  TEXT_MESSAGE_END: part("closes", text),
  TOOL_CALL_START: part("opens", call),
  TOOL_CALL_ARGS: part("goes on", call),
  TOOL_CALL_END: part("closes", call),
  REASONING_START: part("opens", span),
  REASONING_END: part("closes", span),
  REASONING_MESSAGE_START: part("opens", thought),
  REASONING_MESSAGE_CONTENT: part("goes on", thought),
  REASONING_MESSAGE_END: part("closes", thought),
  STEP_STARTED: part("opens", step),
  STEP_FINISHED: part("closes", step),
  SUBAGENT_STARTED: part("opens", subagent),
  SUBAGENT_FINISHED: part("closes", subagent),
  SUBAGENT_ERROR: part("closes", subagent)
}

const partOf = (event: Agui.AguiEvent): Part | undefined => {
  // The compiler does not see that the rule found under an event's type takes that event.
  const rule = rules[event.type] as ((event: Agui.AguiEvent) => Part) | undefined
  return rule?.(event)
}

/** The runs in a piece of a log. Events before the first start belong to a run whose start is forgotten. */
export const runsOf = (entries: Iterable<LogEntry>): ReadonlyArray<SeenRun> => {
  const runs: Array<SeenRun> = []
  let started: SeenRun["started"]
  let from: number | undefined
  let open = new Map<string, Agui.AguiEvent>()
  for (const { event, seq } of entries) {
    if (event.type === "RUN_STARTED") {
      started = { event, seq }
      open = new Map()
      from = seq
    } else if (endsRun(event)) {
      runs.push({ from: from ?? seq, started, ended: { event, seq }, opening: [] })
      started = undefined
      from = undefined
    } else {
      from ??= seq
      const found = partOf(event)
      if (found?.part === "opens") open.set(found.key, event)
      else if (found?.part === "closes") open.delete(found.key)
    }
  }
  if (from !== undefined) runs.push({ from, started, ended: undefined, opening: [...open.values()] })
  return runs
}

/** Who joins: the ids of its request, and the messages it has. */
export type Joining = Pick<Agui.RunAgentInput, "threadId" | "runId" | "messages">

/** The snapshots that give a reader the conversation. A state nobody set is not sent: the reader may have its own. */
export const snapshots = (
  { messages, state }: Agui.History,
  had: ReadonlyArray<Agui.Message>
): ReadonlyArray<Agui.AguiEvent> => [
  ...(isEmptyState(state) ? [] : [{ type: "STATE_SNAPSHOT" as const, snapshot: state }]),
  ...(messages.length === 0 ? [] : [{ type: "MESSAGES_SNAPSHOT" as const, messages: withOwn(messages, had) }])
]

/**
 * The conversation with the messages that only the reader has, each before the one it came before: a snapshot takes
 * away what it lacks. The reader's may be older than this server, or so new that their run has not begun.
 */
const withOwn = (
  messages: ReadonlyArray<Agui.Message>,
  had: ReadonlyArray<Agui.Message>
): ReadonlyArray<Agui.Message> => {
  const known = new Set(messages.map(({ id }) => id))
  const before = new Map<string, ReadonlyArray<Agui.Message>>()
  let own: Array<Agui.Message> = []
  for (const message of had) {
    if (!known.has(message.id)) own.push(message)
    else {
      before.set(message.id, own)
      own = []
    }
  }
  return [...messages.flatMap((message) => [...(before.get(message.id) ?? []), message]), ...own]
}

const isEmptyState = (state: unknown): boolean =>
  state === undefined || state === null || (typeof state === "object" && Object.keys(state).length === 0)

/** What a reader that joins an open run is sent first: the run's start, what was said so far, and what is open. */
export const joining = ({ history, seq }: Moment, run: SeenRun, asked: Joining): Outgoing => ({
  events: [startOf(run, asked), ...snapshots(history, asked.messages), ...run.opening],
  seq
})

/** The start of a run without its input, whose messages are in the snapshot. The ids are the asker's where it is forgotten. */
export const startOf = (run: SeenRun | undefined, { runId, threadId }: Joining): Agui.AguiEvent => {
  if (run?.started === undefined)
    return { type: "RUN_STARTED", threadId, runId, protocolVersion: Agui.PROTOCOL_VERSION }
  const { input: _, ...event } = run.started.event
  return event
}

/**
 * Makes the events after a snapshot fit it. Something that began so long ago that the log forgot its start is opened
 * again where it goes on, from the history; what is not in the history is left out.
 */
export const fitting = (
  { history }: Moment,
  run: SeenRun
): ((event: Agui.AguiEvent) => ReadonlyArray<Agui.AguiEvent>) => {
  const open = new Set(run.opening.flatMap((event) => partOf(event)?.key ?? []))
  return (event) => {
    const found = partOf(event)
    if (found === undefined) return [event]
    const known = open.has(found.key)
    if (found.part === "closes") open.delete(found.key)
    else open.add(found.key)
    if (known || found.part === "opens") return [event]
    const opener = openerOf(history, event)
    return opener === undefined ? [] : [opener, event]
  }
}

const openerOf = ({ messages }: Agui.History, event: Agui.AguiEvent): Agui.AguiEvent | undefined => {
  switch (event.type) {
    case "TEXT_MESSAGE_CONTENT":
    case "TEXT_MESSAGE_END": {
      const message = messages.find(({ id }) => id === event.messageId)
      if (message?.role === undefined || !isTextRole(message.role)) return undefined
      return { type: "TEXT_MESSAGE_START", messageId: event.messageId, role: message.role, ...ownerOf(event) }
    }
    case "REASONING_MESSAGE_CONTENT":
    case "REASONING_MESSAGE_END":
      return messages.some(({ id, role }) => id === event.messageId && role === "reasoning")
        ? { type: "REASONING_MESSAGE_START", messageId: event.messageId, role: "reasoning", ...ownerOf(event) }
        : undefined
    case "TOOL_CALL_ARGS":
    case "TOOL_CALL_END": {
      const parent = messages.find(
        (message) => message.role === "assistant" && message.toolCalls?.some(({ id }) => id === event.toolCallId)
      )
      const found =
        parent?.role === "assistant" ? parent.toolCalls?.find(({ id }) => id === event.toolCallId) : undefined
      return parent === undefined || found === undefined
        ? undefined
        : {
            type: "TOOL_CALL_START",
            toolCallId: found.id,
            toolCallName: found.function.name,
            parentMessageId: parent.id,
            ...ownerOf(event)
          }
    }
    default:
      return undefined
  }
}

const textRoles = ["developer", "system", "assistant", "user"] as const
const isTextRole = (role: string): role is (typeof textRoles)[number] => textRoles.some((known) => known === role)

const ownerOf = ({ subagentRunId }: { readonly subagentRunId?: string }): { readonly subagentRunId?: string } =>
  subagentRunId === undefined ? {} : { subagentRunId }
