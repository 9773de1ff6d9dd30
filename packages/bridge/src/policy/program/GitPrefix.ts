/**
 * What stands between `git` and its command and changes nothing about it: `git --no-pager log` is a `git log`, and so is
 * `git -C . log`.
 *
 * Another folder is not: what is checked in below it may be a repository by itself, whose configuration names programs
 * that even `git status` runs. Who trusts one allows `git -C folder log *`.
 */
import { basename, resolve } from "node:path"
import type { ShellWord } from "../shell/ShellWord.ts"

/** Options that decide how, and never what. */
const harmless: ReadonlySet<string> = new Set(["--no-pager", "-P", "--no-optional-locks"])

/** A command of git without what changes nothing about it; undefined where there is nothing of the kind. */
export const withoutGitPrefix = (
  words: ReadonlyArray<ShellWord>,
  cwd: string
): ReadonlyArray<ShellWord> | undefined => {
  const [program] = words
  if (program?.value === undefined || basename(program.value) !== "git") return undefined
  let at = 1
  for (let word = words[at]; word !== undefined; word = words[at]) {
    if (word.many) break
    if (harmless.has(word.value ?? "")) at++
    else if (word.value === "-C" && isHere(words[at + 1], cwd)) at += 2
    else break
  }
  return at === 1 ? undefined : [program, ...words.slice(at)]
}

/** The folder in which the command runs anyway: as `.`, or by the path of the working folder. */
const isHere = (word: ShellWord | undefined, cwd: string): boolean =>
  word?.value !== undefined &&
  !word.many &&
  (/^\.\/?$/.test(word.value) || (word.value.startsWith("/") && resolve(word.value) === resolve(cwd)))
