import { describe, expect, it } from "vitest"
import { lookupMethod } from "../../src/codex/index.ts"

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
