import { readRecording } from "@agentwire/fixtures"
import { expect, test } from "vitest"
import { deltaSize } from "../../../src/runtime/claude/LineSize.ts"

test("the size of a delta is known without writing it, and about right", () => {
  const sizes = readRecording("2.1.325").flatMap(({ from, line }) => {
    if (from !== "cli" || !line.includes('"content_block_delta"')) return []
    const size = deltaSize(JSON.parse(line))
    return size === undefined ? [] : [size / line.length]
  })
  expect(sizes.length).toBeGreaterThan(100)
  expect(sizes.filter((ratio) => ratio > 2 || ratio < 0.5)).toEqual([])
})

test("of all other lines nothing is known", () => {
  const others = [null, "{broken", 1, {}, { event: null }, { event: {} }, { event: { delta: { signature: "s" } } }]
  expect(others.map(deltaSize)).toEqual(others.map(() => undefined))
})
