/**
 * One word of a shell text: what the program will read, as far as that can be said before the shell has run.
 */
import { homedir } from "node:os"
import type { Assignment, Word, WordPart } from "unbash"

/** One word. */
export interface ShellWord {
  /** As it was written. */
  readonly text: string
  /** What the program reads; undefined when only the shell will know. */
  readonly value: string | undefined
  /** May become any number of words, also none. */
  readonly many: boolean
}

/** A word that is known. */
export const plainWord = (value: string): ShellWord => ({ text: value, value, many: false })

/** A word, or words, of which nothing is known. */
export const unknownWord = (text: string, many: boolean): ShellWord => ({ text, value: undefined, many })

/** The word of a parsed one. */
export const wordOf = (word: Word | Assignment): ShellWord => {
  if (word.type === "Assignment") {
    const value = word.value.type === "Word" ? wordOf(word.value).value : undefined
    const known = value === undefined || word.index !== undefined ? undefined : `${word.name}=${value}`
    return { text: word.text, value: known, many: false }
  }
  const { parts, text } = word
  const pieces = parts === undefined ? [plainWord(word.value)] : parts.map(pieceOf)
  const many = pieces.some((piece) => piece.many) || mayBeMany(word)
  const value = pieces.reduce<string | undefined>(
    (sum, piece) => (sum === undefined || piece.value === undefined ? undefined : sum + piece.value),
    ""
  )
  // Bash cuts a word at a NUL.
  if (value === undefined || many || value.includes("\0") || unknownHome.test(text)) return unknownWord(text, many)
  return { text, value: text.startsWith("~") ? homedir() + value.slice(1) : value, many }
}

/** The home of another user, a folder that `cd` left, or a home in a word that looks like an assignment. */
const unknownHome = /^~[^/]|^[A-Za-z_]\w*\+?=[\s\S]*~/

/** Whether bash may make several words of what is not quoted: by braces, or by a pattern, even one that is quoted in parts. */
const mayBeMany = ({ parts, text }: Word): boolean => {
  const bare = (parts?.map((part) => (part.type === "Literal" ? part.text : " ")) ?? [text]).join("")
  return /\{[\s\S]*(?:,|\.\.)|[*?]|\[[\s\S]*\]/.test(bare.replace(/\\[\s\S]/g, ""))
}

const pieceOf = (part: WordPart): ShellWord => {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return { text: part.text, value: part.value, many: false }
    case "DoubleQuoted": {
      const isKnown = part.parts.every(({ type }) => type === "Literal")
      const value = isKnown ? part.parts.map((child) => pieceOf(child).value ?? "").join("") : undefined
      return { text: part.text, value, many: part.parts.some(isList) }
    }
    case "LocaleString":
    case "ProcessSubstitution":
      return unknownWord(part.text, false)
    default:
      return unknownWord(part.text, true)
  }
}

/** `"$@"` and `"${x[@]}"` are many words also within quotes; a quote in `"${x:-"$y"}"` ends the outer quotes. */
const isList = (part: WordPart): boolean =>
  (part.type === "SimpleExpansion" || part.type === "ParameterExpansion") && /[@"]/.test(part.text)
