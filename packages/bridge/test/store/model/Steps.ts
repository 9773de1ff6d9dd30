/** Random commands for stores. */
import fc from "fast-check"
import type { Segment } from "../../../src/store/Checkpoint.ts"
import type { EntryQuery, Happened, ThreadQuery } from "../../../src/store/Store.ts"
import type { StoredThread } from "../../../src/store/StoredThread.ts"
import { thread } from "../Samples.ts"

/** The threads there are. */
export const ids = ["a", "b", "ü😀"] as const
/** A thread. */
export type Id = (typeof ids)[number]
/** Who does something. */
export type Bridge = 0 | 1

/** A batch as it is drawn: where it belongs is only known when it is its turn. */
export interface DrawnBatch {
  readonly where: "next" | "again" | "gap" | "before"
  readonly events: ReadonlyArray<Happened>
  readonly checkpoint: boolean
  /** What is said, and the branch; an old position is used again when it is said so. */
  readonly entries: ReadonlyArray<{
    readonly text: string
    /** What a call hangs on; undefined: it is no call. */
    readonly parent: string | undefined
    readonly branch: number
    readonly again: boolean
  }>
  readonly title: string | null | undefined
}

/** Something that somebody does. */
export type Step =
  | { readonly do: "create"; readonly by: Bridge; readonly thread: StoredThread }
  | { readonly do: "change"; readonly by: Bridge; readonly id: Id; readonly change: Partial<StoredThread> }
  | { readonly do: "remove" | "claim"; readonly by: Bridge; readonly id: Id }
  | { readonly do: "release"; readonly claim: number }
  | { readonly do: "append"; readonly claim: number; readonly batches: ReadonlyArray<DrawnBatch> }
  | { readonly do: "reopen"; readonly by: Bridge }
  | { readonly do: "events"; readonly by: Bridge; readonly id: Id; readonly from: number; readonly limit: number }
  | { readonly do: "entries"; readonly by: Bridge; readonly id: Id; readonly query: EntryQuery }
  | { readonly do: "checkpoint"; readonly by: Bridge; readonly id: Id; readonly seq: number }
  | { readonly do: "threads"; readonly by: Bridge; readonly query: ThreadQuery }

const text = fc.oneof(fc.string({ unit: "binary", maxLength: 5 }), fc.constantFrom("\ud800", "", "ü😀", "\u0000"))
const by = fc.constantFrom<Bridge>(0, 1)
const id = fc.constantFrom(...ids)
const few = fc.nat(12)
const happened: fc.Arbitrary<Happened> = fc.record({
  at: fc.oneof(fc.nat(50), fc.constantFrom(0.5, 1e14)),
  event: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        type: fc.constant("item_grew" as const),
        lane: fc.constantFrom(null, "lane"),
        id: fc.constantFrom("m", "n", "\udc00"),
        delta: text
      })
    },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constant("noticed" as const),
        lane: fc.constant(null),
        name: text,
        value: fc.jsonValue({ maxDepth: 2 })
      })
    }
  )
})
const drawnBatch: fc.Arbitrary<DrawnBatch> = fc.record({
  where: fc.oneof(
    { weight: 8, arbitrary: fc.constant("next" as const) },
    { weight: 3, arbitrary: fc.constantFrom("again" as const, "gap" as const, "before" as const) }
  ),
  events: fc.array(happened, { maxLength: 6 }),
  checkpoint: fc.boolean(),
  entries: fc.array(
    fc.record({ text, parent: fc.option(text, { nil: undefined }), branch: fc.nat(2), again: fc.boolean() }),
    { maxLength: 3 }
  ),
  title: fc.option(fc.option(text), { nil: undefined })
})
const details: fc.Arbitrary<Partial<StoredThread>> = fc.record(
  {
    title: text,
    state: fc.jsonValue({ maxDepth: 1 }),
    archived: fc.boolean(),
    activeAt: fc.nat(3),
    workspaceId: fc.constantFrom("v", "w")
  },
  { requiredKeys: [] }
)
const threadQuery: fc.Arbitrary<ThreadQuery> = fc.record(
  {
    workspaceId: fc.constantFrom("v", "w"),
    archived: fc.boolean(),
    after: fc.record({ activeAt: fc.nat(3), threadId: id }),
    limit: fc.nat(3)
  },
  { requiredKeys: [] }
)
/** Each branch at most once, in order. */
const path: fc.Arbitrary<ReadonlyArray<Segment>> = fc
  .subarray([0, 1, 2])
  .chain((branches) =>
    fc.tuple(
      ...branches.map((branch) =>
        fc.record({ branch: fc.constant(branch), through: few }, { requiredKeys: ["branch"] })
      )
    )
  )
const entryQuery: fc.Arbitrary<EntryQuery> = fc.record(
  { path, before: few, maxEntries: fc.nat(5), maxBytes: fc.nat(200) },
  { requiredKeys: ["path"] }
)
/** Something that somebody does. */
export const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("create" as const),
      by,
      thread: fc.tuple(id, details).map(([threadId, more]) => thread(threadId, more))
    })
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("change" as const), by, id, change: details }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), by, id }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("claim" as const), by, id }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("release" as const), claim: few }) },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant("append" as const),
      claim: few,
      batches: fc.array(drawnBatch, { minLength: 1, maxLength: 3 })
    })
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("reopen" as const), by }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("events" as const), by, id, from: few, limit: few }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("entries" as const), by, id, query: entryQuery }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("checkpoint" as const), by, id, seq: few }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("threads" as const), by, query: threadQuery }) }
)
