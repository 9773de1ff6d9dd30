/**
 * The laws of the translator, as a table: each is a function of any translator and any session that says why it does
 * not hold. The tests run them on every tape and on generated sessions; the mutants show that each can fail.
 */
import { boundedState } from "./law/Bounded.ts"
import { chunkingDoesNotMatter } from "./law/Chunking.ts"
import { truthfulEnds } from "./law/Ends.ts"
import { stableIds } from "./law/Ids.ts"
import { lanesApart } from "./law/Lanes.ts"
import { legal } from "./law/Legal.ts"
import { lossless, resultsAtOnce } from "./law/Lossless.ts"
import { pure, replayed } from "./law/Purity.ts"
import { sharedState } from "./law/SharedState.ts"
import { streamedIsWhole } from "./law/Streaming.ts"
import { suspending } from "./law/Suspending.ts"
import type { Law } from "./law/Translator.ts"

/** A law and how many generated sessions it is tried on. */
export interface Statute {
  readonly law: Law
  /** Sessions as the CLI could have sent them. */
  readonly orderly: number
  /** Sessions with lines lost, late, doubled, cut or written into each other. */
  readonly mutated: number
}

/** The laws by name: the eight of the design, and what follows from a pure fold. */
export const laws: Readonly<Record<string, Statute>> = {
  "1 always legal": { law: legal, orderly: 700, mutated: 700 },
  "2 nothing lost, nothing twice": { law: lossless, orderly: 1_500, mutated: 0 },
  "2 results at once, whatever happens": { law: resultsAtOnce, orderly: 0, mutated: 1_000 },
  "3 streamed ≡ whole": { law: streamedIsWhole, orderly: 1_200, mutated: 0 },
  "4 lanes": { law: lanesApart, orderly: 1_000, mutated: 0 },
  "5 chunking does not matter": { law: chunkingDoesNotMatter, orderly: 800, mutated: 0 },
  "6 ids are stable and unique": { law: stableIds, orderly: 1_000, mutated: 0 },
  "7 truthful ends": { law: truthfulEnds, orderly: 1_000, mutated: 0 },
  "8 bounded state": { law: boundedState, orderly: 500, mutated: 0 },
  purity: { law: pure, orderly: 400, mutated: 400 },
  "replayed buffers": { law: replayed, orderly: 700, mutated: 300 },
  "the application's state": { law: sharedState, orderly: 100, mutated: 100 },
  "several runs in a turn": { law: suspending, orderly: 800, mutated: 0 }
}
