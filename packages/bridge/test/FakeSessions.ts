/**
 * Sessions without an agent: the test says what happens. The log is the real one.
 */
import type { Model } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { EventLog, EventLogLimits } from "../src/log/EventLog.ts"
import type { WaitingRequest } from "../src/session/Requests.ts"
import { type Accepted, type Session, type Submission, ThreadBusy, type Waiting } from "../src/session/Session.ts"
import { SessionRefused, Sessions } from "../src/session/Sessions.ts"
import { bareSession } from "./BareSession.ts"
import { nothingListed } from "./NothingListed.ts"
import { testLog } from "./TestLog.ts"

/** A session whose agent is the test. */
export class FakeSession {
  readonly threadId: string
  readonly log: EventLog
  readonly submissions: Array<Submission> = []
  readonly stops: Array<string | undefined> = []
  waiting: ReadonlyArray<WaitingRequest> = []
  /** Whether a prompt on a busy thread waits for its turn instead of being refused. */
  queues = false
  private queue: Array<Submission> = []
  private readonly onPrompt: (fake: FakeSession, submission: Submission) => void
  private waiters: Array<() => void> = []

  constructor(threadId: string, log: EventLog, onPrompt: (fake: FakeSession, submission: Submission) => void) {
    this.threadId = threadId
    this.log = log
    this.onPrompt = onPrompt
  }

  /** What happens. */
  say(...events: ReadonlyArray<Model.Event>): void {
    this.log.append(events)
    this.changed()
  }

  /** Ends the open turn. */
  finish(outcome: Model.TurnOutcome = { type: "completed" }): void {
    this.say({ type: "turn_ended", outcome })
    const next = this.queue.shift()
    if (next !== undefined) this.begin(next)
  }

  private get inTurn(): boolean {
    return this.log.situation().turn !== undefined
  }

  private begin(submission: Submission): void {
    const { prompt, ticket } = submission
    this.say(
      { type: "turn_started", cause: "prompt", ticket },
      ...(prompt?.said ?? []).map(({ content, id }) => ({
        type: "item_started" as const,
        lane: null,
        id,
        item: { kind: "prompt" as const, content }
      }))
    )
    this.onPrompt(this, submission)
  }

  /** Waits until something about the session holds. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.waiters.push(resolve))
  }

  private changed(): void {
    const waiting = this.waiters
    this.waiters = []
    for (const resolve of waiting) resolve()
  }

  readonly session: () => Session = () => ({
    ...bareSession(this.threadId, this.log),
    status: Effect.sync(() => (this.inTurn ? "active" : "idle")),
    submit: <E>(read: (waiting: Waiting) => Result.Result<Submission, E>) =>
      Effect.suspend((): Effect.Effect<Accepted, ThreadBusy | E> => {
        const { inTurn, threadId } = this
        const requests = this.waiting.map(({ request }) => request)
        const submission = read({ requests, pageCalls: [], inTurn, state: this.log.situation().state })
        if (Result.isFailure(submission)) return Effect.fail(submission.failure)
        const { answers, prompt } = submission.success
        if (inTurn && !this.queues && answers.length === 0)
          return Effect.fail(new ThreadBusy({ threadId, message: "A turn is open on this thread." }))
        const at = this.log.next()
        const situation = this.log.situation()
        submission.success.onAccepted?.()
        this.submissions.push(submission.success)
        const answered = new Set(answers.map(({ id }) => id))
        this.waiting = this.waiting.filter(({ request }) => !answered.has(request.id))
        for (const id of answered) this.say({ type: "request_closed", lane: null, id, by: "answered" })
        if (prompt !== undefined && inTurn) this.queue.push(submission.success)
        else if (prompt !== undefined) this.begin(submission.success)
        this.changed()
        return Effect.succeed({ at, situation, begins: prompt === undefined ? "now" : "with_turn" })
      }),
    stop: (ticket) =>
      Effect.sync(() => {
        this.stops.push(ticket)
        const { turn } = this.log.situation()
        const isOpen = turn !== undefined && (ticket === undefined || ticket === turn.ticket)
        if (isOpen) this.say({ type: "turn_ended", outcome: { type: "cancelled" } })
        this.changed()
        return isOpen
      }),
    waiting: Effect.sync(() => this.waiting)
  })

  /** Asks the person something. */
  ask(request: Model.Request): void {
    this.waiting = [...this.waiting, { request, lane: null, expiresAt: 0 }]
    this.say({ type: "request_opened", lane: null, request })
  }
}

/** Sessions by thread, and a way to them. */
export interface FakeSessions {
  readonly layer: Layer.Layer<Sessions>
  readonly get: (threadId: string) => FakeSession
}

/** Sessions that a test plays. */
export const fakeSessions = (
  onPrompt: (fake: FakeSession, submission: Submission) => void = () => {},
  limits: EventLogLimits = {},
  logOf: () => EventLog = () => testLog(limits)
): FakeSessions => {
  const sessions = new Map<string, FakeSession>()
  const get = (threadId: string): FakeSession => {
    const found = sessions.get(threadId) ?? new FakeSession(threadId, logOf(), onPrompt)
    sessions.set(threadId, found)
    return found
  }
  return {
    get,
    layer: Layer.succeed(Sessions, {
      ...nothingListed,
      agentName: "Fake Agent",
      create: (threadId) => Effect.sync(() => get(threadId).session()),
      open: (threadId) =>
        threadId === "full"
          ? Effect.fail(new SessionRefused({ code: "SESSION_LIMIT", message: "There are too many sessions." }))
          : Effect.sync(() => get(threadId).session()),
      find: (threadId) => Effect.sync(() => sessions.get(threadId)?.session()),
      remove: (threadId) => Effect.sync(() => sessions.delete(threadId))
    })
  }
}

/** A text that is not complete. */
export const openText = (id: string, ...deltas: ReadonlyArray<string>): ReadonlyArray<Model.Event> => [
  { type: "item_started", lane: null, id, item: { kind: "text" } },
  ...deltas.map((delta) => ({ type: "item_grew" as const, lane: null, id, delta }))
]

/** A whole text. */
export const wholeText = (id: string, ...deltas: ReadonlyArray<string>): ReadonlyArray<Model.Event> => [
  ...openText(id, ...deltas),
  { type: "item_ended", lane: null, id }
]

/** A question that can be answered with yes or no. */
export const permission = (id: string, call = `call-${id}`): Model.PermissionRequest => ({
  id,
  kind: "permission",
  message: "May it?",
  call,
  tool: "Bash",
  input: { command: "ls" },
  remember: [],
  details: {}
})
