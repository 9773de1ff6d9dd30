/** `npm run fuzz`: fuzzes one target for some time, and says what was found. */
import { relative } from "node:path"
import { type Progress, runCampaign } from "./Campaign.ts"
import { help, readOptions } from "./Options.ts"
import { targets } from "./targets/index.ts"

const line = ({ findings, kept, runs, seconds }: Progress): string =>
  `${seconds.toFixed(0).padStart(4)} s  ${runs} runs, ${Math.round(runs / Math.max(seconds, 0.001))}/s  ${kept} inputs kept  ${findings.length} findings`

const fuzz = async (target: string, minutes: number, seed: number): Promise<number> => {
  console.log(`${target}: ${minutes} minutes, --seed ${seed}`)
  const stop = new AbortController()
  process.once("SIGINT", () => stop.abort())
  const result = await runCampaign({
    target,
    module: new URL("./targets/index.ts", import.meta.url).href,
    seed,
    durationMs: minutes * 60_000,
    signal: stop.signal,
    onProgress: (progress) => console.log(line(progress))
  })
  for (const { bytes, file, message } of result.findings)
    console.log(`\n${message}\nkept as ${relative(process.cwd(), file)}, ${bytes} bytes`)
  console.log(`\n${target}, --seed ${seed}: ${line(result).trim()}`)
  return result.findings.length === 0 ? 0 : 1
}

const order = readOptions(process.argv.slice(2), targets, Date.now() % 2 ** 32)
switch (order._tag) {
  case "Help":
    console.log(help)
    break
  case "List":
    for (const { law, name } of targets) console.log(`${name.padEnd(12)} ${law}`)
    break
  case "Wrong":
    console.error(`${order.message}\n\n${help}`)
    process.exitCode = 2
    break
  case "Fuzz":
    process.exitCode = await fuzz(order.target, order.minutes, order.seed)
}
