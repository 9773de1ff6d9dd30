/**
 * What a checker says: which rule was broken, by which event, and how much of the stream shows it.
 */
import type { Level, Rule } from "./Rule.ts"

/** A breach of a rule. */
export interface Finding {
  /** The id of the rule. */
  readonly rule: string
  readonly level: Level
  /** Of the first failing event, from 0; -1 for the stream as a whole or its transport. */
  readonly index: number
  /** What is wrong here, in one sentence, with the ids involved. */
  readonly message: string
  /** The event as JSON, cut to 300 characters; empty when there is none. */
  readonly excerpt: string
  /** How many events from the start suffice to show it. */
  readonly prefix: number
}

/** The longest excerpt, in characters. */
const maxExcerpt = 300

/** The longest id or value a message quotes, in characters. */
const maxQuoted = 80

/** A value as JSON, cut. It never throws: what is no JSON (a cycle, a BigInt, a throwing getter) is named instead. */
const excerptOf = (value: unknown): string => {
  if (value === undefined) return ""
  try {
    return cut(JSON.stringify(value) ?? String(value), maxExcerpt)
  } catch (error) {
    return cut(`(not JSON: ${error instanceof Error ? error.message : "unknown"})`, maxExcerpt)
  }
}

/** A string or other value as a message quotes it: in single quotes, cut. */
export const quote = (value: unknown): string =>
  `'${cut(typeof value === "string" ? value : excerptOf(value), maxQuoted)}'`

// A surrogate pair is not cut in two: the halves would not be text.
const cut = (text: string, max: number): string => {
  if (text.length <= max) return text
  const end = max - 1
  const code = text.charCodeAt(end - 1)
  return `${text.slice(0, code >= 0xd800 && code <= 0xdbff ? end - 1 : end)}…`
}

/** A finding about an event. */
export const findingAt = (rule: Rule, index: number, message: string, event: unknown): Finding => ({
  rule: rule.id,
  level: rule.level,
  index,
  message,
  excerpt: excerptOf(event),
  prefix: index + 1
})

/** A finding about the stream as a whole, of which `events` were seen, or about its transport. */
export const findingOfStream = (rule: Rule, message: string, events = 0, excerpt = ""): Finding => ({
  rule: rule.id,
  level: rule.level,
  index: -1,
  message,
  excerpt: cut(excerpt, maxExcerpt),
  prefix: events
})
