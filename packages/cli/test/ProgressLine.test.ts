import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { type ProgressStream, progressLine } from "../src/ProgressLine.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const erase = "\r\u001b[K"

const recording = (stream: Omit<ProgressStream, "write">, env = {}) => {
  const written: Array<string> = []
  return { written, ...progressLine({ ...stream, write: (text) => void written.push(text) }, env) }
}

describe("the line of progress", () => {
  it("tells of what takes longer than a second, and for how long", () => {
    const { clear, show, written } = recording({ isTTY: true })
    show("quick")
    vi.advanceTimersByTime(600)
    show("slow")
    vi.advanceTimersByTime(399)
    expect(written).toEqual([])
    vi.advanceTimersByTime(1)
    expect(written).toEqual([`${erase}slow`])
    vi.advanceTimersByTime(2000)
    expect(written.slice(1)).toEqual([`${erase}slow 1 s`, `${erase}slow 2 s`])
    show("next")
    expect(written.at(-1)).toBe(`${erase}next`)
    clear()
    expect(written.at(-1)).toBe(erase)
    expect(vi.getTimerCount()).toBe(0)
  })

  it("leaves no trace of what was quick", () => {
    const { clear, show, written } = recording({ isTTY: true })
    show("quick")
    vi.advanceTimersByTime(900)
    clear()
    vi.advanceTimersByTime(5000)
    expect(written).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it("fits the terminal, and cannot steer it", () => {
    const { show, written } = recording({ isTTY: true, columns: 10 })
    show("a\u001b[31m😀bcdefgh\nij")
    vi.advanceTimersByTime(1000)
    const [line = ""] = written
    expect(line).toBe(`${erase}a [31m😀bc`)
    expect([...line.slice(erase.length)]).toHaveLength(9)
  })

  it.each([{}, { columns: 0 }])("fits 80 columns where nobody knows how many there are: %j", (width) => {
    const { show, written } = recording({ isTTY: true, ...width })
    show("x".repeat(100))
    vi.advanceTimersByTime(1000)
    expect(written).toEqual([`${erase}${"x".repeat(79)}`])
  })

  it.each([
    ["in a pipe", {}, {}],
    ["on a terminal that is dumb", { isTTY: true }, { TERM: "dumb" }]
  ])("is not there %s", (_, stream, env) => {
    const { clear, show, written } = recording(stream, env)
    show("something")
    vi.advanceTimersByTime(3000)
    show("more")
    clear()
    expect(written).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })
})
