import { describe, expect, it } from "vitest"
import { lookupFact, lookupMethod } from "../../src/codex/index.ts"

describe("lookupMethod", () => {
  it("says what a measured version makes of a method", () => {
    expect(lookupMethod("thread/revert", "0.150.1")).toEqual({ value: "experimental", assumed: false })
    expect(lookupMethod("thread/revert", "codex-cli 0.160.1")).toEqual({ value: "stable", assumed: false })
    expect(lookupMethod("thread/rollback", "0.150.1")).toEqual({ value: "stable", assumed: false })
    expect(lookupMethod("thread/rollback", "0.166.0")).toEqual({ value: "absent", assumed: false })
    expect(lookupMethod("thread/sample", "0.160.1")).toEqual({ value: "absent", assumed: false })
    expect(lookupMethod("thread/sample", "0.166.0")).toEqual({ value: "experimental", assumed: false })
    expect(lookupMethod("never/heard/of", "0.166.0")).toEqual({ value: "absent", assumed: false })
  })

  it("is sure between two measured versions that agree, and guesses elsewhere", () => {
    expect(lookupMethod("turn/start", "0.155.0")).toEqual({ value: "stable", assumed: false })
    expect(lookupMethod("thread/revert", "0.155.0")).toEqual({ value: "experimental", assumed: true })
    expect(lookupMethod("turn/start", "0.170.0")).toEqual({ value: "stable", assumed: true })
    expect(lookupMethod("turn/start", "0.100.0")).toEqual({ value: "stable", assumed: true })
  })
})

describe("lookupFact", () => {
  it("says what a version does, where that is written, and whether it is a guess", () => {
    expect(lookupFact("steerCutsText", "0.166.0")).toEqual({ value: true, assumed: false, source: "§3.31" })
    expect(lookupFact("steerCutsText", "0.155.0")).toMatchObject({ value: false, assumed: false })
    expect(lookupFact("steerCutsText", "0.163.0")).toMatchObject({ value: false, assumed: true })
    expect(lookupFact("namespaceTools", "0.170.0")).toMatchObject({ value: false, assumed: true })
    expect(lookupFact("planToolByDefault", "0.100.0")).toMatchObject({ value: true, assumed: true })
  })
})
