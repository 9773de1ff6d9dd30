/**
 * The session that runs an agent.
 *
 * Everything that happens to a conversation (a line of the agent, a run, an answer, the end of the process) happens
 * under one lock, in order. Nothing waits for the agent while it holds the lock: the agent's lines need it to get
 * through. What the agent asks is answered, always: by the policy, by a person, by the application, or with a
 * refusal when nobody did in time.
 */
import { randomUUID } from "node:crypto"
import { Agui, type Claude, type Decoded, type Known, Translate } from "@agentwire/protocol"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { type EventLogLimits, makeEventLog } from "../log/EventLog.ts"
import { makeWireLog, makeWireNotes, type WireLogLimits } from "../log/WireLog.ts"
import { askAlways, type Policy } from "../policy/Policy.ts"
import type { AgentExit, AgentLauncher, AgentOptions } from "../runtime/claude/Agent.ts"
import { errorOf, makeAgentLink, requestIdOf } from "../runtime/claude/AgentLink.ts"
import {
  answerMcp,
  mergeTools,
  type OtherServers,
  serversOf,
  toolListChange,
  withFrontendServer
} from "../runtime/claude/FrontendServer.ts"
import { policyHook, policyHooks } from "../runtime/claude/PolicyHook.ts"
import { makeOutsideCalls } from "./OutsideCalls.ts"
import { makePending, successOf } from "./Pending.ts"
import { makeGatekeeper } from "./PolicyGate.ts"
import { NothingPending, type Session, type SessionStatus, StartFailed, ThreadBusy } from "./Session.ts"
import { titleOf } from "./ThreadTitle.ts"

/** How questions reach a person: the run ends with an interrupt, an event tells of them, or they are refused. */
export type ApprovalMode = "interrupt" | "event" | "deny"

/** What happens to a run on a thread that is busy. */
export type BusyMode = "reject" | "queue" | "interrupt"

/** What may be chosen about a session. */
export interface SessionOptions {
  readonly threadId: string
  /** The name of the session in paths. */
  readonly sessionKey: string
  readonly cwd: string
  readonly agent?: AgentOptions
  /** Default `deny`: an application that cannot answer must not be asked. */
  readonly approvals?: ApprovalMode
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
  /** How long a stopped run may take to end. Default 5 seconds. */
  readonly stopTimeout?: Duration.Input
  /** How long the agent may take to start. Default 60 seconds. */
  readonly startTimeout?: Duration.Input
  readonly frontendServer?: string
  readonly log?: EventLogLimits
  readonly wire?: WireLogLimits
  /** The provider's id of a conversation to go on with. */
  readonly resume?: string
  /** The conversation so far, from before a restart. */
  readonly history?: Agui.History
  /** Told whenever a session does something else than before. */
  readonly onStatus?: (threadId: string, status: SessionStatus) => Effect.Effect<void>
  /** Told the conversation whenever a run has ended. */
  readonly onRunEnd?: (history: Agui.History) => Effect.Effect<void>
  /** Told when the provider's id of the conversation becomes known, or changes, and what the conversation is about. */
  readonly onProviderSession?: (id: string, title: string | undefined) => Effect.Effect<void>
}

/** A session, in a scope: closing it ends the agent. */
export const makeSession = (options: SessionOptions): Effect.Effect<Session, never, AgentLauncher | Scope.Scope> =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const clock = yield* Clock.Clock
    const now = (): number => clock.currentTimeMillisUnsafe()
    const openedAt = now()
    const log = yield* makeEventLog(options.log, options.history)
    const wire = makeWireLog(options.wire)
    const notes = makeWireNotes(wire, log, now)
    const lock = yield* Semaphore.make(1)
    const locked = lock.withPermits(1)
    const approvals = options.approvals ?? "deny"
    const stopTimeout = options.stopTimeout ?? "5 seconds"
    /** The name of the frontend tools' server; a new list of tools may need a new name (docs/wire/claude-code.md §7). */
    let server = options.frontendServer ?? "frontend"
    let translation = Translate.initial({
      threadId: options.threadId,
      approvals: approvals === "interrupt" ? "interrupt" : "event",
      frontendServer: server
    })
    // What a kept conversation has was told in its time.
    const known = (options.history?.messages ?? []).map(({ id }) => id).slice(-Translate.maxRemembered)
    let thread: Translate.Thread = { ...Translate.emptyThread, known }
    let tools: ReadonlyArray<Agui.Tool> = []
    /** The MCP servers that somebody gave the agent: a new list leaves out what it does not name. */
    let others: OtherServers = {}
    let provider = options.resume
    let init: Claude.SystemInit | undefined
    let greeting: Claude.ResponseOf<"initialize"> | undefined
    let status: SessionStatus = "idle"
    let delivered = 0
    const waitingRuns: Array<Agui.RunAgentInput> = []

    const become = (next: SessionStatus): Effect.Effect<void> => {
      if (next === status) return Effect.void
      status = next
      return options.onStatus === undefined ? Effect.void : options.onStatus(options.threadId, next)
    }

    const inBackground = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<Fiber.Fiber<A, E>> =>
      Effect.forkIn(effect, scope)

    const later = (after: Duration.Input, then: Effect.Effect<void>): Effect.Effect<Fiber.Fiber<void>> =>
      inBackground(Effect.andThen(Effect.sleep(after), locked(then)))

    /** Takes a step of the translation. */
    const take = ([state, events]: Translate.Stepped): Effect.Effect<void> =>
      Effect.gen(function* () {
        translation = state
        yield* log.append(events)
        const over = events.some(({ type }) => type === "RUN_FINISHED" || type === "RUN_ERROR")
        if (over && options.onRunEnd !== undefined) yield* options.onRunEnd((yield* log.history).history)
      })

    // --- what the agent says ---------------------------------------------------------------

    /** A piece of an answer: nearly all lines are, and there is nothing to do about them but to tell. */
    const streamed = (decoded: Decoded): Effect.Effect<void> =>
      translation.writer.run === undefined
        ? notes.hearing(decoded, act(decoded))
        : Effect.sync(() => {
            const from = log.nextUnsafe()
            const [state, events] = Translate.step(translation, decoded)
            translation = state
            log.appendUnsafe(events)
            notes.heardUnsafe(decoded, from)
          })

    const act = (decoded: Decoded): Effect.Effect<void> =>
      Effect.gen(function* () {
        if (decoded._tag !== "Known") return yield* take(Translate.step(translation, decoded))
        switch (decoded.name) {
          case "control_request/can_use_tool":
            return yield* gatekeeper.permit(decoded.message, ask(decoded, decoded.message))
          case "control_request/elicitation":
            return yield* ask(decoded, decoded.message)
          case "control_request/mcp_message":
            return yield* mcp(decoded.message)
          case "control_request/hook_callback":
            if (decoded.message.request.callback_id === policyHook) return yield* gatekeeper.judge(decoded.message)
            yield* take(Translate.step(translation, decoded))
            return yield* link.send(successOf(decoded.message.request_id, {}))
          case "control_request/request_user_dialog":
            return yield* link.send(successOf(decoded.message.request_id, { behavior: "cancelled" }))
          case "control_cancel_request":
            yield* pending.take(decoded.message.request_id)
            break
          case "system/init":
            init = decoded.message
            yield* remember(decoded.message.session_id)
            break
          default:
            if (decoded.name.startsWith("control_request/"))
              return yield* link.send(errorOf(requestIdOf(decoded), "This is not supported here."))
        }
        yield* take(Translate.step(translation, decoded))
        yield* goOn
      })

    const remember = (id: string): Effect.Effect<void> => {
      if (id === provider) return Effect.void
      provider = id
      const { onProviderSession } = options
      return onProviderSession === undefined
        ? Effect.void
        : Effect.flatMap(title, (words) => onProviderSession(id, words))
    }

    const title = Effect.map(log.history, ({ history }) => titleOf(history))

    /** Notes whether the agent works, and begins the run that waits for its end. */
    const goOn: Effect.Effect<void> = Effect.gen(function* () {
      if (link.version() !== undefined) yield* become(!translation.fold.open ? "idle" : "active")
      if (translation.fold.open) return
      const next = waitingRuns.shift()
      yield* next === undefined ? outside.goOn : beginRun(next)
    })

    // --- what the agent asks ---------------------------------------------------------------

    const ask = (known: Known, question: Translate.Question): Effect.Effect<void> =>
      approvals === "deny"
        ? pending.refuse(question, "Nobody can be asked: this bridge refuses what needs a person.")
        : Effect.andThen(
            pending.ask(question, options.approvalTimeout ?? "5 minutes"),
            Effect.suspend(() => take(Translate.step(translation, known)))
          )

    const mcp = ({ request, request_id }: Claude.ControlRequestMessage<"mcp_message">): Effect.Effect<void> =>
      Effect.gen(function* () {
        const answer = answerMcp(tools, server, request.message)
        if (answer._tag === "Reply") return yield* link.send(successOf(request_id, { mcp_response: answer.response }))
        const call = { requestId: request_id, rpcId: answer.id, toolUseId: answer.toolUseId }
        if (yield* pending.call(call, options.frontendTimeout ?? "5 minutes"))
          yield* take(Translate.suspend(translation, { calls: [answer.toolUseId] }))
      })

    // --- the process -----------------------------------------------------------------------

    const ended = (exit: AgentExit): Effect.Effect<void> =>
      Effect.gen(function* () {
        yield* become("disconnected")
        yield* pending.clear
        const detail = exit.stderr === "" ? {} : { detail: exit.stderr }
        yield* take(Translate.abort(translation, { type: "exit", code: exit.code, signal: exit.signal, ...detail }))
        yield* goOn
      })

    const startTimeout = options.startTimeout ?? "60 seconds"
    const hooks = options.policy === undefined ? undefined : policyHooks
    const link = yield* makeAgentLink(
      locked,
      { startTimeout, ...(hooks !== undefined && { hooks }) },
      {
        sent: notes.sent,
        answered: (known) => notes.hearing(known, Effect.void),
        heard: (decoded) => (isDelta(decoded) ? streamed(decoded) : notes.hearing(decoded, act(decoded))),
        ended,
        ready: (answer) =>
          Effect.suspend(() => {
            greeting = answer
            return status === "starting" ? become("connected") : Effect.void
          }),
        failed: ({ code, message }) =>
          Effect.gen(function* () {
            yield* become("disconnected")
            yield* pending.clear
            // An agent that ended while it started has told its end already.
            if (translation.writer.run !== undefined || translation.fold.open)
              yield* take(Translate.abort(translation, { type: "error", code, message }))
            yield* goOn
          })
      }
    )
    const released: Effect.Effect<void> = Effect.suspend(() => take(Translate.release(translation)))
    const pending = makePending({ send: link.send, later, released })
    const gatekeeper = makeGatekeeper({
      policy: options.policy ?? askAlways,
      cwd: options.cwd,
      mode: options.mode,
      isFrontendTool: (name) => translation.fold.pageTools.has(name),
      send: link.send,
      aside: (effect) => Effect.asVoid(inBackground(effect)),
      locked
    })
    const outside = makeOutsideCalls({
      threadId: options.threadId,
      limit: options.frontendTimeout ?? "5 minutes",
      later,
      append: log.append,
      isBusy: () => translation.fold.open || translation.writer.run !== undefined
    })

    const disconnect: Effect.Effect<void> = Effect.gen(function* () {
      yield* become("disconnected")
      yield* pending.clear
      yield* link.disconnect
    })

    // --- what faces ask --------------------------------------------------------------------

    const beginRun = (input: Agui.RunAgentInput): Effect.Effect<number> =>
      Effect.gen(function* () {
        const from = Math.min(delivered, yield* log.next)
        const inbound = Translate.readInput(
          thread,
          input,
          {
            questions: pending.questions(),
            toolCallIds: [
              ...[...translation.writer.situation.items]
                .filter(([, { item }]) => item.kind === "call" && item.action === "page_tool")
                .map(([id]) => id),
              ...outside.ids()
            ]
          },
          // So that a line that was on its way when a WebSocket broke can be sent again.
          { promptUuid: randomUUID() }
        )
        const answered = new Set(inbound.answers.map(({ interruptId }) => interruptId))
        const open =
          approvals === "interrupt" ? pending.questions().filter(({ request_id }) => !answered.has(request_id)) : []
        if (open.length > 0 && answered.size === 0 && inbound.prompt !== undefined) {
          yield* log.append(refusedRun(input, open))
          return from
        }
        thread = inbound.thread
        yield* offer(input.tools ?? [])
        yield* take(
          Translate.begin(translation, {
            runId: input.runId,
            ...(input.parentRunId === undefined ? {} : { parentRunId: input.parentRunId }),
            input: { ...input, messages: freshMessages(input, inbound), tools: [], context: [] },
            frontendTools: tools.map(({ name }) => name),
            frontendServer: server
          })
        )
        for (const { interruptId, line } of inbound.answers) {
          yield* pending.take(interruptId)
          yield* link.send(line)
        }
        for (const { result, toolCallId } of inbound.toolResults)
          if (!(yield* outside.resolve(toolCallId, result))) yield* pending.resolve(toolCallId, result)
        // What was held may have ended the run with a question of its own.
        if (open.length > 0 && translation.writer.run !== undefined)
          yield* take(Translate.suspend(translation, { interrupts: open.map(Translate.interruptOf) }))
        if (inbound.prompt === undefined) yield* take(Translate.endIdleRun(translation))
        else yield* prompt(inbound.prompt)
        return from
      })

    const ensureAgent: Effect.Effect<void> = Effect.gen(function* () {
      if (link.version() === undefined) yield* become("starting")
      yield* link.ensure(() => ({
        sessionKey: options.sessionKey,
        cwd: options.cwd,
        options: options.agent ?? {},
        frontendServer: server,
        ...(provider === undefined ? {} : { resume: provider })
      }))
    })

    const prompt = (line: Claude.User): Effect.Effect<void> =>
      Effect.gen(function* () {
        yield* ensureAgent
        yield* link.send(line)
        yield* take(Translate.expectTurn(translation))
      })

    /** Makes the application's tools known to the agent, the way its version understands. */
    const offer = (fresh: ReadonlyArray<Agui.Tool>): Effect.Effect<void> => {
      const before = tools
      tools = mergeTools(tools, fresh)
      const version = link.version()
      if (before === tools || version === undefined) return Effect.void
      const change = toolListChange(version, server, others)
      server = change.server
      return link.change(change)
    }

    const isBusy = (): boolean => translation.fold.open && translation.writer.suspendedFor === undefined

    const run: Session["run"] = (input) =>
      Effect.gen(function* () {
        if (options.busy === "interrupt" && isBusy()) yield* stop()
        return yield* locked(
          Effect.gen(function* () {
            const { runId } = input
            if (!isBusy()) return { runId, from: yield* beginRun(input) }
            if (options.busy !== "queue" && options.busy !== "interrupt")
              return yield* new ThreadBusy({
                threadId: options.threadId,
                message: `Thread ${options.threadId} has a run that is not over.`
              })
            waitingRuns.push(input)
            return { runId, from: yield* log.next }
          })
        )
      })

    const stop = (runId?: string): Effect.Effect<boolean> =>
      Effect.gen(function* () {
        const { run: current } = translation.writer
        if (current === undefined || (runId !== undefined && current.id !== runId)) return false
        yield* inBackground(Effect.ignore(link.control("interrupt", {}, stopTimeout)))
        yield* later(
          stopTimeout,
          Effect.gen(function* () {
            if (translation.writer.run?.ordinal !== current.ordinal) return
            // The agent does not answer: it is not waited for, and the next run starts another one.
            yield* take(Translate.abort(translation, { type: "cancelled" }))
            yield* disconnect
            yield* goOn
          })
        )
        return true
      })

    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        yield* disconnect
        yield* become("terminated")
        yield* outside.close
        yield* log.close
        yield* wire.close
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
      title,
      init: Effect.sync(() => init),
      greeting: Effect.sync(() => greeting),
      providerSessionId: Effect.sync(() => provider),
      run,
      delivered: (seq) =>
        Effect.sync(() => {
          delivered = Math.max(delivered, seq)
        }),
      stop,
      pending: Effect.sync(pending.list),
      answer: (requestId, payload) =>
        locked(
          Effect.gen(function* () {
            const question = yield* pending.take(requestId)
            if (question === undefined)
              return yield* new NothingPending({
                id: requestId,
                message: `No question ${requestId} waits for an answer.`
              })
            yield* link.send(Translate.answerTo(question, { status: "resolved", payload }).line)
            if (pending.isIdle()) yield* released
          })
        ),
      tools: Effect.sync(() => tools),
      callTool: (name, input) => outside.call(locked, tools, name, input),
      answerTool: (toolCallId, result) =>
        locked(
          Effect.gen(function* () {
            if (yield* outside.resolve(toolCallId, result)) return true
            if (!pending.calls().includes(toolCallId)) return false
            yield* pending.resolve(toolCallId, result)
            if (pending.isIdle()) yield* released
            return true
          })
        ),
      start: Effect.andThen(locked(ensureAgent), link.whenReady).pipe(
        Effect.mapError(({ code, message }) => new StartFailed({ code, message }))
      ),
      send: (message) =>
        locked(
          Effect.suspend(() =>
            link.version() === undefined
              ? Effect.fail(new StartFailed({ code: "GONE", message: "The agent is not running." }))
              : link.send(message)
          )
        ),
      control: (subtype, body) =>
        subtype === "mcp_set_servers"
          ? Effect.tap(link.control(subtype, withFrontendServer(serversOf(body), server)), () =>
              Effect.sync(() => {
                others = serversOf(body)
              })
            )
          : link.control(subtype, body),
      disconnect: locked(disconnect)
    }
  })

const isDelta = (decoded: Decoded): boolean =>
  decoded._tag === "Known" && decoded.name === "stream_event/content_block_delta"

/** A run that would ask more of an agent that waits for answers. Nothing of it is told: it may come again with them. */
const refusedRun = (
  { runId, threadId }: Agui.RunAgentInput,
  open: ReadonlyArray<Translate.Question>
): ReadonlyArray<Agui.AguiEvent> => [
  { type: "RUN_STARTED", threadId, runId, protocolVersion: Agui.PROTOCOL_VERSION },
  {
    type: "RUN_ERROR",
    code: "INTERRUPT_OPEN",
    message: `The agent waits for an answer first: ${open.map(({ request_id }) => request_id).join(", ")}. Answer with resume.`
  }
]

/** The messages of a request that the agent is told now: what the log need not repeat stays out of it. */
const freshMessages = (input: Agui.RunAgentInput, inbound: Translate.Inbound): Agui.RunAgentInput["messages"] => {
  const ignored = new Set(inbound.ignored.flatMap((each) => ("messageId" in each ? [each.messageId] : [])))
  return input.messages.filter(({ id, role }) => role !== "assistant" && !ignored.has(id))
}
