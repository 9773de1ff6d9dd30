/**
 * What the CLI kept of a session is what it said on its wire, but for the reasons of the table. Here the files of the
 * library are held against the tapes of the same runs; `test/transcripts` does it with real CLIs, which a sweep does for every scenario.
 */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { compared, endsOf, explained } from "./Comparison.ts"
import { filesOf, kept, tapesOf } from "./Kept.ts"
import { endReasons, type Reason, reasons, rowOf } from "./Reasons.ts"

/** The versions that the table is about: of others it is enough that nothing is unexplained. */
type Tabled = "2.1.197" | "2.1.325"
const isTabled = (version: string): version is Tabled => version === "2.1.197" || version === "2.1.325"

describe.each(kept)("$name", ({ scenario, version }) => {
  it("says the same in its files as on its wire, but for known reasons", () => {
    const { reasons: found, unexplained } = explained(compared(tapesOf(scenario, version), filesOf(scenario, version)))
    expect(unexplained).toEqual([])
    if (isTabled(version)) expect(found).toEqual(namesOf(reasons, version, scenario))
  })
})

const tabled = kept.flatMap(({ version, ...entry }) => (isTabled(version) ? [{ ...entry, version }] : []))

describe.each(tabled)("$name", ({ scenario, version }) => {
  it("ends its turns alike, but for known reasons", () => {
    const { fileEvents, wireEvents } = compared(tapesOf(scenario, version), filesOf(scenario, version))
    const [inFiles, onWire] = [endsOf(fileEvents), endsOf(wireEvents)]
    if (namesOf(endReasons, version, scenario).length > 0) expect(inFiles).not.toEqual(onWire)
    else expect(inFiles).toEqual(onWire)
  })
})

const namesOf = (
  table: ReadonlyArray<Pick<Reason, "name" | "seen">>,
  version: Tabled,
  scenario: string
): ReadonlyArray<string> =>
  table
    .filter(({ seen }) => seen[version].includes(scenario))
    .map(({ name }) => name)
    .sort()

describe("the reasons", () => {
  it("are those that are documented", () => {
    const document = readFileSync(new URL("../../../../../docs/wire/claude-code.md", import.meta.url), "utf8")
    const rows = document.split("\n").filter((line) => /^\| `[a-z_]+` \| .* \| (?:2\.1\.197: )?[a-z–]/.test(line))
    expect(rows).toEqual(expect.arrayContaining([...reasons, ...endReasons].map(rowOf)))
  })

  it("are named once, and each was seen", () => {
    const names = reasons.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { name, seen } of [...reasons, ...endReasons])
      expect([name, seen["2.1.197"].length + seen["2.1.325"].length]).toEqual([
        name,
        expect.toSatisfy((n: number) => n > 0)
      ])
  })
})
