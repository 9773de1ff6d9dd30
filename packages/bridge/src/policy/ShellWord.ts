/**
 * One word of a shell text: what the program will read, as far as that can be said before the shell has run.
 */
import type { Assignment, Word, WordPart } from "unbash"
import { expandHome } from "./RealPath.ts"

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
  // The home of another user, or a folder that `cd` left.
  if (/^~[^/]/.test(text)) return unknownWord(text, false)
  const pieces = parts === undefined ? [plainWord(word.value)] : parts.map(pieceOf)
  // Braces expand before all else, also where quotes within quotes only seem to hold them together.
  const many = pieces.some((piece) => piece.many) || /{.*(,|\.\.)/s.test(text)
  const value = pieces.reduce<string | undefined>(
    (sum, piece) => (sum === undefined || piece.value === undefined ? undefined : sum + piece.value),
    ""
  )
  const isGlob = isPattern(word)
  // Bash cuts a word at a NUL, and expands `~` behind the `=` of a word that looks like an assignment.
  if (value === undefined || many || isGlob || value.includes("\0") || /^[A-Za-z_]\w*\+?=.*~/s.test(text))
    return unknownWord(text, many || isGlob)
  return { text, value: text.startsWith("~") ? expandHome(value) : value, many }
}

/** Whether bash may take a word for names of files, also where the parser sees no pattern, as in `["a"]`. */
const isPattern = ({ parts, text }: Word): boolean => {
  const bare = (parts?.map((part) => (part.type === "Literal" ? part.text : " ")) ?? [text]).join("")
  return /[*?]|\[[\s\S]*\]/.test(bare.replace(/\\[\s\S]/g, ""))
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
