/**
 * Runs the clients of Codex in front of the servers, and prints a table of what became of each case: `npm run judges`.
 *
 *   npm run judges -- [--server NAME]… [--client NAME]… [--screens DIR] [--keep]
 *
 * It ends with 1 where a server's outcome is not that of the real Codex. `--keep` writes what the real Codex came to into
 * `outcomes.json`, which the tests compare with.
 */
import { writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import type { Told } from "./Headless.ts"
import { judges } from "./Judges.ts"
import { realCodex, serverKinds } from "./Servers.ts"
import { differences, tableOf } from "./Table.ts"

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

let differ = 0
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
  differ += differences(outcomes).length
}
if (values.keep === true) writeFileSync(new URL("outcomes.json", import.meta.url), `${JSON.stringify(kept, null, 2)}\n`)
process.exitCode = differ === 0 ? 0 : 1
