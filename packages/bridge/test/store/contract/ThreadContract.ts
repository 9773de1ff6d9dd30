/** What is known of threads and workspaces: what every store owes to it. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { trunk } from "../../../src/store/Checkpoint.ts"
import { batch, checkpoint, grew, said, thread } from "../Samples.ts"
import { alone, claimed, type PlaceMaker } from "./Place.ts"

/** Runs this part of the suite. */
export const threadContract = (name: string, place: PlaceMaker): void => {
  describe(`${name}: threads`, () => {
    it.effect("are made once, and keep everything, also what nobody knows yet", () =>
      alone(place, (store) =>
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
              waiting: [{ ticket: "r", said: [{ id: "m", content: "Hi" }] }],
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
      alone(place, (store) =>
        Effect.gen(function* () {
          const waiting = [{ ticket: "r", said: [{ id: "m", content: [{ type: "text" as const, text: "Hi" }] }] }]
          yield* store.create(thread("a", { title: "T", state: { big: true }, waiting }))
          assert.isFalse(yield* store.change("none", { title: "x" }))
          assert.isTrue(yield* store.change("a", { archived: true }))
          assert.deepStrictEqual(
            yield* store.thread("a"),
            thread("a", { title: "T", state: { big: true }, waiting, archived: true })
          )
          yield* store.change("a", { title: undefined, state: undefined, waiting: undefined, activeAt: 5 })
          assert.deepStrictEqual(yield* store.thread("a"), thread("a", { archived: true, activeAt: 5 }))
        })
      )
    )

    it.effect("are listed by their last message in pages, without their state and what waits", () =>
      alone(place, (store) =>
        Effect.gen(function* () {
          const all = [
            ...["a", "ü", "😀", "\uffee"].map((id) => thread(id, { activeAt: 7, state: "big", waiting: [] })),
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
          assert.isTrue(threads.every((each) => !("state" in each || "waiting" in each)))
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
      alone(place, (store) =>
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
      alone(place, (store) =>
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
  })
}
