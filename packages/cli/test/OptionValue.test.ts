import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { UsageFailure } from "../src/Failure.ts"
import { duration, oneOf, portNumber, wholeNumber } from "../src/OptionValue.ts"

describe("the value of an option", () => {
  it("is one of the words it may be, or nothing", () => {
    expect(oneOf("side", ["left", "right"], "left")).toBe("left")
    expect(oneOf("side", ["left", "right"], undefined)).toBeUndefined()
    expect(() => oneOf("side", ["left", "right", "both"], "rihgt")).toThrow(
      new UsageFailure('--side takes left, right or both, not "rihgt".')
    )
  })

  it("is a whole number in its range, or nothing", () => {
    fc.assert(fc.property(fc.nat(), (number) => wholeNumber("n", String(number), 0) === number))
    expect(wholeNumber("n", undefined, 1)).toBeUndefined()
    expect([portNumber("port", "0"), portNumber("port", "65535")]).toEqual([0, 65_535])
    expect(() => wholeNumber("n", "0", 1)).toThrow(new UsageFailure('--n takes a whole number from 1, not "0".'))
  })

  it.each([
    ["30", 30_000],
    ["30s", 30_000],
    ["500ms", 500],
    ["2m", 120_000],
    ["1.5s", 1500]
  ])("is a time: %s", (text, millis) => {
    expect(duration("wait", text)).toBe(millis)
  })

  it.each(["", "0", "-1s", "1h", "s", "1 s", "1e3"])("is no time: %j", (text) => {
    expect(() => duration("wait", text)).toThrow(
      new UsageFailure(`--wait takes a time, such as 30s, 500ms or 2m, not "${text}".`)
    )
  })

  it.each(["", " ", "x", "-1", "1.5", "0x10", "1e3", "65536", "99999999999999999999"])("is no port: %j", (text) => {
    expect(() => portNumber("port", text)).toThrow(
      new UsageFailure(`--port takes a whole number from 0 to 65535, not "${text}".`)
    )
  })
})
