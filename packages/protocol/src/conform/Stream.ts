/**
 * What a checker knows of the stream so far: what is open, who owns it, what was there before. The families of rules
 * read and write it; each event passes through the handlers of its type in the order of the catalogue.
 */
import type { Dialect } from "../agui/Dialect.ts"
import type { EventType, events } from "../agui/Event.ts"
import type { events00 } from "../agui/Event00.ts"
import { isRecord } from "../wire/Json.ts"
import { parseJson } from "../wire/ReadJson.ts"
import { type Finding, findingAt, findingOfStream } from "./Finding.ts"
import type { Rule } from "./Rule.ts"
import { Window } from "./Window.ts"

/** An event as either dialect allows it. */
export type Heard<T extends EventType> = (typeof events)[T]["Type"] | (typeof events00)[T]["Type"]

/** The handlers of a family of rules, by the type of event they look at, and what it asks when the stream ends. */
export interface Checks {
  readonly on: { readonly [T in EventType]?: (event: Heard<T>, stream: Stream) => void }
  readonly end?: (stream: Stream) => void
}

/** A text or reasoning message. */
export interface Streamed {
  /** No START was sent: the breach was reported, and the item is taken for open so that it is reported once. */
  readonly assumed: boolean
  readonly role: string
  readonly name: string | undefined
  /** Which run of the stream opened it. */
  readonly run: number
  /** What the client held under the id when the message was opened. */
  readonly held: Remembered | undefined
  /** A snapshot removed the message while it was open: clients drop what follows. */
  lost: boolean
  length: number
  hash: number
}

/** A tool call. */
export interface Call {
  readonly assumed: boolean
  readonly name: string
  readonly parentMessageId: string | undefined
  readonly run: number
  lost: boolean
  /** The arguments so far; emptied when the call ends. */
  args: string
  /** Whether the arguments of a closed call are a whole JSON document. */
  whole: boolean
  /** Whether TOOL_CALL_END came. */
  ended: boolean
  answered: boolean
}

/** An activity: its content, when the stream gave it. */
export interface Activity {
  readonly content: unknown
}

/** What kind of message an id names: a role, except that roles of text messages other than `assistant` are `other`. */
export type MessageKind = "assistant" | "other" | "tool" | "reasoning" | "activity"

/** Who produced something: the id of a subagent's invocation, or undefined for the agent itself. */
export type Owner = string | undefined

/** The owners of entities by id, one map a kind, as the clients keep them. */
export interface Owners {
  readonly message: Window<Owner>
  readonly toolCall: Window<Owner>
  readonly activity: Window<Owner>
  readonly reasoning: Window<Owner>
}

/** A message of the conversation before this stream, or of a snapshot in it. */
export interface Remembered {
  readonly role: string
  readonly name: string | undefined
  readonly length: number
  readonly hash: number
}

/** A call of the conversation before this stream, or of a snapshot in it. */
export interface RememberedCall {
  /** Undefined where only its result is known. */
  readonly name: string | undefined
  /** Whether its arguments are a whole JSON document. */
  readonly whole: boolean
  readonly answered: boolean
}

/** What the request of a run says, as far as rules ask. */
export interface InputFacts {
  readonly threadId: string | undefined
  readonly runId: string | undefined
  /** Whether the conversation has answers already, so that the client may hold things no request carries. */
  readonly continues: boolean
  /** Whether it answers an interrupt. */
  readonly resumes: boolean
}

/** A stream being checked. */
export class Stream {
  readonly dialect: Dialect
  readonly input: InputFacts | undefined
  readonly frontendTools: ReadonlySet<string>
  /** The findings about the current event. */
  findings: Array<Finding> = []
  /** Of the current event, from 0; -1 before the first. */
  index = -1
  /** The current event as it came. */
  raw: unknown = undefined
  /** Whether the current event is one that a chunk stands for. */
  expanding = false

  // The run
  run = 0
  phase: "none" | "active" | "finished" | "errored" = "none"
  runId: string | undefined
  threadId: string | undefined
  /** Of the first run that had one. */
  firstThreadId: string | undefined
  runStartedAt = -1
  runStarted: unknown = undefined
  /** A breach of the run's boundaries was reported; what follows it is not reported again. */
  strayed = false

  // What is open
  readonly texts = new Map<string, Streamed>()
  readonly calls = new Map<string, Call>()
  readonly thoughts = new Map<string, Streamed>()
  readonly spans = new Set<string>()
  readonly steps = new Map<Owner, Set<string>>()
  readonly subagents = new Set<string>()
  /** The calls of this run without a result, in the order they were made. */
  readonly pending = new Map<string, Call>()

  // What was
  readonly owners: Owners = {
    message: new Window(),
    toolCall: new Window(),
    activity: new Window(),
    reasoning: new Window()
  }
  readonly closedTexts = new Window<Streamed>()
  readonly closedCalls = new Window<Call>()
  readonly closedThoughts = new Window<Streamed>()
  readonly closedSubagents = new Window<true>()
  readonly taggedSubagents = new Window<true>()
  readonly activities = new Window<Activity>()
  readonly kinds = new Window<MessageKind>()
  /** Messages the client holds from elsewhere than this stream's own messages. */
  readonly remembered = new Window<Remembered>()
  /** Calls the client holds from elsewhere than this stream's own calls. */
  readonly rememberedCalls = new Window<RememberedCall>()
  /** The state the client holds, when something said what it is. */
  state: { readonly value: unknown } | undefined
  /** Whether what came before the stream is known. */
  historyKnown = false
  /** What was said once about a stream and need not be said again. */
  readonly told = new Window<true>(1000)

  constructor(dialect: Dialect, input: unknown, frontendTools: ReadonlyArray<string> | undefined) {
    this.dialect = dialect
    this.input = isRecord(input) ? factsOf(input) : undefined
    this.frontendTools = new Set([...(frontendTools ?? []), ...toolNames(input)])
    if (isRecord(input)) {
      this.remember(input["messages"])
      this.state = { value: input["state"] ?? {} }
    }
  }

  /** Reports a breach by the current event, where the rule holds in this dialect. */
  report(rule: Rule, message: string): void {
    if (rule.dialects.includes(this.dialect)) this.findings.push(findingAt(rule, this.index, message, this.raw))
  }

  /** Reports a breach of the stream as a whole. */
  reportStream(rule: Rule, message: string): void {
    if (rule.dialects.includes(this.dialect)) this.findings.push(findingOfStream(rule, message, this.index + 1))
  }

  /** Reports a breach by an earlier event, shown by the stream up to here. */
  reportAt(rule: Rule, index: number, event: unknown, message: string): void {
    if (!rule.dialects.includes(this.dialect)) return
    this.findings.push({ ...findingAt(rule, index, message, event), prefix: this.index + 1 })
  }

  /** Reports a breach unless the same was reported before under this key. */
  reportOnce(rule: Rule, key: string, message: string): void {
    const known = `${rule.id} ${key}`
    if (this.told.has(known)) return
    this.told.set(known, true)
    this.report(rule, message)
  }

  /** Begins a run: what a run owns does not outlive it. */
  beginRun(runId: string | undefined, threadId: string | undefined): void {
    this.run++
    this.phase = "active"
    this.strayed = false
    this.runId = runId
    this.threadId = threadId
    this.runStartedAt = this.index
    this.runStarted = this.raw
    for (const open of [this.texts, this.calls, this.thoughts, this.spans, this.steps, this.subagents]) open.clear()
    this.pending.clear()
    this.closedSubagents.clear()
    this.taggedSubagents.clear()
    for (const owners of Object.values(this.owners)) owners.clear()
  }

  /** Takes note of messages a client holds because a request, its echo or a snapshot carried them. */
  remember(messages: unknown): void {
    if (!Array.isArray(messages)) return
    this.historyKnown = true
    for (const message of messages) {
      if (!isRecord(message) || typeof message["id"] !== "string") continue
      const { content, name, role } = message
      const words = typeof content === "string" ? content : ""
      const hash = hashOf(words, hashSeed)
      this.kinds.set(message["id"], kindOfRole(role))
      this.remembered.set(message["id"], { role: String(role), name: stringOf(name), length: words.length, hash })
      if (role === "tool" && typeof message["toolCallId"] === "string") this.rememberAnswer(message["toolCallId"])
      for (const { id, arguments: args, name: tool } of toolCallsOf(message)) {
        const answered = this.rememberedCalls.get(id)?.answered === true
        this.rememberedCalls.set(id, { name: tool, whole: isRecord(parseJson(args)), answered })
      }
    }
  }

  /** Takes note that a call the stream did not make has a result. */
  rememberAnswer(id: string): void {
    const { name, whole = false } = this.rememberedCalls.get(id) ?? {}
    this.rememberedCalls.set(id, { name, whole, answered: true })
  }
}

/** A call as messages carry it. */
interface CarriedCall {
  readonly id: string
  readonly name: string | undefined
  readonly arguments: string
}

const toolCallsOf = (message: Readonly<Record<string, unknown>>): ReadonlyArray<CarriedCall> => {
  const calls = message["toolCalls"]
  if (!Array.isArray(calls)) return []
  return calls.flatMap((call) => {
    if (!isRecord(call) || typeof call["id"] !== "string") return []
    const made = isRecord(call["function"]) ? call["function"] : {}
    return [{ id: call["id"], name: stringOf(made["name"]), arguments: stringOf(made["arguments"]) ?? "" }]
  })
}

/** The ids of the calls a message makes. */
export const toolCallIds = (message: Readonly<Record<string, unknown>>): ReadonlyArray<string> =>
  toolCallsOf(message).map(({ id }) => id)

/** What kind of message has a role. */
export const kindOfRole = (role: unknown): MessageKind =>
  role === "assistant" || role === "tool" || role === "reasoning" || role === "activity" ? role : "other"

/** Where a hash begins. */
export const hashSeed = 0x811c9dc5

/** The FNV-1a hash of a text, continuing from that of the text before it. */
export const hashOf = (text: string, from: number): number => {
  let hash = from
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}

const factsOf = (input: Readonly<Record<string, unknown>>): InputFacts => ({
  threadId: stringOf(input["threadId"]),
  runId: stringOf(input["runId"]),
  continues:
    Array.isArray(input["messages"]) &&
    input["messages"].some((message) => isRecord(message) && message["role"] !== "user"),
  resumes: (Array.isArray(input["resume"]) && input["resume"].length > 0) || resumesByCommand(input["forwardedProps"])
})

/** CopilotKit's way from before `resume` (docs/wire/ag-ui.md §4.5). */
const resumesByCommand = (props: unknown): boolean =>
  isRecord(props) && isRecord(props["command"]) && props["command"]["resume"] !== undefined

const toolNames = (input: unknown): ReadonlyArray<string> => {
  if (!isRecord(input) || !Array.isArray(input["tools"])) return []
  return input["tools"].flatMap((tool) => (isRecord(tool) && typeof tool["name"] === "string" ? [tool["name"]] : []))
}

const stringOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)
