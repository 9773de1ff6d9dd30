/**
 * The session that runs an agent.
 *
 * Everything that happens to a conversation (what the agent says, a prompt, an answer, the end of the process) happens
 * under one lock, in order. Nothing waits for the agent while it holds the lock: what the agent says needs it to get
 * through. One turn at a time: a prompt that comes while another turn ends waits for it, so no answer is ever
 * mistaken for that of another prompt.
 */
import * as Model from "@agentwire/protocol/model"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { type EventLogLimits, makeEventLog } from "../log/EventLog.ts"
import { makeWireLog, type WireLogLimits } from "../log/WireLog.ts"
import type { Policy } from "../policy/Policy.ts"
import { makeOutsideCalls } from "./OutsideCalls.ts"
import { mergeTools, openPageCalls } from "./PageTools.ts"
import { makePolicyGate } from "./PolicyGate.ts"
import { makeRequests, refusalOf } from "./Requests.ts"
import { type AgentOptions, Runtime, type StartFailed } from "./Runtime.ts"
import {
  type Accepted,
  NothingPending,
  type Session,
  type SessionStatus,
  type Submission,
  ThreadBusy
} from "./Session.ts"
import { titleOf } from "./ThreadTitle.ts"

/** What happens to a prompt on a thread that is busy. */
export type BusyMode = "reject" | "queue" | "interrupt"

/** What may be chosen about a session. */
export interface SessionOptions {
  readonly threadId: string
  /** The name of the session in paths. */
  readonly sessionKey: string
  readonly cwd: string
  /** Looks the folder up at every start of the agent. Default: it is what it was called. */
  readonly findFolder?: (cwd: string) => Effect.Effect<string, StartFailed>
  readonly agent?: AgentOptions
  /** Whether a person can answer through some face. Default no: what needs a person is refused. */
  readonly canAsk?: boolean
  /** Default `reject`. */
  readonly busy?: BusyMode
  /** Asked about every tool call before anybody else. */
  readonly policy?: Policy
  /** What the session is for, to the policy. */
  readonly mode?: string
  /** How long a question is asked before it is refused. Default 5 minutes. */
  readonly approvalTimeout?: Duration.Input
  /** How long the application may take for one of its tools. Default 5 minutes. */
  readonly frontendTimeout?: Duration.Input
  /** How long a stopped turn may take to end. Default 5 seconds. */
  readonly stopTimeout?: Duration.Input
  /** How long the agent may take to start. Default 60 seconds. */
  readonly startTimeout?: Duration.Input
  readonly log?: EventLogLimits
  readonly wire?: WireLogLimits
  /** The provider's id of a conversation to resume. */
  readonly resume?: string
  /** What the thread was called before a restart. */
  readonly title?: string
  /** What was said before a restart. */
  readonly transcript?: Model.Transcript
  /** Called whenever the status of the session changes. */
  readonly onStatus?: (threadId: string, status: SessionStatus) => Effect.Effect<void>
  /** Called with what was said whenever a turn has ended. */
  readonly onTurnEnd?: (transcript: Model.Transcript) => Effect.Effect<void>
  /** Called with what has to survive a restart, whenever that changes. */
  readonly onIdentity?: (identity: {
    readonly providerSessionId: string | undefined
    readonly title: string | undefined
    /** What somebody has chosen about the agent while it ran. */
    readonly agent: AgentOptions
  }) => Effect.Effect<void>
}

/** A prompt that waits for the turn before it to end. Undefined once it is dropped: its turn ends as it begins. */
interface Queued {
  readonly ticket: string
  prompt: Model.Prompt | undefined
  /** It came with answers: whoever gave them reads nothing but this prompt's turn, so nobody answers more. */
  readonly followsAnswers: boolean
}

/** A session, in a scope: closing it ends the agent. */
export const makeSession = (options: SessionOptions): Effect.Effect<Session, never, Runtime | Scope.Scope> =>
  Effect.gen(function* () {
    const runtime = yield* Runtime
    const scope = yield* Effect.scope
    const clock = yield* Clock.Clock
    const now = (): number => clock.currentTimeMillisUnsafe()
    const openedAt = now()
    const log = makeEventLog(now, options.log, options.transcript)
    const wire = makeWireLog(options.wire)
    const lock = yield* Semaphore.make(1)
    const locked = lock.withPermits(1)
    const stopTimeout = options.stopTimeout ?? "5 seconds"
    let status: SessionStatus = "idle"
    let provider = options.resume
    let title = options.title ?? firstTitle(options.transcript)
    let chosen: AgentOptions = {}
    let tools: ReadonlyArray<Model.PageTool> = []
    /** The tickets that the open turn works on. */
    const tickets = new Set<string>()
    /** The ticket of the prompt that is being sent. */
    let sending: string | undefined
    /** The turn that was asked to end, by its number. */
    let stopping: number | undefined
    const queue: Array<Queued> = []

    const inTurn = (): boolean => log.situation().turn !== undefined
    const isWorking = (): boolean => inTurn() && requests.waiting().every(({ request }) => outside.owns(request.id))

    const become = (next: SessionStatus): Effect.Effect<void> => {
      if (next === status) return Effect.void
      status = next
      return options.onStatus === undefined ? Effect.void : options.onStatus(options.threadId, next)
    }

    const inBackground = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<Fiber.Fiber<A, E>> =>
      Effect.forkIn(effect, scope)

    const identify: Effect.Effect<void> = Effect.suspend(
      () => options.onIdentity?.({ providerSessionId: provider, title, agent: chosen }) ?? Effect.void
    )

    // --- what the agent says ---------------------------------------------------------------

    const handleEvents = (events: ReadonlyArray<Model.Event>, line: number | undefined): Effect.Effect<void> =>
      Effect.gen(function* () {
        let over = false
        for (const event of events) {
          switch (event.type) {
            case "request_opened":
              yield* opened(event, line)
              break
            case "request_closed":
              yield* requests.close(event.id, event.by)
              break
            case "turn_started":
              tickets.clear()
              if (sending !== undefined) tickets.add(sending)
              log.append([{ ...event, ...(sending !== undefined && { ticket: sending }) }], line)
              break
            case "turn_ended":
              over = true
              yield* requests.closeAll("ended", isOfTurn)
              log.append([event], line)
              break
            case "session_changed":
              log.append([event], line)
              if (event.info.sessionId !== "" && event.info.sessionId !== provider) {
                provider = event.info.sessionId
                yield* identify
              }
              break
            default:
              log.append([event], line)
          }
        }
        if (conversation.isRunning() && status !== "starting") yield* become(inTurn() ? "active" : "idle")
        if (over) yield* turnEnded
      })

    /** A turn that was asked to end already takes its requests back. */
    const opened = (event: Model.EventOf<"request_opened">, line: number | undefined): Effect.Effect<void> =>
      stopping !== undefined && isOfTurn(event.request, event.lane)
        ? answerAgent(event.request.id, stoppedAnswer(event.request))
        : requests.open(event, line)

    /** The requests of background sub-agents outlive the turn, and so do calls from outside. */
    const isOfTurn = ({ id, kind }: Model.Request, lane: Model.Lane): boolean =>
      kind === "page_tool" ? !outside.owns(id) : !Model.isInBackground(log.situation(), lane)

    /** The answer to a request that is not asked, because nobody would answer it. */
    const answerUnasked = (request: Model.Request, lane: Model.Lane): Effect.Effect<Model.Answer | undefined> =>
      Effect.gen(function* () {
        if (request.kind !== "page_tool" && options.canAsk !== true) return nobodysAnswer(request)
        const isWaitedFor = queue.some(({ followsAnswers, prompt }) => followsAnswers && prompt !== undefined)
        if (!isWaitedFor || !isOfTurn(request, lane)) return undefined
        yield* endTurn
        return stoppedAnswer(request)
      })

    const turnEnded: Effect.Effect<void> = Effect.gen(function* () {
      stopping = undefined
      tickets.clear()
      if (options.onTurnEnd !== undefined) yield* options.onTurnEnd(log.moment().transcript)
      yield* beginNext
    })

    const beginNext: Effect.Effect<void> = Effect.suspend(() => {
      if (inTurn()) return Effect.void
      const next = queue.shift()
      if (next === undefined) return outside.tellWaiting
      if (next.prompt !== undefined) return beginTurn(next.ticket, next.prompt)
      // Tell whoever waits for it.
      log.append([
        { type: "turn_started", cause: "prompt", ticket: next.ticket },
        { type: "turn_ended", outcome: { type: "cancelled" } }
      ])
      return beginNext
    })

    const agentChanged = (agent: AgentOptions): Effect.Effect<void> => {
      chosen = { ...chosen, ...agent }
      return identify
    }

    const agentBecame = (state: "starting" | "ready" | "gone"): Effect.Effect<void> =>
      Effect.gen(function* () {
        if (state === "starting") return yield* become("starting")
        if (state === "ready") return yield* status === "starting" ? become("connected") : Effect.void
        yield* requests.closeAll("ended", ({ id }) => !outside.owns(id))
        yield* become("disconnected")
        yield* beginNext
      })

    // --- the parts -------------------------------------------------------------------------

    const gate = makePolicyGate(options.policy, options.mode)
    const conversation = yield* runtime.open(
      {
        sessionKey: options.sessionKey,
        cwd: options.cwd,
        folder: options.findFolder?.(options.cwd) ?? Effect.succeed(options.cwd),
        agent: options.agent ?? {},
        resume: provider,
        startTimeout: options.startTimeout ?? "60 seconds"
      },
      {
        locked,
        wire,
        nextEvent: log.next,
        now,
        logEvents: log.append,
        handleEvents,
        judge: gate.judge,
        agentChanged,
        agentBecame
      }
    )
    const answerAgent = (id: string, answer: Model.Answer): Effect.Effect<void> =>
      conversation.send({ type: "answer", id, answer })
    const requests = makeRequests({
      append: log.append,
      judge: (request) => gate.judgeRequest(request, conversation.cwd()),
      answerUnasked,
      limitOf: ({ kind }) => (kind === "page_tool" ? options.frontendTimeout : options.approvalTimeout) ?? "5 minutes",
      answer: (id, answer, by) =>
        outside.owns(id) ? outside.finishCall(id, answer, by === "expired") : answerAgent(id, answer),
      inBackground,
      locked
    })
    const outside = makeOutsideCalls({
      append: log.append,
      requests: { open: (event, line) => requests.open(event, line), close: (id, by) => requests.close(id, by) },
      isBusy: inTurn,
      locked
    })

    // --- what faces ask --------------------------------------------------------------------

    const beginTurn = (ticket: string, prompt: Model.Prompt): Effect.Effect<void> =>
      Effect.gen(function* () {
        sending = ticket
        yield* conversation.send(prompt)
        sending = undefined
        if (title !== undefined) return
        title = prompt.said.map(({ content }) => titleOf(content)).find((words) => words !== undefined)
        if (title !== undefined) yield* identify
      })

    const offer = (fresh: ReadonlyArray<Model.PageTool>): Effect.Effect<void> => {
      const before = tools
      tools = mergeTools(tools, fresh)
      return before === tools ? Effect.void : conversation.send({ type: "offer_tools", tools })
    }

    /** Asks the agent to end the open turn, and makes sure that it does. */
    const endTurn: Effect.Effect<void> = Effect.gen(function* () {
      const { turn, turns } = log.situation()
      if (turn === undefined || stopping === turns) return
      stopping = turns
      yield* conversation.interrupt
      // The agent withdraws its own questions, but not what it asked the application to do.
      for (const { lane, request } of requests.waiting())
        if (request.kind === "page_tool" && isOfTurn(request, lane))
          yield* requests.answer(request.id, stoppedAnswer(request), "abandoned")
      // Including those that the policy is still deciding about.
      yield* requests.closeAll("abandoned", isOfTurn)
      yield* inBackground(
        Effect.andThen(
          Effect.sleep(stopTimeout),
          // The agent does not answer: stop waiting; the next prompt starts another one.
          locked(Effect.suspend(() => (stopping === turns ? conversation.disconnect : Effect.void)))
        )
      )
    })

    const busy = new ThreadBusy({
      threadId: options.threadId,
      message: `Thread ${options.threadId} has a turn that is not over.`
    })

    const submit: Session["submit"] = (read) =>
      locked(
        Effect.gen(function* () {
          const waiting = requests.waiting().map(({ request }) => request)
          const reading = read({ requests: waiting, pageCalls: openPageCalls(log.situation()), inTurn: inTurn() })
          const submission = yield* Result.isSuccess(reading)
            ? Effect.succeed(reading.success)
            : Effect.fail(reading.failure)
          // Reading a long conversation takes its time, and so does what follows: others have their turn in between.
          yield* Effect.yieldNow
          const plan = planOf(
            submission,
            waiting.filter(({ id }) => !outside.owns(id))
          )
          if (plan === "refuse") return yield* busy
          submission.onAccepted?.()
          const accepted: Accepted = {
            at: log.next(),
            situation: log.situation(),
            begins: submission.prompt === undefined ? "now" : "with_turn"
          }
          yield* offer(submission.tools)
          for (const { answer, id } of submission.answers) yield* requests.answer(id, answer)
          for (const { answer, toolCallId } of submission.results) yield* requests.answerEarly(toolCallId, answer)
          if (submission.prompt === undefined) {
            tickets.add(submission.ticket)
            return accepted
          }
          const { prompt, ticket } = submission
          if (plan === "begin") yield* beginTurn(ticket, prompt)
          else {
            queue.push({ ticket, prompt, followsAnswers: submission.answers.length + submission.results.length > 0 })
            if (plan === "interrupt") yield* endTurn
          }
          return accepted
        })
      )

    /** What becomes of a submission, given what the agent has asked. */
    const planOf = (
      { answers, prompt, results }: Submission,
      waiting: ReadonlyArray<Model.Request>
    ): "begin" | "wait" | "interrupt" | "refuse" => {
      const answered = new Set(answers.map(({ id }) => id))
      if (!inTurn()) return queue.length === 0 ? "begin" : "wait"
      if (prompt === undefined) return answered.size + results.length > 0 || !isWorking() ? "wait" : "refuse"
      if (stopping !== undefined) return "wait"
      const left = waiting.filter(({ id }) => !answered.has(id))
      // The agent continues with the answers; then it is the prompt's turn.
      if (answered.size + results.length > 0 && left.length === 0) return "wait"
      // The person said something else instead: do not wait for what the application was to do.
      if (left.length > 0 && left.every(({ kind }) => kind === "page_tool")) return "interrupt"
      return options.busy === "queue" ? "wait" : options.busy === "interrupt" ? "interrupt" : "refuse"
    }

    const stop = (ticket?: string): Effect.Effect<boolean> =>
      locked(
        Effect.gen(function* () {
          const queued = queue.find((each) => each.ticket === ticket && each.prompt !== undefined)
          if (queued !== undefined) {
            queued.prompt = undefined
            return true
          }
          const isOurs = inTurn() && (ticket === undefined || tickets.has(ticket))
          if (isOurs) yield* endTurn
          if (ticket !== undefined) return isOurs
          // Without a ticket everything is meant: the prompts that wait, and the questions of background sub-agents.
          for (const queued of queue) queued.prompt = undefined
          const left = requests.waiting().filter(({ request }) => !outside.owns(request.id))
          for (const { request } of left) yield* requests.answer(request.id, stoppedAnswer(request), "abandoned")
          return isOurs || left.length > 0
        })
      )

    const disconnect: Effect.Effect<void> = locked(conversation.disconnect)

    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        queue.length = 0
        yield* disconnect
        yield* become("terminated")
        yield* outside.close
        log.close()
        wire.close()
      })
    )

    return {
      threadId: options.threadId,
      cwd: options.cwd,
      openedAt,
      log,
      wire,
      status: Effect.sync(() => status),
      mode: options.mode,
      title: Effect.sync(() => title),
      providerSessionId: Effect.sync(() => provider),
      submit,
      stop,
      waiting: Effect.sync(requests.waiting),
      answer: (id, answer) =>
        Effect.flatMap(locked(requests.answer(id, answer)), (found) =>
          found
            ? Effect.void
            : Effect.fail(new NothingPending({ id, message: `No question ${id} waits for an answer.` }))
        ),
      tools: Effect.sync(() => tools),
      callTool: (name, input) => outside.call(tools, name, input),
      start: Effect.andThen(locked(conversation.start), conversation.whenReady),
      native: conversation.native,
      disconnect
    }
  })

/** The answer to a request whose turn was stopped. */
const stoppedAnswer = (request: Model.Request): Model.Answer =>
  refusalOf(request, "The turn was stopped before this was answered.")

const nobodysAnswer = (request: Model.Request): Model.Answer =>
  refusalOf(request, "Nobody can be asked: this bridge refuses what needs a person.")

const firstTitle = (transcript: Model.Transcript = Model.emptyTranscript): string | undefined => {
  const first = transcript.entries.find((entry) => entry.kind === "prompt")
  return first?.kind === "prompt" ? titleOf(first.content) : undefined
}
