/**
 * Spans of what sessions do: one for each turn, and below it the start of the agent, each tool call, and each wait for
 * a person.
 *
 * They go to the current tracer: Effect's own, which keeps nothing, unless a program provides another. A wait
 * that outlives its turn (a sub-agent in the background asks) ends later than the turn it belongs to.
 */
import type * as Model from "@agentwire/protocol/model"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { sessionKeyOf } from "../session/SessionKey.ts"
import { RunningAgents } from "./AgentObserver.ts"
import { askedBy, decisionOf } from "./Approvals.ts"
import { ControlTraffic, type Traffic } from "./ControlTraffic.ts"
import type { SessionObserver } from "./SessionObserver.ts"
import { type TurnNote, TurnReader } from "./TurnReader.ts"

/** Spans of what a session does. */
export const sessionSpans: SessionObserver = (session) =>
  Effect.gen(function* () {
    const tracer = yield* Tracer.Tracer
    const agents = yield* RunningAgents
    const key = sessionKeyOf(session.threadId)
    const turns = new TurnReader()
    const traffic = new ControlTraffic()
    /** The run that is open, else the last one. */
    let run: { readonly span: Tracer.Span; readonly startedAt: number } | undefined
    const calls = new Map<string, Tracer.Span>()
    const waits = new Map<string, Tracer.Span>()
    let starting: Tracer.Span | undefined

    const begin = (name: string, at: number, attributes: Attributes, parent?: Tracer.Span): Tracer.Span => {
      const span = tracer.span({
        name,
        parent: Option.fromUndefinedOr(parent),
        annotations: Context.empty(),
        links: [],
        startTime: nanos(at),
        kind: "internal",
        root: parent === undefined,
        sampled: true
      })
      annotate(span, { "agentwire.session": key, ...attributes })
      return span
    }

    const noteTurn = (note: TurnNote): void => {
      if (note._tag === "Started") {
        const attributes = { "agentwire.run.id": note.runId }
        run = { span: begin("agentwire.run", note.at, attributes), startedAt: note.at }
      }
      if (note._tag !== "Ended" || run === undefined) return
      const { at, code, events, outcome } = note
      const agent = agents.get(key)
      annotate(run.span, {
        "agentwire.run.outcome": outcome,
        "agentwire.run.code": code,
        "agentwire.run.events": events,
        "agentwire.agent.version": agent?.version,
        "agentwire.agent.transport": agent?.transport
      })
      end(run.span, at, outcome === "error" || outcome === "limited" ? (code ?? outcome) : undefined)
      for (const [id, span] of calls) close(calls, id, span, at, "no result")
    }

    const noteCall = (event: Model.Event, at: number): void => {
      if (event.type === "item_started" && event.item.kind === "call" && calls.size < maxOpen && !calls.has(event.id))
        calls.set(event.id, begin("agentwire.tool", at, { "agentwire.tool.name": event.item.tool }, run?.span))
      else if (event.type === "call_answered") close(calls, event.id, calls.get(event.id), at)
    }

    const noteQuestion = (event: Model.Event, at: number): void => {
      const id = askedBy(event)
      if (id !== undefined && waits.size < maxOpen) waits.set(id, begin("agentwire.approval", at, {}, run?.span))
      if (event.type !== "request_closed") return
      const span = waits.get(event.id)
      if (span !== undefined) annotate(span, { "agentwire.approval.decision": decisionOf(event) })
      close(waits, event.id, span, at)
    }

    const noteTraffic = (note: Traffic): void => {
      const { at, by, subtype } = note
      if (by === "host" && subtype === "initialize") {
        // The process is started when its first prompt comes, and speaks when it runs.
        if (note._tag === "Asked")
          starting = begin("agentwire.agent.start", Math.min(run?.startedAt ?? at, at), {}, run?.span)
        else if (starting !== undefined)
          end(starting, at, note.outcome === "success" ? undefined : `initialize: ${note.outcome}`)
      }
    }

    return {
      events: (entries) =>
        Effect.sync(() => {
          for (const entry of entries) {
            noteQuestion(entry.event, entry.at)
            for (const note of turns.read(entry)) noteTurn(note)
            noteCall(entry.event, entry.at)
          }
        }),
      lines: (entries) =>
        Effect.sync(() => {
          for (const entry of entries) for (const note of traffic.read(entry)) noteTraffic(note)
        }),
      ended: Effect.map(Clock.currentTimeMillis, (at) => {
        for (const note of traffic.end(at)) noteTraffic(note)
        for (const note of turns.end(at)) noteTurn(note)
        for (const [id, span] of calls) close(calls, id, span, at, "no result")
      })
    }
  })

/** How many calls and waits of one session are followed at a time. */
const maxOpen = 1000

type Attributes = Readonly<Record<string, string | number | undefined>>

const annotate = (span: Tracer.Span, attributes: Attributes): void => {
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) span.attribute(name, value)
}

const end = (span: Tracer.Span, at: number, failure?: string): void => {
  if (span.status._tag === "Started") span.end(nanos(at), failure === undefined ? Exit.void : Exit.fail(failure))
}

const close = (
  open: Map<string, Tracer.Span>,
  id: string,
  span: Tracer.Span | undefined,
  at: number,
  failure?: string
): void => {
  if (span !== undefined) end(span, at, failure)
  open.delete(id)
}

const nanos = (millis: number): bigint => BigInt(Math.round(millis)) * 1_000_000n
