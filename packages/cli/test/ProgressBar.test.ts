import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { progressBar } from "../src/ProgressBar.ts"

const told = (total: number, play: (bar: ReturnType<typeof progressBar>) => void): ReadonlyArray<string> => {
  const texts: Array<string> = []
  play(progressBar(total, (text) => void texts.push(text)))
  return texts
}

describe("the bar of progress", () => {
  it("shows how much is done, and what runs", () => {
    const texts = told(4, (bar) => {
      bar.start("LIVE-001")
      bar.start("LIVE-002")
      bar.end("LIVE-001")
      bar.end("LIVE-002")
    })
    expect(texts).toEqual([
      "[--------------------] 0/4 LIVE-001 …",
      "[--------------------] 0/4 LIVE-001, LIVE-002 …",
      "[#####---------------] 1/4 LIVE-002 …",
      "[##########----------] 2/4"
    ])
  })

  it("grows, keeps its width, and is full at the end and not before", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (total) => {
        const texts = told(total, (bar) => {
          for (let part = 0; part < total; part++) bar.end(String(part))
        })
        const full = texts.map((text) => text.split("#").length - 1)
        expect(full).toEqual(full.toSorted((a, b) => a - b))
        expect(texts.every((text) => /^\[#*-*\] \d+\/\d+$/.test(text) && text.indexOf("]") === 21)).toBe(true)
        expect(full.indexOf(20)).toBe(total - 1)
      })
    )
  })

  it("can do with nothing to do", () => {
    expect(told(0, (bar) => bar.start("x"))).toEqual([`[${"#".repeat(20)}] 0/0 x …`])
  })
})
