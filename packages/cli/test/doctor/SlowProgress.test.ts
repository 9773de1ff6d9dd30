import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { slowProgress } from "../../src/doctor/SlowProgress.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe("progress", () => {
  it("tells of what takes longer than a second, and of nothing that is over", () => {
    const told: Array<string> = []
    const { end, start } = slowProgress({ progress: (text) => void told.push(text) })
    start("quick")
    vi.advanceTimersByTime(999)
    start("slow")
    vi.advanceTimersByTime(2500)
    end()
    vi.advanceTimersByTime(5000)
    expect(told).toEqual(["slow … 1 s", "slow … 2 s"])
    expect(vi.getTimerCount()).toBe(0)
  })
})
