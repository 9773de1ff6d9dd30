/** Handlers hear what fits, until they are taken away, and there are not too many of them. */
import { describe, expect, it } from "vitest"
import { BusSubscriptions } from "../../src/extension/BusSubscriptions.ts"
import { makeEventBus } from "../../src/extension/EventBus.ts"

describe("BusSubscriptions", () => {
  it("hears by handler, and no more when it is taken away", () => {
    const bus = makeEventBus()
    const heard: Array<readonly [number, string]> = []
    const subscriptions = new BusSubscriptions(bus, (handler, { type }) => heard.push([handler, type]))
    expect(subscriptions.add(1, "a.*")).toBeUndefined()
    expect(subscriptions.add(2, "*")).toBeUndefined()
    bus.publish({ type: "a.b", payload: 1 })
    subscriptions.remove(1)
    bus.publish({ type: "a.c", payload: 1 })
    subscriptions.clear()
    bus.publish({ type: "a.d", payload: 1 })
    expect(heard).toEqual([
      [1, "a.b"],
      [2, "a.b"],
      [2, "a.c"]
    ])
  })

  it("says what is no pattern, and what is too much", () => {
    const subscriptions = new BusSubscriptions(makeEventBus(), () => undefined)
    expect(subscriptions.add(1, "(a+)+")).toContain("no pattern")
    for (let handler = 0; handler < 100; handler++) subscriptions.add(handler, "*")
    expect(subscriptions.add(101, "*")).toContain("already")
  })
})
