/** Who listens to a bridge. */
import { describe, expect, it } from "vitest"
import { Listeners } from "../../src/embed/Listeners.ts"

const told = { threadId: "t", state: "opened" } as const

describe("listeners", () => {
  it("hear what they listen to, as often as they were added, until they are taken away", () => {
    const listeners = new Listeners()
    let heard = 0
    const listener = () => void heard++
    const offs = [listeners.on("session", listener), listeners.on("session", listener)]
    expect([listeners.has("session"), listeners.has("event")]).toEqual([true, false])
    listeners.notify("session", told)
    expect(heard).toBe(2)
    for (const off of offs) {
      off()
      off()
    }
    expect(listeners.has("session")).toBe(false)
    listeners.notify("session", told)
    expect(heard).toBe(2)
  })

  it("may come and go while they are told", () => {
    const listeners = new Listeners()
    const heard: Array<string> = []
    const off = listeners.on("session", () => {
      heard.push("first")
      off()
      listeners.on("session", () => heard.push("third"))
    })
    listeners.on("session", () => heard.push("second"))
    listeners.notify("session", told)
    expect(heard).toEqual(["first", "second"])
    listeners.notify("session", told)
    expect(heard).toEqual(["first", "second", "second", "third"])
  })

  it("that break while they are told of a break end there", async () => {
    const listeners = new Listeners()
    listeners.on("error", () => {
      throw new Error("again")
    })
    listeners.on("session", () => {
      throw new Error("once")
    })
    const warned = new Promise<Error>((resolve) => process.once("warning", resolve))
    listeners.notify("session", told)
    expect((await warned).message).toBe('A listener for "error" of a bridge failed: again')
  })
})
