/**
 * Spans of what sessions do: one for each run, and below it the start of the agent, each tool call, and each wait for
 * a person.
 *
 * They go to the tracer there is: Effect's own, which keeps nothing, unless a program provides another. A call or a
 * wait that goes on when its run has ended (an interrupt) ends later than the run it belongs to.
 */
import type { Agui } from "@agentwire/protocol"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { keyOf } from "../session/SessionKey.ts"
import { RunningAgents } from "./AgentObserver.ts"
import { Approvals } from "./Approvals.ts"
import { ControlTraffic, type Traffic } from "./ControlTraffic.ts"
import { type RunNote, RunReader } from "./RunReader.ts"
import type { SessionObserver } from "./SessionObserver.ts"

/** Spans of what a session does. */
export const sessionSpans: SessionObserver = (session) =>
  Effect.gen(function* () {
    const tracer = yield* Tracer.Tracer
    const agents = yield* RunningAgents
    const key = keyOf(session.threadId)
    const runs = new RunReader()
    const traffic = new ControlTraffic()
    const approvals = new Approvals()
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

    const noteRun = (note: RunNote): void => {
      if (note._tag === "Started") {
        const attributes = { "agentwire.run.id": note.runId }
        run = { span: begin("agentwire.run", note.at, attributes), startedAt: note.at }
      }
      if (note._tag !== "Ended" || run === undefined) return
      const { at, code, events, outcome, pendingToolCallIds } = note
      const agent = agents.get(key)
      annotate(run.span, {
        "agentwire.run.outcome": outcome,
        "agentwire.run.code": code,
        "agentwire.run.events": events,
        "agentwire.agent.version": agent?.version,
        "agentwire.agent.transport": agent?.transport
      })
      end(run.span, at, outcome === "error" ? (code ?? outcome) : undefined)
      if (outcome === "interrupt") return
      for (const [id, span] of calls) if (!pendingToolCallIds.includes(id)) close(calls, id, span, at, "no result")
    }

    const noteCall = (event: Agui.AguiEvent, at: number): void => {
      if (event.type === "TOOL_CALL_START" && calls.size < maxOpen && !calls.has(event.toolCallId))
        calls.set(
          event.toolCallId,
          begin("agentwire.tool", at, { "agentwire.tool.name": event.toolCallName }, run?.span)
        )
      else if (event.type === "TOOL_CALL_RESULT") close(calls, event.toolCallId, calls.get(event.toolCallId), at)
    }

    const noteTraffic = (note: Traffic): void => {
      const { at, by, subtype } = note
      if (by === "host" && subtype === "initialize") {
        // The process is started when its first prompt comes, and speaks when it runs.
        if (note._tag === "Asked")
          starting = begin("agentwire.agent.start", Math.min(run?.startedAt ?? at, at), {}, run?.span)
        else if (starting !== undefined)
          end(starting, at, note.outcome === "success" ? undefined : `initialize: ${note.outcome}`)
        return
      }
      const ended = approvals.ended(note)
      if (ended === undefined) return
      const span = waits.get(ended.id)
      if (span !== undefined) annotate(span, { "agentwire.approval.decision": ended.decision })
      close(waits, ended.id, span, at)
    }

    return {
      events: (entries) =>
        Effect.gen(function* () {
          const at = yield* Clock.currentTimeMillis
          for (const { event } of entries) {
            const asked = approvals.asked(event)
            for (const id of asked)
              if (waits.size < maxOpen) waits.set(id, begin("agentwire.approval", at, {}, run?.span))
            if (asked.length > 0) approvals.limits(yield* session.pending)
            for (const note of runs.read(event, at)) noteRun(note)
            noteCall(event, at)
          }
        }),
      lines: (entries) =>
        Effect.sync(() => {
          for (const entry of entries) for (const note of traffic.read(entry)) noteTraffic(note)
        }),
      ended: Effect.map(Clock.currentTimeMillis, (at) => {
        for (const note of traffic.end(at)) noteTraffic(note)
        for (const note of runs.end(at)) noteRun(note)
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
