/**
 * The claims that a store has given and that are not lost, and word for those who wait until one is.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { Claim } from "./Store.ts"
import { type ClaimLost, claimReleased, claimTaken } from "./StoreErrors.ts"

/** The claims that a store has given. */
export class ClaimBook {
  readonly #held = new Map<string, Claim>()
  readonly #ends = new WeakMap<Claim, Deferred.Deferred<ClaimLost>>()

  /** A claim was given; the one before is lost. */
  add(claim: Claim): void {
    this.end(claim.threadId, claimTaken(claim.threadId))
    this.#held.set(claim.threadId, claim)
    this.#ends.set(claim, Deferred.makeUnsafe())
  }

  /** The claim of a thread is lost. Nothing happens when there is none, or when its epoch is another. */
  end(threadId: string, why: ClaimLost, epoch?: number): void {
    const claim = this.#held.get(threadId)
    if (claim === undefined || (epoch !== undefined && claim.epoch !== epoch)) return
    this.#held.delete(threadId)
    const waiting = this.#ends.get(claim)
    if (waiting !== undefined) Deferred.doneUnsafe(waiting, Effect.succeed(why))
  }

  /** Waits until a claim is lost. One that this store has not given is lost. */
  lost(claim: Claim): Effect.Effect<ClaimLost> {
    const waiting = this.#ends.get(claim)
    return waiting === undefined ? Effect.succeed(claimTaken(claim.threadId)) : Deferred.await(waiting)
  }

  /** The claims that are not lost, as far as is known. */
  held(): ReadonlyArray<Claim> {
    return [...this.#held.values()]
  }

  /** The store is closed: nothing is held any more. */
  endAll(): void {
    for (const { threadId } of this.held()) this.end(threadId, claimReleased(threadId))
  }
}
