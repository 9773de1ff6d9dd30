/** Runs `agentwire` as a process of its own, and says how it ended and how much memory it took at most. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { agentwireArgs } from "../AgentwireCommand.ts"

/** How a command ended. */
export interface Measured {
  /** Null: it was killed, because it took too long or too much. */
  readonly code: number | null
  /** The most memory it had at one time, in megabytes. */
  readonly megabytes: number
  readonly ms: number
  /** The beginning of what it said. */
  readonly stderr: string
}

/** How it is run. */
export interface MeasureOptions {
  /** How long it may take. */
  readonly seconds: number
  /** Flags of Node, such as the size of its heap. */
  readonly node?: ReadonlyArray<string>
}

/** Says at the end how much memory there was; a process that is killed does not get to. */
const witness =
  "data:text/javascript,import{writeSync}from'node:fs';process.on('exit',()=>{try{writeSync(3,String(process.resourceUsage().maxRSS))}catch{}})"

/** Runs it with nothing on standard input, and nobody who keeps what it writes. */
export const measure = async (
  args: ReadonlyArray<string>,
  { node = [], seconds }: MeasureOptions
): Promise<Measured> => {
  const began = performance.now()
  const child = spawn(process.execPath, [...node, "--import", witness, ...agentwireArgs, ...args], {
    stdio: ["ignore", "ignore", "pipe", "pipe"]
  })
  let kilobytes = ""
  let stderr = ""
  child.stdio[3]?.on("data", (chunk: Buffer) => {
    kilobytes += chunk.toString()
  })
  child.stderr?.on("data", (chunk: Buffer) => {
    if (stderr.length < 10_000) stderr += chunk.toString()
  })
  const timer = setTimeout(() => child.kill("SIGKILL"), seconds * 1000)
  const [code] = (await once(child, "close")) as [number | null]
  clearTimeout(timer)
  return { code, megabytes: Math.round(Number(kilobytes) / 1024), ms: performance.now() - began, stderr }
}
