/**
 * What a thread is by what the store has of it: its newest checkpoint, and what happened since.
 */
import * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import type { Claim, Store } from "../store/Store.ts"
import type { StoreFailed } from "../store/StoreErrors.ts"
import { pathAt } from "./ConversationPath.ts"
import { type EntryReader, type EntryView, viewEntries } from "./EntryView.ts"
import { TranscriptTail } from "./TranscriptTail.ts"

/** A thread as it is at the end of its log. */
export interface ThreadEnd {
  readonly tail: TranscriptTail
  readonly situation: Model.Situation
  /** How many events there are since the checkpoint. */
  readonly events: number
}

/** How many events are read at once. */
const chunkSize = 1000

/** What a thread is after its checkpoint and all events before a number. */
export const readThreadEnd = (
  store: Pick<Store["Service"], "events">,
  { checkpoint, next, threadId }: Pick<Claim, "threadId" | "checkpoint" | "next">
): Effect.Effect<ThreadEnd, StoreFailed> =>
  Effect.gen(function* () {
    const tail = new TranscriptTail(pathAt(checkpoint))
    const first = checkpoint?.seq ?? 0
    let situation = checkpoint === undefined ? Model.emptySituation : Model.situationFromJson(checkpoint.situation)
    let at = first
    while (at < next) {
      const events = yield* store.events(threadId, at, Math.min(chunkSize, next - at))
      for (const { event } of events) {
        situation = Model.applyToSituation(situation, event)
        tail.apply(event)
        if (event.type === "branched") tail.follow(Model.pathIn(situation))
      }
      at += events.length
      // A log that ends early would never end here.
      if (events.length === 0) break
    }
    return { tail, situation, events: at - first }
  })

/** How often a thread is read again that somebody writes meanwhile. */
const maxTries = 20

/**
 * Looks at what was said in a thread, whoever has it: another bridge may write it meanwhile, and then it is looked at
 * again.
 */
export const lookAtStored = <A, E>(
  store: EntryReader & Pick<Store["Service"], "countEntries" | "events" | "next" | "checkpointBefore">,
  threadId: string,
  use: (view: EntryView) => Effect.Effect<A, E>,
  triesLeft = maxTries
): Effect.Effect<A, E | StoreFailed> =>
  Effect.gen(function* () {
    const next = (yield* store.next(threadId)) ?? 0
    const newest = store.checkpointBefore(threadId, Number.MAX_SAFE_INTEGER)
    const checkpoint = yield* newest
    const { situation, tail } = yield* readThreadEnd(store, { threadId, checkpoint, next })
    const seen = yield* Effect.result(
      Effect.flatMap(viewEntries(store, threadId, { situation, tail: tail.cut() }), use)
    )
    // Entries that were written since are not those that the events since the checkpoint are about.
    if (triesLeft === 0 || (yield* newest)?.seq === checkpoint?.seq) return yield* Effect.fromResult(seen)
    return yield* lookAtStored(store, threadId, use, triesLeft - 1)
  })
