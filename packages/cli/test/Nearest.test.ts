import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { commands } from "../src/commands/index.ts"
import { didYouMean, nearest } from "../src/Nearest.ts"

const names = Object.keys(commands)

describe("the name that was meant", () => {
  it.each([
    ["recrod", "record"],
    ["reocrd", "record"],
    ["Decode", "decode"],
    ["trans", "translate"],
    ["serv", "serve"],
    ["conforms", "conform"],
    ["polcy", "policy"]
  ])("%s is %s", (typed, wanted) => {
    expect(nearest(typed, names)).toBe(wanted)
  })

  it.each(["", "x", "frobnicate", "toString", "__proto__"])("is none for %j", (typed) => {
    expect(nearest(typed, names)).toBeUndefined()
    expect(didYouMean(typed, names)).toBe("")
  })

  it("is the one that one slip away is", () => {
    const long = names.filter(({ length }) => length > 4)
    fc.assert(
      fc.property(fc.constantFrom(...long), fc.nat(), fc.constantFrom("drop", "swap", "add"), (name, seed, slip) => {
        const at = seed % (name.length - 1)
        const [a = "", b = ""] = [name[at], name[at + 1]]
        const middle = slip === "drop" ? b : slip === "swap" ? b + a : `${a}q${b}`
        expect(nearest(name.slice(0, at) + middle + name.slice(at + 2), names)).toBe(name)
      })
    )
  })

  it("is put as a question", () => {
    expect(didYouMean("jsn", ["json", "from"], "--")).toBe(" Did you mean --json?")
  })
})
