/**
 * Sessions with all that looks on at them, for a test: its lines, its spans and its numbers.
 */

import { tmpdir } from "node:os"
import type { Model } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"
import { layerBridgeSessions, type SharedSessionOptions } from "../../src/embed/BridgeLayer.ts"
import { layerObservedAgents } from "../../src/observe/AgentObserver.ts"
import { layerLog } from "../../src/observe/Log.ts"
import { renderMetrics, Samplers } from "../../src/observe/Metrics.ts"
import { sessionLog } from "../../src/observe/SessionLog.ts"
import { sessionMetrics } from "../../src/observe/SessionMetrics.ts"
import { layerObservedSessions, type SessionObserver } from "../../src/observe/SessionObserver.ts"
import { sessionSpans } from "../../src/observe/SessionSpans.ts"
import type { AgentLauncher } from "../../src/runtime/claude/Agent.ts"
import { layerClaudeRuntime } from "../../src/runtime/claude/ClaudeRuntime.ts"
import type { Session, Submission } from "../../src/session/Session.ts"
import { Sessions } from "../../src/session/Sessions.ts"
import { parsePrometheus, type Sample } from "./Prometheus.ts"

/** A line of the log. */
export type Line = Readonly<Record<string, unknown>>

/** What was seen. */
export interface Seen {
  readonly lines: ReadonlyArray<Line>
  readonly spans: ReadonlyArray<Tracer.NativeSpan>
  readonly samples: ReadonlyArray<Sample>
  /** All of the lines, as they were written. */
  readonly text: string
}

/** Options of {@link observing}. */
export interface Observing {
  readonly session?: Partial<SharedSessionOptions>
  readonly observers?: ReadonlyArray<SessionObserver>
}

/** Uses sessions and ends them. Gives what was seen once every observer has read to the end and every agent is gone. */
export const observing = <E>(
  launcher: Layer.Layer<AgentLauncher>,
  use: (sessions: Sessions["Service"]) => Effect.Effect<unknown, E>,
  { observers = [sessionLog, sessionMetrics, sessionSpans], session = {} }: Observing = {}
): Effect.Effect<Seen, E> =>
  Effect.gen(function* () {
    const written: Array<string> = []
    let news = Latch.makeUnsafe(false)
    const write = (line: string) => {
      written.push(line)
      news.openUnsafe()
      news = Latch.makeUnsafe(false)
    }
    const lines = (): ReadonlyArray<Line> => written.map((line) => JSON.parse(line) as Line)
    const count = (event: string): number => lines().filter((line) => line["event"] === event).length
    const spans: Array<Tracer.NativeSpan> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    const ended = yield* Queue.unbounded<void>()
    let started = 0
    const waited =
      (observer: SessionObserver): SessionObserver =>
      (session) =>
        Effect.map(observer(session), (watch) => {
          started++
          return { ...watch, ended: Effect.ensuring(watch.ended ?? Effect.void, Queue.offer(ended, undefined)) }
        })
    const layer = layerObservedSessions(observers.map(waited)).pipe(
      Layer.provide(layerBridgeSessions({ session: { cwd: tmpdir(), ...session } })),
      Layer.provide(layerClaudeRuntime),
      Layer.provide(layerObservedAgents),
      Layer.provide(launcher),
      Layer.orDie
    )
    const samples = yield* Effect.gen(function* () {
      yield* Effect.gen(function* () {
        const sessions = yield* Sessions
        yield* use(sessions)
        for (const { threadId } of yield* Effect.orDie(sessions.list)) yield* Effect.orDie(sessions.remove(threadId))
        for (let each = 0; each < started; each++) yield* Queue.take(ended)
      }).pipe(Effect.provide(layer))
      while (count("agent ended") < count("agent started")) yield* news.await
      return parsePrometheus(yield* renderMetrics)
    }).pipe(
      Effect.provide(layerLog({ write, json: true, level: "debug" })),
      Effect.provideService(Tracer.Tracer, tracer),
      Effect.provideService(Metric.MetricRegistry, new Map()),
      Effect.provideService(Samplers, new Set())
    )
    return { lines: lines(), spans, samples, text: written.join("\n") }
  })

/** What a client asks for, by its name. */
export const prompt = (ticket: string, words: string): Submission => ({
  ticket,
  answers: [],
  results: [],
  tools: [],
  prompt: { type: "prompt", said: [{ id: `user-${ticket}`, content: words }] }
})

/** Submits what a client asks for. */
export const submit = (session: Session, submission: Submission) => session.submit(() => Result.succeed(submission))

/** Waits for an event of a session, from a number on, and gives the number after it. */
export const until = (session: Session, from: number, holds: (event: Model.Event) => boolean): Effect.Effect<number> =>
  session.log.read(from).pipe(
    Stream.filter(({ event }) => holds(event)),
    Stream.take(1),
    Stream.runCollect,
    Effect.map(([found]) => (found?.seq ?? 0) + 1),
    Effect.orDie
  )

/** Whether a turn is over. */
export const isEnd = ({ type }: Model.Event): boolean => type === "turn_ended"

/** Whether a person is asked. */
export const isQuestion = ({ type }: Model.Event): boolean => type === "request_opened"

/** Has a prompt answered. */
export const run = (session: Session, ticket: string, words: string) =>
  Effect.gen(function* () {
    const { at } = yield* submit(session, prompt(ticket, words))
    yield* until(session, at, isEnd)
  })
