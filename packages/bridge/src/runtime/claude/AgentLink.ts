/**
 * The way from a session to its agent: starts a process when one is needed, keeps what is to be sent until the agent
 * is ready for it, and tells the session what it hears. Answers to control requests go to whoever asked.
 */
import type * as Claude from "@agentwire/protocol/claude"
import type { Decoded, Known } from "@agentwire/protocol/claude"
import { isRecord } from "@agentwire/protocol/wire"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Scope from "effect/Scope"
import { type Agent, type AgentExit, AgentLauncher, type LaunchRequest } from "./Agent.ts"
import type { ToolListChange } from "./FrontendServer.ts"
import { giveServers } from "./GivenServers.ts"
import { ControlFailed, type HostRequests, makeHostRequests } from "./HostRequests.ts"

/** Why an agent could not be started. */
export interface StartFailure {
  readonly code: string
  readonly message: string
}

/** How a link starts an agent. */
export interface LinkOptions {
  /** How long the agent may take to start. */
  readonly startTimeout: Duration.Input
  /** The hooks of the host, by event. */
  readonly hooks?: Readonly<Record<string, ReadonlyArray<Claude.HookCallbackMatcher>>>
  /** The MCP servers that a new process is given before its first prompt, if any: the body of `mcp_set_servers`. */
  readonly beforePrompts?: () => Omit<Claude.RequestOf<"mcp_set_servers">, "subtype"> | undefined
}

/** What a link tells its session. All but `sent` is called under the session's lock. */
export interface LinkEvents {
  /** A line was sent. */
  readonly sent: (message: object) => Effect.Effect<void>
  /** An answer to a control request came. */
  readonly answered: (known: Known) => void
  readonly heard: (decoded: Decoded) => Effect.Effect<void>
  /** The agent is ready: what was kept is being sent. Undefined when its greeting was not understood. */
  readonly ready: (greeting: Claude.ResponseOf<"initialize"> | undefined) => Effect.Effect<void>
  readonly ended: (exit: AgentExit) => Effect.Effect<void>
  /**
   * An agent ended before it was ready. True: it could not begin where it was told to, and is started again elsewhere, with
   * all that is kept for it.
   */
  readonly beginsElsewhere?: (exit: AgentExit) => Effect.Effect<boolean>
  readonly failed: (failure: StartFailure) => Effect.Effect<void>
}

/** The way to an agent. All but `control` and `whenReady` is to be called under the session's lock. */
export interface AgentLink {
  /** Starts an agent, unless there is one. */
  readonly ensureStarted: (request: Effect.Effect<LaunchRequest, StartFailure>) => Effect.Effect<void>
  /** Waits until the agent that was started last is ready. */
  readonly whenReady: Effect.Effect<void, StartFailure>
  /**
   * Sends a message. It is kept until the agent is ready, and dropped when there is no agent. Answers are not kept: the
   * agent may need one to become ready.
   */
  readonly send: (message: object) => Effect.Effect<void>
  /** The agent that runs, ready or not. */
  readonly version: () => string | undefined
  /**
   * Sends words into the turn that the agent is in. False: not now, because it is not ready, or because only another one
   * would have the tools that it should have, and that is started with the next prompt.
   */
  readonly tell: (message: object) => Effect.Effect<boolean>
  /** Drops the prompts that were never sent. True when there were any. */
  readonly dropPrompts: () => boolean
  /**
   * Makes the requests of a change, and holds messages back until they are answered. An agent that knows no such
   * request, or refuses it, is started again before its next prompt.
   */
  readonly changeTools: (change: ToolListChange) => Effect.Effect<void>
  readonly control: HostRequests["request"]
  /** Ends the process. The session is not told: it asked for it. */
  readonly disconnect: Effect.Effect<void>
}

/** How many lines are heard at once, while everybody else waits. */
const maxAtOnce = 64

interface Linked {
  readonly agent: Agent
  readonly requests: HostRequests
  readonly scope: Scope.Closeable
}

/** A link without an agent yet. */
export const makeAgentLink = (
  locked: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>,
  { beforePrompts, hooks = {}, startTimeout }: LinkOptions,
  events: LinkEvents
): Effect.Effect<AgentLink, never, AgentLauncher | Scope.Scope> =>
  Effect.gen(function* () {
    const launcher = yield* AgentLauncher
    const scope = yield* Effect.scope
    let linked: Linked | undefined
    /** What waits for the agent to be ready; undefined when it is, or when there is none. */
    let kept: Array<object> | undefined
    let readiness = Deferred.makeUnsafe<void, StartFailure>()
    /** The start in progress. */
    let starting: Fiber.Fiber<void> | undefined
    /** How the agent was started. */
    let launchRequest: Effect.Effect<LaunchRequest, StartFailure> | undefined
    /** A change of tools that waits until the agent is ready, or for the change before it. Each is whole: the last counts. */
    let nextChange: ToolListChange | undefined
    /** The agent does not have the tools that it should have, and only a new one would. */
    let isOutdated = false

    const send: AgentLink["send"] = (message) =>
      Effect.suspend(() => {
        if (kept !== undefined && (linked === undefined || !isAnswer(message))) {
          kept.push(message)
          return Effect.void
        }
        if (isOutdated && isPrompt(message)) {
          kept = [message]
          return startAgain
        }
        // An agent that is gone says so at its end.
        return linked === undefined ? Effect.void : Effect.ignore(linked.agent.send(message))
      })

    /** The agent has nothing to wait for any more, unless its tools have changed meanwhile. */
    const release: Effect.Effect<void> = Effect.suspend(() => {
      const change = nextChange
      nextChange = undefined
      if (change !== undefined && linked !== undefined) return applyChange(linked, change)
      const waiting = kept ?? []
      kept = undefined
      return Effect.forEach(waiting, send, { discard: true })
    })

    const applyChange = (own: Linked, { requests }: ToolListChange): Effect.Effect<void> =>
      Effect.forEach(requests, ({ body, subtype }) => own.requests.request(subtype, body), { discard: true }).pipe(
        Effect.exit,
        Effect.flatMap((exit) =>
          locked(
            Effect.suspend(() => {
              if (linked !== own) return Effect.void
              isOutdated = Exit.isFailure(exit) || requests.length === 0
              // The turn of a prompt that waits has not begun, so nothing is lost.
              return isOutdated && kept?.some(isPrompt) === true ? startAgain : release
            })
          )
        ),
        Effect.forkIn(scope),
        Effect.asVoid
      )

    const startAgain: Effect.Effect<void> = Effect.suspend(() => {
      const before = linked
      const request = launchRequest
      if (before === undefined || request === undefined) return Effect.void
      linked = undefined
      isOutdated = false
      nextChange = undefined
      readiness = Deferred.makeUnsafe()
      return beginStart(Effect.andThen(Scope.close(before.scope, Exit.void), start(request, readiness)))
    })

    const beginStart = (start: Effect.Effect<void>): Effect.Effect<void> =>
      Effect.map(Effect.forkIn(start, scope), (fiber) => {
        starting = fiber
      })

    const hear = (own: Linked, decoded: Decoded): Effect.Effect<void> => {
      if (decoded._tag !== "Known" || !isResponse(decoded)) return events.heard(decoded)
      events.answered(decoded)
      return own.requests.answer(decoded.message.response)
    }

    /** A line that breaks us costs that line: who stops listening would leave its session waiting for ever. */
    const hearAll = (own: Linked, batch: ReadonlyArray<Decoded>): Effect.Effect<void> => {
      let heard = 0
      return Effect.forEach(
        batch,
        (decoded) => {
          heard++
          return hear(own, decoded)
        },
        { discard: true }
      ).pipe(
        Effect.catchDefect((defect) =>
          Effect.andThen(
            Effect.logError("A line of the agent could not be handled, and is left out.", defect),
            Effect.suspend(() => hearAll(own, batch.slice(heard)))
          )
        )
      )
    }

    /** Gives whether the agent was started again. */
    const listen = (own: Linked, ready: Deferred.Deferred<void, StartFailure>): Effect.Effect<boolean> =>
      Effect.gen(function* () {
        yield* Effect.exit(
          Effect.forever(
            // Many at once: a lock for each line would cost more than what is done with it.
            Effect.flatMap(Queue.takeBetween(own.agent.messages, 1, maxAtOnce), (batch) => locked(hearAll(own, batch)))
          )
        )
        const exit = yield* own.agent.exit
        yield* own.requests.failAll("The agent is gone.")
        const isStartedAgain = yield* locked(
          Effect.gen(function* () {
            if (linked !== own) return false
            linked = undefined
            const request = launchRequest
            const isNew = kept !== undefined && request !== undefined && events.beginsElsewhere !== undefined
            if (isNew && (yield* events.beginsElsewhere(exit))) {
              yield* beginStart(Effect.andThen(Scope.close(own.scope, Exit.void), start(request, ready)))
              return true
            }
            kept = undefined
            yield* events.ended(exit)
            return false
          })
        )
        if (!isStartedAgain) yield* Scope.close(own.scope, Exit.void)
        return isStartedAgain
      })

    const start = (
      request: Effect.Effect<LaunchRequest, StartFailure>,
      ready: Deferred.Deferred<void, StartFailure>
    ): Effect.Effect<void> =>
      Effect.flatMap(Scope.fork(scope), (own) =>
        startIn(own, request, ready).pipe(Effect.onInterrupt(() => Scope.close(own, Exit.void)))
      )

    const startIn = (
      own: Scope.Closeable,
      asked: Effect.Effect<LaunchRequest, StartFailure>,
      ready: Deferred.Deferred<void, StartFailure>
    ): Effect.Effect<void> =>
      Effect.gen(function* () {
        let listening: Fiber.Fiber<boolean> | undefined
        const started = yield* Effect.exit(
          Effect.gen(function* () {
            const request = yield* asked
            const launched = yield* Scope.provide(launcher.launch(request), own)
            const agent: Agent = {
              ...launched,
              send: (message) => Effect.andThen(events.sent(message), launched.send(message))
            }
            const made: Linked = { agent, requests: yield* makeHostRequests(agent), scope: own }
            yield* locked(
              Effect.sync(() => {
                linked = made
              })
            )
            listening = yield* Effect.forkIn(listen(made, ready), scope)
            const greeting = yield* made.requests
              .request(
                "initialize",
                { sdkMcpServers: [request.frontendServer], ...(Object.keys(hooks).length > 0 && { hooks }) },
                startTimeout
              )
              // A release that says more or less about itself is no reason not to talk to it.
              .pipe(
                Effect.catchIf(
                  ({ code }) => code === "BAD_ANSWER",
                  () => Effect.undefined
                )
              )
            yield* giveServers(made.requests, beforePrompts?.())
            return greeting
          })
        )
        if (Exit.isSuccess(started)) {
          yield* locked(Effect.andThen(release, events.ready(started.value)))
          yield* Deferred.succeed(ready, undefined)
          return
        }
        const failure = failureOf(Cause.squash(started.cause))
        // An agent that ended while it started has more to tell: its exit and its last words.
        if (failure.code === "GONE" && listening !== undefined) {
          if (!(yield* Fiber.join(listening))) yield* Deferred.fail(ready, failure)
          return
        }
        yield* Deferred.fail(ready, failure)
        yield* locked(
          Effect.suspend(() => {
            kept = undefined
            linked = undefined
            return events.failed(failure)
          })
        )
        yield* Scope.close(own, Exit.void)
      })

    return {
      send,
      ensureStarted: (request) =>
        Effect.suspend(() => {
          if (linked !== undefined || kept !== undefined) return Effect.void
          kept = []
          isOutdated = false
          nextChange = undefined
          launchRequest = request
          readiness = Deferred.makeUnsafe()
          return beginStart(start(request, readiness))
        }),
      dropPrompts: () => {
        const rest = kept?.filter((message) => !isPrompt(message))
        const dropped = rest !== undefined && rest.length < (kept?.length ?? 0)
        if (dropped) kept = rest
        return dropped
      },
      whenReady: Effect.suspend(() => Deferred.await(readiness)),
      version: () => linked?.agent.version,
      tell: (message) =>
        Effect.suspend(() =>
          linked === undefined || kept !== undefined || isOutdated
            ? Effect.succeed(false)
            : Effect.as(Effect.ignore(linked.agent.send(message)), true)
        ),
      changeTools: (change) =>
        Effect.suspend(() => {
          if (linked === undefined) return Effect.void
          nextChange = change
          if (kept !== undefined) return Effect.void
          kept = []
          return release
        }),
      control: (subtype, body, limit) =>
        Effect.suspend(() =>
          linked === undefined
            ? Effect.fail(new ControlFailed({ code: "GONE", subtype, message: "The agent is not running." }))
            : linked.requests.request(subtype, body, limit)
        ),
      disconnect: Effect.suspend(() => {
        const current = linked
        const beginning = starting
        linked = undefined
        kept = undefined
        starting = undefined
        Deferred.doneUnsafe(readiness, Effect.fail({ code: "GONE", message: "The agent was ended." }))
        // One that is still being started would be there for the next prompt, and know nothing of what was sent.
        return Effect.andThen(
          beginning === undefined ? Effect.void : Fiber.interrupt(beginning),
          current === undefined ? Effect.void : Scope.close(current.scope, Exit.void)
        )
      })
    }
  })

const failureOf = (cause: unknown): StartFailure => ({
  code: isRecord(cause) && "code" in cause ? String(cause["code"]) : "START_FAILED",
  message: cause instanceof Error ? cause.message : String(cause)
})

const isResponse = (
  known: Known
): known is Extract<Known, { name: "control_response/success" | "control_response/error" }> =>
  known.name === "control_response/success" || known.name === "control_response/error"

const isPrompt = (message: object): boolean => "type" in message && message.type === "user"

const isAnswer = (message: object): boolean => "type" in message && message.type === "control_response"
