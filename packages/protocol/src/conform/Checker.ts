/**
 * Judges a stream of AG-UI events, one event at a time, by the rules of `rules/`.
 *
 * An event passes the stages of a client: its shape is judged, old shapes are translated, chunks are expanded, the
 * run's boundaries are checked, and then the families look at it. Unlike a client, a checker continues after a breach.
 *
 * Memory is bounded by what is open (messages, calls, steps, subagents, the state) and by a window of what was
 * (`windowSize` closed ids of each kind); rules that look back stay silent about what fell out of the window.
 */
import { type Dialect, dialectOf } from "../agui/Dialect.ts"
import type { EventType } from "../agui/Event.ts"
import { isRecord } from "../wire/Json.ts"
import { families } from "./Catalogue.ts"
import type { Finding } from "./Finding.ts"
import { type Chunk, Lanes } from "./rules/Chunk.ts"
import { checkThinking, reasoningRules, type Thinking } from "./rules/Reasoning.ts"
import { passesRunGate } from "./rules/Run.ts"
import { schemaRules, shapeEvent, type Typed } from "./rules/Schema.ts"
import { noteTag } from "./rules/Subagent.ts"
import { salvageEvent } from "./Salvage.ts"
import { Stream } from "./Stream.ts"

/** What is known of the stream besides its events. */
export interface CheckOptions {
  /** Whose rules: those of 1.0, or of the 0.0.59 client inside CopilotKit. Else the one `input` says, else 1.0. */
  readonly dialect?: Dialect
  /** The request the stream answers, as it was sent. Rules that need it are silent without. */
  readonly input?: unknown
  /** Names of tools the application executes, besides those `input.tools` offers. */
  readonly frontendTools?: ReadonlyArray<string>
}

/** A checker of one stream. */
export interface Checker {
  /** What is wrong with the next event. Never throws, whatever it is given. */
  readonly push: (event: unknown) => ReadonlyArray<Finding>
  /** What is wrong with the stream when it ends here. */
  readonly end: () => ReadonlyArray<Finding>
}

/** What a whole stream came to. */
export interface Report {
  readonly verdict: "pass" | "warn" | "fail"
  readonly errors: number
  readonly warnings: number
  readonly infos: number
  /** How many events there were. */
  readonly events: number
  readonly findings: ReadonlyArray<Finding>
}

type Handler = (event: never, stream: Stream) => void

const handlers: ReadonlyMap<string, ReadonlyArray<Handler>> = (() => {
  const byType = new Map<string, Array<Handler>>()
  for (const { on } of families)
    for (const [type, handler] of Object.entries(on)) byType.set(type, [...(byType.get(type) ?? []), handler])
  return byType
})()

const none: ReadonlyArray<Finding> = []

/** A checker of one stream. */
export const makeChecker = (options: CheckOptions = {}): Checker => {
  const { dialect = isRecord(options.input) ? dialectOf(options.input) : "1.0", frontendTools, input } = options
  const stream = new Stream(dialect, input, frontendTools)
  const lanes = new Lanes()
  const thinking: Thinking = { step: false, message: false }
  const translate = makeTranslator()

  /** One event in today's shape, no chunk. */
  const take = (event: Typed): void => {
    const type = event.type as EventType
    if (!passesRunGate(type, stream)) return
    if (type === "RUN_STARTED") begin(event)
    const tag = event["subagentRunId"]
    if (tag !== undefined && !type.startsWith("SUBAGENT_")) noteTag(tag, stream)
    const handling = handlers.get(type)
    if (handling !== undefined) for (const handle of handling) handle(event as never, stream)
    if (type === "RUN_FINISHED") stream.phase = "finished"
    else if (type === "RUN_ERROR") {
      stream.phase = "errored"
      stream.strayed = false
    }
  }

  const begin = ({ runId, threadId }: Typed): void => {
    stream.beginRun(typeof runId === "string" ? runId : undefined, typeof threadId === "string" ? threadId : undefined)
    thinking.step = false
    thinking.message = false
  }

  /** An event of today, which may be a chunk, and what it ends. */
  const accept = (event: Typed): void => {
    switch (event.type) {
      case "TEXT_MESSAGE_CHUNK":
      case "TOOL_CALL_CHUNK":
      case "REASONING_MESSAGE_CHUNK":
        stream.expanding = true
        for (const expanded of lanes.expand(event as unknown as Chunk, stream)) take(expanded as unknown as Typed)
        stream.expanding = false
        return
    }
    const tag = event["subagentRunId"]
    lanes.checkMixing(event.type, event["toolCallId"] ?? event["messageId"], stream)
    const closing = lanes.closeBefore(event.type, typeof tag === "string" ? tag : undefined)
    for (const expanded of closing) take(expanded as unknown as Typed)
    take(event)
  }

  const acceptThinking = (event: Typed): void => {
    stream.reportOnce(
      reasoningRules["AGUI-REASONING-009"],
      "",
      `${event.type} is from before 1.0; REASONING_* is what is sent today.`
    )
    if (dialect === "1.0") {
      const shaped = shapeEvent(translate(event), stream)
      if (shaped._tag === "Event") accept(shaped.event)
      return
    }
    for (const expanded of lanes.closeBefore(event.type, undefined)) take(expanded as unknown as Typed)
    if (passesRunGate("thinking", stream)) checkThinking(event.type, thinking, stream)
  }

  const judge = (value: unknown): void => {
    const shaped = shapeEvent(value, stream)
    switch (shaped._tag) {
      case "Event":
        accept(shaped.event)
        break
      case "Thinking":
        acceptThinking(shaped.event)
        break
      case "Malformed": {
        const rest = salvageEvent(shaped.event)
        if (rest !== undefined) accept(rest)
        break
      }
      case "Nothing":
        break
    }
  }

  const taken = (): ReadonlyArray<Finding> => {
    if (stream.findings.length === 0) return none
    const { findings } = stream
    stream.findings = []
    return findings
  }

  return {
    push: (event) => {
      stream.index++
      stream.raw = event
      try {
        judge(event)
      } catch (error) {
        // Values no JSON has: getters that throw, cycles, nesting without end.
        stream.report(
          schemaRules["AGUI-SCHEMA-001"],
          `The event cannot be read: ${error instanceof Error ? error.message : "it throws"}.`
        )
      }
      stream.raw = undefined
      return taken()
    },
    end: () => {
      for (const { end } of families) end?.(stream)
      return taken()
    }
  }
}

/** Translates THINKING_* as client 1.0.0 does: it has no ids, so some are made up. */
const makeTranslator = (): ((event: Typed) => Typed) => {
  let made = 0
  let span: string | undefined
  let message: string | undefined
  const make = (): string => `thinking-${++made}`
  return ({ title: _, ...event }) => {
    switch (event.type) {
      case "THINKING_START":
        span = make()
        return { ...event, type: "REASONING_START", messageId: span }
      case "THINKING_TEXT_MESSAGE_START":
        message = make()
        return { ...event, type: "REASONING_MESSAGE_START", messageId: message, role: "reasoning" }
      case "THINKING_TEXT_MESSAGE_CONTENT":
        return { ...event, type: "REASONING_MESSAGE_CONTENT", messageId: message ?? make() }
      case "THINKING_TEXT_MESSAGE_END": {
        const messageId = message ?? make()
        message = undefined
        return { ...event, type: "REASONING_MESSAGE_END", messageId }
      }
      default: {
        const messageId = span ?? make()
        span = undefined
        return { ...event, type: "REASONING_END", messageId }
      }
    }
  }
}

/** The verdict on some findings: errors fail, warnings warn, infos pass. */
export const verdictOf = (findings: Iterable<Finding>): Pick<Report, "verdict" | "errors" | "warnings" | "infos"> => {
  const counts = { error: 0, warning: 0, info: 0 }
  for (const { level } of findings) counts[level]++
  return {
    verdict: counts.error > 0 ? "fail" : counts.warning > 0 ? "warn" : "pass",
    errors: counts.error,
    warnings: counts.warning,
    infos: counts.info
  }
}

/** Checks a whole stream. */
export const checkEvents = (events: Iterable<unknown>, options: CheckOptions = {}): Report => {
  const checker = makeChecker(options)
  const findings: Array<Finding> = []
  let count = 0
  for (const event of events) {
    count++
    for (const finding of checker.push(event)) findings.push(finding)
  }
  for (const finding of checker.end()) findings.push(finding)
  return { ...verdictOf(findings), events: count, findings }
}
