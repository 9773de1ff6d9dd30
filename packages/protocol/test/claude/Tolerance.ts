/**
 * What the law of tolerance speaks of: the keys of a line that carry nothing, what a release may do to them, and what
 * of a session must stay as it was.
 */
import { isDeepStrictEqual } from "node:util"
import { loadTape, type TapeEntry, wireLines } from "@agentwire/fixtures"
import type { AguiEvent } from "../../src/agui/Event.ts"
import { foldEvents } from "../../src/agui/History.ts"
import { isSuspended } from "../../src/agui/write/Write.ts"
import { type Decoded, decodeValue } from "../../src/claude/Codec.ts"
import { finish, initialState, releaseRun, type State, step } from "../../src/translate/Translator.ts"
import { isNeeded, needOf } from "../../src/wire/Essentials.ts"
import { each, type JsonPath } from "../../src/wire/internal/JsonPath.ts"
import { isRecord } from "../../src/wire/Json.ts"
import { exempt } from "./Exempt.ts"

/** What the agent said in a session. */
export interface Session {
  readonly name: string
  readonly values: ReadonlyArray<unknown>
  readonly decoded: ReadonlyArray<Decoded>
}

/** The agent's side of a tape. */
export const sessionOf = (entry: TapeEntry): Session => {
  const values = wireLines(entry.scenario, loadTape(entry))
    .filter(({ from, line }) => from === "cli" && line.trim() !== "")
    .map(({ line }): unknown => JSON.parse(line))
  const { run, scenario, transport, version } = entry
  return { name: `${version} ${transport} ${scenario} ${run}`, values, decoded: values.map(decodeValue) }
}

/** A key of a line. */
export interface Place {
  readonly session: Session
  readonly line: number
  readonly path: JsonPath
  /** The path with `[*]` for positions. */
  readonly pattern: JsonPath
  /** Whether a value would carry something there. */
  readonly carries: (value: unknown) => boolean
}

/** Where the tag of a message is. */
const tags = new Set([
  "type",
  "subtype",
  "event",
  "event.type",
  "request",
  "request.subtype",
  "response",
  "response.subtype"
])

/**
 * The keys of a session's lines that carry nothing; with `all`, those too that do. The uuid of a line that is sent again
 * is left alone: nothing else tells that it is.
 */
export const placesOf = (session: Session, all = false): ReadonlyArray<Place> => {
  const lines = new Map<unknown, number>()
  for (const value of session.values) if (isRecord(value)) lines.set(value["uuid"], (lines.get(value["uuid"]) ?? 0) + 1)
  return session.decoded.flatMap((decoded, line) => {
    if (decoded._tag !== "Known") return []
    const exemptions = exempt[decoded.name] ?? {}
    const need = needOf(Object.keys(exemptions))
    return keysOf(session.values[line]).flatMap(([path, value]): ReadonlyArray<Place> => {
      const name = path.join(".")
      if (tags.has(name) || (name === "uuid" && lines.get(value) !== 1)) return []
      const carries = exemptions[name]?.onlyAs ?? (() => isNeeded(need, path))
      const pattern = path.map((step) => (typeof step === "number" ? each : step))
      return all || !carries(value) ? [{ session, line, path, pattern, carries }] : []
    })
  })
}

const keysOf = (value: unknown, path: JsonPath = []): ReadonlyArray<readonly [JsonPath, unknown]> => {
  const entries: ReadonlyArray<readonly [string | number, unknown]> = Array.isArray(value)
    ? value.map((item, index) => [index, item] as const)
    : isRecord(value)
      ? Object.entries(value)
      : []
  return entries.flatMap(([step, inner]) => [[[...path, step], inner] as const, ...keysOf(inner, [...path, step])])
}

/** What a release may do to a key: take it away, or write something else. */
export const changes: Readonly<Record<string, { readonly to?: unknown }>> = {
  removed: {},
  null: { to: null },
  "a number": { to: 7 },
  "a word": { to: "seven" },
  "a boolean": { to: true },
  "a list": { to: [7] },
  "an object": { to: { seven: 7 } },
  nothing: { to: {} }
}

/** A value of another type than the one at a place. */
export const otherType = ({ line, path, session }: Place): { readonly to: unknown } => {
  const value = path.reduce<unknown>(
    (inner, step) => (inner as Record<string, unknown>)[step as string],
    session.values[line]
  )
  if (Array.isArray(value)) return { to: { seven: 7 } }
  if (isRecord(value)) return { to: [7] }
  return { to: typeof value === "string" ? 7 : "seven" }
}

/** The line with a key changed. */
export const changed = ({ line, path, session }: Place, change: { readonly to?: unknown }): unknown => {
  const copy: unknown = structuredClone(session.values[line])
  let holder: unknown = copy
  for (const step of path.slice(0, -1)) holder = (holder as Record<string | number, unknown>)[step as string]
  const last = path.at(-1) as string
  if ("to" in change) (holder as Record<string, unknown>)[last] = change.to
  else if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else delete (holder as Record<string, unknown>)[last]
  return copy
}

/** The events of a session. Whoever is asked lets the turn go on at once. */
export const eventsOf = (
  messages: ReadonlyArray<Decoded>,
  approvals: "event" | "interrupt"
): ReadonlyArray<AguiEvent> => {
  const events: Array<AguiEvent> = []
  let state = initialState({ threadId: "t", approvals })
  for (const message of messages) {
    const [next, given] = stepped(state, message)
    events.push(...given)
    state = next
  }
  return [...events, ...finish(state)]
}

type Stepped = readonly [state: State, events: ReadonlyArray<AguiEvent>]

/** A session told line by line, so that what follows a line need not be told again for every key of it. */
export interface Steps {
  readonly events: ReadonlyArray<AguiEvent>
  /** What a line gave, and the state after it. */
  readonly at: (line: number) => { readonly after: State; readonly events: ReadonlyArray<AguiEvent> }
  /** What another message in place of a line gives. */
  readonly stepAt: (line: number, message: Decoded) => Stepped
}

/** Tells a session line by line. */
export const stepsOf = (messages: ReadonlyArray<Decoded>, approvals: "event" | "interrupt"): Steps => {
  const initial = initialState({ threadId: "t", approvals })
  const told: Array<{ readonly after: State; readonly events: ReadonlyArray<AguiEvent> }> = []
  for (const message of messages) {
    const [after, events] = stepped(told.at(-1)?.after ?? initial, message)
    told.push({ after, events })
  }
  const at = (line: number) => {
    const found = told[line]
    if (found === undefined) throw new Error(`no line ${line}`)
    return found
  }
  return {
    events: [...told.flatMap(({ events }) => events), ...finish(told.at(-1)?.after ?? initial)],
    at,
    stepAt: (line, message) => stepped(line === 0 ? initial : at(line - 1).after, message)
  }
}

/** Whoever is asked lets the turn go on at once. */
const stepped = (state: State, message: Decoded): Stepped => {
  const [next, given] = step(state, message)
  if (!isSuspended(next.writer)) return [next, given]
  const [released, more] = releaseRun(next)
  return [released, [...given, ...more]]
}

/** Whether two states tell what follows alike: which lines were heard matters only where one is sent again. */
export const isSameState = (one: State, other: State): boolean =>
  isDeepStrictEqual(one.writer, other.writer) &&
  isDeepStrictEqual({ ...one.fold, recent: undefined }, { ...other.fold, recent: undefined })

/** Whether an event is part of what must stay. */
export const mattersTo = (event: AguiEvent): boolean => {
  switch (event.type) {
    case "CUSTOM":
      return questions.has(event.name)
    case "RAW":
    case "STATE_DELTA":
    case "STATE_SNAPSHOT":
    case "ACTIVITY_DELTA":
    case "ACTIVITY_SNAPSHOT":
      return false
    default:
      return true
  }
}

/**
 * What must stay: who said what, in order, with thoughts, calls and results; what was asked; how runs and sub-agents
 * began and ended. Left out are names of messages (that of a text in a `result` is derived from its uuid), activities
 * and other `CUSTOM` events, which hold statistics, the words of a question beside its call, and the session's state.
 */
export const essenceOf = (events: ReadonlyArray<AguiEvent>): unknown => ({
  messages: foldEvents(events)
    .messages.filter(({ role }) => role !== "activity")
    .map(({ id: _, ...message }) => message),
  moments: events.flatMap(momentOf)
})

const momentOf = (event: AguiEvent): ReadonlyArray<unknown> => {
  switch (event.type) {
    case "RUN_STARTED":
      return [[event.type, event.runId]]
    case "RUN_FINISHED": {
      const { outcome } = event
      const asked = outcome?.type === "interrupt" ? outcome.interrupts.map(questionOf) : []
      return [[event.type, event.runId, outcome?.type, event.result, asked]]
    }
    case "RUN_ERROR":
      return [[event.type, event.code, event.message]]
    case "SUBAGENT_STARTED":
      return [[event.type, event.subagentRunId, event.parentToolCallId]]
    case "SUBAGENT_FINISHED":
      return [[event.type, event.subagentRunId, event.outcome]]
    case "SUBAGENT_ERROR":
      return [[event.type, event.subagentRunId, event.code, event.message]]
    case "CUSTOM":
      return questions.has(event.name) && isRecord(event.value) ? [[event.name, askedIn(event.value)]] : []
    default:
      return []
  }
}

const questions = new Set([
  "tool_approval_request",
  "elicitation_request",
  "user_dialog_request",
  "control_request_cancelled",
  "message_abandoned"
])

const askedIn = ({ id, message, requestId, toolCallId, toolInput, toolName }: Record<string, unknown>) =>
  JSON.stringify({ id, message, requestId, toolCallId, toolInput, toolName })

type Interrupt = Extract<AguiEvent, { type: "RUN_FINISHED" }>["outcome"] extends infer O
  ? O extends { readonly interrupts: ReadonlyArray<infer I> }
    ? I
    : never
  : never

const questionOf = ({ id, metadata, reason, subagentRunId, toolCallId }: Interrupt): unknown => {
  const { input, kind, toolName } = isRecord(metadata) ? metadata : {}
  return { id, reason, toolCallId, subagentRunId, kind, toolName, input }
}
