/** The rules of AG-UI over the events of a session, as they come: the same checker as `agentwire conform`. */
import { Conform } from "@agentwire/protocol"
import type { FeedEvent } from "./Feed.ts"
import { isAfter, keyOf, type Place } from "./Place.ts"

/** A breach of a rule. */
export type Finding = Conform.Finding

/** Judges events; each is looked at once. */
export interface Judge {
  /** What was found so far, by the key of the event's place. */
  readonly look: (events: ReadonlyArray<FeedEvent>) => ReadonlyMap<string, ReadonlyArray<Finding>>
}

/** A judge of one session. */
export const makeJudge = (frontendTools: ReadonlyArray<string>): Judge => {
  const checker = Conform.makeChecker({ dialect: "1.0", frontendTools })
  const keys: Array<string> = []
  let last: Place | undefined
  let found: ReadonlyMap<string, ReadonlyArray<Finding>> = new Map()
  return {
    look: (events) => {
      const next = new Map(found)
      for (const { event, part, seq } of events) {
        if (!isAfter({ seq, part }, last)) continue
        // What is joined in the middle of a run is judged from the next run on.
        if (last === undefined && event.type !== "RUN_STARTED") continue
        last = { seq, part }
        keys.push(keyOf(last))
        for (const finding of checker.push(event)) {
          const place = keys[finding.index] ?? keyOf(last)
          next.set(place, [...(next.get(place) ?? []), finding])
        }
      }
      if (next.size !== found.size) found = next
      return found
    }
  }
}
