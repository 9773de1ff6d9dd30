/**
 * Patterns for one simple command, word by word: `git push *`.
 *
 * A word `*` stands for any number of words, including none; within a word `*` stands for any characters and `?` for one.
 * Words are compared without their quotes, as the program will read them.
 */
import { basename, dirname, resolve } from "node:path"
import { betterMatch, type Match, matchItems, matchOf, matchText, type Reach, type Step } from "./Match.ts"
import { withoutGitPrefix } from "./program/GitPrefix.ts"
import { trustedFolders } from "./program/Programs.ts"
import { expandHome } from "./RealPath.ts"
import type { ShellWord } from "./shell/ShellWord.ts"

/** What is wrong with a pattern, in words; undefined: nothing. */
export const commandPatternProblem = (pattern: string): string | undefined => {
  const words = wordsOf(pattern)
  if (words.length === 0) return "A command pattern needs at least one word."
  if (/["'\\$`\n]/.test(pattern)) return "Words are compared without quotes: leave quotes, \\, $ and ` out."
  const operator = words.find((word) => /^[;&|<>()]+$/.test(word) || /[;|<>]/.test(word))
  return operator === undefined
    ? undefined
    : `A pattern is for one simple command, and ${operator} is not part of one. Chains are taken apart first.`
}

const wordsOf = (pattern: string): ReadonlyArray<string> => pattern.split(/\s+/).filter((word) => word !== "")

/** Whether a pattern has a word for an option, and not only for whatever comes. */
export const namesOption = (pattern: string, option: string): boolean =>
  wordsOf(pattern).some((word) => word.startsWith("-") && matchText(word, option))

/** How a pattern meets a command. */
export type CommandMatcher = (words: ReadonlyArray<ShellWord>) => Match

/**
 * How a pattern matches a command. To allow, the match must be certain: what changes nothing about a command of git may
 * stand before it. To refuse, options before a word of the
 * pattern do not hide it (`git -C . push` may be a `git push`), nor does the folder of the program or the case of its letters.
 */
export const commandMatcher = (pattern: string, cwd: string, isStrict: boolean): CommandMatcher => {
  const steps = stepsOf(pattern, cwd, isStrict)
  const [first] = steps
  return (words) => {
    const [program] = words
    // Most patterns are about other programs.
    if (program?.many === false && typeof first === "function" && first(program) === "no") return "no"
    if (isStrict) return matchItems(steps, words, loose)
    const match = matchItems(steps, words, exact)
    const plain = match === "yes" ? undefined : withoutGitPrefix(words, cwd)
    return plain === undefined ? match : betterMatch(match, matchItems(steps, plain, exact))
  }
}

/** Whether a command has another one among its words that a pattern fits. */
export const mentionMatcher = (pattern: string, cwd: string): ((words: ReadonlyArray<ShellWord>) => boolean) => {
  const steps: ReadonlyArray<Step<ShellWord>> = ["many", ...stepsOf(pattern, cwd, true)]
  return (words) => matchItems(steps, words.slice(1), loose) === "yes"
}

const stepsOf = (pattern: string, cwd: string, isStrict: boolean): ReadonlyArray<Step<ShellWord>> => {
  const [program = "", ...args] = wordsOf(pattern)
  const first: Step<ShellWord> = program === "*" ? "many" : isStrict ? denies(program, cwd) : allows(program)
  return [first, ...args.map((word) => argument(word, isStrict))]
}

const exact: Reach<ShellWord> = { isMany: ({ many }) => many, mayBeSkipped: () => false }

const isOption = (word: ShellWord | undefined): boolean => word?.value?.startsWith("-") === true

const loose: Reach<ShellWord> = {
  isMany: ({ many }) => many,
  mayBeSkipped: (word, previous) => isOption(word) || isOption(previous)
}

const argument = (pattern: string, isStrict: boolean): Step<ShellWord> => {
  if (pattern === "*") return "many"
  const expanded = expandHome(pattern)
  const [option = ""] = isStrict ? (/^--[^=*?]+/.exec(pattern) ?? []) : []
  return ({ value }) => {
    if (value === undefined) return "maybe"
    if (matchText(expanded, value)) return "yes"
    // Many programs take the beginning of a long option for it.
    const [name = ""] = /^--[^=]+/.exec(value) ?? []
    return name !== "" && option.startsWith(name) ? "maybe" : "no"
  }
}

const allows = (pattern: string): Step<ShellWord> => {
  if (pattern.includes("/")) {
    const expanded = expandHome(pattern)
    return ({ value }) => matchOf(value?.includes("/") === true && matchText(expanded, value))
  }
  return ({ value }) => {
    if (value === undefined) return "no"
    const isKnown = !value.includes("/") || trustedFolders.has(dirname(value))
    return matchOf(isKnown && matchText(pattern, basename(value)))
  }
}

const denies = (pattern: string, cwd: string): Step<ShellWord> => {
  const name = basename(pattern).toLowerCase()
  const path = pattern.includes("/") ? resolve(cwd, expandHome(pattern)) : undefined
  return ({ value }) => {
    if (value === undefined) return "maybe"
    const isNamed = matchText(name, basename(value).toLowerCase())
    if (path === undefined) return matchOf(isNamed)
    return value.includes("/") && matchText(path, resolve(cwd, value)) ? "yes" : isNamed ? "maybe" : "no"
  }
}
