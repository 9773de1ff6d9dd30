/** What failed is counted, and what is well again is well. */
import { expect, it } from "vitest"
import { Tally } from "../../src/extension/Tally.ts"

it("Tally counts, and knows the newest failure", () => {
  const tally = new Tally()
  expect([tally.isTroubled, tally.lastError]).toEqual([false, undefined])
  tally.failed("EXTENSION_FAILED", "No.")
  tally.failed("EXTENSION_TIMEOUT", "Late.")
  tally.count("eventsDropped", 3)
  expect(tally.isTroubled).toBe(true)
  tally.succeeded()
  expect(tally.isTroubled).toBe(false)
  expect(tally.counters).toMatchObject({ failures: 2, timeouts: 1, eventsDropped: 3, restarts: 0 })
  expect(tally.lastError).toMatchObject({ code: "EXTENSION_TIMEOUT", message: "Late." })
})
