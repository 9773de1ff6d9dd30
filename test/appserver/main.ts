/**
 * Runs the clients of Codex in front of the servers, and prints a table of what became of each case: `npm run judges`.
 *
 *   npm run judges -- [--server NAME]… [--client NAME]… [--screens DIR]
 *
 * It ends with 1 where a server's outcome is not that of the real Codex.
 */
import { parseArgs } from "node:util"
import { judges } from "./Judges.ts"
import { serverKinds } from "./Servers.ts"
import { differences, tableOf } from "./Table.ts"

const { values } = parseArgs({
  options: {
    server: { type: "string", multiple: true },
    client: { type: "string", multiple: true },
    screens: { type: "string" }
  }
})

const isWanted = (name: string, wanted: ReadonlyArray<string> | undefined): boolean =>
  wanted === undefined || wanted.some((one) => name.includes(one))

let differ = 0
for (const judge of judges.filter(({ name }) => isWanted(name, values.client))) {
  const outcomes = []
  for (const kind of serverKinds.filter(({ name }) => isWanted(name, values.server))) {
    const began = performance.now()
    outcomes.push({ server: kind.name, told: await judge.run(kind, values.screens) })
    console.error(`${judge.name} on ${kind.name}: ${((performance.now() - began) / 1000).toFixed(1)} s`)
  }
  console.log(tableOf(judge.name, outcomes))
  differ += differences(outcomes).length
}
process.exitCode = differ === 0 ? 0 : 1
