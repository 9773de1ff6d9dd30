/**
 * What every store owes, whatever it keeps things in: one suite, which each implementation runs.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import { trunk } from "../../src/store/Checkpoint.ts"
import type { StoreFailed } from "../../src/store/StoreErrors.ts"
import {
  batch,
  call,
  checkpoint,
  deltas,
  grew,
  noticed,
  type OpenStore,
  result,
  said,
  text,
  thread
} from "./Samples.ts"
import { agreesWithModel } from "./StoreModel.ts"

/** Where a store keeps things. It can be opened again, and by several bridges at a time. */
export interface Place {
  readonly open: (options?: { readonly lease?: Duration.Input }) => Effect.Effect<OpenStore, StoreFailed, Scope.Scope>
}

/** Runs the suite. */
export const storeContract = (name: string, place: Effect.Effect<Place, never, Scope.Scope>): void => {
  /** With one bridge. */
  const alone = <A, E>(use: (store: OpenStore) => Effect.Effect<A, E, Scope.Scope>) =>
    Effect.gen(function* () {
      return yield* use(yield* (yield* place).open())
    })

  /** With a thread `a` that is claimed. */
  const claimed = (store: OpenStore) => Effect.andThen(store.create(thread("a")), store.claim("a"))

  describe(`${name}: the log of a thread`, () => {
    it.effect("has the events that were appended, in order, numbered from 0", () =>
      alone((store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          assert.strictEqual(claim.next, 0)
          yield* store.append(claim, batch(0, [noticed({ a: 1 }), ...grew("m", "Hel", "lo")]))
          yield* store.append(claim, batch(3, grew("m", " ", "world")))
          const events = yield* store.events("a", 0, 100)
          assert.deepStrictEqual(
            events.map(({ seq }) => seq),
            [0, 1, 2, 3, 4]
          )
          assert.deepStrictEqual(events[0], { seq: 0, ...noticed({ a: 1 }) })
          assert.deepStrictEqual(deltas(events), ["Hel", "lo", " ", "world"])
          assert.strictEqual(yield* store.next("a"), 5)
        })
      )
    )

    it.effect("is read from any number, as much of it as is wanted", () =>
      alone((store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          const letters = [..."abcdefghij"]
          yield* store.append(claim, batch(0, grew("m", ...letters.slice(0, 6))))
          yield* store.append(claim, batch(6, grew("m", ...letters.slice(6)), { checkpoint: checkpoint(10) }))
          for (let from = 0; from <= 11; from++)
            for (let limit = 0; limit <= 11; limit++)
              assert.deepStrictEqual(
                deltas(yield* store.events("a", from, limit)),
                letters.slice(from, from + limit),
                `${limit} from ${from}`
              )
        })
      )
    )

    it.effect("keeps half surrogate pairs, NULs, odd times and names as they are", () =>
      alone((store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          const events = [
            ...grew("\ud800\u0000", "\ud83d", "\ude00", "", "\u0000", "ü😀"),
            ...[5, 5, 4.25, -3, 0, 1e15].map((at) => noticed({ __proto__: null, [at]: "x" }, at)),
            { at: 7, event: { type: "item_grew", lane: "__proto__", id: "", delta: "" } } as const
          ]
          yield* store.append(claim, batch(0, events, { checkpoint: checkpoint(events.length) }))
          const found = yield* store.events("a", 0, 100)
          assert.deepStrictEqual(
            found,
            events.map((each, seq) => JSON.parse(JSON.stringify({ seq, ...each })))
          )
        })
      )
    )

    it.effect("takes each batch once, however often it is appended", () =>
      alone((store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          const [one, two] = [batch(0, grew("m", "a", "b")), batch(2, grew("m", "c"))]
          for (const each of [one, one, two, one, two, two]) yield* store.append(claim, each)
          assert.deepStrictEqual(deltas(yield* store.events("a", 0, 10)), ["a", "b", "c"])
        })
      )
    )

    it.effect("refuses events that leave a gap, or that are there in part", () =>
      alone((store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          yield* store.append(claim, batch(0, grew("m", "a", "b")))
          for (const first of [1, 3, 7]) {
            const error = yield* Effect.flip(store.append(claim, batch(first, grew("m", "x", "y"))))
            assert.strictEqual(error.code, "STORE_OUT_OF_ORDER")
            assert.include(error.message, "number 2 is the next")
          }
          assert.deepStrictEqual(deltas(yield* store.events("a", 0, 10)), ["a", "b"])
        })
      )
    )

    it.effect("refuses what another claim has written before: it need not be the same", () =>
      alone((store) =>
        Effect.gen(function* () {
          const first = yield* claimed(store)
          yield* store.append(first, batch(0, grew("m", "a", "b")))
          const second = yield* store.claim("a")
          const error = yield* Effect.flip(store.append(second, batch(0, grew("m", "a", "b"))))
          assert.strictEqual(error.code, "STORE_OUT_OF_ORDER")
        })
      )
    )

    it.effect("has appends in the order in which they are run, also when none waits for another", () =>
      alone((store) =>
        Effect.gen(function* () {
          yield* store.create(thread("a"))
          yield* store.create(thread("b"))
          const claims = [yield* store.claim("a"), yield* store.claim("b")] as const
          const appends = Array.from({ length: 50 }, (_, n) =>
            claims.map((claim) => store.append(claim, batch(n, grew("m", `${claim.threadId}${n}`))))
          )
          yield* Effect.all(appends.flat(), { concurrency: "unbounded" })
          for (const { threadId } of claims)
            assert.deepStrictEqual(
              deltas(yield* store.events(threadId, 0, 100)),
              Array.from({ length: 50 }, (_, n) => `${threadId}${n}`)
            )
        })
      )
    )

    it.effect("has nothing of an append that is refused", () =>
      alone((store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          const refused = batch(5, grew("m", "x"), {
            checkpoint: checkpoint(6),
            entries: [said(0)],
            thread: { title: "No" }
          })
          yield* Effect.flip(store.append(claim, refused))
          assert.strictEqual(yield* store.next("a"), 0)
          assert.isUndefined(yield* store.checkpointBefore("a", 100))
          assert.deepStrictEqual(yield* store.entries("a", { path: trunk }), { entries: [], more: false })
          assert.deepStrictEqual(yield* store.thread("a"), thread("a"))
        })
      )
    )

    it.effect("is there in the next life, with all that came with it", () =>
      Effect.gen(function* () {
        const { open } = yield* place
        yield* Effect.scoped(
          Effect.gen(function* () {
            const store = yield* open()
            const claim = yield* claimed(store)
            yield* store.append(
              claim,
              batch(0, grew("m", "a", "b"), {
                checkpoint: checkpoint(2),
                entries: [said(0), said(1)],
                thread: { title: "Letters", state: { n: 1 } }
              })
            )
          })
        )
        const store = yield* open()
        const claim = yield* store.claim("a")
        assert.strictEqual(claim.next, 2)
        assert.deepStrictEqual(claim.checkpoint, checkpoint(2))
        assert.deepStrictEqual(claim.thread, thread("a", { title: "Letters", state: { n: 1 } }))
        yield* store.append(claim, batch(2, grew("m", "c")))
        assert.deepStrictEqual(deltas(yield* store.events("a", 0, 10)), ["a", "b", "c"])
        assert.deepStrictEqual((yield* store.entries("a", { path: trunk })).entries, [said(0), said(1)])
      })
    )
  })

  describe(`${name}: a claim`, () => {
    it.effect("needs a thread", () =>
      alone((store) =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(store.claim("none"))
          assert.strictEqual(error.code, "THREAD_MISSING")
        })
      )
    )

    it.effect("is refused while another bridge has the thread; other threads go on", () =>
      Effect.gen(function* () {
        const { open } = yield* place
        const [one, two] = [yield* open(), yield* open()]
        const claim = yield* claimed(one)
        const error = yield* Effect.flip(two.claim("a"))
        if (error.code !== "THREAD_ELSEWHERE") assert.fail(error.code)
        assert.include(error.message, "a")
        assert.strictEqual(error.owner.pid, process.pid)
        yield* two.create(thread("b"))
        yield* two.append(yield* two.claim("b"), batch(0, grew("m", "b")))
        yield* one.append(claim, batch(0, grew("m", "a")))
        assert.deepStrictEqual(deltas(yield* two.events("a", 0, 10)), ["a"])
        assert.deepStrictEqual(deltas(yield* one.events("b", 0, 10)), ["b"])
      })
    )

    it.effect("passes on when it is given back, and when its bridge ends", () =>
      Effect.gen(function* () {
        const { open } = yield* place
        const scope = yield* Scope.make()
        const one = yield* Scope.provide(open(), scope)
        const two = yield* open()
        const claim = yield* claimed(one)
        yield* one.release(claim)
        const second = yield* two.claim("a")
        assert.isAbove(second.epoch, claim.epoch)
        assert.strictEqual((yield* Effect.flip(one.append(claim, batch(0, grew("m", "x"))))).code, "CLAIM_LOST")
        // Too late: it is not its own any more.
        yield* one.release(claim)
        yield* two.append(second, batch(0, grew("m", "b")))
        yield* two.release(second)
        yield* one.claim("a")
        yield* Scope.close(scope, Exit.void)
        assert.strictEqual((yield* two.claim("a")).next, 1)
      })
    )

    it.effect("that was given back does not write", () =>
      alone((store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          yield* store.release(claim)
          const error = yield* Effect.flip(store.append(claim, batch(0, grew("m", "x"))))
          if (error.code !== "CLAIM_LOST") assert.fail(error.code)
          assert.strictEqual(error.how, "released")
          assert.strictEqual((yield* store.lost(claim)).how, "released")
        })
      )
    )

    it.effect("of the same bridge replaces the one before", () =>
      alone((store) =>
        Effect.gen(function* () {
          const first = yield* claimed(store)
          yield* store.append(first, batch(0, grew("m", "a")))
          const second = yield* store.claim("a")
          assert.isAbove(second.epoch, first.epoch)
          const error = yield* Effect.flip(store.append(first, batch(1, grew("m", "x"))))
          if (error.code !== "CLAIM_LOST") assert.fail(error.code)
          assert.strictEqual(error.how, "taken")
          assert.strictEqual((yield* store.lost(first)).how, "taken")
          yield* store.append(second, batch(1, grew("m", "b")))
          assert.deepStrictEqual(deltas(yield* store.events("a", 0, 10)), ["a", "b"])
        })
      )
    )

    it.effect("of a bridge that gives no sign of life is taken over when its lease is over, and not before", () =>
      Effect.gen(function* () {
        const { open } = yield* place
        // A clock that stands still is what a suspended process has.
        const clock = yield* Clock.Clock
        const still: Clock.Clock = { ...clock, currentTimeMillisUnsafe: () => 0, sleep: () => Effect.never }
        const one = yield* open({ lease: "15 seconds" }).pipe(Effect.provideService(Clock.Clock, still))
        const two = yield* open({ lease: "15 seconds" })
        const claim = yield* claimed(one)
        yield* one.append(claim, batch(0, grew("m", "a")))
        yield* TestClock.adjust("14 seconds")
        assert.strictEqual((yield* Effect.flip(two.claim("a"))).code, "THREAD_ELSEWHERE")
        yield* TestClock.adjust("2 seconds")
        const second = yield* two.claim("a")
        assert.strictEqual(second.next, 1)
        const error = yield* Effect.flip(one.append(claim, batch(1, grew("m", "x"))))
        assert.strictEqual(error.code, "CLAIM_LOST")
        assert.strictEqual((yield* one.lost(claim)).how, "taken")
        yield* two.append(second, batch(1, grew("m", "b")))
        assert.deepStrictEqual(deltas(yield* one.events("a", 0, 10)), ["a", "b"])
      })
    )

    it.effect("of a bridge that is alive lasts, however long nothing is written", () =>
      Effect.gen(function* () {
        const { open } = yield* place
        const [one, two] = [yield* open({ lease: "15 seconds" }), yield* open({ lease: "15 seconds" })]
        const claim = yield* claimed(one)
        for (let n = 0; n < 12; n++) {
          yield* TestClock.adjust("5 seconds")
          // Reading waits for nothing, so what renews the lease has had its turn when a write is done.
          yield* one.mark(`${n}`)
        }
        assert.strictEqual((yield* Effect.flip(two.claim("a"))).code, "THREAD_ELSEWHERE")
        yield* one.append(claim, batch(0, grew("m", "a")))
      })
    )

    it.effect("that is lost is told to those who wait for it, also when nothing is written", () =>
      Effect.gen(function* () {
        const { open } = yield* place
        const [one, two] = [yield* open({ lease: "15 seconds" }), yield* open({ lease: "15 seconds" })]
        const claim = yield* claimed(one)
        const waiting = yield* Effect.forkChild(one.lost(claim), { startImmediately: true })
        yield* two.remove("a")
        yield* TestClock.adjust("20 seconds")
        assert.strictEqual((yield* Fiber.join(waiting)).how, "removed")
      })
    )

    it.effect("of a thread that was removed does not write into a new one of the same id", () =>
      alone((store) =>
        Effect.gen(function* () {
          const old = yield* claimed(store)
          yield* store.append(old, batch(0, grew("m", "old")))
          assert.isTrue(yield* store.remove("a"))
          assert.isFalse(yield* store.remove("a"))
          assert.strictEqual((yield* Effect.flip(store.append(old, batch(1, grew("m", "x"))))).code, "CLAIM_LOST")
          const fresh = yield* claimed(store)
          assert.isAbove(fresh.epoch, old.epoch)
          assert.strictEqual(fresh.next, 0)
          assert.isUndefined(fresh.checkpoint)
          assert.strictEqual((yield* Effect.flip(store.append(old, batch(0, grew("m", "x"))))).code, "CLAIM_LOST")
          assert.deepStrictEqual(yield* store.events("a", 0, 10), [])
        })
      )
    )
  })

  describe(`${name}: a checkpoint`, () => {
    it.effect("is the newest one up to a number", () =>
      alone((store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          assert.isUndefined(yield* store.checkpointBefore("a", 100))
          const wide = Array.from({ length: 400 }, (_, n) => noticed(n))
          for (const [n, first] of [0, 400, 800].entries())
            yield* store.append(claim, batch(first, wide, { checkpoint: checkpoint(first + 400, { nextPosition: n }) }))
          for (const [seq, expected] of [
            [399, undefined],
            [400, 400],
            [799, 400],
            [1200, 1200],
            [Number.POSITIVE_INFINITY, 1200]
          ] as const)
            assert.strictEqual((yield* store.checkpointBefore("a", seq))?.seq, expected, `before ${seq}`)
          assert.strictEqual((yield* store.claim("a")).checkpoint?.nextPosition, 2)
        })
      )
    )

    it.effect("at the same number replaces the one before, also without events", () =>
      alone((store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          const at = (nextPosition: number) => batch(0, [], { checkpoint: checkpoint(0, { nextPosition }) })
          yield* store.append(claim, at(1))
          yield* store.append(claim, at(2))
          assert.deepStrictEqual((yield* store.claim("a")).checkpoint, checkpoint(0, { nextPosition: 2 }))
        })
      )
    )
  })

  describe(`${name}: a transcript`, () => {
    const positions = ({ entries }: { readonly entries: ReadonlyArray<{ readonly position: number }> }) =>
      entries.map(({ position }) => position)

    it.effect("is paged backwards by number and by size; a page has at least one entry", () =>
      alone((store) =>
        Effect.gen(function* () {
          const entries = Array.from({ length: 10 }, (_, n) => said(n, "ü".repeat(100)))
          yield* store.create(thread("a"), { entries })
          const bytes = Buffer.byteLength(JSON.stringify(entries[0]?.entry))
          const query = { path: trunk }
          assert.deepStrictEqual(yield* store.entries("a", query), { entries, more: false })
          for (const [more, expected, isMore] of [
            [{ maxEntries: 3 }, [7, 8, 9], true],
            [{ maxEntries: 3, before: 7 }, [4, 5, 6], true],
            [{ maxEntries: 3, before: 3 }, [0, 1, 2], false],
            [{ maxBytes: 2 * bytes }, [8, 9], true],
            [{ maxBytes: 2 * bytes - 1 }, [9], true],
            [{ maxBytes: 1 }, [9], true],
            [{ maxBytes: 1, before: 1 }, [0], false],
            [{ before: 0 }, [], false],
            [{ maxEntries: 0 }, [], true]
          ] as const) {
            const page = yield* store.entries("a", { ...query, ...more })
            assert.deepStrictEqual(positions(page), [...expected], JSON.stringify(more))
            assert.strictEqual(page.more, isMore, JSON.stringify(more))
          }
          assert.strictEqual(yield* store.countEntries("a", { ...query, before: 4 }), 4)
        })
      )
    )

    it.effect("follows a path through the branches", () =>
      alone((store) =>
        Effect.gen(function* () {
          const branches = [0, 0, 0, 1, 1, 0, 2, 2, 1]
          yield* store.create(thread("a"), { entries: branches.map((branch, n) => said(n, `${n}`, branch)) })
          const paths = [
            [[{ branch: 0 }], [0, 1, 2, 5]],
            [
              [{ branch: 0, through: 1 }, { branch: 1 }],
              [0, 1, 3, 4, 8]
            ],
            [
              [{ branch: 0, through: 1 }, { branch: 1, through: 3 }, { branch: 2 }],
              [0, 1, 3, 6, 7]
            ],
            [[{ branch: 3 }], []],
            [[], []]
          ] as const
          for (const [path, expected] of paths) {
            assert.deepStrictEqual(positions(yield* store.entries("a", { path })), [...expected])
            assert.strictEqual(yield* store.countEntries("a", { path }), expected.length)
            // In pages of two, from the end.
            const paged: Array<number> = []
            for (let before: number | undefined; ; ) {
              const page = yield* store.entries("a", { path, maxEntries: 2, ...(before !== undefined && { before }) })
              paged.unshift(...positions(page))
              before = page.entries[0]?.position
              if (!page.more) break
            }
            assert.deepStrictEqual(paged, [...expected])
          }
        })
      )
    )

    it.effect("has an entry once, as it was last, and finds it by its id", () =>
      alone((store) =>
        Effect.gen(function* () {
          const claim = yield* claimed(store)
          yield* store.append(claim, batch(0, [], { entries: [said(0, "old"), said(1)] }))
          yield* store.append(claim, batch(0, [], { entries: [said(0, "new")] }))
          const entries = [said(0, "new"), said(1)]
          assert.deepStrictEqual((yield* store.entries("a", { path: trunk })).entries, entries)
          assert.deepStrictEqual(yield* store.entriesById("a", ["p1", "none", "p0", "p0"]), entries)
          assert.deepStrictEqual(yield* store.entriesById("none", ["p1"]), [])
        })
      )
    )

    it.effect("finds a text with the calls that hang on it, and counts them as one message", () =>
      alone((store) =>
        Effect.gen(function* () {
          const entries = [
            said(0),
            text(1, "m"),
            call(2, "c", "m"),
            call(3, "d", "lone"),
            result(4, "c"),
            call(5, "e", "lone")
          ]
          const elsewhere = call(6, "f", "m", 1)
          yield* store.create(thread("a"), { entries: [...entries, elsewhere] })
          const parts = yield* store.messageParts("a", ["m", "none", "m"])
          assert.deepStrictEqual(positions({ entries: parts }), [1, 2, 6])
          assert.deepStrictEqual(positions({ entries: yield* store.messageParts("a", ["lone"]) }), [3, 5])
          assert.deepStrictEqual(yield* store.messageParts("a", ["c", "p0", ""]), [])
          assert.deepStrictEqual(yield* store.messageParts("none", ["m"]), [])
          for (const [query, messages] of [
            [{ path: trunk }, 4],
            [{ path: trunk, before: 3 }, 2],
            [{ path: [{ branch: 0, through: 1 }, { branch: 1 }] }, 2],
            [{ path: [{ branch: 0, through: 0 }, { branch: 1 }] }, 2],
            [{ path: [] }, 0]
          ] as const)
            assert.strictEqual(yield* store.countMessages("a", query), messages, JSON.stringify(query))
        })
      )
    )

    it.effect("tells ids apart that are no valid Unicode", () =>
      alone((store) =>
        Effect.gen(function* () {
          const ids = ["\ud800", "\udfff", "\ufffd", "a\u0000b", "a"]
          const entries = ids.map((id, position) => ({ position, branch: 0, entry: { ...said(0).entry, id } }))
          yield* store.create(thread("a"), { entries })
          for (const [n, id] of ids.entries())
            assert.deepStrictEqual(yield* store.entriesById("a", [id]), entries.slice(n, n + 1))
        })
      )
    )
  })

  describe(`${name}: threads`, () => {
    it.effect("are made once, and keep everything, also what nobody knows yet", () =>
      alone((store) =>
        Effect.gen(function* () {
          const whole = {
            ...thread("a", {
              workspaceId: "w",
              providerSessionId: "p",
              title: "T",
              titleBy: "person",
              summary: "S",
              mode: "planner",
              options: { model: "x", env: { A: "1" } },
              mcpServers: { files: { command: "x" } },
              state: null,
              adopted: true
            }),
            later: [1, { two: 3 }]
          }
          assert.isTrue(yield* store.create(whole))
          assert.isFalse(yield* store.create(thread("a")))
          assert.deepStrictEqual(yield* store.thread("a"), whole)
          assert.isUndefined(yield* store.thread("b"))
        })
      )
    )

    it.effect("change by key; a key that is undefined goes", () =>
      alone((store) =>
        Effect.gen(function* () {
          yield* store.create(thread("a", { title: "T", state: { big: true } }))
          assert.isFalse(yield* store.change("none", { title: "x" }))
          assert.isTrue(yield* store.change("a", { archived: true }))
          assert.deepStrictEqual(
            yield* store.thread("a"),
            thread("a", { title: "T", state: { big: true }, archived: true })
          )
          yield* store.change("a", { title: undefined, state: undefined, activeAt: 5 })
          assert.deepStrictEqual(yield* store.thread("a"), thread("a", { archived: true, activeAt: 5 }))
        })
      )
    )

    it.effect("are listed by their last message in pages, without their state", () =>
      alone((store) =>
        Effect.gen(function* () {
          const all = [
            ...["a", "ü", "😀", "\uffee"].map((id) => thread(id, { activeAt: 7, state: "big" })),
            thread("old", { activeAt: 1.5, workspaceId: "w" }),
            thread("archived", { activeAt: 9, archived: true, workspaceId: "w" }),
            thread("new", { activeAt: 8, workspaceId: "w" })
          ]
          for (const each of all) yield* store.create(each)
          const ids = ({ threads }: { readonly threads: ReadonlyArray<{ readonly threadId: string }> }) =>
            threads.map(({ threadId }) => threadId)
          const { threads } = yield* store.threads()
          // In the order of UTF-8: an emoji is after everything of two or three bytes.
          const order = ["archived", "new", "😀", "\uffee", "ü", "a", "old"]
          assert.deepStrictEqual(ids({ threads }), order)
          assert.isTrue(threads.every((each) => !("state" in each)))
          assert.deepStrictEqual(ids(yield* store.threads({ archived: true })), ["archived"])
          assert.deepStrictEqual(ids(yield* store.threads({ archived: false, limit: 1 })), ["new"])
          assert.deepStrictEqual(ids(yield* store.threads({ workspaceId: "w" })), ["archived", "new", "old"])
          assert.deepStrictEqual(ids(yield* store.threads({ workspaceId: "w", archived: false })), ["new", "old"])
          const paged: Array<string> = []
          for (let after: (typeof threads)[number] | undefined; ; ) {
            const page = yield* store.threads({ limit: 2, ...(after !== undefined && { after }) })
            paged.push(...ids(page))
            after = page.threads.at(-1)
            if (!page.more) break
          }
          assert.deepStrictEqual(paged, order)
        })
      )
    )

    it.effect("that are removed leave nothing, also in the next life", () =>
      Effect.gen(function* () {
        const { open } = yield* place
        yield* Effect.scoped(
          Effect.gen(function* () {
            const store = yield* open()
            const claim = yield* claimed(store)
            yield* store.append(claim, batch(0, grew("m", "a"), { checkpoint: checkpoint(1), entries: [said(0)] }))
            yield* store.change("a", { state: "s" })
            yield* store.remove("a")
            assert.strictEqual((yield* store.lost(claim)).how, "removed")
          })
        )
        const store = yield* open()
        yield* store.create(thread("a"))
        assert.deepStrictEqual(yield* store.thread("a"), thread("a"))
        assert.deepStrictEqual(yield* store.events("a", 0, 10), [])
        assert.isUndefined(yield* store.checkpointBefore("a", 10))
        assert.deepStrictEqual(yield* store.entriesById("a", ["p0"]), [])
      })
    )

    it.effect("that are not there have nothing", () =>
      alone((store) =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* store.events("a", 0, 10), [])
          assert.isUndefined(yield* store.next("a"))
          assert.isUndefined(yield* store.checkpointBefore("a", 10))
          assert.deepStrictEqual(yield* store.entries("a", { path: trunk }), { entries: [], more: false })
          assert.strictEqual(yield* store.countEntries("a", { path: trunk }), 0)
        })
      )
    )
  })

  describe(`${name}: besides`, () => {
    it.effect("workspaces are kept, the oldest first", () =>
      alone((store) =>
        Effect.gen(function* () {
          const [one, two] = [
            { id: "1", name: "One", folder: "/1", createdAt: 2 },
            { id: "2", name: "Two", folder: "/2", createdAt: 1, activeThreadId: "a", later: true }
          ]
          yield* store.putWorkspace(one)
          yield* store.putWorkspace(two)
          assert.deepStrictEqual(yield* store.workspaces, [two, one])
          yield* store.putWorkspace({ ...one, name: "New" })
          assert.deepStrictEqual(yield* store.workspace("1"), { ...one, name: "New" })
          assert.isTrue(yield* store.removeWorkspace("1"))
          assert.isFalse(yield* store.removeWorkspace("1"))
          assert.isUndefined(yield* store.workspace("1"))
          assert.deepStrictEqual(yield* store.workspaces, [two])
        })
      )
    )

    it.effect("what was done is noted once, for ever", () =>
      Effect.gen(function* () {
        const { open } = yield* place
        const marked = Effect.scoped(Effect.flatMap(open(), (store) => store.mark("done")))
        assert.isTrue(yield* marked)
        assert.isFalse(yield* marked)
        const store = yield* open()
        assert.isTrue(yield* store.isMarked("done"))
        assert.isFalse(yield* store.isMarked("other"))
      })
    )

    it.effect("a store that is closed says so", () =>
      Effect.gen(function* () {
        const { open } = yield* place
        const closed = yield* Effect.scoped(open())
        for (const use of [closed.thread("a"), closed.create(thread("a")), closed.workspaces, closed.claim("a")]) {
          const error = yield* Effect.flip(use as Effect.Effect<unknown, { readonly code: string }>)
          assert.strictEqual(error.code, "STORE_CLOSED")
        }
      })
    )

    it.effect("it gives the same answers as the simplest store there can be", () => agreesWithModel(place))
  })
}
