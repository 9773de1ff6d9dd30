/** Runs `agentwire` as a process of its own, and says how it ended and what it took: processor time, and memory at most. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { agentwireArgs } from "../AgentwireCommand.ts"

/** How a command ended. */
export interface Measured {
  /** Null: it was killed, because it took too long or too much. */
  readonly code: number | null
  /** The most memory it had at one time, in megabytes. */
  readonly megabytes: number
  /** Processor time, in milliseconds: what a busy machine does not change. */
  readonly cpuMs: number
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

/** Says at the end what it took; a process that is killed does not get to. */
const witness =
  "data:text/javascript,import{writeSync}from'node:fs';process.on('exit',()=>{try{const u=process.resourceUsage();writeSync(3,JSON.stringify({kilobytes:u.maxRSS,cpuMs:(u.userCPUTime+u.systemCPUTime)/1000}))}catch{}})"

interface Taken {
  readonly kilobytes: number
  readonly cpuMs: number
}

const nothing: Taken = { kilobytes: 0, cpuMs: 0 }

/** What a running process has taken so far, where the system has a file that says so. */
const takenBy = (pid: number | undefined): Taken => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8")
    // The name of the program comes before these, in brackets, and may have spaces. Ticks are hundredths of a second.
    const after = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? []
    return {
      kilobytes: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0),
      cpuMs: (Number(after[11]) + Number(after[12])) * 10
    }
  } catch {
    return nothing
  }
}

/** Runs it with nothing on standard input, and nobody who keeps what it writes. */
export const measure = async (
  args: ReadonlyArray<string>,
  { node = [], seconds }: MeasureOptions
): Promise<Measured> => {
  const child = spawn(process.execPath, [...node, "--import", witness, ...agentwireArgs, ...args], {
    stdio: ["ignore", "ignore", "pipe", "pipe"]
  })
  let said = ""
  let stderr = ""
  child.stdio[3]?.on("data", (chunk: Buffer) => {
    said += chunk.toString()
  })
  child.stderr?.on("data", (chunk: Buffer) => {
    if (stderr.length < 10_000) stderr += chunk.toString()
  })
  let taken = nothing
  const timer = setTimeout(() => {
    taken = takenBy(child.pid)
    child.kill("SIGKILL")
  }, seconds * 1000)
  const [code] = (await once(child, "close")) as [number | null]
  clearTimeout(timer)
  if (said !== "") taken = JSON.parse(said) as Taken
  return { code, megabytes: Math.round(taken.kilobytes / 1024), cpuMs: taken.cpuMs, stderr }
}
