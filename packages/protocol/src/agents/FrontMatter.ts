/**
 * The front matter of a Markdown file as Claude Code 2.1.325 reads it.
 *
 * It ends at the first `---` after its beginning, wherever that is: within a value, too. What is not YAML is read again
 * with the values in quotes that look as if they needed them, which is why `description: Use this: always` works.
 */
import * as Yaml from "effect/encoding/Yaml"
import * as Result from "effect/Result"
import { AgentFileInvalid, type Place, placeAt } from "./Failure.ts"

/** A Markdown file in its two parts. */
export interface FrontMatter {
  readonly values: Readonly<Record<string, unknown>>
  /** Where the value of a key is, or the key where there is none. */
  readonly placeOf: (key: string) => Place
  readonly body: string
}

/** Where the program takes the front matter to end. */
const asTheProgramReads = /^---\s*\n([\s\S]*?)---\s*\n?/
/** Where its writer meant it to end. */
const asItIsMeant = /^---[ \t]*\n([\s\S]*?)\n?^---[ \t]*$/m

/** A longer front matter is not read: the time that the parser takes grows faster than the text. */
const maxLength = 65_536

/** Splits a file and reads its front matter. Lines end with a line feed. */
export const readFrontMatter = (file: string): Result.Result<FrontMatter, AgentFileInvalid> => {
  // Looked for first: without an end, the pattern would try every line end as a beginning.
  const read = file.includes("---", 3) ? asTheProgramReads.exec(file) : null
  if (read === null)
    return invalid("AGENT_NO_FRONT_MATTER", { line: 1, column: 1 }, "The file does not begin with front matter in ---.")
  const yaml = read[1] ?? ""
  const start = read[0].indexOf("\n") + 1
  if (yaml.length > maxLength)
    return invalid("AGENT_SYNTAX", { line: 2, column: 1 }, `The front matter has more than ${maxLength} characters.`)
  const meant = asItIsMeant.exec(file)
  if (meant?.[1]?.trim() !== yaml.trim()) {
    const cut = placeAt(file, file.indexOf("---", 3))
    return invalid("AGENT_FRONT_MATTER_CUT", cut, "Claude Code takes the front matter to end at this ---.")
  }
  const placeOf = (key: string): Place => placeOfKey(file, start, yaml, key)
  const tag = /^([\w-]+:|[ \t]*-)[ \t]+!/m.exec(yaml)
  if (tag !== null)
    return invalid("AGENT_SYNTAX", placeAt(file, start + tag.index + tag[0].length - 1), "Tags of YAML are not read.")
  return parse(yaml).pipe(
    Result.mapError(({ line, message }) => failure("AGENT_SYNTAX", { line: line + 1, column: 1 }, message)),
    Result.map((values) => ({ values, placeOf, body: file.slice(read[0].length) }))
  )
}

interface NotYaml {
  /** Within the front matter, from 1. */
  readonly line: number
  readonly message: string
}

const parse = (yaml: string): Result.Result<Readonly<Record<string, unknown>>, NotYaml> => {
  const asWritten = parseYaml(yaml)
  if (Result.isSuccess(asWritten)) return asWritten
  const quoted = parseYaml(yaml.split("\n").map(quoteValue).join("\n").replaceAll(/^\t+/gm, indented))
  return Result.isSuccess(quoted) ? quoted : asWritten
}

const indented = (tabs: string): string => "  ".repeat(tabs.length)

const parseYaml = (yaml: string): Result.Result<Readonly<Record<string, unknown>>, NotYaml> => {
  try {
    const value = Yaml.parse(yaml)
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return Result.succeed({ ...value })
    return Result.fail({ line: 1, message: "The front matter is not a list of keys and values." })
  } catch (error) {
    const [, message = String(error), line] = /^SyntaxError: (.*?)(?: at line (\d+))?$/.exec(String(error)) ?? []
    return Result.fail({ line: line === undefined ? firstBadEntry(yaml) : Number(line), message })
  }
}

/** The line of the first key that cannot be read by itself, for failures that do not say where they are. */
const firstBadEntry = (yaml: string): number => {
  const lines = yaml.split("\n")
  const starts = lines.flatMap((text, index) => (/^[^\s#-]/.test(text) ? [index] : []))
  const bad = starts.find((start, index) => {
    try {
      Yaml.parse(lines.slice(start, starts[index + 1]).join("\n"))
      return false
    } catch {
      return true
    }
  })
  return (bad ?? 0) + 1
}

/** What the program puts into quotes at its second try. */
const looksOdd = /[{}[\]*&#!|>%@`]|: /

const quoteValue = (line: string): string => {
  const [, key, value] = /^([a-zA-Z_-]+):\s+(\S.*)$/.exec(line) ?? []
  if (key === undefined || value === undefined || !looksOdd.test(value)) return line
  if (/^".*"$/.test(value) || /^'.*'$/.test(value) || isFlowSequence(value)) return line
  return `${key}: "${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`
}

const isFlowSequence = (value: string): boolean => {
  if (!value.startsWith("[") || !value.endsWith("]")) return false
  try {
    return Array.isArray(Yaml.parse(value))
  } catch {
    return false
  }
}

const placeOfKey = (file: string, start: number, yaml: string, key: string): Place => {
  const entry = new RegExp(`^["']?${key}["']?[ \\t]*:[ \\t]*`, "m").exec(yaml)
  return entry === null ? { line: 1, column: 1 } : placeAt(file, start + entry.index + entry[0].length)
}

const failure = (code: AgentFileInvalid["code"], place: Place, message: string): AgentFileInvalid =>
  new AgentFileInvalid({ code, message, ...place })

const invalid = (
  code: AgentFileInvalid["code"],
  place: Place,
  message: string
): Result.Result<never, AgentFileInvalid> => Result.fail(failure(code, place, message))
