/**
 * What the two processes know and nobody else: a secret in a file that only its owner may read. Each proves to the other that
 * it knows it, with a number that the other has chosen, and the secret itself is never sent: whoever took the place of a
 * runtime would learn nothing from a gateway that comes to it.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Which side proves something: the proof of one is none of the other. */
export type Side = "runtime" | "gateway"

/** A number that nobody has used before. */
export const nonce = (): string => randomBytes(32).toString("base64url")

/** What proves that a side knows the secret. */
export const proofOf = (secret: string, side: Side, ours: string, theirs: string): string =>
  createHmac("sha256", secret).update(`${side} ${ours} ${theirs}`).digest("base64url")

/** Whether a proof is the right one, whatever it is. */
export const isProof = (given: string, right: string): boolean => {
  const [one, other] = [Buffer.from(given), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

const fileIn = (folder: string): string => join(folder, "secret")

/** The secret of a folder; undefined: there is none yet. Throws when it cannot be read. */
export const readSecret = (folder: string): string | undefined => {
  try {
    return readFileSync(fileIn(folder), "utf8").trim() || undefined
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined
    throw error
  }
}

/** The secret of a folder, made where there is none. Throws when it cannot be. */
export const makeSecret = (folder: string): string => {
  const known = readSecret(folder)
  if (known !== undefined) return known
  try {
    writeFileSync(fileIn(folder), `${nonce()}\n`, { mode: 0o600, flag: "wx" })
  } catch (error) {
    // Another runtime has made it at the same time.
    if (!isCode(error, "EEXIST")) throw error
  }
  const made = readSecret(folder)
  // Everybody could prove an empty one. Whoever made the file was killed over it, or had no room.
  if (made === undefined) throw new Error(`${fileIn(folder)} is empty: remove it, and start again`)
  return made
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code
