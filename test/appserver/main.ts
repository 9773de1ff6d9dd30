/**
 * Runs the clients of Codex in front of the servers, and prints a table of what became of each case: `npm run judges`.
 *
 *   npm run judges -- [--server NAME]… [--client NAME]… [--screens DIR] [--keep]
 *
 * It ends with 1 where a server's outcome is not that of the real Codex, unless `Differences.ts` says so, and where the real
 * Codex itself does not come to what it did before (`outcomes.json`). `--keep` writes what it came to into that file, which
 * the tests compare with.
 */
import { parseArgs } from "node:util"
import type { Told } from "./Headless.ts"
import { judges } from "./Judges.ts"
import { keepOutcomes, realOutcomes } from "./RealOutcomes.ts"
import { realCodex, serverKinds } from "./Servers.ts"
import { surprises, tableOf } from "./Table.ts"

const { values } = parseArgs({
  options: {
    server: { type: "string", multiple: true },
    client: { type: "string", multiple: true },
    screens: { type: "string" },
    keep: { type: "boolean" }
  }
})

const isWanted = (name: string, wanted: ReadonlyArray<string> | undefined): boolean =>
  wanted === undefined || wanted.some((one) => name.includes(one))

const before = realOutcomes()
let isAsKnown = true
const kept: Record<string, ReadonlyArray<Told>> = {}
for (const judge of judges.filter(({ name }) => isWanted(name, values.client))) {
  const outcomes = []
  for (const kind of serverKinds.filter(({ name }) => isWanted(name, values.server))) {
    const began = performance.now()
    const told = await judge.run(kind, values.screens)
    outcomes.push({ server: kind.name, told })
    if (kind === realCodex) kept[judge.name] = told
    console.error(`${judge.name} on ${kind.name}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
  }
  console.log(tableOf(judge.name, outcomes))
  for (const each of outcomes) {
    const isReal = each.server === realCodex.name
    if (isReal && values.keep === true) continue
    const wanted = isReal ? before[judge.name] : (kept[judge.name] ?? before[judge.name])
    const { stale, unknown } = surprises(judge.name, wanted ?? [], each)
    for (const name of unknown) console.log(`${judge.name} on ${each.server}: "${name}" ends otherwise than it should.`)
    for (const name of stale) console.log(`${judge.name} on ${each.server}: "${name}" does not differ any more.`)
    isAsKnown &&= unknown.length + stale.length === 0
  }
}
if (values.keep === true) keepOutcomes(kept)
console.log(isAsKnown ? "\nAll is as it should be." : "\nNot all is as it should be.")
process.exitCode = isAsKnown ? 0 : 1
