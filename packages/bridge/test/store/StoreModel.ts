/**
 * The simplest store there can be, and random commands for it: every real one gives the same answers.
 */
import type { Model } from "@agentwire/protocol"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import fc from "fast-check"
import type { Checkpoint, Segment } from "../../src/store/Checkpoint.ts"
import type { Batch, Claim, EntryQuery, Happened, PlacedEntry, ThreadQuery } from "../../src/store/Store.ts"
import type { StoredThread } from "../../src/store/StoredThread.ts"
import type { Place } from "./contract.ts"
import { checkpoint, type OpenStore, thread } from "./Samples.ts"

const ids = ["a", "b", "ü😀"] as const
type Id = (typeof ids)[number]
type Bridge = 0 | 1

/** A batch as it is drawn: where it belongs is only known when it is its turn. */
interface DrawnBatch {
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
type Step =
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

/** What came of it: a value, or the code of a failure. */
type Outcome = { readonly value: unknown } | { readonly code: string }

interface Kept {
  thread: StoredThread
  readonly events: Array<Happened>
  readonly checkpoints: Array<Checkpoint>
  readonly entries: Array<PlacedEntry>
  epoch: number
  since: number
  owner: Bridge | undefined
  positions: number
}

/** A claim that somebody has or had. */
interface Held {
  readonly by: Bridge
  readonly id: Id
  readonly epoch: number
  readonly of: Kept
  readonly claim: Claim
}

const plain = <A>(value: A): A => JSON.parse(JSON.stringify(value))
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))
const utf8 = (text: string): string => Buffer.from(text).toString("hex")

/** The simplest store. */
class StoreModel {
  readonly threads = new Map<string, Kept>()
  epochs = 0

  create(given: StoredThread): boolean {
    if (this.threads.has(given.threadId)) return false
    this.threads.set(given.threadId, {
      thread: given,
      events: [],
      checkpoints: [],
      entries: [],
      epoch: 0,
      since: 0,
      owner: undefined,
      positions: 0
    })
    return true
  }

  claim(by: Bridge, id: Id): Outcome {
    const kept = this.threads.get(id)
    if (kept === undefined) return { code: "THREAD_MISSING" }
    if (kept.owner !== undefined && kept.owner !== by) return { code: "THREAD_ELSEWHERE" }
    Object.assign(kept, { owner: by, epoch: ++this.epochs, since: kept.events.length })
    return {
      value: {
        threadId: id,
        epoch: kept.epoch,
        next: kept.events.length,
        checkpoint: kept.checkpoints.at(-1),
        thread: kept.thread
      }
    }
  }

  append({ by, epoch, id, of }: Held, batch: Batch): Outcome {
    const kept = this.threads.get(id)
    if (kept !== of || kept.owner !== by || kept.epoch !== epoch) return { code: "CLAIM_LOST" }
    const [next, after] = [kept.events.length, batch.first + batch.events.length]
    if (batch.first < next && batch.first >= kept.since && after <= next) return { value: undefined }
    if (batch.first !== next) return { code: "STORE_OUT_OF_ORDER" }
    kept.events.push(...plain(batch.events))
    for (const entry of batch.entries ?? []) {
      const place = kept.entries.findIndex(({ position }) => position === entry.position)
      kept.entries.splice(place === -1 ? kept.entries.length : place, place === -1 ? 0 : 1, entry)
      kept.positions = Math.max(kept.positions, entry.position + 1)
    }
    if (batch.checkpoint !== undefined) {
      if (kept.checkpoints.at(-1)?.seq === batch.checkpoint.seq) kept.checkpoints.pop()
      kept.checkpoints.push(batch.checkpoint)
    }
    if (batch.thread !== undefined) kept.thread = plain(Object.assign({}, kept.thread, batch.thread))
    return { value: undefined }
  }

  entries(id: Id, { before, maxBytes = 1e9, maxEntries = 1000, path }: EntryQuery) {
    const found = (this.threads.get(id)?.entries ?? [])
      .filter(({ position }) => before === undefined || position < before)
      .filter((entry) =>
        path.some(({ branch, through }) => entry.branch === branch && entry.position <= (through ?? entry.position))
      )
      .sort((one, other) => one.position - other.position)
    const page: Array<PlacedEntry> = []
    for (const entry of found.toReversed()) {
      const whole = [...page, entry].reduce((sum, each) => sum + bytesOf(each.entry), 0)
      if (page.length >= maxEntries || (whole > maxBytes && page.length > 0)) break
      page.unshift(entry)
    }
    return { entries: page, more: page.length < found.length }
  }

  list({ after, archived, limit = 100, workspaceId }: ThreadQuery) {
    const rank = ({ activeAt, threadId }: Pick<StoredThread, "activeAt" | "threadId">): string =>
      `${String(activeAt).padStart(9, "0")} ${utf8(threadId)}`
    const found = [...this.threads.values()]
      .map(({ thread: { state: _, ...listed } }) => listed)
      .filter((listed) => archived === undefined || listed.archived === archived)
      .filter((listed) => workspaceId === undefined || listed.workspaceId === workspaceId)
      .filter((listed) => after === undefined || rank(listed) < rank(after))
      .sort((one, other) => (rank(one) < rank(other) ? 1 : -1))
    return { threads: found.slice(0, limit), more: found.length > limit }
  }
}

// --- what is drawn ---------------------------------------------------------------------------

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
const step: fc.Arbitrary<Step> = fc.oneof(
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

// --- how it is compared ----------------------------------------------------------------------

const outcome = (effect: Effect.Effect<unknown, { readonly code: string }>): Promise<Outcome> =>
  Effect.runPromise(
    Effect.match(effect, { onSuccess: (value): Outcome => ({ value }), onFailure: ({ code }): Outcome => ({ code }) })
  )

/** Two bridges on one place, and what both have done so far. */
class Comparison {
  readonly model = new StoreModel()
  readonly claims: Array<Held> = []
  readonly #place: Place
  readonly #bridges: Array<{ readonly store: OpenStore; readonly scope: Scope.Closeable }> = []

  constructor(place: Place) {
    this.#place = place
  }

  async open(by: Bridge): Promise<void> {
    const scope = await Effect.runPromise(Scope.make())
    // Long: a busy machine may stand still for a while.
    const store = await Effect.runPromise(Scope.provide(this.#place.open({ lease: "10 minutes" }), scope))
    this.#bridges[by] = { store, scope }
  }

  async close(by: Bridge): Promise<void> {
    await Effect.runPromise(Scope.close(this.#bridge(by).scope, Exit.void))
  }

  #bridge(by: Bridge) {
    const found = this.#bridges[by]
    if (found === undefined) throw new Error(`bridge ${by} is not open`)
    return found
  }

  #store(by: Bridge): OpenStore {
    return this.#bridge(by).store
  }

  async run(step: Step): Promise<void> {
    const { model } = this
    switch (step.do) {
      case "create":
        return this.#same(this.#store(step.by).create(step.thread), { value: model.create(plain(step.thread)) })
      case "change": {
        const kept = model.threads.get(step.id)
        if (kept !== undefined) kept.thread = plain({ ...kept.thread, ...step.change })
        return this.#same(this.#store(step.by).change(step.id, step.change), { value: kept !== undefined })
      }
      case "remove":
        return this.#same(this.#store(step.by).remove(step.id), { value: model.threads.delete(step.id) })
      case "claim": {
        const found = await outcome(this.#store(step.by).claim(step.id))
        assert.deepStrictEqual(found, model.claim(step.by, step.id))
        const of = model.threads.get(step.id)
        if ("value" in found && of !== undefined)
          this.claims.push({ by: step.by, id: step.id, epoch: of.epoch, of, claim: found.value as Claim })
        return
      }
      case "release": {
        const held = this.claims.at(-1 - (step.claim % Math.max(1, this.claims.length)))
        if (held === undefined) return
        if (held.of.epoch === held.epoch && held.of.owner === held.by) held.of.owner = undefined
        return this.#same(this.#store(held.by).release(held.claim), { value: undefined })
      }
      case "append":
        return this.#append(step.claim, step.batches)
      case "reopen":
        await this.close(step.by)
        for (const kept of model.threads.values()) if (kept.owner === step.by) kept.owner = undefined
        return this.open(step.by)
      case "events": {
        const events = (model.threads.get(step.id)?.events ?? []).map((each, seq) => ({ seq, ...each }))
        return this.#same(this.#store(step.by).events(step.id, step.from, step.limit), {
          value: events.slice(step.from, step.from + step.limit)
        })
      }
      case "entries":
        return this.#entries(step.by, step.id, step.query)
      case "checkpoint":
        return this.#checkpoint(step.by, step.id, step.seq)
      case "threads":
        return this.#same(this.#store(step.by).threads(step.query), { value: model.list(step.query) })
    }
  }

  /** Several at once: none waits for the one before. */
  async #append(which: number, drawn: ReadonlyArray<DrawnBatch>): Promise<void> {
    // The newest claim is most often one that holds.
    const held = this.claims.at(-1 - (which % Math.max(1, Math.min(3, this.claims.length))))
    if (held === undefined) return
    const expected: Array<Outcome> = []
    const appends = drawn.map((each) => {
      const batch = batchOf(held.of, each)
      expected.push(this.model.append(held, batch))
      return Effect.promise(() => outcome(this.#store(held.by).append(held.claim, batch)))
    })
    assert.deepStrictEqual(await Effect.runPromise(Effect.all(appends, { concurrency: "unbounded" })), expected)
  }

  async #entries(by: Bridge, id: Id, query: EntryQuery): Promise<void> {
    const store = this.#store(by)
    const valid = { ...query, path: validPath(this.model.threads.get(id)?.entries ?? [], query.path) }
    await this.#same(store.entries(id, valid), { value: this.model.entries(id, valid) })
    const { before, path } = valid
    const all = this.model.entries(id, { path, maxEntries: 1e6, ...(before !== undefined && { before }) }).entries
    await this.#same(store.countEntries(id, valid), { value: all.length })
    const shared = all.flatMap((each) => sharedBy(each) ?? [])
    await this.#same(store.countMessages(id, valid), { value: all.length - shared.length + new Set(shared).size })
    const wanted = [...new Set(all.slice(0, 2).map(({ entry }) => entry.id))]
    const named = (this.model.threads.get(id)?.entries ?? [])
      .filter(({ entry }) => wanted.includes(entry.id))
      .sort((one, other) => one.position - other.position)
    await this.#same(store.entriesById(id, wanted), { value: named })
    const messages = shared.slice(0, 2)
    const parts = (this.model.threads.get(id)?.entries ?? [])
      .filter((each) => messages.some((message) => message === sharedBy(each)))
      .sort((one, other) => one.position - other.position)
    await this.#same(store.messageParts(id, messages), { value: parts })
  }

  /** The newest is always there; one that is older may have been dropped for the one before. */
  async #checkpoint(by: Bridge, id: Id, seq: number): Promise<void> {
    const kept = this.model.threads.get(id)
    const found = await outcome(this.#store(by).checkpointBefore(id, seq))
    const fitting = (kept?.checkpoints ?? []).filter((each) => each.seq <= seq)
    const isNewest = fitting.length === kept?.checkpoints.length
    const possible = fitting.length === 0 ? [undefined] : isNewest ? fitting.slice(-1) : fitting
    assert.deepInclude(
      possible.map((value) => ({ value })),
      found
    )
  }

  async #same(effect: Effect.Effect<unknown, { readonly code: string }>, expected: Outcome): Promise<void> {
    assert.deepStrictEqual(await outcome(effect), expected)
  }

  /** Everything, as both bridges see it. */
  async all(): Promise<void> {
    for (const by of [0, 1] as const) {
      await this.run({ do: "threads", by, query: {} })
      for (const id of ids) {
        await this.#same(this.#store(by).thread(id), { value: this.model.threads.get(id)?.thread })
        await this.#same(this.#store(by).next(id), { value: this.model.threads.get(id)?.events.length })
        await this.run({ do: "events", by, id, from: 0, limit: 1000 })
        for (const branch of [0, 1, 2]) await this.#entries(by, id, { path: [{ branch }] })
        await this.#checkpoint(by, id, 1000)
      }
    }
  }
}

/** A batch where it belongs. */
const batchOf = (kept: Kept, drawn: DrawnBatch): Batch => {
  const next = kept.events.length
  const first = { next, gap: next + 1, again: Math.max(0, next - drawn.events.length), before: Math.max(0, next - 1) }[
    drawn.where
  ]
  let position = kept.positions
  const entries = drawn.entries.map(({ again, branch, parent, text }): PlacedEntry => {
    const at = again && position > 0 ? position - 1 : position++
    return { position: at, branch, entry: entryOf(text, parent) }
  })
  return {
    first,
    events: drawn.events,
    entries,
    ...(drawn.checkpoint && { checkpoint: checkpoint(first + drawn.events.length, { nextPosition: position }) }),
    ...(drawn.title !== undefined && { thread: { title: drawn.title ?? undefined } })
  }
}

/** A call, a text of a message that calls may hang on, or a prompt. */
const entryOf = (text: string, parent: string | undefined): Model.TranscriptEntry => {
  if (parent !== undefined)
    return { id: text, lane: null, kind: "call", tool: "Bash", action: "command", parent, arguments: "{}" }
  return text.length % 2 === 0
    ? { id: text, lane: null, kind: "text", text }
    : { id: text, lane: null, kind: "prompt", content: text }
}

/** The message of an entry that others may share. */
const sharedBy = ({ entry }: PlacedEntry): string | undefined =>
  entry.kind === "call" ? entry.parent : entry.kind === "text" ? entry.id : undefined

/** A path whose later segments have greater positions than its earlier ones. */
const validPath = (entries: ReadonlyArray<PlacedEntry>, path: ReadonlyArray<Segment>): ReadonlyArray<Segment> => {
  const valid: Array<Segment> = []
  let last = -1
  for (const segment of path) {
    const own = entries
      .filter(({ branch, position }) => branch === segment.branch && position <= (segment.through ?? position))
      .map(({ position }) => position)
    if (own.some((position) => position <= last)) continue
    last = Math.max(last, ...own)
    valid.push(segment)
  }
  return valid
}

/** How many sequences of commands are tried. */
const runs = process.env["AGENTWIRE_SWEEP"] === undefined ? 60 : 5000

/** Random commands of two bridges give the same answers as the model. */
export const agreesWithModel = (place: Effect.Effect<Place, never, Scope.Scope>): Effect.Effect<void> =>
  Effect.promise(() =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 50, size: "max" }), (steps) =>
        Effect.runPromise(
          Effect.scoped(
            Effect.flatMap(place, (open) =>
              Effect.promise(async () => {
                const comparison = new Comparison(open)
                await comparison.open(0)
                await comparison.open(1)
                for (const each of ids) await comparison.run({ do: "create", by: 0, thread: thread(each) })
                for (const each of steps) await comparison.run(each)
                await comparison.all()
                await comparison.close(0)
                await comparison.close(1)
              })
            )
          )
        )
      ),
      { numRuns: runs }
    )
  )
