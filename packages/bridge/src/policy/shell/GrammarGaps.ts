/** What may stand between the nodes of a syntax tree by bash's grammar: spaces, operators, keywords and comments. */
import type { CompoundList, Statement } from "unbash"

/** A piece of text between nodes, and what it may be. */
export type Gap = readonly [from: number, to: number, allowed: RegExp]

const compiled = new Map<string, RegExp>()

/** Exactly this pattern. */
export const exactly = (pattern: string): RegExp => {
  const known = compiled.get(pattern) ?? new RegExp(`^${pattern}$`)
  compiled.set(pattern, known)
  return known
}

/** A space within a line. A backslash at its end joins what is before and after it, even operators: only behind a space. */
export const blank = "(?:[ \\t]|(?<=[ \\t\\n])\\\\\\n)"

/** A space, the end of a line, or a comment to the end of its line. */
export const space = `(?:${blank}|\\n|(?<=[ \\t\\n])#[^\\n]*\\n)`

/** The end of a command that is followed by another one, or by a keyword. */
const end = `${blank}*(?:;|\\n|(?<=[ \\t])#[^\\n]*\\n)${space}*`

/** The end of a command that is followed by a bracket, or by nothing. */
export const lastEnd = `${blank}*;?${space}*`

/** Not even nothing. */
export const never = /(?!)/
/** Nothing at all. */
export const nothing = exactly("")
/** Blanks, one at least. */
export const blanks = exactly(`${blank}+`)
/** Blanks, or nothing. */
export const maybeBlanks = exactly(`${blank}*`)
/** Blanks, new lines and comments, one at least. */
export const spaces = exactly(`${space}+`)
/** Blanks, new lines and comments, or nothing. */
export const maybeSpaces = exactly(`${space}*`)
/** What ends a command and lets another follow. */
export const separator = exactly(end)

/** A keyword that a command follows. */
export const keyword = (word: string): RegExp => exactly(`${word}${space}+`)

/** What joins two commands, by its sign. */
export const joints = {
  "&&": exactly(`${blank}*&&${space}*`),
  "||": exactly(`${blank}*\\|\\|${space}*`),
  "|": exactly(`${blank}*\\|${space}*`),
  "|&": exactly(`${blank}*\\|&${space}*`)
} as const

/** Behind a list of commands: what ends the last of them, and a pattern. */
export const after = ({ commands }: CompoundList, pattern: string): RegExp =>
  exactly(`${isBackground(commands) ? `${space}+` : end}${pattern}`)

/** Whether the last command has an `&`, which is an end of its own. */
export const isBackground = (commands: ReadonlyArray<Statement>): boolean => commands.at(-1)?.background === true

interface Span {
  readonly pos: number
  readonly end: number
}

/** The gaps between nodes that follow each other. */
export const between = <Node extends Span>(
  nodes: ReadonlyArray<Node>,
  allowed: (before: Node, at: number) => RegExp
): ReadonlyArray<Gap> =>
  nodes.slice(1).map((next, at): Gap => {
    const before = nodes[at] ?? next
    return [before.end, next.pos, allowed(before, at)]
  })
