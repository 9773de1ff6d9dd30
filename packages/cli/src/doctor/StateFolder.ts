/**
 * Looks at the index of `agentwire serve` without touching it: taking its lock would get in the way of a bridge that
 * starts, and opening one that is broken would set it aside.
 */

import { accessSync, constants, readFileSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { isRecord, parseJson } from "@agentwire/protocol/wire"

/** What there is. */
export type StateLook = { readonly path: string } & (
  | { readonly _tag: "Usable"; readonly threads: number }
  /** It will be made. */
  | { readonly _tag: "Absent" }
  /** A process that runs has it. */
  | { readonly _tag: "Locked"; readonly pid: number }
  /** It will be set aside. */
  | { readonly _tag: "Corrupt" }
  /** It can be neither used nor made, for this reason. */
  | { readonly _tag: "Unusable"; readonly reason: string }
)

/** Looks at an index, by its path. */
export const inspectState = (path: string): StateLook => {
  const reason = whyNotWritable(dirname(path)) ?? whyNotWritable(`${path}.history`)
  if (reason !== undefined) return { _tag: "Unusable", path, reason }
  const pid = ownerOf(`${path}.lock`)
  if (pid !== undefined) return { _tag: "Locked", path, pid }
  const text = textOf(path)
  if (text._tag === "Absent") return { _tag: "Absent", path }
  if (text._tag === "Failed") return { _tag: "Unusable", path, reason: text.reason }
  const threads = threadsIn(text.text)
  return threads === undefined ? { _tag: "Corrupt", path } : { _tag: "Usable", path, threads }
}

/** Why nothing can be written in a folder, or in the one it would be made in. */
const whyNotWritable = (folder: string): string | undefined => {
  try {
    const stats = statSync(folder, { throwIfNoEntry: false })
    if (stats === undefined)
      return dirname(folder) === folder ? `there is no ${folder}` : whyNotWritable(dirname(folder))
    if (!stats.isDirectory()) return `${folder} is not a folder`
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return codeOf(error) === "ENOTDIR"
      ? whyNotWritable(dirname(folder))
      : `${folder} may not be written (${codeOf(error)})`
  }
}

/** The process that has a lock; undefined when none does, or it is gone. */
const ownerOf = (lock: string): number | undefined => {
  const text = textOf(lock)
  if (text._tag !== "Text") return undefined
  const pid = member(text.text, "pid")
  return typeof pid === "number" && Number.isInteger(pid) && pid > 0 && runs(pid) ? pid : undefined
}

const runs = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Another user's process may not be signalled, but it is there.
    return codeOf(error) === "EPERM"
  }
}

type Text =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Failed"; readonly reason: string }

const textOf = (path: string): Text => {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats === undefined) return { _tag: "Absent" }
    // A pipe or a device has no end.
    if (!stats.isFile()) return { _tag: "Failed", reason: `${path} is not a file` }
    return { _tag: "Text", text: readFileSync(path, "utf8") }
  } catch (error) {
    return { _tag: "Failed", reason: `${path} cannot be read (${codeOf(error)})` }
  }
}

const threadsIn = (text: string): number | undefined => {
  const sessions = member(text, "version") === 1 ? member(text, "sessions") : undefined
  return Array.isArray(sessions) ? sessions.length : undefined
}

/** A member of a text that is a JSON object; undefined when there is none. */
const member = (text: string, key: string): unknown => {
  const value = parseJson(text)
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error)
