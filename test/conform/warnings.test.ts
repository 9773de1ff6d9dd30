/**
 * What the real clients warn of, the rules do not pass: their last stage drops content and says so on the console only.
 */
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { casesOf } from "../../packages/fixtures/test/Sweep.ts"
import { checkEvents } from "../../packages/protocol/src/conform/Checker.ts"
import { applyAll, rejectionOf } from "./Clients.ts"
import { stream } from "./Streams.ts"

const warned: Array<string> = []
beforeAll(() => {
  vi.spyOn(console, "warn").mockImplementation((message: unknown) => {
    if (!harmless.test(String(message))) warned.push(String(message))
  })
  vi.spyOn(console, "error").mockImplementation(() => {})
})
afterAll(() => {
  vi.restoreAllMocks()
})

/** Where a client warns and nothing is lost: the end of a message that is not there. */
const harmless = /_END: No /

/** Clients warn of empty pieces for a message that is not there, too; the rules speak of what is lost. */
const withWords = (events: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  events.map((event) =>
    typeof event === "object" && event !== null && "delta" in event && event.delta === ""
      ? { ...event, delta: "x" }
      : event
  )

const input = { threadId: "t", runId: "r", messages: [], tools: [], context: [], state: {}, forwardedProps: {} }

describe.each(["1.0", "0.0"] as const)("client of %s", (dialect) => {
  test("warns of nothing that the rules pass", async () => {
    const numRuns = casesOf(1500)
    const seen = { warned: 0, silent: 0 }
    await fc.assert(
      fc.asyncProperty(stream.map(withWords), async (events) => {
        fc.pre(rejectionOf(dialect, events) === undefined)
        warned.length = 0
        await applyAll(dialect, events, input)
        seen[warned.length > 0 ? "warned" : "silent"]++
        const { findings, verdict } = checkEvents(events, { dialect, input })
        if (verdict === "pass") expect({ warned, findings }).toEqual({ warned: [], findings })
      }),
      { numRuns, seed: 1 }
    )
    expect(seen.warned).toBeGreaterThan(numRuns / 20)
    expect(seen.silent).toBeGreaterThan(numRuns / 20)
  })
})
