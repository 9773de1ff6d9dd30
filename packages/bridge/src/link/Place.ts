/**
 * Where the two processes meet: a unix socket in a folder that is its owner's alone, or a port of the loopback interface.
 */
import { createHash } from "node:crypto"
import { chmodSync, lstatSync, mkdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Result from "effect/Result"
import { LinkRefused } from "./LinkErrors.ts"

/** Where a runtime listens. */
export type LinkPlace =
  | { readonly _tag: "Unix"; readonly path: string }
  | { readonly _tag: "Tcp"; readonly host: string; readonly port: number }

/** Where a runtime listens, and the folder of the secret. */
export interface LinkAddress {
  readonly folder: string
  readonly place: LinkPlace
}

/** The longest path of a socket that every system takes, in bytes. */
const maxPath = 100

const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"])

/** The address beside what is kept in a folder. `given`: another place, as a path or as `tcp://127.0.0.1:PORT`. */
export const linkAddress = (data: string, given?: string): Result.Result<LinkAddress, LinkRefused> => {
  const folder = join(data, "link")
  if (given === undefined) return Result.succeed({ folder, place: { _tag: "Unix", path: socketIn(folder) } })
  if (!given.includes("://")) return Result.succeed({ folder, place: { _tag: "Unix", path: given } })
  const refused = (message: string) => Result.fail(new LinkRefused({ code: "LINK_FAILED", message }))
  if (!URL.canParse(given)) return refused(`${given} is no address: a path, or tcp://127.0.0.1:PORT.`)
  const { hostname, port, protocol } = new URL(given)
  if (protocol !== "tcp:" || port === "") return refused(`${given} is no address: a path, or tcp://127.0.0.1:PORT.`)
  if (!loopback.has(hostname))
    return refused(`${hostname} is not this machine: the two processes meet on loopback only.`)
  return Result.succeed({ folder, place: { _tag: "Tcp", host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) } })
}

/** A path that is too long for a socket has a short one instead, which is always the same. */
const socketIn = (folder: string): string => {
  const path = join(folder, "runtime.sock")
  if (Buffer.byteLength(path) <= maxPath) return path
  const name = createHash("sha256").update(folder).digest("hex").slice(0, 16)
  return join(tmpdir(), `agentwire-${name}`, "runtime.sock")
}

/** Makes a folder that nobody else can look into. Throws when it cannot be, or is another's. */
export const makePrivate = (folder: string): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { mode, uid } = lstatSync(folder)
  const own = process.getuid?.() ?? uid
  if (uid !== own) throw new Error(`${folder} belongs to another user`)
  if ((mode & 0o077) !== 0) chmodSync(folder, 0o700)
}

/** A place in words. */
export const placeWords = (place: LinkPlace): string =>
  place._tag === "Unix"
    ? place.path
    : `tcp://${place.host.includes(":") ? `[${place.host}]` : place.host}:${place.port}`
