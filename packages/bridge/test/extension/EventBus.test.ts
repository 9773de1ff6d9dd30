/** Whoever listens hears what fits, until it stops. */
import { describe, expect, it } from "vitest"
import { makeEventBus } from "../../src/extension/EventBus.ts"

describe("the bus", () => {
  it("tells those who want it", () => {
    const bus = makeEventBus()
    const heard: Array<unknown> = []
    const end = bus.subscribe(
      (type) => type === "a",
      ({ payload }) => heard.push(payload)
    )
    expect([bus.isWanted("a"), bus.isWanted("b")]).toEqual([true, false])
    bus.publish({ type: "a", payload: 1 })
    bus.publish({ type: "b", payload: 2 })
    end()
    bus.publish({ type: "a", payload: 3 })
    expect(heard).toEqual([1])
    expect(bus.isWanted("a")).toBe(false)
  })

  it("can be left while it tells", () => {
    const bus = makeEventBus()
    const heard: Array<string> = []
    const end = bus.subscribe(
      () => true,
      () => {
        heard.push("first")
        end()
      }
    )
    bus.subscribe(
      () => true,
      () => heard.push("second")
    )
    bus.publish({ type: "a", payload: 1 })
    bus.publish({ type: "a", payload: 2 })
    expect(heard).toEqual(["first", "second", "second"])
  })
})
