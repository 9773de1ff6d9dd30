/**
 * Going back to an earlier point of a conversation: the process is ended, and one is started that begins there.
 *
 * A CLI that does not know the point says so in a line of its own and ends, before it has greeted anybody. Nothing has
 * happened then: the next process begins where the last one ended.
 */
import type * as Claude from "@agentwire/protocol/claude"
import type * as Model from "@agentwire/protocol/model"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { StartFailed } from "../../session/Runtime.ts"
import type { StartFailure } from "./AgentLink.ts"
import { type Origin, originAt, refusalIn } from "./Origin.ts"

/** What going back needs of its conversation. */
export interface GoBackParts {
  readonly locked: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Where the next process begins. */
  readonly origin: () => Origin
  readonly beginAt: (origin: Origin) => void
  /** Ends the process and its turn. Under the lock. */
  readonly disconnect: Effect.Effect<void>
  /** Starts a process. Under the lock. */
  readonly start: Effect.Effect<void>
  readonly whenReady: Effect.Effect<void, StartFailure>
}

/** Going back. */
export interface GoBack {
  /** Goes back to a point; null: to a new conversation. Not under the lock. */
  readonly to: (anchor: string | null) => Effect.Effect<void, StartFailed>
  /** Whether a line says that the process does not know the point: it ends no turn, for nothing was asked. */
  readonly isRefused: (decoded: Claude.Decoded) => boolean
  /** Whether a process is being started at an earlier point. */
  readonly isUnderWay: () => boolean
  /** The process is gone. */
  readonly ended: (reason: Claude.FinishReason) => void
}

interface Attempt {
  refusal: string | undefined
  readonly ended: Deferred.Deferred<Claude.FinishReason>
}

/** Going back, in a conversation. */
export const makeGoBack = (parts: GoBackParts): GoBack => {
  let attempt: Attempt | undefined

  const begin = (target: Origin, own: Attempt): Effect.Effect<void> =>
    Effect.andThen(
      parts.disconnect,
      Effect.suspend(() => {
        parts.beginAt(target)
        attempt = own
        return parts.start
      })
    )

  return {
    isRefused: (decoded) => {
      const refusal = attempt === undefined ? undefined : refusalIn(decoded)
      if (attempt !== undefined && refusal !== undefined) attempt.refusal = refusal
      return refusal !== undefined
    },
    isUnderWay: () => attempt !== undefined,
    ended: (reason) => {
      if (attempt !== undefined) Deferred.doneUnsafe(attempt.ended, Effect.succeed(reason))
    },
    to: (anchor) =>
      Effect.gen(function* () {
        const target = originAt(anchor)
        if (target === undefined) return yield* unavailable("It does not know this point.")
        const before = parts.origin()
        const own: Attempt = { refusal: undefined, ended: Deferred.makeUnsafe() }
        yield* parts.locked(begin(target, own))
        const begun = yield* Effect.exit(parts.whenReady)
        if (Exit.isSuccess(begun)) {
          attempt = undefined
          return
        }
        const failure = failureOf(Cause.squash(begun.cause))
        // Whoever is gone has more to tell than that: its last words come with its end.
        const reason = failure.code === "GONE" ? yield* Deferred.await(own.ended) : undefined
        attempt = undefined
        parts.beginAt(before)
        if (own.refusal !== undefined) return yield* unavailable(own.refusal)
        return yield* new StartFailed(reason?.type === "exit" ? exitFailure(reason) : failure)
      })
  }
}

/** Why nobody can go back to a point. `reason`: in the words of the CLI. */
const unavailableMessage = (reason: string): string =>
  `The agent cannot go back to this message: ${reason} It may have been compacted since, or its transcript removed.`

const unavailable = (reason: string): StartFailed =>
  new StartFailed({
    code: "BRANCH_UNAVAILABLE",
    message: unavailableMessage(reason)
  })

const exitFailure = ({ code, detail, signal }: Extract<Claude.FinishReason, { type: "exit" }>): StartFailure => ({
  code: "START_FAILED",
  message: `The agent ended as it was to go back (${signal ?? `code ${code ?? "unknown"}`}). ${detail ?? ""}`.trim()
})

const failureOf = (cause: unknown): StartFailure => {
  const failure = cause as Partial<StartFailure>
  return { code: failure.code ?? "START_FAILED", message: failure.message ?? String(cause) }
}

/** The end of a turn that could not begin where it should. */
export const unavailableTurn =
  (refusal: string) =>
  (event: Model.Event): Model.Event =>
    event.type === "turn_ended" && event.outcome.type === "failed"
      ? { ...event, outcome: { ...event.outcome, code: "BRANCH_UNAVAILABLE", message: unavailableMessage(refusal) } }
      : event
