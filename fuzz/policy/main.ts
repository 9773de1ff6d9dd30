/** `npm run policy:fuzz -- --minutes N [--seed S]`: ends with 1 when a text did more than the policy had read in it. */
import { parseArgs } from "node:util"
import { type Figures, fuzz } from "./Fuzz.ts"
import { makeSandbox } from "./Sandbox.ts"

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    texts: { type: "string", default: "Infinity" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) }
  }
})
const seed = Number(values.seed)
const begun = Date.now()
const sandbox = makeSandbox()
/** More of them are mostly the same one again. */
const maxFindings = 10
let isStopped = false
let shown = 0

const line = ({ allowed, calls, findings, run, texts, timedOut }: Figures): string => {
  const seconds = Math.max(1, (Date.now() - begun) / 1000)
  return [
    `${texts} texts, ${allowed} allowed, ${run} run, ${calls} calls, ${timedOut} timed out, ${findings} findings`,
    `${Math.round(texts / seconds)} texts a second`
  ].join("; ")
}

/** The first signal lets the batch end and tells the figures, the second one does not. */
const stop = (): void => {
  if (isStopped) process.exit(130)
  isStopped = true
}
process.on("SIGINT", stop)
process.on("SIGTERM", stop)
process.on("exit", () => sandbox.close())
console.log(`seed ${seed}`)
const figures = await fuzz({
  seed,
  sandbox,
  isEnough: (now) => {
    if (Date.now() - shown > 1000) {
      shown = Date.now()
      console.log(line(now))
    }
    return (
      isStopped ||
      now.findings >= maxFindings ||
      now.texts >= Number(values.texts) ||
      Date.now() - begun > Number(values.minutes) * 60_000
    )
  },
  onFinding: ({ minimal, text, what }) => {
    console.log(`FINDING: ${what}\n  ${JSON.stringify(minimal)}\n  made from ${JSON.stringify(text)}`)
    console.log(`  again: npm run policy:fuzz -- --seed ${seed} --minutes ${values.minutes}`)
    console.log("  once it is fixed, it belongs into fuzz/policy/corpus/evasions.txt")
  }
})
console.log(line(figures))
process.exitCode = figures.findings === 0 ? 0 : 1
