/**
 * Which process this is, and whether another one is still there: for those who share files with other processes.
 */
import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"

/** A process, so that it can be told from a later one with the same number. */
export interface ProcessMark {
  readonly pid: number
  /** When it began, in the system's own count; null where the system does not tell. */
  readonly began: string | null
}

/** This process. */
export const thisProcess = (): ProcessMark => ({ pid: process.pid, began: seen(process.pid)?.began ?? null })

/** Whether a process of this machine is there and has not ended. */
export const isRunning = ({ began, pid }: ProcessMark): boolean => {
  const found = seen(pid)
  if (!exists(pid) || found?.ended === true) return false
  return began === null || found === undefined || began === found.began
}

/**
 * Names what sees the same processes: a start of a machine, and on Linux a container's view of it. Only there can
 * {@link isRunning} be asked about a process.
 */
export const thisMachine = (): string =>
  [
    hostname(),
    tryRead(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    tryRead(() => readlinkSync("/proc/self/ns/pid"))
  ].join(" ")

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process may not be signalled, but it is there.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

/**
 * What Linux says about a process in `/proc/<pid>/stat`; undefined elsewhere. A process that has ended can be signalled
 * until its parent asks how it ended, and in a container without an init nobody ever asks.
 */
const seen = (pid: number): { readonly began: string; readonly ended: boolean } | undefined => {
  const stat = tryRead(() => readFileSync(`/proc/${pid}/stat`, "utf8"))
  if (stat === undefined) return undefined
  // The second field, the name, may hold spaces and brackets; the third is the state, the 22nd the beginning.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return { began: fields[19] ?? "", ended: fields[0] === "Z" || fields[0] === "X" }
}

const tryRead = (read: () => string): string | undefined => {
  try {
    return read()
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}
