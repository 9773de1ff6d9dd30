/** Shell texts that are kept in `corpus`: one file for each kind, the texts divided by lines of `%`. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/**
 * The kinds: what must be understood, what must not, and what once got past and is judged ever since; what writes or
 * runs something, and what prints a secret, thought up without a look at the tables; and what people look at all day.
 */
export type CorpusName = "ordinary" | "doubtful" | "evasions" | "writing" | "revealing" | "looking"

/** Reads the texts of one kind. */
export const corpusTexts = (name: CorpusName): ReadonlyArray<string> =>
  readFileSync(fileURLToPath(new URL(`corpus/${name}.txt`, import.meta.url)), "utf8")
    .replace(/\n$/, "")
    .split("\n%\n")
