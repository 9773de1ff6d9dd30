/**
 * What a process holds: memory, descriptors by kind, processes it started; read from `/proc`, so from outside. And
 * whether it holds more than before.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs"

/** What a process holds. */
export interface Resources {
  /** Bytes of the heap after a collection, as the process itself says. */
  readonly heapUsed: number
  /** Bytes in memory. */
  readonly rss: number
  /** Open descriptors by kind. */
  readonly descriptors: Readonly<Record<string, number>>
  /** Processes it started, and theirs, zombies included. */
  readonly processes: number
}

/**
 * By how much a process may have grown: of descriptors and processes by nothing. The heap has caches and compiled
 * code; what was once in memory goes back to the system when the allocator likes.
 */
export const margins = { heapUsed: 8e6, rss: 100e6 } as const

/** The kinds of a process's descriptors, and how many there are. */
export const descriptorsOf = (pid: number): Readonly<Record<string, number>> => {
  const kinds: Record<string, number> = {}
  for (const name of entriesOf(`/proc/${pid}/fd`)) {
    const kind = kindOf(attempt(() => readlinkSync(`/proc/${pid}/fd/${name}`)))
    if (kind !== undefined) kinds[kind] = (kinds[kind] ?? 0) + 1
  }
  return kinds
}

const kindOf = (target: string | undefined): string | undefined => {
  if (target === undefined) return undefined
  const named = /^(socket|pipe|anon_inode):\[?(\w+)/.exec(target)
  if (named === null) return "file"
  return named[1] === "anon_inode" ? named[2] : named[1]
}

/** Bytes that a process has in memory. */
export const rssOf = (pid: number): number => {
  const status = attempt(() => readFileSync(`/proc/${pid}/status`, "utf8")) ?? ""
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

/** The processes that carry this text in their environment, and the name of each. */
export const processesWith = (text: string): ReadonlyArray<{ readonly pid: number; readonly name: string }> =>
  pids().flatMap((pid) => {
    const environment = attempt(() => readFileSync(`/proc/${pid}/environ`, "utf8")) ?? ""
    const name = attempt(() => readFileSync(`/proc/${pid}/comm`, "utf8"))?.trim()
    return environment.includes(text) && name !== undefined ? [{ pid, name }] : []
  })

/** What a process started, and what that started. */
export const descendantsOf = (pid: number): ReadonlyArray<number> => {
  const parents = new Map(pids().map((one) => [one, parentOf(one)]))
  const isBelow = (one: number): boolean => {
    for (let at = parents.get(one); at !== undefined && at > 1; at = parents.get(at)) if (at === pid) return true
    return false
  }
  return [...parents.keys()].filter(isBelow)
}

const pids = (): ReadonlyArray<number> =>
  entriesOf("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

const parentOf = (pid: number): number | undefined => {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8"))
  // The name may have anything in it, so what follows its last parenthesis counts.
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])
}

const entriesOf = (folder: string): ReadonlyArray<string> => attempt(() => readdirSync(folder)) ?? []

/** What is in `/proc` may be gone between two looks, or be another user's. */
const attempt = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** What a process holds more than before. */
export const judgeResources = (before: Resources, after: Resources): ReadonlyArray<string> => {
  const kinds = new Set([...Object.keys(before.descriptors), ...Object.keys(after.descriptors)])
  const descriptors = [...kinds].flatMap((kind) => {
    const [was, is] = [before.descriptors[kind] ?? 0, after.descriptors[kind] ?? 0]
    return is > was ? [`the bridge holds ${is} descriptors of kind ${kind}, and held ${was}`] : []
  })
  const memory = (["heapUsed", "rss"] as const).flatMap((what) =>
    after[what] > before[what] + margins[what]
      ? [
          `${what} is ${megabytes(after[what])}, and was ${megabytes(before[what])} (margin ${megabytes(margins[what])})`
        ]
      : []
  )
  const processes =
    after.processes > before.processes
      ? [`the bridge has ${after.processes} processes below it, and had ${before.processes}`]
      : []
  return [...descriptors, ...memory, ...processes]
}

/** Bytes for people. */
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
