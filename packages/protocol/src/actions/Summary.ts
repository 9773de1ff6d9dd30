/**
 * A call in one line, for a user interface that shows it closed: the file it reads, `3 files **\/*.ts`,
 * `12 matches "x"`, the short answer of a command, or why it failed.
 */
import { type CallOutcome, callActions, inputOf, type ToolCall, wordsOf } from "./Call.ts"
import type { CallAction } from "./CallAction.ts"

/** How long a summary is at most, in characters. */
export const maxSummary = 80

/** A call in one line. Without an outcome it is still running. */
export const summarise = (call: ToolCall, outcome?: CallOutcome): string => {
  const actions = callActions(call)
  const target = targetOf(call, actions)
  if (outcome === undefined) return short(target)
  if (outcome.denied === true) return short(`Denied: ${target}`)
  if (outcome.failed) return short(failure(outcome) ?? `Failed: ${target}`)
  return short(done(call, actions, outcome) ?? target)
}

/** What each kind of action is about, in a few words. */
const targets: {
  readonly [T in CallAction["type"]]: (action: Extract<CallAction, { type: T }>) => string | undefined
} = {
  read: ({ path }) => path,
  write: ({ path }) => path,
  edit: ({ path }) => path,
  delete: ({ path }) => path,
  list: ({ path, pattern }) => pattern ?? path,
  search: ({ path, pattern }) => (pattern === undefined ? path : `"${pattern}"`),
  command: ({ command }) => command,
  fetch: ({ target }) => target,
  agent: ({ name, task }) => (name === undefined || task === undefined ? (name ?? task) : `${name}: ${task}`),
  question: ({ question }) => question,
  other: () => undefined
}

const aboutOf = <T extends CallAction["type"]>(action: Extract<CallAction, { type: T }>): string | undefined =>
  (targets[action.type as T] as (action: Extract<CallAction, { type: T }>) => string | undefined)(action)

const targetOf = (call: ToolCall, actions: ReadonlyArray<CallAction>): string => {
  const about = [...new Set(actions.flatMap((action) => aboutOf(action) ?? []))]
  return about.length === 0 ? call.tool : about.join(", ")
}

/** Why it failed, in its own first words. */
const failure = ({ content, exitCode }: CallOutcome): string | undefined => {
  const words = wordsOf(content)
    .replace(/^<tool_use_error>([\s\S]*?)(<\/tool_use_error>)?$/, "$1")
    .replace(/^Exit code -?\d+(\n|$)/, "")
  const reason = firstLine(words)
  if (exitCode !== undefined && exitCode !== 0)
    return reason === "" ? `Exit code ${exitCode}` : `Exit code ${exitCode}: ${reason}`
  return reason === "" ? undefined : `Failed: ${reason}`
}

const done = (call: ToolCall, actions: ReadonlyArray<CallAction>, { content }: CallOutcome): string | undefined => {
  const words = wordsOf(content)
  const counted = Object.hasOwn(counts, call.tool) ? counts[call.tool]?.(call, words) : undefined
  if (counted !== undefined) return counted
  const isCommand = actions.some(({ type }) => type === "command")
  const isOther = actions.every(({ type }) => type === "other")
  const answer = words.trim()
  return (isCommand || isOther) && answer !== "" && answer.length < maxSummary && !answer.includes("\n")
    ? answer
    : undefined
}

const linesOf = (words: string): ReadonlyArray<string> => words.split("\n").filter((line) => line.trim() !== "")

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** What a search of Claude Code found, by how it was asked to tell it. */
const grepCounts: Readonly<Record<string, (lines: ReadonlyArray<string>) => string>> = {
  content: (lines) => plural(lines.filter(isMatch).length, "match", "matches"),
  files_with_matches: (lines) => plural(lines.filter((line) => !isRemark(line)).length, "file", "files"),
  count: (lines) =>
    plural(
      lines.reduce((sum, line) => (isRemark(line) ? sum : sum + Number(/:(\d+)$/.exec(line)?.[1] ?? 0)), 0),
      "match",
      "matches"
    )
}

/** A line that says something about the others: `Found 2 files`, `No matches found`, `(Results are truncated…)`. */
const isRemark = (line: string): boolean =>
  /^(Found \d+ (file|total occurrence|line)s?\b|No (files|matches|lines)( were)? found|\(Results are truncated|\[Showing results)/.test(
    line
  )

/** With context around them, the lines that do not match have dashes instead of colons. */
const isMatch = (line: string): boolean => line !== "--" && !isRemark(line) && !/^(\S+-)?\d+-/.test(line)

/** Tools whose results are counted. */
const counts: Readonly<Record<string, (call: ToolCall, words: string) => string>> = {
  Glob: (call, words) => {
    const found = plural(linesOf(words).filter((line) => !isRemark(line)).length, "file", "files")
    const { pattern } = inputOf(call)
    return typeof pattern === "string" ? `${found} ${pattern}` : `${found} matched`
  },
  Grep: (call, words) => {
    const { output_mode: mode = "files_with_matches", pattern } = inputOf(call)
    const count = typeof mode === "string" && Object.hasOwn(grepCounts, mode) ? grepCounts[mode] : grepCounts["content"]
    const found = count?.(linesOf(words)) ?? ""
    return typeof pattern === "string" ? `${found} "${pattern}"` : found
  }
}

const firstLine = (text: string): string => linesOf(text)[0]?.trim() ?? ""

/** One line that fits. No character is cut in half. */
const short = (text: string): string => {
  const line = firstLine(text).replace(/\s+/g, " ")
  const letters = [...line]
  return letters.length <= maxSummary ? line : `${letters.slice(0, maxSummary - 1).join("")}…`
}
