/**
 * The rules against the real clients: `@ag-ui/client` 1.0.0 and 0.0.59 end the run at an event exactly where the rules
 * that cite them find the first error. That is both directions: what a client rejects is an error, and an error a rule
 * cites a client for is rejected by it.
 */
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { casesOf } from "../../packages/fixtures/test/Sweep.ts"
import type { Dialect } from "../../packages/protocol/src/agui/Dialect.ts"
import { rules } from "../../packages/protocol/src/conform/Catalogue.ts"
import { checkEvents, makeChecker } from "../../packages/protocol/src/conform/Checker.ts"
import { findingsOf } from "../../packages/protocol/test/conform/fixtures/Build.ts"
import { fixtures } from "../../packages/protocol/test/conform/fixtures/index.ts"
import { probes, request, sent } from "../../packages/protocol/test/conform/fixtures/Rows.ts"
import { rejectionOf } from "./Clients.ts"
import { stream } from "./Streams.ts"

beforeAll(() => {
  for (const method of ["warn", "error", "debug"] as const) vi.spyOn(console, method).mockImplementation(() => {})
})
afterAll(() => {
  vi.restoreAllMocks()
})

const clients: Readonly<Record<Dialect, string>> = { "1.0": "client 1.0.0", "0.0": "client 0.0.59" }

/** The rules whose breach makes the client of a dialect end the run. */
const citing = (dialect: Dialect): ReadonlySet<string> =>
  new Set(rules.filter(({ level, spec }) => level === "error" && spec.includes(clients[dialect])).map(({ id }) => id))

/** The first event with an error that a rule cites the client for. */
const firstError = (dialect: Dialect, events: ReadonlyArray<unknown>) => {
  const cited = citing(dialect)
  const checker = makeChecker({ dialect })
  for (const [index, event] of events.entries())
    for (const finding of checker.push(event)) if (cited.has(finding.rule)) return { index, finding }
  return undefined
}

/** Where rules and clients disagree, and why. */
const exceptions: ReadonlyArray<{
  readonly why: string
  readonly dialect: Dialect
  readonly applies: (events: ReadonlyArray<unknown>) => boolean
}> = [
  {
    why: "0.0.59 takes token counts above 2^53; JSON numbers do not carry them exactly, so our schema refuses them",
    dialect: "0.0",
    applies: (events) =>
      /"(input|output|total|reasoning|cachedInput)Tokens":9007199254740992\b/.test(JSON.stringify(events))
  }
]

const numRuns = casesOf(5_000)

describe.each(["1.0", "0.0"] as const)("client of %s", (dialect) => {
  test("ends the run where the rules find the first error", () => {
    const seen = { accepted: 0, rejected: 0 }
    fc.assert(
      fc.property(stream, (events) => {
        fc.pre(!exceptions.some((exception) => exception.dialect === dialect && exception.applies(events)))
        const rejection = rejectionOf(dialect, events)
        const error = firstError(dialect, events)
        seen[rejection === undefined ? "accepted" : "rejected"]++
        expect({ at: error?.index, error, rejection }).toEqual({ at: rejection?.index, error, rejection })
      }),
      { numRuns, seed: 1 }
    )
    // Else the test says little.
    expect(seen.accepted).toBeGreaterThan(numRuns / 10)
    expect(seen.rejected).toBeGreaterThan(numRuns / 10)
  })

  test("rejects no stream of the tables that passes or only warns", () => {
    for (const [name, events] of [...probes, ...sent]) {
      const rejection = rejectionOf(dialect, events)
      const { verdict } = checkEvents(events, { dialect, input: request })
      if (rejection !== undefined) expect({ name, verdict }).toEqual({ name, verdict: "fail" })
    }
  })

  // The rules of the wire cite stages that read bytes.
  const cited = rules.filter(({ family, id }) => citing(dialect).has(id) && family !== "wire")

  test.each(cited)("rejects the broken fixture of $id", ({ dialects, id }) => {
    expect(dialects).toContain(dialect)
    const { broken, valid } = fixtures[id] ?? {}
    if (broken === undefined || valid === undefined || !("events" in broken) || !("events" in valid))
      throw new Error(`${id} has no fixture of events`)
    const options = { ...broken.options, dialect }
    expect(findingsOf({ ...broken, options }).map(({ rule }) => rule)).toContain(id)
    expect(rejectionOf(dialect, broken.events)).toBeDefined()
    // In the dialect it is written for: 0.0 refuses what 1.0 brought.
    if ((valid.options?.dialect ?? "1.0") === dialect) expect(rejectionOf(dialect, valid.events)).toBeUndefined()
  })
})
