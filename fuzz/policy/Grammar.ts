/**
 * Shell texts made by bash's grammar (`grammar.txt`), with a command that no policy allows (`rm`) in places where it may
 * or may not run: within quotes, expansions, here-documents, comments and the arguments of programs that run others.
 */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Random } from "./Random.ts"

/** A piece of an alternative: a text, or what another rule makes, as it is or in quotes. */
type Piece = string | { readonly rule: string; readonly quote: (text: string) => string }

type Rules = ReadonlyMap<string, ReadonlyArray<ReadonlyArray<Piece>>>

const quotes: Readonly<Record<string, (text: string) => string>> = {
  "": (text) => text,
  "single:": (text) => `'${text.replaceAll("'", "'\\''")}'`,
  "double:": (text) => `"${text.replace(/[\\"$`]/g, "\\$&")}"`
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", s: " ", "\\": "\\" }

const unescaped = (text: string): string =>
  text.replace(/\\([nts\\])/g, (_, letter: string) => escapes[letter] ?? letter)

const piecesOf = (line: string): ReadonlyArray<Piece> =>
  line.split(/(<(?:single:|double:)?[a-z]+>)/).map((piece) => {
    const [, quote, rule] = /^<(single:|double:|)([a-z]+)>$/.exec(piece) ?? []
    return rule === undefined ? unescaped(piece) : { rule, quote: quotes[quote ?? ""] ?? unescaped }
  })

const rulesFrom = (grammar: string): Rules => {
  const rules = new Map<string, Array<ReadonlyArray<Piece>>>()
  let current: Array<ReadonlyArray<Piece>> = []
  for (const line of grammar.split("\n")) {
    if (line.startsWith("  ")) current.push(piecesOf(line.slice(2)))
    else if (/^[a-z]+:$/.test(line)) {
      current = []
      rules.set(line.slice(0, -1), current)
    }
  }
  return rules
}

const rules = rulesFrom(readFileSync(fileURLToPath(new URL("grammar.txt", import.meta.url)), "utf8"))

const make = (random: Random, rule: string, depth: number): string => {
  const alternatives = rules.get(rule) ?? []
  const chosen = (depth <= 0 ? alternatives[0] : random.pick(alternatives)) ?? []
  return chosen
    .map((piece) => (typeof piece === "string" ? piece : piece.quote(make(random, piece.rule, depth - 1))))
    .join("")
}

/** Makes a shell text. */
export const generated = (random: Random): string => make(random, "script", 3 + random.below(9))
