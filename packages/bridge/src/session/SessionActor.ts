/**
 * The session that runs an agent.
 *
 * Everything that happens to a conversation (what the agent says, a prompt, an answer, the end of the process) happens
 * under one lock, in order. Nothing waits for the agent while it holds the lock: what the agent says needs it to get
 * through. One turn at a time: a prompt that comes while another turn ends waits for it, so no answer is ever
 * mistaken for that of another prompt.
 */
import type * as Model from "@agentwire/protocol/model"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { unheardTurn } from "../log/CutTurns.ts"
import { cutWords } from "../log/CutWords.ts"
import { openEventLog } from "../log/EventLog.ts"
import { makeWireLog } from "../log/WireLog.ts"
import { Store } from "../store/Store.ts"
import type { ClaimLost, StoreFailed } from "../store/StoreErrors.ts"
import { type BranchFailed, makeBranching, type WentBack } from "./Branching.ts"
import type { AgentKind } from "./Capabilities.ts"
import { makeOutsideCalls } from "./OutsideCalls.ts"
import { mergeTools } from "./PageTools.ts"
import { findTarget } from "./PointTarget.ts"
import { makePolicyGate } from "./PolicyGate.ts"
import { makePromptQueue, type QueuedPrompt } from "./PromptQueue.ts"
import { makeRequests, refusalOf } from "./Requests.ts"
import { type AgentOptions, Runtime } from "./Runtime.ts"
import { NothingPending, type Session, type SessionStatus, ThreadBusy } from "./Session.ts"
import type { SessionOptions } from "./SessionOptions.ts"
import { makeSessionRules } from "./SessionRules.ts"
import { unsupportedSetting } from "./Settings.ts"
import { makeSteering } from "./Steering.ts"
import { makeStopping, stoppedAnswer } from "./Stopping.ts"
import { keptOptions, laterServers } from "./StoredOptions.ts"
import { makeSubmitting } from "./Submitting.ts"
import { makeTitles, shortened, type ThreadTitle } from "./ThreadTitle.ts"

/** A session, in a scope: closing it ends the agent. */
export const makeSession = (
  options: SessionOptions
): Effect.Effect<Session, ClaimLost | StoreFailed, Runtime | Store | Scope.Scope> =>
  Effect.gen(function* () {
    const { claim } = options
    const { thread, threadId } = claim
    const runtime = yield* Runtime
    const store = yield* Store
    const scope = yield* Effect.scope
    const clock = yield* Clock.Clock
    const now = (): number => clock.currentTimeMillisUnsafe()
    const openedAt = now()
    const log = yield* openEventLog({ store, claim, now, ...(options.log !== undefined && { limits: options.log }) })
    const wire = makeWireLog(options.wire)
    const lock = yield* Semaphore.make(1)
    const locked = lock.withPermits(1)
    let status: SessionStatus = "idle"
    let provider = thread.providerSessionId
    const hearTitles = new Set<(title: ThreadTitle) => void>()
    const titles = makeTitles(thread, (title) => {
      log.change(title)
      for (const heard of hearTitles) heard(title)
    })
    /** What was chosen about the agent, at first and later. */
    let kept = thread.options
    /** The MCP servers that the agent was given later. */
    let servers = laterServers(thread)
    let tools: ReadonlyArray<Model.PageTool> = []
    /** The tickets that the open turn works on. */
    const tickets = new Set<string>()
    /** The ticket of the prompt that is being sent. */
    let sending: string | undefined
    const prompts = makePromptQueue((waiting) => log.change({ waiting }))

    const inTurn = (): boolean => log.situation().turn !== undefined
    /** Words that the agent may still begin a turn with are words of a turn: no other prompt may come between. */
    const isBusy = (): boolean => inTurn() || branching.isUnderWay() || prompts.steering().length > 0
    const isWorking = (): boolean => inTurn() && requests.waiting().every(({ request }) => outside.owns(request.id))

    const become = (next: SessionStatus): Effect.Effect<void> => {
      if (next === status) return Effect.void
      status = next
      return options.onStatus === undefined ? Effect.void : options.onStatus(threadId, next)
    }

    const inBackground = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<Fiber.Fiber<A, E>> =>
      Effect.forkIn(effect, scope)

    // --- what the agent says ---------------------------------------------------------------

    const handleEvents = (events: ReadonlyArray<Model.Event>, line: number | undefined): Effect.Effect<void> =>
      Effect.gen(function* () {
        let over = false
        for (const [index, event] of events.entries()) {
          switch (event.type) {
            case "request_opened":
              yield* opened(event, line)
              break
            case "request_closed":
              yield* requests.close(event.id, event.by)
              break
            case "turn_started":
              tickets.clear()
              yield* began(event, events.slice(index + 1), line)
              break
            case "item_started":
              noteHeard(event)
              log.append([event], line)
              break
            case "turn_ended":
              over = true
              yield* requests.closeAll("ended", stopping.isOfTurn)
              log.append([event], line)
              break
            case "session_changed":
              log.append([event], line)
              if (event.info.sessionId !== "" && event.info.sessionId !== provider) {
                provider = event.info.sessionId
                log.change({ providerSessionId: provider })
              }
              break
            default:
              log.append([event], line)
          }
        }
        if (conversation.isRunning() && status !== "starting") yield* become(inTurn() ? "active" : "idle")
        if (over) yield* turnEnded
      })

    /** A turn begins: with the prompt that is being sent, or with words that came too late for the turn before. */
    const began = (
      event: Model.EventOf<"turn_started">,
      after: ReadonlyArray<Model.Event>,
      line: number | undefined
    ): Effect.Effect<void> =>
      Effect.sync(() => {
        const late = prompts
          .steering()
          .find(({ said }) => after.some((each) => said.some(({ id }) => isSaid(each, id))))
        const ticket = sending ?? late?.ticket
        if (sending !== undefined) prompts.begun()
        if (ticket !== undefined) tickets.add(ticket)
        log.append([{ ...event, ...(ticket !== undefined && { ticket }) }], line)
      })

    /** Words that the agent has heard in its turn wait no more: what is kept of them is in the log from now on. */
    const noteHeard = ({ id, item, lane }: Model.EventOf<"item_started">): void => {
      const heard = item.kind === "prompt" && lane === null ? prompts.heard(id) : undefined
      if (heard !== undefined) tickets.add(heard.ticket)
    }

    /** A turn that was asked to end already takes its requests back. */
    const opened = (event: Model.EventOf<"request_opened">, line: number | undefined): Effect.Effect<void> =>
      stopping.isUnderWay() && stopping.isOfTurn(event.request, event.lane)
        ? answerAgent(event.request.id, stoppedAnswer(event.request))
        : requests.open({ ...event, request: rules.offer(event.request) }, line)

    /** The answer to a request that is not asked, because nobody would answer it. */
    const answerUnasked = (request: Model.Request, lane: Model.Lane): Effect.Effect<Model.Answer | undefined> =>
      Effect.gen(function* () {
        if (request.kind !== "page_tool" && options.canAsk !== true) return nobodysAnswer(request)
        const isWaitedFor = prompts
          .waiting()
          .some(({ followsAnswers, prompt }) => followsAnswers && prompt !== undefined)
        if (!isWaitedFor || !stopping.isOfTurn(request, lane)) return undefined
        yield* stopping.endTurn
        return stoppedAnswer(request)
      })

    const turnEnded: Effect.Effect<void> = Effect.gen(function* () {
      stopping.turnEnded()
      tickets.clear()
      yield* beginNext
    })

    const beginNext: Effect.Effect<void> = Effect.suspend(() => {
      if (isBusy()) return Effect.void
      const next = prompts.take()
      return next === undefined ? outside.tellWaiting : begin(next)
    })

    const begin = (next: QueuedPrompt): Effect.Effect<void> => {
      const { branch, ticket } = next
      if (branch === undefined) return beginQueued(next)
      return branching.begin(
        { ticket, ...branch },
        {
          onSuccess:
            branch.done === undefined ? beginQueued(next) : Effect.andThen(Effect.sync(prompts.begun), beginNext),
          onFailure: ({ code, message }) =>
            Effect.suspend(() => {
              prompts.begun()
              if (branch.done === undefined)
                log.append([
                  { type: "turn_started", cause: "prompt", ticket },
                  { type: "turn_ended", outcome: { type: "failed", code, message } }
                ])
              return beginNext
            })
        }
      )
    }

    const beginQueued = (next: QueuedPrompt): Effect.Effect<void> =>
      Effect.suspend(() => {
        // It may be dropped until here.
        const { prompt, said, ticket } = next
        if (prompt !== undefined) return beginTurn(ticket, prompt)
        prompts.begun()
        // Tell whoever waits for it.
        log.append(unheardTurn(ticket, said, { type: "cancelled" }))
        return beginNext
      })

    const unheard = (ticket: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        prompts.missed(ticket)
        return beginNext
      })

    const agentChanged = (agent: AgentOptions): Effect.Effect<void> =>
      Effect.sync(() => {
        kept = { ...kept, ...agent }
        log.change({ options: kept })
      })

    const agentBecame = (state: "starting" | "ready" | "gone"): Effect.Effect<void> =>
      Effect.gen(function* () {
        if (state === "starting") return yield* become("starting")
        if (state === "ready") return yield* status === "starting" ? become("connected") : Effect.void
        yield* requests.closeAll("ended", ({ id }) => !outside.owns(id))
        prompts.missed()
        yield* become("disconnected")
        yield* beginNext
      })

    // --- the parts -------------------------------------------------------------------------

    const rules = makeSessionRules((request) => conversation.ruleOf?.(request))
    const gate = makePolicyGate(options.policy, options.mode, rules.covers)
    const conversation = yield* runtime.open(
      {
        threadId,
        sessionKey: options.sessionKey,
        cwd: options.cwd,
        folder: options.findFolder?.(options.cwd) ?? Effect.succeed(options.cwd),
        agent: options.agent ?? {},
        servers,
        resume: provider,
        goesOnAt: log.situation().goesOnAt,
        cut: cutWords(log),
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
        serversChanged: (mcpServers) =>
          Effect.sync(() => {
            servers = mcpServers
            log.change({ mcpServers })
          }),
        titled: (words) => Effect.sync(() => titles.call({ title: shortened(words), titleBy: "provider" })),
        unheard,
        kept: Effect.match(log.settled, { onFailure: () => false, onSuccess: () => true }),
        agentBecame
      }
    )
    const branching = makeBranching({ log, goBack: conversation.goBack, now, locked, inBackground })
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
    const stopping = makeStopping({
      log,
      conversation,
      requests,
      prompts,
      isFromOutside: outside.owns,
      worksOn: (ticket) => tickets.has(ticket),
      limit: options.stopTimeout ?? "5 seconds",
      locked,
      inBackground
    })
    const steering = makeSteering({
      threadId,
      log,
      prompts,
      conversation,
      isEnding: () => stopping.isUnderWay() || branching.isUnderWay(),
      owns: (ticket) => void tickets.add(ticket)
    })

    // --- what faces ask --------------------------------------------------------------------

    const beginTurn = (ticket: string, prompt: Model.Prompt): Effect.Effect<void> =>
      Effect.gen(function* () {
        sending = ticket
        yield* conversation.send(prompt)
        sending = undefined
        // Where the agent had begun a turn by itself, the prompt belongs to that.
        prompts.begun()
        titles.callByPrompt(prompt)
      })

    const offer = (fresh: ReadonlyArray<Model.PageTool>): Effect.Effect<void> => {
      const before = tools
      tools = mergeTools(tools, fresh)
      return before === tools ? Effect.void : conversation.send({ type: "offer_tools", tools })
    }

    /** Somebody answers a request. */
    const answerAsked = (id: string, answer: Model.Answer): Effect.Effect<boolean> =>
      Effect.suspend(() => {
        const asked = requests.waiting().find(({ request }) => request.id === id)
        if (asked !== undefined) rules.note(asked.request, answer)
        return requests.answer(id, answer)
      })

    const submit = makeSubmitting({
      threadId,
      busy: options.busy ?? "reject",
      log,
      requests,
      prompts,
      branching,
      conversation,
      stopping,
      steering,
      isFromOutside: outside.owns,
      isWorking,
      answer: answerAsked,
      offerTools: offer,
      owns: (ticket) => void tickets.add(ticket),
      begin
    })

    const goingBackAlready = new ThreadBusy({ threadId, message: `Thread ${threadId} is going back already.` })

    const goBack: Session["goBack"] = (target) =>
      Effect.gen(function* () {
        const find = log.look((view) => findTarget(view, target))
        // Nothing is stopped for what cannot be.
        const point = yield* find
        const { branch } = log.situation()
        if ("branch" in target && target.branch === branch) return { point, branch }
        const done = Deferred.makeUnsafe<WentBack, BranchFailed>()
        yield* locked(
          Effect.gen(function* () {
            if (branching.isUnderWay() || prompts.waiting().some(({ branch }) => branch?.done !== undefined))
              return yield* goingBackAlready
            const ticket = `branch:${log.next()}`
            prompts.addFirst({ ticket, prompt: undefined, said: [], followsAnswers: false, branch: { find, done } })
            yield* inTurn() ? stopping.endTurn : beginNext
          })
        )
        return yield* Effect.tap(Deferred.await(done), () => log.settled)
      })

    const disconnect: Effect.Effect<void> = locked(conversation.disconnect)

    const kindOf = (): AgentKind => {
      const { agents } = runtime
      const own = agents.find(({ kind }) => kind === options.agent?.runtime) ?? agents[0]
      if (own === undefined) throw new Error("A runtime has at least one kind of agents.")
      return own
    }

    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        for (const { branch } of prompts.abandon()) branching.abandon(branch)
        branching.abandon()
        yield* disconnect
        yield* become("terminated")
        yield* outside.close
        yield* log.close
        wire.close()
      })
    )

    return {
      threadId,
      cwd: options.cwd,
      createdAt: thread.createdAt,
      openedAt,
      log,
      wire,
      status: Effect.sync(() => status),
      mode: options.mode,
      agent: Effect.sync(() => {
        const own = kindOf()
        const steer = own.capabilities.steer && conversation.canSteer()
        return { ...own, capabilities: { ...own.capabilities, steer } }
      }),
      options: Effect.sync(() => chosenOptions({ ...kept, ...(servers !== undefined && { mcpServers: servers }) })),
      title: Effect.sync(() => titles.current()?.title),
      onTitled: (heard) => {
        hearTitles.add(heard)
        return () => void hearTitles.delete(heard)
      },
      rename: (words) =>
        Effect.suspend(() => {
          titles.call({ title: words, titleBy: "person" })
          return log.settled
        }),
      providerSessionId: Effect.sync(() => provider),
      submit: (read) => Effect.tap(locked(submit(read)), () => log.settled),
      steer: (words) => Effect.tap(locked(steering.steer(words)), () => log.settled),
      goBack,
      stop: (ticket) => locked(stopping.stop(ticket)),
      waiting: Effect.sync(requests.waiting),
      prompts: Effect.sync(() => prompts.kept()),
      answer: (id, answer) =>
        Effect.gen(function* () {
          if (!(yield* locked(answerAsked(id, answer))))
            return yield* new NothingPending({ id, message: `No question ${id} waits for an answer.` })
          yield* log.settled
        }),
      tools: Effect.sync(() => tools),
      callTool: (name, input) => outside.call(tools, name, input),
      start: Effect.andThen(locked(conversation.start), conversation.whenReady),
      set: (settings) =>
        Effect.gen(function* () {
          const unsupported = unsupportedSetting(settings, kindOf())
          if (unsupported !== undefined) return yield* unsupported
          if (status === "starting") yield* conversation.whenReady
          yield* conversation.set(settings)
          yield* Effect.ignore(log.settled)
        }),
      native: {
        ...conversation.native,
        // What somebody has chosen outlives the bridge from when they are told that it is so. Where it cannot be kept, the
        // session ends.
        request: (method, body) =>
          Effect.tap(conversation.native.request(method, body), () => Effect.ignore(log.settled))
      },
      disconnect
    }
  })

/** Options that do not fit are none: an agent is not started with them either. */
const chosenOptions = (options: Readonly<Record<string, unknown>>): AgentOptions =>
  Result.getOrElse(keptOptions({ options }), () => ({}))

/** Whether an event says that a person said something. */
const isSaid = (event: Model.Event, id: string): boolean =>
  event.type === "item_started" && event.item.kind === "prompt" && event.lane === null && event.id === id

const nobodysAnswer = (request: Model.Request): Model.Answer =>
  refusalOf(request, "Nobody can be asked: this bridge refuses what needs a person.")
