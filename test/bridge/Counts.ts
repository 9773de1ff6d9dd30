/** What a process holds, so that a test can tell whether it is given back: descriptors by kind, children, memory. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import * as Effect from "effect/Effect"
import { eventually } from "../../packages/bridge/test/FakeCli.ts"

/** What a process holds. */
export interface Counts {
  readonly sockets: number
  readonly pipes: number
  /** Processes it has started, zombies included. */
  readonly children: number
}

/** What a process holds now. */
export const countsOf = (pid: number = process.pid): Counts => {
  const open = readdirSync(`/proc/${pid}/fd`).map((fd) => targetOf(`/proc/${pid}/fd/${fd}`))
  return {
    sockets: open.filter((target) => target.startsWith("socket:")).length,
    pipes: open.filter((target) => target.startsWith("pipe:")).length,
    children: childrenOf(pid)
  }
}

const targetOf = (link: string): string => {
  try {
    return readlinkSync(link)
  } catch {
    return "" // closed since it was listed
  }
}

const childrenOf = (pid: number): number =>
  readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === pid).length

const parentOf = (pid: string): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])
  } catch {
    return 0 // ended since it was listed
  }
}

/** Waits until a process holds no more than before. */
export const backTo = (before: Counts, pid: number = process.pid): Effect.Effect<void, Error> => {
  const more = () => {
    const now = countsOf(pid)
    return (Object.keys(before) as ReadonlyArray<keyof Counts>).filter((kind) => now[kind] > before[kind])
  }
  return eventually(() => more().length === 0).pipe(
    Effect.mapError(() => new Error(`more ${more().join(", ")}: ${JSON.stringify({ before, now: countsOf(pid) })}`))
  )
}

/** The megabytes a process has had in memory at most, since it began. */
export const peakMegabytes = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1000

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

/** The megabytes this process cannot give back. */
export const megabytes = (): number => {
  // V8 keeps the text that was last searched with a regular expression, for `RegExp.input`.
  "x".search(/x/)
  collectGarbage()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return (arrayBuffers + heapUsed) / 1e6
}
