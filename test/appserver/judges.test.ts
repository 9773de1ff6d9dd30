/**
 * The clients of Codex in front of the servers, against what the real Codex came to (`outcomes.json`, written by
 * `npm run judges -- --server itself --keep`). Every day in front of ours with the real Claude Code, in a sweep in front
 * of all. Where ours ends otherwise is in `Differences.ts`, with the reason.
 */
import { readFileSync } from "node:fs"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { sweeping } from "../../packages/fixtures/test/Sweep.ts"
import { differencesOf, knownDifferences } from "./Differences.ts"
import { Told } from "./Headless.ts"
import { judges } from "./Judges.ts"
import { claudeServer, serverKinds } from "./Servers.ts"
import { differenceTable } from "./Table.ts"

const Outcomes = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Array(Told)))

const real = Schema.decodeUnknownSync(Outcomes)(readFileSync(new URL("outcomes.json", import.meta.url), "utf8"))

const asMap = (told: ReadonlyArray<Told>): ReadonlyMap<string, string> =>
  new Map(told.map(({ name, outcome }) => [name, outcome]))

const servers = sweeping ? serverKinds : [claudeServer]

describe.each(servers)("on $name", (kind) => {
  it.each(judges)("$name ends as on the real Codex", async (judge) => {
    const wanted = asMap(real[judge.name] ?? [])
    const told = asMap(await judge.run(kind, undefined))
    const differ = [...wanted.keys(), ...told.keys()].filter((name) => wanted.get(name) !== told.get(name))
    const known = differencesOf(kind.name, judge.name)
    const unknown = [...new Set(differ)].filter((name) => !known.includes(name)).map((name) => [name, told.get(name)])
    expect(unknown).toEqual([])
    expect(known.filter((name) => !differ.includes(name))).toEqual([])
  })
})

it("docs/app-server.md has the differences", () => {
  const page = readFileSync(new URL("../../docs/app-server.md", import.meta.url), "utf8")
  expect(page).toContain(`\n${differenceTable(knownDifferences)}\n`)
})
