/**
 * Soaks a bridge: `npm run soak [-- --minutes 10 --sessions 24 --seed N --no-cli]`.
 *
 * Many sessions for a while, of tapes inside the bridge, of processes that replay tapes, and of the real CLI with a
 * scripted model, while agents are killed and clients leave, stall, come back, stop, answer or do not. Then the
 * judges: every run ended, every stream conforms, no thread saw another's byte, and the bridge holds what it held
 * before. Exit codes: 0 fine, 1 a judge objects, 2 it could not be done. Ctrl-C ends it early, in order.
 */
import { existsSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { bridgeFlag } from "./soak/BridgeHandle.ts"
import { runBridgeProcess } from "./soak/BridgeProcess.ts"
import { soak } from "./soak/Soak.ts"

const program = fileURLToPath(import.meta.url)
const tapes = resolve("packages/fixtures/tapes/2.1.325-stdio")

const fail = (words: string): never => {
  console.error(words)
  process.exit(2)
}

const optionsOf = () => {
  try {
    return parseArgs({
      options: {
        minutes: { type: "string", default: "10" },
        sessions: { type: "string", default: "24" },
        seed: { type: "string", default: String(Date.now() % 1_000_000) },
        "no-cli": { type: "boolean", default: false }
      }
    }).values
  } catch (cause) {
    return fail(`${cause instanceof Error ? cause.message : cause} There are --minutes, --sessions, --seed, --no-cli.`)
  }
}

const numberOf = (name: string, text: string, least: number): number => {
  const number = Number(text)
  return text.trim() !== "" && number >= least && Number.isFinite(number)
    ? number
    : fail(`--${name} takes a number of at least ${least}, not "${text}".`)
}

const main = async (): Promise<number> => {
  const given = optionsOf()
  if (!existsSync("/proc/self/fd")) fail("The soak looks into /proc for what the bridge holds: it needs Linux.")
  if (!existsSync(tapes)) fail(`There are no tapes in ${tapes}: run this in the root of the repository.`)
  const minutes = numberOf("minutes", given.minutes, 0.01)
  const sessions = Math.floor(numberOf("sessions", given.sessions, 1))
  const seed = Math.floor(numberOf("seed", given.seed, 0))
  const evidence = join(tmpdir(), `agentwire-soak-${seed}-${process.pid}.ndjson`)
  const stop = new AbortController()
  process.on("SIGINT", () => {
    if (stop.signal.aborted) process.exit(130)
    console.log("ending: the runs that are open are waited for; Ctrl-C again does not wait")
    stop.abort()
  })
  const objections = await soak({
    minutes,
    sessions,
    seed,
    withCli: !given["no-cli"],
    program,
    agentwire: resolve("packages/cli/dist/index.js"),
    tapes,
    evidence,
    stop: stop.signal,
    print: (line) => console.log(line)
  })
  if (objections.length === 0) {
    console.log("the judges have nothing to say")
    return 0
  }
  console.log(`\n${objections.length} objections; the first of them:`)
  for (const objection of objections.slice(0, 20)) console.log(`- ${objection}`)
  const repeat = `--minutes ${minutes} --sessions ${sessions} --seed ${seed}${given["no-cli"] ? " --no-cli" : ""}`
  if (existsSync(evidence)) console.log(`\nThe events are in ${evidence}.`)
  console.log(`The same decisions again: npm run soak -- ${repeat}`)
  return 1
}

if (process.argv[2] === bridgeFlag) await runBridgeProcess(process.argv[3] ?? "")
else process.exit(await main())
