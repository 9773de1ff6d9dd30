/** The short way leaves out no scenario and no version: what it leaves out is their product. */
import { tapes } from "@agentwire/fixtures"
import { expect, test } from "vitest"
import { oneOfEach } from "./Sweep.ts"

const part = oneOfEach(tapes)

test.each(["scenario", "version", "transport", "run"] as const)("it has every %s of the library", (key) => {
  expect(new Set(part.map((entry) => entry[key]))).toEqual(new Set(tapes.map((entry) => entry[key])))
})

test("it is about a quarter of the library, and each version is a good part of it", () => {
  expect(part.length).toBeLessThan(tapes.length / 3)
  for (const version of new Set(tapes.map((entry) => entry.version)))
    expect(part.filter((entry) => entry.version === version).length, version).toBeGreaterThan(10)
})
