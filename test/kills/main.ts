/**
 * `npm run kills`: kills bridges in the middle of sessions, and ends with 1 when something was lost. `--tiers`: only gateways, in
 * front of a runtime that goes on. `--orders ask`: only prompts that ask for leave.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { type Keeps, realMind, scriptedMind } from "./Minds.ts"
import { noFigures, World } from "./World.ts"

const { values } = parseArgs({
  options: {
    kills: { type: "string" },
    cli: { type: "string" },
    tiers: { type: "boolean", default: false },
    threads: { type: "string" },
    orders: { type: "string" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) }
  }
})
const { cli, orders, tiers } = values
const kills = Number(values.kills ?? (cli === undefined ? 300 : 20))
const threads = Number(values.threads ?? (cli === undefined ? 3 : 2))
const seed = Number(values.seed)
const perWorld = 12
const ways: ReadonlyArray<Keeps> = ["late", "lagging", "at once"]
const traces = fileURLToPath(new URL("../../node_modules/.cache/agentwire/kills/", import.meta.url))
// The official clients write every run that is cut to the console, and leave a promise of it to nobody.
console.error = () => undefined
process.on("unhandledRejection", (reason) => {
  if (!(reason instanceof Error && reason.message === "terminated")) throw reason
})
const figures = noFigures()
const begun = Date.now()
let [worlds, failed] = [0, 0]
console.log(`seed ${seed}`)
for (; figures.kills < kills; worlds++) {
  const trace: Array<string> = []
  const own = seed + worlds
  const made = cli === undefined ? scriptedMind(ways[own % ways.length] ?? "at once") : await realMind(cli, threads)
  const mind = orders === undefined ? made : { ...made, orders: orders.split(",") }
  const print = (line: string): void => void trace.push(`${((Date.now() - begun) / 1000).toFixed(3)} ${line}`)
  const place = new World({ seed: own, mind, threads, prompts: 4, print, figures, tiers })
  try {
    const lives = Math.min(perWorld, kills - figures.kills)
    for (let life = 1; life <= lives; life++) {
      await place.live()
      console.log(
        `${Math.round((Date.now() - begun) / 1000)} s: ${figures.kills} kills, ${figures.early} early, ${figures.verified} threads looked at, ${figures.prompts} prompts`
      )
    }
    await place.live(true)
    await place.endRuntime()
    await place.close()
  } catch (error) {
    failed++
    mkdirSync(traces, { recursive: true })
    const file = `${traces}seed-${own}.txt`
    writeFileSync(file, `${trace.join("\n")}\n${error instanceof Error ? error.stack : error}\n`)
    console.log(
      `BROKEN with seed ${own}: ${error instanceof Error ? error.message : error}\n  trace: ${file}\n  data: ${place.root}\n  again: npm run kills --${tiers ? " --tiers" : ""} --seed ${own} --kills ${perWorld}`
    )
    if (failed >= 3) {
      worlds++
      break
    }
  } finally {
    await mind.close()
  }
}
console.log(JSON.stringify(figures, null, 1))
console.log(`${figures.kills} kills in ${worlds} worlds, ${failed} of them with a breach`)
process.exitCode = failed === 0 ? 0 : 1
