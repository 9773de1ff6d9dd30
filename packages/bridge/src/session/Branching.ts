/**
 * Going back: the agent is taken to an earlier point first, and only when it is there does the conversation branch. An
 * agent that cannot go there leaves everything as it was.
 *
 * The turn before is over by then. Nothing else happens in the session until the agent is there.
 */
import type * as Model from "@agentwire/protocol/model"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { EventLog } from "../log/EventLog.ts"
import type { BranchPoint } from "./BranchPoint.ts"
import type { Conversation, StartFailed } from "./Runtime.ts"

/** Somebody wants to go back. */
export interface BranchRequest {
  readonly ticket: string
  readonly point: Omit<BranchPoint, "again">
  /** Told how it went, where no turn tells. */
  readonly done?: Deferred.Deferred<void, StartFailed>
}

/** What going back needs of its session. */
export interface BranchingParts {
  readonly log: Pick<EventLog, "append" | "situation">
  readonly goBack: Conversation["goBack"]
  readonly locked: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly inBackground: (effect: Effect.Effect<void>) => Effect.Effect<unknown>
}

/** Going back. */
export interface Branching {
  /** Whether the agent is on its way. */
  readonly isUnderWay: () => boolean
  /** Takes the agent to a point. Then one of the two happens, under the lock. */
  readonly begin: (
    request: BranchRequest,
    then: {
      readonly onSuccess: Effect.Effect<void>
      readonly onFailure: (failure: StartFailed) => Effect.Effect<void>
    }
  ) => Effect.Effect<void>
}

/** Going back, in a session. */
export const makeBranching = ({ goBack, inBackground, locked, log }: BranchingParts): Branching => {
  let current: BranchRequest | undefined

  const settle = (
    { done }: BranchRequest,
    outcome: Effect.Effect<void, StartFailed>,
    then: Effect.Effect<void>
  ): Effect.Effect<void> =>
    Effect.suspend(() => {
      current = undefined
      if (done !== undefined) Deferred.doneUnsafe(done, outcome)
      return then
    })

  return {
    isUnderWay: () => current !== undefined,
    begin: (request, { onFailure, onSuccess }) =>
      Effect.suspend(() => {
        current = request
        const arrived = Effect.suspend(() => {
          log.append([branchedOff(log.situation(), request)])
          return settle(request, Effect.void, onSuccess)
        })
        return Effect.asVoid(
          inBackground(
            Effect.matchEffect(goBack(request.point.anchor), {
              onSuccess: () => locked(arrived),
              onFailure: (failure) => locked(settle(request, Effect.fail(failure), onFailure(failure)))
            })
          )
        )
      })
  }
}

const branchedOff = ({ origins }: Model.Situation, { point, ticket }: BranchRequest): Model.Event => ({
  type: "branched",
  branch: origins.length,
  from: point.from,
  after: point.after,
  anchor: point.anchor,
  ticket
})
