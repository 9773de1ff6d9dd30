/** Two processes on one database: each writes its own threads, and what a dead one had is taken over. */
import { setTimeout } from "node:timers/promises"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { emptyFolder } from "../../Folder.ts"
import { type StoreProcess, startStore } from "../child/StoreProcess.ts"

/** Two processes that are ready, of which the first has thread `a` with one event. */
const twoBridges = (leaseMillis: number) =>
  Effect.gen(function* () {
    const folder = yield* emptyFolder
    const [one, two] = [yield* startStore(folder, leaseMillis), yield* startStore(folder, leaseMillis)]
    yield* Effect.promise(async () => {
      for (const each of [one, two]) assert.deepStrictEqual(await each.reply(), { ok: "ready" })
      assert.deepStrictEqual(await one.ask({ do: "create", id: "a" }), { ok: true })
      assert.deepStrictEqual(await one.ask({ do: "claim", id: "a" }), { ok: 0 })
      assert.deepStrictEqual(await one.ask({ do: "append", id: "a", first: 0, text: "one" }), { ok: null })
    })
    return { folder, one, two }
  })

const codeOf = async (bridge: StoreProcess, order: Parameters<StoreProcess["ask"]>[0]): Promise<string> => {
  const reply = await bridge.ask(order)
  return "code" in reply ? reply.code : `ok ${reply.ok}`
}

/** Claims thread `a` as soon as nobody else has it. */
const claimWhenFree = async (bridge: StoreProcess): Promise<void> => {
  for (let code = ""; code !== "ok 1"; await setTimeout(20)) {
    code = await codeOf(bridge, { do: "claim", id: "a" })
    assert.include(["ok 1", "THREAD_ELSEWHERE"], code)
  }
}

it.live("the second cannot have a thread that the first has, and is told who has it; other threads go on", () =>
  Effect.gen(function* () {
    const { one, two } = yield* twoBridges(15_000)
    yield* Effect.promise(async () => {
      const refused = await two.ask({ do: "claim", id: "a" })
      if (!("code" in refused)) return assert.fail("it was claimed")
      assert.strictEqual(refused.code, "THREAD_ELSEWHERE")
      assert.include(refused.message, `Process ${one.pid} `)
      assert.include(refused.message, "thread a")
      assert.deepStrictEqual(await two.ask({ do: "create", id: "b" }), { ok: true })
      assert.deepStrictEqual(await two.ask({ do: "claim", id: "b" }), { ok: 0 })
      // At the same time, again and again.
      for (let n = 0; n < 50; n++) {
        const appends = [
          one.ask({ do: "append", id: "a", first: n + 1, text: "x" }),
          two.ask({ do: "append", id: "b", first: n, text: "y" })
        ]
        assert.deepStrictEqual(await Promise.all(appends), [{ ok: null }, { ok: null }])
      }
    })
  })
)

it.live("what a killed process had is taken over at once, and whoever takes it is told", () =>
  Effect.gen(function* () {
    // So long that only the end of the process can be the reason.
    const { folder, one, two } = yield* twoBridges(1e9)
    yield* Effect.promise(async () => {
      assert.strictEqual(await codeOf(two, { do: "claim", id: "a" }), "THREAD_ELSEWHERE")
      await one.kill()
      assert.deepStrictEqual(await two.ask({ do: "claim", id: "a" }), { ok: 1 })
      assert.deepStrictEqual(await two.ask({ do: "abandoned", id: "a" }), { ok: true })
      assert.deepStrictEqual(await two.ask({ do: "append", id: "a", first: 1, text: "two" }), { ok: null })
      await two.kill()
    })
    // One that begins later clears up behind the dead first.
    const three = yield* startStore(folder, 1e9)
    yield* Effect.promise(async () => {
      assert.deepStrictEqual(await three.reply(), { ok: "ready" })
      assert.deepStrictEqual(await three.ask({ do: "claim", id: "a" }), { ok: 2 })
      assert.deepStrictEqual(await three.ask({ do: "abandoned", id: "a" }), { ok: true })
    })
  })
)

it.live(
  "what a suspended process has is taken over when its lease is over, and when it wakes up it may not write",
  () =>
    Effect.gen(function* () {
      const leaseMillis = 4000
      const { one, two } = yield* twoBridges(leaseMillis)
      yield* Effect.promise(async () => {
        // It is idle: it has answered and has no other order.
        one.signal("SIGSTOP")
        const stoppedAt = Date.now()
        assert.strictEqual(await codeOf(two, { do: "claim", id: "a" }), "THREAD_ELSEWHERE")
        while ((await codeOf(two, { do: "claim", id: "a" })) === "THREAD_ELSEWHERE")
          // Its last sign of life was after the claim, and at most a third of the lease before it was stopped.
          assert.isBelow(Date.now() - stoppedAt, 60_000)
        assert.isAtLeast(Date.now() - stoppedAt, leaseMillis / 2)
        assert.deepStrictEqual(await two.ask({ do: "append", id: "a", first: 1, text: "two" }), { ok: null })
        one.order({ do: "append", id: "a", first: 1, text: "late" })
        one.signal("SIGCONT")
        const late = await one.reply()
        if (!("code" in late)) return assert.fail("it was written")
        assert.strictEqual(late.code, "CLAIM_LOST")
        assert.include(late.message, "Another bridge has taken over thread a")
        assert.deepStrictEqual(await one.ask({ do: "lost", id: "a" }), { ok: "taken" })
        assert.deepStrictEqual(await one.ask({ do: "next", id: "a" }), { ok: 2 })
        // It goes on with what is its own.
        assert.deepStrictEqual(await one.ask({ do: "create", id: "c" }), { ok: true })
        assert.deepStrictEqual(await one.ask({ do: "claim", id: "c" }), { ok: 0 })
      })
    })
)

it.live("a process that wakes up is told what it has lost, also when it writes nothing", () =>
  Effect.gen(function* () {
    const { one, two } = yield* twoBridges(500)
    yield* Effect.promise(async () => {
      one.signal("SIGSTOP")
      await claimWhenFree(two)
      one.signal("SIGCONT")
      assert.deepStrictEqual(await one.ask({ do: "lost", id: "a" }), { ok: "taken" })
    })
  })
)
