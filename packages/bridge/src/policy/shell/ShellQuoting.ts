/**
 * Whether a word is what the parser says it is: each of its parts holds only characters that mean nothing else to bash
 * in that place, and the parts leave nothing out. What this does not know is not understood.
 */
import type { HereDocBody, ParameterExpansionPart, ParameterOperation, Word, WordPart } from "unbash"

/** Where a piece of text stands: in no quotes, in double quotes, in a here-document, or behind the operator of `${x…}`. */
type Quoting = "bare" | "double" | "here" | "operand" | "quotedOperand"

/** What a literal text may consist of, besides `$`. */
const literals: Readonly<Record<Quoting, RegExp>> = {
  bare: /^(?:[^\s\\'"`<>()|&;]|\\[^\n])*$/,
  double: /^(?:[^"\\`]|\\[\s\S])*$/,
  here: /^(?:[^\\`]|\\[^\n])*$/,
  // Single quotes quote nothing in "${x:-'…'}", and elsewhere it depends on the operator: none, then.
  operand: /^(?:[^\n\\'"$`<>(){}]|\\[^\n\\'"$`{}])*$/,
  quotedOperand: /^(?:[^\n\\'"$`<>(){}]|\\[^\n\\'"$`{}])*$/
}

/** What may follow a `$` that stands for itself. */
const afterDollar: Readonly<Record<Quoting, RegExp>> = {
  bare: /^[\s;|&)]?$/,
  double: /^[\s.,:;%/)\]}^+=~|&<>"]$/,
  here: /^[\s.,:;%/)\]}^+=~|&<>]?$/,
  operand: /^\b$/,
  quotedOperand: /^\b$/
}

/** Kinds of parts that mean the same wherever they stand, and those that do so only outside of quotes. */
const anywhere: ReadonlySet<WordPart["type"]> = new Set([
  "Literal",
  "SimpleExpansion",
  "ParameterExpansion",
  "CommandExpansion",
  "ArithmeticExpansion"
] as const)
const unquoted: Readonly<Partial<Record<Quoting, ReadonlySet<WordPart["type"]>>>> = {
  bare: new Set([
    ...(["Glob", "SingleQuoted", "DoubleQuoted", "AnsiCQuoted"] as const),
    ...(["ProcessSubstitution", "BraceExpansion"] as const)
  ]),
  operand: new Set(["Glob", "SingleQuoted", "DoubleQuoted"] as const),
  quotedOperand: new Set(["Glob"] as const)
}

interface Span {
  readonly pos: number
  readonly end: number
}

/** Whether a word or the body of a here-document is what its parts say. Scripts in it are not looked into. */
export const isPlainWord = (source: string, word: Word | HereDocBody, quoting: Quoting): boolean => {
  const { end, parts, pos } = word
  if (quoting === "bare" && source.charAt(pos) === "#") return false
  if (parts === undefined) return isLiteral(source, word, quoting)
  if (parts.length > 1 && parts.some(({ type }) => type === "ProcessSubstitution")) return false
  if (quoting === "bare" && parts.some((part) => hasBrace(source, part)) && !parts.every(isPlainBesideBraces))
    return false
  return isRun(source, parts, pos, end, quoting)
}

const isRun = (source: string, parts: ReadonlyArray<WordPart>, from: number, to: number, quoting: Quoting): boolean => {
  let at = from
  for (const part of parts) {
    if (part.pos !== at || !isPlainPart(source, part, quoting)) return false
    at = part.end
  }
  return at === to
}

const isLiteral = (source: string, { end, pos }: Span, quoting: Quoting): boolean => {
  const text = source.slice(pos, end)
  if (!literals[quoting].test(text)) return false
  for (const { 0: found, index } of text.matchAll(/\\[\s\S]|\$/g))
    if (found === "$" && !afterDollar[quoting].test(source.charAt(pos + index + 1))) return false
  return true
}

const isPlainPart = (source: string, part: WordPart, quoting: Quoting): boolean => {
  if (!anywhere.has(part.type) && unquoted[quoting]?.has(part.type) !== true) return false
  const { end, pos } = part
  const text = source.slice(pos, end)
  switch (part.type) {
    case "Literal":
      return isLiteral(source, part, quoting)
    case "Glob":
    case "BraceExpansion":
      return /^[^\s\\'"$`<>()|&;]+$/.test(text)
    case "SingleQuoted":
      return /^'[^']*'$/.test(text)
    case "AnsiCQuoted":
      return ansiC.test(text)
    case "DoubleQuoted":
      return /^"[\s\S]*"$/.test(text) && isRun(source, part.parts, pos + 1, end - 1, "double")
    case "SimpleExpansion":
      return (
        /^\$(?:[A-Za-z_]\w*|[\d@*#?$!-])$/.test(text) && !/^\$[A-Za-z_]\w*\n\w$/.test(`${text}\n${source.charAt(end)}`)
      )
    case "ParameterExpansion":
      return isExpansion(source, part, quoting)
    case "CommandExpansion":
      return part.script !== undefined && isSubstitution(text, quoting) && holds(part, part.script)
    case "ProcessSubstitution":
      return part.script !== undefined && /^[<>]\((?!\()\s*[^\s)][\s\S]*\)$/.test(text) && holds(part, part.script)
    case "ArithmeticExpansion":
      return isNumeric(text)
    default:
      return false
  }
}

/** Without what depends on the locale: bytes above 127 and `\u`. */
const ansiC =
  /^\$'(?:[^'\\]|\\(?:[\\'"?abeEfnrtv]|x(?:[0-7][\da-fA-F]|[\da-fA-F](?![\da-fA-F]))|1[0-7]{2}|0[0-7]{2}))*'$/

/** Backticks are the end of whatever they are in; a backslash means something else there. */
const isSubstitution = (text: string, quoting: Quoting): boolean =>
  /^\$\((?!\()[\s\S]*\)$/.test(text) ||
  (quoting === "bare" ? /^`[^`\\#]*`$/ : /^`[^`\\#'"]*`$/).test(text.replace(/<</g, "#"))

const holds = (
  { end, pos, text }: Span & { readonly text: string },
  script: Span & { readonly source?: string }
): boolean =>
  script.source === undefined && script.pos === pos + (text.startsWith("`") ? 1 : 2) && script.end === end - 1

/** Bash evaluates what variables hold, and `$((a) | (b))` is no arithmetic. */
const isNumeric = (text: string): boolean => {
  if (!/^\$\(\([\d +*/%<>=!&|^~?:,()-]*\)\)$/.test(text)) return false
  let depth = 0
  for (const letter of text.slice(3, -2)) {
    if (letter === "(") depth++
    if (letter === ")" && --depth < 0) return false
  }
  return depth === 0
}

const parameter = /^\$\{#?(?:[A-Za-z_]\w*|\d+|[@*#?$!-])(?:\[(?:\d+|[@*])\])?/

const isExpansion = (source: string, part: ParameterExpansionPart, quoting: Quoting): boolean => {
  const { end, operation, pos, prefix } = part
  const head = parameter.exec(source.slice(pos, end))?.[0]
  if (head === undefined || source.charAt(end - 1) !== "}") return false
  if (operation === undefined) return head.length === end - pos - 1
  return (
    prefix === undefined &&
    operation.pos === pos + head.length &&
    operation.end === end - 1 &&
    source.slice(operation.pos, operation.operatorEnd) === operation.operator &&
    isOperation(source, operation, quoting === "bare" || quoting === "operand" ? "operand" : "quotedOperand")
  )
}

const isOperation = (source: string, operation: ParameterOperation, quoting: Quoting): boolean => {
  const { end, operatorEnd } = operation
  const isWhole = (word: Word, from: number, to: number): boolean =>
    word.pos === from && word.end === to && isPlainWord(source, word, quoting)
  switch (operation.type) {
    case "Default":
    case "Remove":
      return isWhole(operation.operand, operatorEnd, end)
    case "CaseModification":
      return operation.operand === undefined ? operatorEnd === end : isWhole(operation.operand, operatorEnd, end)
    case "Replace": {
      const { pattern, replacement } = operation
      const isBoth = source.charAt(pattern.end) === "/" && isWhole(replacement, pattern.end + 1, end)
      return isWhole(pattern, operatorEnd, pattern.end) && (pattern.end === end || isBoth)
    }
    case "Slice":
      return /^:[\d: -]+$/.test(source.slice(operation.pos, end))
    default:
      return false
  }
}

const hasBrace = (source: string, part: WordPart): boolean =>
  part.type === "BraceExpansion" || (part.type === "Literal" && source.slice(part.pos, part.end).includes("{"))

/** Braces are expanded before all else, as text: they must not be able to make new expansions of old ones. */
const isPlainBesideBraces = (part: WordPart): boolean =>
  part.type === "DoubleQuoted"
    ? part.parts.every(({ type }) => type === "Literal" || type === "SimpleExpansion")
    : /^(?:Literal|Glob|BraceExpansion|SingleQuoted|SimpleExpansion)$/.test(part.type)
