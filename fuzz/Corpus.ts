/**
 * What a target begins with: `corpus/TARGET/` has a few small real inputs, and every input that has ever broken the
 * law, minimised. The latter stay: `npm test` runs them all.
 */
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** An input of the corpus. */
export interface KeptInput {
  readonly file: string
  readonly input: Uint8Array
}

const root = fileURLToPath(new URL("./corpus/", import.meta.url))

/** The corpus of a target, in the order of names. */
export const readCorpus = (target: string, folder = root): ReadonlyArray<KeptInput> => {
  const place = join(folder, target)
  mkdirSync(place, { recursive: true })
  return readdirSync(place)
    .sort()
    .map((name) => ({ file: join(place, name), input: new Uint8Array(readFileSync(join(place, name))) }))
}

/** Keeps an input that broke the law. Its name follows from its bytes. */
export const keepFinding = (target: string, input: Uint8Array, folder = root): string => {
  const name = createHash("sha256").update(input).digest("hex").slice(0, 12)
  const file = join(folder, target, `found-${name}.input`)
  mkdirSync(join(folder, target), { recursive: true })
  writeFileSync(file, input)
  return file
}
