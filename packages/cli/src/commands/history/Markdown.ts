/**
 * A session as Markdown. What was said cannot break out of its place: prompts and answers are quotations, word for word,
 * and calls and results are in fences that are longer than any within.
 */
import type { Model } from "@agentwire/protocol"
import { type Conversation, isoOf, keeperNames, type TimedEntry } from "./Session.ts"
import { spentOf, wordsOf } from "./show.ts"

/** The session as Markdown. */
export const markdownOf = (conversation: Conversation): string => {
  const { entries, facts, runtime, sessionId, usage } = conversation
  const about: ReadonlyArray<readonly [string, string | undefined]> = [
    ["session", sessionId],
    ["folder", facts.cwd],
    ["agent", `${keeperNames[runtime]} ${facts.version ?? ""}`.trim()],
    ["model", facts.model],
    ["begun", isoOf(facts.createdAt) ?? undefined],
    ["last message", isoOf(facts.activeAt) ?? undefined],
    ["spent", spentOf(usage)]
  ]
  return [
    `# ${lineOf(facts.title ?? "A session")}`,
    about.flatMap(([name, value]) => (value === undefined ? [] : [`- ${name}: ${codeOf(value)}`])).join("\n"),
    ...entries.map(sectionOf),
    ""
  ].join("\n\n")
}

const sectionOf = ({ at, entry }: TimedEntry): string => {
  const where = entry.lane === null ? "" : ` in ${codeOf(entry.lane)}`
  const when = at === null ? "" : ` (${at})`
  const head = (words: string): string => `## ${words}${where}${when}`
  switch (entry.kind) {
    case "prompt":
      return `${head("Prompt")}\n\n${quoted(wordsOf(entry.content))}`
    case "text":
      return `${head("Answer")}\n\n${quoted(entry.text)}`
    case "thought":
      return `${head("Thought")}\n\n${quoted(entry.text)}`
    case "call":
      return `${head(`Call of ${codeOf(entry.tool)}`)}\n\n${fenced(entry.arguments, "json")}`
    case "result":
      return `${head(entry.failed ? "Failed" : "Result")}\n\n${resultOf(entry.content)}`
    case "task":
      return `${head("Task")}\n\n${fenced(JSON.stringify(entry.content), "json")}`
  }
}

const resultOf = (content: Model.Content): string => fenced(wordsOf(content), "")

/** As a quotation, so that a heading in it is none of ours. */
const quoted = (text: string): string =>
  text
    .split(/\r\n|[\n\r]/)
    .map((line) => `> ${line}`)
    .join("\n")

/** A fence that is longer than any run of its character in the text. */
const fenced = (text: string, language: string): string => {
  const longest = (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 2)
  const fence = "`".repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

/** A text as code on one line. */
const codeOf = (text: string): string => {
  const line = text.replaceAll(/[\r\n]+/g, " ")
  const longest = (line.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0)
  const fence = "`".repeat(longest + 1)
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`
}

/** A text on one line, with nothing that means something in Markdown. */
const lineOf = (text: string): string => text.replaceAll(/[\r\n]+/g, " ").replaceAll(/[\\`*_[\]<>#|~]/g, "\\$&")
