/** The rules of AG-UI over the events of a session, as they come: the same checker as `agentwire conform`. */
import { Conform } from "@agentwire/protocol"
import type { FeedEvent } from "./Feed.ts"

/** A breach of a rule. */
export type Finding = Conform.Finding

/** Judges events; each is looked at once. */
export interface Judge {
  /** What was found so far, by the number of the event. */
  readonly look: (events: ReadonlyArray<FeedEvent>) => ReadonlyMap<number, ReadonlyArray<Finding>>
}

/** A judge of one session. */
export const makeJudge = (frontendTools: ReadonlyArray<string>): Judge => {
  const checker = Conform.makeChecker({ dialect: "1.0", frontendTools })
  const seqs: Array<number> = []
  let found: ReadonlyMap<number, ReadonlyArray<Finding>> = new Map()
  return {
    look: (events) => {
      const next = new Map(found)
      for (const { event, seq } of events) {
        if (seq <= (seqs.at(-1) ?? -1)) continue
        // What is joined in the middle of a run is judged from the next run on.
        if (seqs.length === 0 && event.type !== "RUN_STARTED") continue
        seqs.push(seq)
        for (const finding of checker.push(event)) {
          const place = seqs[finding.index] ?? seq
          next.set(place, [...(next.get(place) ?? []), finding])
        }
      }
      if (next.size !== found.size) found = next
      return found
    }
  }
}
