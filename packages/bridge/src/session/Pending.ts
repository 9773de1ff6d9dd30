/**
 * What an agent waits for: answers of a person, and results of the application's tools. Each has a time limit, after
 * which it is answered with a refusal.
 */
import { type Claude, Translate } from "@agentwire/protocol"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { callResponse, failedCall, type JsonRpcId } from "../runtime/claude/FrontendServer.ts"
import type { PendingQuestion } from "./Session.ts"

/** What pending things need of their session. */
export interface PendingHost {
  /** Sends a line to the agent. */
  readonly send: (message: object) => Effect.Effect<void>
  /** Does something later, in order with everything else that happens to the session. */
  readonly later: (after: Duration.Input, then: Effect.Effect<void>) => Effect.Effect<Fiber.Fiber<void>>
  /** Told when the last thing the agent waited for was not answered in time: it goes on now. */
  readonly released: Effect.Effect<void>
}

/** A call of a tool of the application. */
export interface FrontendCall {
  readonly requestId: string
  readonly rpcId: JsonRpcId
  readonly toolUseId: string
}

/** What an agent waits for. All of it happens in order: callers hold the session's lock. */
export interface Pending {
  /** Keeps a question until somebody answers. */
  readonly ask: (question: Translate.Question, limit: Duration.Input) => Effect.Effect<void>
  /** The question of this id, if it waits. It waits no longer. */
  readonly take: (requestId: string) => Effect.Effect<Translate.Question | undefined>
  /** Answers a question with a refusal. */
  readonly refuse: (question: Translate.Question, reason: string) => Effect.Effect<void>
  /** Keeps a call until the application has answered. False when it had answered before it was asked. */
  readonly call: (call: FrontendCall, limit: Duration.Input) => Effect.Effect<boolean>
  /** The application's answer to a call, which may be asked for only later. */
  readonly resolve: (toolUseId: string, result: Translate.CallToolResult) => Effect.Effect<void>
  /** Forgets everything: the agent is gone. */
  readonly clear: Effect.Effect<void>
  /** Whether the agent waits for nothing. */
  readonly isIdle: () => boolean
  readonly questions: () => ReadonlyArray<Translate.Question>
  /** The calls of the application's tools that wait for it. */
  readonly calls: () => ReadonlyArray<string>
  readonly list: () => ReadonlyArray<PendingQuestion>
}

/** Nothing is pending. */
export const makePending = ({ later, released, send }: PendingHost): Pending => {
  const questions = new Map<
    string,
    PendingQuestion & { readonly question: Translate.Question; readonly timer: Timer }
  >()
  const calls = new Map<string, FrontendCall & { readonly timer: Timer }>()
  const results = new Map<string, Translate.CallToolResult>()

  const refuse: Pending["refuse"] = (question, reason) =>
    send(
      Translate.isPermission(question)
        ? Translate.answerTo(question, { status: "resolved", payload: { approved: false, reason } }).line
        : Translate.answerTo(question, { status: "cancelled" }).line
    )

  const respond = ({ requestId, rpcId }: FrontendCall, result: Translate.CallToolResult): Effect.Effect<void> =>
    send(successOf(requestId, { mcp_response: callResponse(rpcId, result) }))

  const isIdle = (): boolean => questions.size + calls.size === 0
  const unlessMore: Effect.Effect<void> = Effect.suspend(() => (isIdle() ? released : Effect.void))

  return {
    refuse,
    isIdle,
    ask: (question, limit) =>
      Effect.gen(function* () {
        const { request, request_id: requestId } = question
        const timer = yield* later(
          limit,
          Effect.suspend(() => {
            questions.delete(requestId)
            return Effect.andThen(refuse(question, `Nobody answered within ${inWords(limit)}.`), unlessMore)
          })
        )
        const expiresAt = (yield* Clock.currentTimeMillis) + Duration.toMillis(Duration.fromInputUnsafe(limit))
        questions.set(requestId, { requestId, request, expiresAt, question, timer })
      }),
    take: (requestId) =>
      Effect.gen(function* () {
        const asked = questions.get(requestId)
        questions.delete(requestId)
        if (asked !== undefined) yield* Fiber.interrupt(asked.timer)
        return asked?.question
      }),
    call: (call, limit) =>
      Effect.gen(function* () {
        const early = results.get(call.toolUseId)
        if (early !== undefined) {
          results.delete(call.toolUseId)
          yield* respond(call, early)
          return false
        }
        const timer = yield* later(
          limit,
          Effect.suspend(() => {
            calls.delete(call.toolUseId)
            const late = failedCall(`The application did not answer within ${inWords(limit)}.`)
            return Effect.andThen(respond(call, late), unlessMore)
          })
        )
        calls.set(call.toolUseId, { ...call, timer })
        return true
      }),
    resolve: (toolUseId, result) =>
      Effect.gen(function* () {
        const called = calls.get(toolUseId)
        if (called === undefined) {
          results.set(toolUseId, result)
          return
        }
        calls.delete(toolUseId)
        yield* Fiber.interrupt(called.timer)
        yield* respond(called, result)
      }),
    clear: Effect.suspend(() => {
      const timers = [...questions.values(), ...calls.values()].map(({ timer }) => timer)
      questions.clear()
      calls.clear()
      results.clear()
      return Fiber.interruptAll(timers)
    }),
    calls: () => [...calls.keys()],
    questions: () => [...questions.values()].map(({ question }) => question),
    list: () => [...questions.values()].map(({ expiresAt, request, requestId }) => ({ requestId, request, expiresAt }))
  }
}

type Timer = Fiber.Fiber<void>

const inWords = (limit: Duration.Input): string => Duration.format(Duration.fromInputUnsafe(limit))

/** The line that answers a request of the agent. */
export const successOf = (requestId: string, response: object): Claude.ControlSuccessResponse => ({
  type: "control_response",
  response: { subtype: "success", request_id: requestId, response }
})
