/** Random commands of two bridges, which get the answers of the simplest store there can be. */
import type { Model } from "@agentwire/protocol"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import fc from "fast-check"
import type { Segment } from "../../../src/store/Checkpoint.ts"
import type { Batch, Claim, EntryQuery, PlacedEntry } from "../../../src/store/Store.ts"
import type { Place, PlaceMaker } from "../contract/Place.ts"
import { checkpoint, type OpenStore, thread } from "../Samples.ts"
import { type Bridge, type DrawnBatch, type Id, ids, type Step, step } from "./Steps.ts"
import { type Held, type Kept, type Outcome, plain, StoreModel } from "./StoreModel.ts"

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
    const span = { from: Math.min(before ?? 0, 4), until: before ?? 3 }
    const isBeyond = ({ position }: PlacedEntry): boolean => position < span.from || position >= span.until
    await this.#same(store.entriesById(id, wanted, span), { value: named.filter(isBeyond) })
    const messages = shared.slice(0, 2)
    const parts = (this.model.threads.get(id)?.entries ?? [])
      .filter((each) => messages.some((message) => message === sharedBy(each)))
      .sort((one, other) => one.position - other.position)
    await this.#same(store.messageParts(id, messages), { value: parts })
    await this.#same(store.messageParts(id, messages, span), { value: parts.filter(isBeyond) })
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
const runs = process.env["AGENTWIRE_SWEEP"] === undefined ? 60 : 1000

/** Random commands of two bridges give the same answers as the model. */
export const agreesWithModel = (place: PlaceMaker): Effect.Effect<void> =>
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
