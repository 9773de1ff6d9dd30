/**
 * The open questions of a session. Nothing else owns them.
 *
 * A request is judged by the policy, asked, and closed, in this order. It closes once; anybody may close it, in any
 * state. Only what was asked is in the log. Whatever an agent asks is always answered: by the policy, by a person, by the
 * application, or with a refusal when nobody did in time; unless the agent took it back or is gone.
 */
import type * as Model from "@agentwire/protocol/model"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { PolicyDecision } from "../policy/Policy.ts"

/** What requests need of their session. All of it happens in order: callers hold the session's lock. */
export interface RequestsHost {
  /** Passes the answer to whoever asked. */
  readonly answer: (id: string, answer: Model.Answer, by: Model.Closing) => Effect.Effect<void>
  readonly append: (events: ReadonlyArray<Model.Event>, line: number | undefined) => void
  /** Asks the policy. Undefined: somebody has to be asked. */
  readonly judge: (request: Model.Request) => Effect.Effect<PolicyDecision> | undefined
  /** The answer to a request that is not asked, because nobody would answer it. Undefined: it is asked. */
  readonly answerUnasked: (request: Model.Request, lane: Model.Lane) => Effect.Effect<Model.Answer | undefined>
  /** How long a request waits. */
  readonly limitOf: (request: Model.Request) => Duration.Input
  /** Runs an effect in the background. */
  readonly inBackground: (effect: Effect.Effect<void>) => Effect.Effect<Fiber.Fiber<void>>
  readonly locked: (effect: Effect.Effect<void>) => Effect.Effect<void>
}

/** A request that was asked and waits for its answer. */
export interface WaitingRequest {
  readonly request: Model.Request
  readonly lane: Model.Lane
  /** When it is refused, in milliseconds since 1970. */
  readonly expiresAt: number
}

/** The open requests of a session. */
export interface Requests {
  /** The agent asks something. The answer may be here already: a result that came early. */
  readonly open: (
    event: Model.EventOf<"request_opened">,
    line: number | undefined,
    judged?: boolean
  ) => Effect.Effect<void>
  /** Answers a request that was asked. True when there was such a request. */
  readonly answer: (id: string, answer: Model.Answer, by?: Model.Closing) => Effect.Effect<boolean>
  /** The result of a call that the agent has announced and may ask for only later. */
  readonly answerEarly: (call: string, answer: Model.Answer) => Effect.Effect<void>
  /** Closes a request, whatever its state, without an answer: the agent no longer waits for one. */
  readonly close: (id: string, by: Model.Closing) => Effect.Effect<void>
  /** Closes all requests that fit a condition, whatever their state. */
  readonly closeAll: (
    by: Model.Closing,
    isMeant?: (request: Model.Request, lane: Model.Lane) => boolean
  ) => Effect.Effect<void>
  /** What was asked and waits, oldest first. */
  readonly waiting: () => ReadonlyArray<WaitingRequest>
}

type State =
  | { readonly _tag: "Judging"; readonly request: Model.Request; readonly lane: Model.Lane }
  | {
      readonly _tag: "Asked"
      readonly request: Model.Request
      readonly lane: Model.Lane
      readonly waiting: WaitingRequest
      timer: Fiber.Fiber<void> | undefined
    }

/** No open requests. */
export const makeRequests = (host: RequestsHost): Requests => {
  const states = new Map<string, State>()
  /** Results that came before they were asked for, by call. */
  const early = new Map<string, Model.Answer>()

  /** Takes a request out; undefined when it is closed already. */
  const end = (id: string): Effect.Effect<State | undefined> =>
    Effect.suspend(() => {
      const state = states.get(id)
      states.delete(id)
      return state?._tag === "Asked" && state.timer !== undefined
        ? Effect.as(Fiber.interrupt(state.timer), state)
        : Effect.succeed(state)
    })

  const logClosed = (state: State, by: Model.Closing, verdict?: string): void => {
    if (state._tag !== "Asked") return
    const { lane, request } = state.waiting
    host.append(
      [{ type: "request_closed", lane, id: request.id, by, ...(verdict !== undefined && { verdict }) }],
      undefined
    )
  }

  const close: Requests["close"] = (id, by) =>
    Effect.map(end(id), (state) => {
      if (state !== undefined) logClosed(state, by)
    })

  const answerAs = (id: string, answer: Model.Answer, by: Model.Closing): Effect.Effect<boolean> =>
    Effect.gen(function* () {
      const state = yield* end(id)
      if (state === undefined) return false
      logClosed(state, by, verdictOf(answer))
      yield* host.answer(id, answer, by)
      return true
    })

  const expire = (request: Model.Request, limit: Duration.Input): Effect.Effect<void> => {
    const state = states.get(request.id)
    // The timer runs this very code: it must not interrupt itself.
    if (state?._tag === "Asked") state.timer = undefined
    return Effect.asVoid(answerAs(request.id, tooLate(request, limit), "expired"))
  }

  const ask = (event: Model.EventOf<"request_opened">, line: number | undefined): Effect.Effect<void> =>
    Effect.gen(function* () {
      const { lane, request } = event
      const answer = yield* host.answerUnasked(request, lane)
      if (answer !== undefined) {
        states.delete(request.id)
        return yield* host.answer(request.id, answer, "answered")
      }
      const limit = host.limitOf(request)
      const expiresAt = (yield* Clock.currentTimeMillis) + Duration.toMillis(Duration.fromInputUnsafe(limit))
      const state: State = { _tag: "Asked", request, lane, waiting: { request, lane, expiresAt }, timer: undefined }
      states.set(request.id, state)
      state.timer = yield* host.inBackground(
        Effect.andThen(
          Effect.sleep(limit),
          host.locked(Effect.suspend(() => (states.get(request.id) === state ? expire(request, limit) : Effect.void)))
        )
      )
      host.append([event], line)
    })

  const decided = (
    event: Model.EventOf<"request_opened">,
    line: number | undefined,
    decision: PolicyDecision
  ): Effect.Effect<void> =>
    Effect.suspend(() => {
      const { id } = event.request
      // Taken back while the policy was thinking.
      if (states.get(id)?._tag !== "Judging") return Effect.void
      switch (decision._tag) {
        case "Ask":
          return ask(event, line)
        case "Allow":
          return Effect.asVoid(answerAs(id, { type: "allow" }, "answered"))
        case "Deny":
          return Effect.asVoid(answerAs(id, { type: "deny", reason: decision.message }, "answered"))
      }
    })

  return {
    open: (event, line, judged = false) =>
      Effect.gen(function* () {
        const { request } = event
        if (request.kind === "page_tool") {
          const answer = early.get(request.call)
          early.delete(request.call)
          if (answer !== undefined) return yield* host.answer(request.id, answer, "answered")
        }
        const judging = judged ? undefined : host.judge(request)
        if (judging === undefined) return yield* ask(event, line)
        states.set(request.id, { _tag: "Judging", request, lane: event.lane })
        yield* host.inBackground(Effect.flatMap(judging, (decision) => host.locked(decided(event, line, decision))))
      }),
    answer: (id, answer, by = "answered") =>
      Effect.suspend(() => (states.get(id)?._tag === "Asked" ? answerAs(id, answer, by) : Effect.succeed(false))),
    answerEarly: (call, answer) =>
      Effect.sync(() => {
        early.set(call, answer)
      }),
    close,
    closeAll: (by, isMeant = () => true) =>
      Effect.suspend(() => {
        if (by === "ended") early.clear()
        const meant = [...states.values()].filter(({ lane, request }) => isMeant(request, lane))
        return Effect.forEach(meant, ({ request }) => close(request.id, by), { discard: true })
      }),
    waiting: () => [...states.values()].flatMap((state) => (state._tag === "Asked" ? [state.waiting] : []))
  }
}

const inWords = (limit: Duration.Input): string => Duration.format(Duration.fromInputUnsafe(limit))

const tooLate = (request: Model.Request, limit: Duration.Input): Model.Answer =>
  refusalOf(
    request,
    `${request.kind === "page_tool" ? "The application did not answer" : "Nobody answered"} within ${inWords(limit)}.`
  )

/** An answer that refuses a request, and why. A form has no place for a reason. */
export const refusalOf = ({ kind }: Model.Request, reason: string): Model.Answer => {
  switch (kind) {
    case "page_tool":
      return { type: "result", content: reason, failed: true }
    case "form":
      return { type: "dismissed" }
    default:
      return { type: "deny", reason }
  }
}

/** What an answer decided, in a word. */
const verdictOf = (answer: Model.Answer): string => {
  switch (answer.type) {
    case "allow":
    case "chosen":
    case "filled":
      return "allow"
    case "deny":
    case "declined":
      return "deny"
    case "dismissed":
      return "cancel"
    case "result":
      return answer.failed ? "failed" : "result"
  }
}
