/**
 * Sessions without an agent: the test says what happens. The log is the real one.
 */
import type { Agui } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type EventLog, type EventLogLimits, makeEventLog } from "../src/log/EventLog.ts"
import { type PendingQuestion, type Session, ThreadBusy } from "../src/session/Session.ts"
import { SessionRefused, Sessions } from "../src/session/Sessions.ts"
import { bareSession } from "./BareSession.ts"

/** A session whose agent is the test. */
export class FakeSession {
  readonly threadId: string
  readonly log: EventLog
  readonly runs: Array<Agui.RunAgentInput> = []
  readonly stops: Array<string | undefined> = []
  pending: ReadonlyArray<PendingQuestion> = []
  deliveredTo = 0
  /** Where the next run tells its reader to begin; by default at what no client has had. */
  from: number | undefined
  /** Whether a run on a busy thread waits for its turn instead of being refused. */
  queues = false
  private queue: Array<Agui.RunAgentInput> = []
  private openRun: string | undefined
  private readonly onRun: (fake: FakeSession, input: Agui.RunAgentInput) => void
  private waiting: Array<() => void> = []

  constructor(threadId: string, log: EventLog, onRun: (fake: FakeSession, input: Agui.RunAgentInput) => void) {
    this.threadId = threadId
    this.log = log
    this.onRun = onRun
  }

  /** What the agent says. */
  say(...events: ReadonlyArray<Agui.AguiEvent>): void {
    for (const event of events) {
      if (event.type === "RUN_STARTED") this.openRun = event.runId
      if (event.type === "RUN_FINISHED" || event.type === "RUN_ERROR") this.openRun = undefined
    }
    Effect.runSync(this.log.append(events))
    this.changed()
  }

  /** Ends the open run. */
  finish(outcome: Agui.RunFinishedOutcome = { type: "success" }): void {
    const { openRun: runId = "none", threadId } = this
    this.say({ type: "RUN_FINISHED", threadId, runId, outcome })
    const next = this.queue.shift()
    if (next !== undefined) this.begin(next)
  }

  private begin(input: Agui.RunAgentInput): void {
    const { threadId } = this
    this.runs.push(input)
    this.say({ type: "RUN_STARTED", threadId, runId: input.runId, protocolVersion: "1.0", input })
    this.onRun(this, input)
  }

  /** Waits until something about the session holds. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.waiting.push(resolve))
  }

  private changed(): void {
    const waiting = this.waiting
    this.waiting = []
    for (const resolve of waiting) resolve()
  }

  readonly session: () => Session = () => ({
    ...bareSession(this.threadId, this.log),
    status: Effect.sync(() => (this.openRun === undefined ? "idle" : "active")),
    run: (input) =>
      Effect.suspend(() => {
        const { threadId } = this
        if (this.openRun !== undefined && !this.queues)
          return Effect.fail(new ThreadBusy({ threadId, message: "A run is open on this thread." }))
        const from = this.from ?? this.deliveredTo
        if (this.openRun === undefined) this.begin(input)
        else this.queue.push(input)
        return Effect.succeed({ runId: input.runId, from })
      }),
    delivered: (seq) =>
      Effect.sync(() => {
        this.deliveredTo = Math.max(this.deliveredTo, seq)
        this.changed()
      }),
    stop: (runId) =>
      Effect.sync(() => {
        this.stops.push(runId)
        const open = this.openRun !== undefined && (runId === undefined || runId === this.openRun)
        if (open)
          this.say(...closings(this.log), {
            type: "RUN_FINISHED",
            threadId: this.threadId,
            runId: this.openRun ?? "",
            outcome: { type: "cancelled" }
          })
        this.changed()
        return open
      }),
    pending: Effect.sync(() => this.pending)
  })
}

/** The ends of the messages that are open, taken from ids of the form the tests use. */
const closings = (log: EventLog): ReadonlyArray<Agui.AguiEvent> => {
  const { history } = Effect.runSync(log.history)
  return history.messages
    .filter(({ id, role }) => role === "assistant" && id.startsWith("open-"))
    .map(({ id }) => ({ type: "TEXT_MESSAGE_END", messageId: id }))
}

/** Sessions by thread, and a way to them. */
export interface FakeSessions {
  readonly layer: Layer.Layer<Sessions>
  readonly get: (threadId: string) => FakeSession
}

/** Sessions that a test plays. */
export const fakeSessions = (
  onRun: (fake: FakeSession, input: Agui.RunAgentInput) => void = () => {},
  limits: EventLogLimits = {}
): FakeSessions => {
  const sessions = new Map<string, FakeSession>()
  const get = (threadId: string): FakeSession => {
    const found = sessions.get(threadId) ?? new FakeSession(threadId, Effect.runSync(makeEventLog(limits)), onRun)
    sessions.set(threadId, found)
    return found
  }
  return {
    get,
    layer: Layer.succeed(Sessions, {
      create: (threadId) => Effect.sync(() => get(threadId).session()),
      open: (threadId) =>
        threadId === "full"
          ? Effect.fail(new SessionRefused({ code: "SESSION_LIMIT", message: "There are too many sessions." }))
          : Effect.sync(() => get(threadId).session()),
      find: (threadId) => Effect.sync(() => sessions.get(threadId)?.session()),
      list: Effect.succeed([]),
      remove: (threadId) => Effect.sync(() => sessions.delete(threadId))
    })
  }
}

/** A whole text message. */
export const textMessage = (messageId: string, ...deltas: ReadonlyArray<string>): ReadonlyArray<Agui.AguiEvent> => [
  { type: "TEXT_MESSAGE_START", messageId, role: "assistant" },
  ...deltas.map((delta) => ({ type: "TEXT_MESSAGE_CONTENT" as const, messageId, delta })),
  { type: "TEXT_MESSAGE_END", messageId }
]
