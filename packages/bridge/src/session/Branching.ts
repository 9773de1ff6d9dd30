/**
 * Going back: the agent is taken to an earlier point first, and only when it is there does the conversation branch. An
 * agent that cannot go there leaves everything as it was.
 *
 * The turn before is over by then. Nothing else happens in the session until the agent is there.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { LogFailed } from "../log/BoundedLog.ts"
import type { EventLog } from "../log/EventLog.ts"
import type { BranchPoint } from "./BranchPoint.ts"
import { type Conversation, StartFailed } from "./Runtime.ts"
import type { SessionRefused } from "./SessionRefused.ts"

/** Why nobody is taken back. */
export type BranchFailed = StartFailed | SessionRefused | LogFailed

/** Where a conversation has gone back to. */
export interface WentBack {
  readonly point: Omit<BranchPoint, "again">
  /** The branch that it is on now. */
  readonly branch: number
}

/** Somebody wants to go back. */
export interface BranchRequest {
  readonly ticket: string
  /** Where to: looked up when nothing is said any more. */
  readonly find: Effect.Effect<WentBack["point"], BranchFailed>
  /** Told how it went, where no turn tells. */
  readonly done?: Deferred.Deferred<WentBack, BranchFailed>
}

/** What going back needs of its session. */
export interface BranchingParts {
  readonly log: Pick<EventLog, "append" | "situation" | "nextPosition">
  readonly goBack: Conversation["goBack"]
  readonly now: () => number
  readonly locked: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly inBackground: (effect: Effect.Effect<void>) => Effect.Effect<unknown>
}

/** Going back. */
export interface Branching {
  /** Whether the agent is on its way. */
  readonly isUnderWay: () => boolean
  /** Tells whoever waits that nobody goes back any more: by this request, or by the one that is under way. */
  readonly abandon: (request?: Pick<BranchRequest, "done">) => void
  /** Takes the agent to a point. Then one of the two happens, under the lock. */
  readonly begin: (
    request: BranchRequest,
    then: {
      readonly onSuccess: Effect.Effect<void>
      readonly onFailure: (failure: BranchFailed) => Effect.Effect<void>
    }
  ) => Effect.Effect<void>
}

const ended = new StartFailed({ code: "GONE", message: "The session ended before the agent was there." })

/** Going back, in a session. */
export const makeBranching = ({ goBack, inBackground, locked, log, now }: BranchingParts): Branching => {
  let current: BranchRequest | undefined

  const settle = (
    { done }: BranchRequest,
    outcome: Effect.Effect<WentBack, BranchFailed>,
    then: Effect.Effect<void>
  ): Effect.Effect<void> =>
    Effect.suspend(() => {
      current = undefined
      if (done !== undefined) Deferred.doneUnsafe(done, outcome)
      return then
    })

  const arrived = (point: WentBack["point"], request: BranchRequest, then: Effect.Effect<void>): Effect.Effect<void> =>
    Effect.suspend(() => {
      const branch = log.situation().origins.length
      const { after, anchor, from } = point
      const begins = { position: log.nextPosition(), at: now() }
      log.append([{ type: "branched", branch, from, after, anchor, begins, ticket: request.ticket }])
      return settle(request, Effect.succeed({ point, branch }), then)
    })

  return {
    isUnderWay: () => current !== undefined,
    abandon: (request = current) => {
      if (request?.done !== undefined) Deferred.doneUnsafe(request.done, Effect.fail(ended))
    },
    begin: (request, { onFailure, onSuccess }) =>
      Effect.suspend(() => {
        current = request
        return Effect.asVoid(
          inBackground(
            request.find.pipe(
              Effect.tap(({ anchor }) => goBack(anchor)),
              Effect.matchEffect({
                onSuccess: (point) => locked(arrived(point, request, onSuccess)),
                onFailure: (failure) => locked(settle(request, Effect.fail(failure), onFailure(failure)))
              })
            )
          )
        )
      })
  }
}
