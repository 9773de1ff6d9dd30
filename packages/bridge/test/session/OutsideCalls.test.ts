import type { Model } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { makeOutsideCalls } from "../../src/session/OutsideCalls.ts"

const tools: ReadonlyArray<Model.PageTool> = [{ name: "paint", description: "Paints." }]
const painted: Model.Answer = { type: "result", content: "painted", failed: false }

/** Calls, with a session that only notes what it is told. */
const setUp = () => {
  const events: Array<Model.Event> = []
  const closed: Array<readonly [string, Model.Closing]> = []
  let busy = false
  const calls = makeOutsideCalls({
    append: (appended) => void events.push(...appended),
    requests: {
      open: (event) => Effect.sync(() => void events.push(event)),
      close: (id, by) => Effect.sync(() => void closed.push([id, by]))
    },
    isBusy: () => busy,
    locked: (effect) => effect
  })
  const call = (input: Readonly<Record<string, unknown>> = {}) =>
    Effect.forkChild(Effect.result(calls.call(tools, "paint", input)), { startImmediately: true })
  const asked = () =>
    events.flatMap((event) => (event.type === "request_opened" ? [event.request] : [])).map(({ id }) => id)
  const setBusy = (isBusy: boolean): void => {
    busy = isBusy
  }
  return { calls, events, closed, call, asked, setBusy }
}

describe("a call", () => {
  it.effect("is a turn of its own, and then a request that waits", () =>
    Effect.gen(function* () {
      const { asked, call, calls, events } = setUp()
      const calling = yield* call({ color: "red" })
      expect(events).toMatchObject([
        { type: "turn_started", cause: "agent" },
        { type: "item_started", item: { kind: "call", tool: "paint", action: "page_tool" } },
        { type: "item_grew", delta: '{"color":"red"}' },
        { type: "item_ended" },
        { type: "turn_ended", outcome: { type: "completed" } },
        { type: "request_opened", request: { kind: "page_tool", tool: "paint", input: { color: "red" } } }
      ])
      const [id = ""] = asked()
      expect(calls.owns(id)).toBe(true)
      yield* calls.finishCall(id, painted, false)
      expect(calls.owns(id)).toBe(false)
      expect(yield* Fiber.join(calling)).toMatchObject({ _tag: "Success", success: painted })
      // The application gave it, so it has it.
      expect(events.at(-1)).toMatchObject({ type: "call_answered", id, content: "painted", page: true })
    })
  )

  it.effect("of a tool that the application does not have fails, and nobody is told", () =>
    Effect.gen(function* () {
      const { calls, events } = setUp()
      expect(yield* Effect.flip(calls.call(tools, "dance", {}))).toMatchObject({ code: "NO_SUCH_TOOL" })
      expect(events).toEqual([])
    })
  )

  it.effect("waits for the end of the turn that is open", () =>
    Effect.gen(function* () {
      const { asked, call, calls, events, setBusy } = setUp()
      setBusy(true)
      yield* call()
      yield* call()
      expect(events).toEqual([])
      setBusy(false)
      yield* calls.tellWaiting
      expect(asked()).toHaveLength(2)
      yield* calls.tellWaiting
      expect(asked()).toHaveLength(2)
    })
  )

  it.effect("that nobody answers in time fails, and is told as failed once no turn is open", () =>
    Effect.gen(function* () {
      const { asked, call, calls, events, setBusy } = setUp()
      const calling = yield* call()
      const [id = ""] = asked()
      setBusy(true)
      const before = events.length
      yield* calls.finishCall(id, { type: "result", content: "Too late.", failed: true }, true)
      expect(yield* Fiber.join(calling)).toMatchObject({ _tag: "Failure", failure: { code: "TOOL_TIMEOUT" } })
      expect(events).toHaveLength(before)
      setBusy(false)
      yield* calls.tellWaiting
      expect(events.slice(before)).toMatchObject([
        { type: "turn_started" },
        { type: "call_answered", id, failed: true },
        { type: "turn_ended" }
      ])
    })
  )

  it.effect("whose caller goes away is taken back, also before anybody was told", () =>
    Effect.gen(function* () {
      const { asked, call, calls, closed, events, setBusy } = setUp()
      const told = yield* call()
      const [id = ""] = asked()
      yield* Fiber.interrupt(told)
      expect(closed).toEqual([[id, "withdrawn"]])
      expect(calls.owns(id)).toBe(false)
      setBusy(true)
      const untold = yield* call()
      yield* Fiber.interrupt(untold)
      setBusy(false)
      const before = events.length
      yield* calls.tellWaiting
      expect(events).toHaveLength(before)
    })
  )

  it.effect("fails with its session", () =>
    Effect.gen(function* () {
      const { call, calls } = setUp()
      const calling = yield* call()
      yield* calls.close
      expect(yield* Fiber.join(calling)).toMatchObject({ _tag: "Failure", failure: { code: "SESSION_CLOSED" } })
    })
  )
})
