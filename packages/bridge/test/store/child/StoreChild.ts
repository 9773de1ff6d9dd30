/**
 * A process with a store, for tests that kill it or stop it. It does what it is told on stdin, a line of JSON for each
 * order, and answers on stdout. `StoreProcess.ts` starts it.
 */
import { createInterface } from "node:readline"
import * as Effect from "effect/Effect"
import type { Claim } from "../../../src/store/Store.ts"
import { makeSqliteStore } from "../../../src/store/sqlite/SqliteStore.ts"
import { batch, grew, type OpenStore, thread } from "../Samples.ts"
import { pouredBatch } from "./Poured.ts"

/** What it can be told. */
export type Order =
  | { readonly do: "create" | "claim" | "abandoned" | "lost" | "next"; readonly id: string }
  | { readonly do: "append"; readonly id: string; readonly first: number; readonly text: string }
  /** Appends to these threads without an end, and tells what is written: the thread and the number of the next event. */
  | { readonly do: "pour"; readonly ids: ReadonlyArray<string>; readonly seed: number }

/** What it answers. */
export type Reply = { readonly ok: unknown } | { readonly code: string; readonly message: string }

const tell = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`)

const claims = new Map<string, Claim>()

const obey = (
  store: OpenStore,
  order: Order
): Effect.Effect<unknown, { readonly code: string; readonly message: string }> => {
  switch (order.do) {
    case "create":
      return store.create(thread(order.id))
    case "claim":
      return Effect.map(store.claim(order.id), (claim) => {
        claims.set(order.id, claim)
        return claim.next
      })
    case "abandoned":
      return Effect.sync(() => claimOf(order.id).abandoned === true)
    case "next":
      return store.next(order.id)
    case "append":
      return store.append(claimOf(order.id), batch(order.first, grew("m", order.text)))
    case "lost":
      return Effect.map(store.lost(claimOf(order.id)), ({ how }) => how)
    case "pour":
      return Effect.all(
        order.ids.map((id, n) => pour(store, id, order.seed + n)),
        { concurrency: "unbounded" }
      )
  }
}

const claimOf = (id: string): Claim => {
  const claim = claims.get(id)
  if (claim === undefined) throw new Error(`no claim of ${id}`)
  return claim
}

/** Appends batches of several sizes, some at a time, for ever. */
const pour = (store: OpenStore, id: string, seed: number) =>
  Effect.gen(function* () {
    let state = seed
    const random = (below: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
    yield* store.create(thread(id))
    const claim = yield* store.claim(id)
    let next = claim.next
    for (;;) {
      const group = Array.from({ length: 1 + random(4) }, () => {
        const poured = pouredBatch(id, next, 1 + random(9))
        next += poured.events.length
        return Effect.map(store.append(claim, poured), () => tell({ id, written: poured.first + poured.events.length }))
      })
      yield* Effect.all(group, { concurrency: "unbounded" })
    }
  })

const main = Effect.gen(function* () {
  const [folder = "", lease = "15000"] = process.argv.slice(2)
  const store = yield* makeSqliteStore({ folder, lease: Number(lease) })
  const lines = createInterface({ input: process.stdin })
  tell({ ok: "ready" })
  yield* Effect.promise(async () => {
    for await (const line of lines) {
      const done = Effect.match(obey(store, JSON.parse(line)), {
        onSuccess: (ok) => tell({ ok: ok ?? null }),
        onFailure: ({ code, message }) => tell({ code, message })
      })
      await Effect.runPromise(done)
    }
  })
})

Effect.runPromise(Effect.scoped(main)).then(
  () => process.exit(0),
  (error) => {
    tell({ code: String(error?.code), message: String(error?.message) })
    process.exit(1)
  }
)
