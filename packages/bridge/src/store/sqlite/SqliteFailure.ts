/**
 * What SQLite and the system say when something goes wrong, as failures of a store: what happened, where, and what to do.
 */
import { statfsSync } from "node:fs"
import { dirname } from "node:path"
import { StoreFailed } from "../StoreErrors.ts"
import { SqliteError } from "./Database.ts"

type Code = StoreFailed["code"]

/** What was being done. */
export type Doing = "open" | "read" | "write"

const { BUSY, CANTOPEN, CONSTRAINT, CORRUPT, ERROR, FULL, IOERR, LOCKED, MISMATCH, NOTADB, READONLY, TOOBIG } = {
  ERROR: 1,
  BUSY: 5,
  LOCKED: 6,
  READONLY: 8,
  IOERR: 10,
  CORRUPT: 11,
  FULL: 13,
  CANTOPEN: 14,
  TOOBIG: 18,
  CONSTRAINT: 19,
  MISMATCH: 20,
  NOTADB: 26
}

/** The code for a kind of error, where it does not depend on what was being done. */
const codes: ReadonlyMap<number, Code> = new Map([
  [BUSY, "STORE_BUSY"],
  [LOCKED, "STORE_BUSY"],
  [READONLY, "STORE_UNWRITABLE"],
  [CORRUPT, "STORE_DAMAGED"],
  [NOTADB, "STORE_DAMAGED"],
  // The statements are right, and so is what is written: the tables, or the rows that are there, are not what they were.
  [ERROR, "STORE_DAMAGED"],
  [CONSTRAINT, "STORE_DAMAGED"],
  [MISMATCH, "STORE_DAMAGED"],
  [FULL, "STORE_DISK_FULL"],
  [CANTOPEN, "STORE_UNREADABLE"]
])

/** The code for what the system says. */
const systemCodes: ReadonlyMap<string, Code> = new Map([
  ["EACCES", "STORE_UNWRITABLE"],
  ["EPERM", "STORE_UNWRITABLE"],
  ["EROFS", "STORE_UNWRITABLE"],
  ["ENOSPC", "STORE_DISK_FULL"],
  ["EDQUOT", "STORE_DISK_FULL"]
])

/** What there is to do, in whole sentences. */
const advice: Readonly<Record<Code, (path: string) => string>> = {
  STORE_TOO_NEW: () => "Update agentwire, or give this one another folder.",
  STORE_DAMAGED: (path) =>
    `To repair it, stop every bridge that uses it and restore a backup, or rescue what can be read with \`sqlite3 ${path} .recover\`. When it is moved away, the bridge begins with an empty one.`,
  STORE_UNREADABLE: () => "Check that the folder is one, and that this user may read and write it.",
  STORE_UNWRITABLE: () =>
    "Check that this user may write the folder and the files in it, and that the disk is not read-only.",
  STORE_DISK_FULL: () => "Make room; what was not written can then be written.",
  STORE_BUSY: () => "Another process has locked it for too long. Continue that process if it is suspended, or end it.",
  STORE_OUT_OF_ORDER: () => "Write what comes before first.",
  STORE_CLOSED: () => "Open it again."
}

/** What goes on all the same, once it is open. */
const comfort: Partial<Record<Code, string>> = { STORE_DAMAGED: "Threads whose part is whole can still be used. " }

/** A failure of the store at a path: what happened, and what to do. */
export const storeFailed = (code: Code, path: string, happened: string, doing: Doing = "read"): StoreFailed =>
  new StoreFailed({
    code,
    path,
    message: `${happened} ${doing === "open" ? "" : (comfort[code] ?? "")}${advice[code](path)}`
  })

/** The failure that an error of SQLite or of the system is. Others are defects, and thrown on. */
export const failureOf = (error: unknown, path: string, doing: Doing): StoreFailed => {
  if (error instanceof StoreFailed) return error
  const code = codeOf(error, path, doing)
  if (code === undefined) throw error
  return storeFailed(
    code,
    path,
    `${happened[code]?.(path) ?? `${path} cannot be ${done[doing]}`}: ${wordsOf(error)}.`,
    doing
  )
}

const happened: Partial<Record<Code, (path: string) => string>> = {
  STORE_DAMAGED: (path) => `The database ${path} is damaged`,
  STORE_DISK_FULL: (path) => `The disk of ${path} is full`
}

const done: Readonly<Record<Doing, string>> = { open: "opened", read: "read", write: "written" }

const codeOf = (error: unknown, path: string, doing: Doing): Code | undefined => {
  if (error instanceof SqliteError) {
    const known = codes.get(error.kind)
    if (known !== undefined) return known
    if (error.kind === TOOBIG && doing === "read") return "STORE_DAMAGED"
    if (error.kind === IOERR && doing !== "read" && isFull(path)) return "STORE_DISK_FULL"
    return doing === "write" ? "STORE_UNWRITABLE" : "STORE_UNREADABLE"
  }
  if (error instanceof Error && "code" in error && "syscall" in error)
    return systemCodes.get(String(error.code)) ?? "STORE_UNREADABLE"
  return undefined
}

/** SQLite reports some writes to a full disk as mere errors of input and output. */
const isFull = (path: string): boolean => {
  try {
    const { bavail, bsize } = statfsSync(dirname(path))
    return bavail * bsize < 1024 * 1024
  } catch (error) {
    if (error instanceof Error) return false
    throw error
  }
}

const wordsOf = (error: unknown): string =>
  error instanceof SqliteError ? `${error.message} (SQLite ${error.code})` : error instanceof Error ? error.message : ""

/** Whether another process has the lock, and waiting may help. */
export const isBusy = (error: unknown): boolean =>
  error instanceof SqliteError && (error.kind === BUSY || error.kind === LOCKED)
