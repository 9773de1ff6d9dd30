/** `agentwire history show`: what was said in a session. */
import type { Model } from "@agentwire/protocol"
import { columns, type ExitCode, type Input } from "../../Command.ts"
import type { Console } from "../../Console.ts"
import { wholeNumber } from "../../OptionValue.ts"
import { escapeControls, type Paint } from "../../Paint.ts"
import { type Conversation, conversationOf, isoOf, keeperNames, type TimedEntry } from "./Session.ts"

/** Shows the newest entries of a conversation, or those before one. */
export const show = async (name: string, input: Input, console: Console): Promise<ExitCode> => {
  const limit = wholeNumber("limit", input.values["limit"], 1) ?? 50
  const before = wholeNumber("before", input.values["before"], 1)
  const conversation = await conversationOf(name, input)
  const earlier = before === undefined ? conversation.entries : conversation.entries.slice(0, before - 1)
  const page = earlier.slice(-limit)
  const more = earlier.length > page.length
  if (input.values["json"] === true) {
    await console.out(JSON.stringify({ ...aboutOf(conversation), more }))
    for (const entry of page) await console.out(JSON.stringify(entry))
    return 0
  }
  await console.out(headOf(conversation, console.paint))
  const [first] = page
  if (more && first !== undefined)
    await console.out(
      console.paint.quiet(`\n${first.position - 1} earlier: agentwire history show ${name} --before ${first.position}`)
    )
  for (const entry of page) await console.out(`\n${shown(entry, console.paint)}`)
  return 0
}

/** What is told about a session beside what was said in it. */
export interface AboutSession extends Pick<Conversation, "branches" | "file" | "models" | "runtime" | "usage"> {
  readonly sessionId: string
  readonly title: string | null
  readonly titleBy: string | null
  readonly cwd: string | null
  readonly gitBranch: string | null
  readonly model: string | null
  readonly version: string | null
  readonly createdAt: string | null
  readonly activeAt: string | null
  /** How many there are. */
  readonly entries: number
  /** How many lines could not be read. */
  readonly unread: number
  /** The file ends in the middle of a line. */
  readonly torn: boolean
}

/** What is told about a session beside what was said in it. */
export const aboutOf = ({
  branches,
  entries,
  facts,
  file,
  isTorn,
  models,
  runtime,
  sessionId,
  unread,
  usage
}: Conversation): AboutSession => ({
  runtime,
  sessionId,
  title: facts.title ?? null,
  titleBy: facts.titleBy ?? null,
  cwd: facts.cwd ?? null,
  gitBranch: facts.gitBranch ?? null,
  model: facts.model ?? null,
  version: facts.version ?? null,
  createdAt: isoOf(facts.createdAt),
  activeAt: isoOf(facts.activeAt),
  file,
  usage,
  models,
  branches,
  entries: entries.length,
  unread,
  torn: isTorn
})

const shownBranches = 5

const headOf = (conversation: Conversation, paint: Paint): string => {
  const { branches, entries, facts, firstUnread, isTorn, runtime, sessionId, unread, usage } = conversation
  const others = branches.slice(0, shownBranches).map(({ leaf }) => leaf)
  const rows: ReadonlyArray<readonly [string, string]> = [
    ["session", sessionId],
    ["folder", facts.cwd ?? "not known"],
    ["agent", `${keeperNames[runtime]} ${facts.version ?? ""}${facts.model === undefined ? "" : `, ${facts.model}`}`],
    ["said", `${timeOf(facts.createdAt)} to ${timeOf(facts.activeAt)}, ${entries.length} entries`],
    ["spent", spentOf(usage)],
    ...(branches.length === 0
      ? []
      : [["branches", `${others.join(", ")}${branches.length > others.length ? ", …" : ""}: see --branch`] as const]),
    ...(unread === 0 ? [] : [["unread", `${unread} lines, the first is ${firstUnread}`] as const]),
    ...(isTorn ? [["end", "in the middle of a line: it is being written, or was cut"] as const] : [])
  ]
  return `${paint.strong(escapeControls(facts.title ?? "Nothing was said"))}\n${columns(rows)}`
}

const timeOf = (at: number | undefined): string => (isoOf(at) ?? "not known").slice(0, 19).replace("T", " ")

/** Tokens for people. */
export const spentOf = ({ cachedInput, cacheWriteInput, input, output }: Model.Usage): string =>
  `${input} tokens in (${cachedInput} from the cache, ${cacheWriteInput} into it), ${output} out`

const longestResult = 2000
const longestArguments = 400

/** An entry for people. What was said is indented, so that it cannot look like something else. */
const shown = ({ entry, position }: TimedEntry, paint: Paint): string => {
  const lane = entry.lane === null ? "" : ` in ${escapeControls(entry.lane)}`
  const head = (words: string): string => `${paint.quiet(`${position}${lane}`)} ${words}`
  switch (entry.kind) {
    case "prompt":
      return `${head(paint.strong("prompt"))}\n${indented(wordsOf(entry.content))}`
    case "text":
      return `${head(paint.good("answer"))}\n${indented(entry.text)}`
    case "thought":
      return `${head(paint.quiet("thought"))}\n${indented(entry.text)}`
    case "call":
      return `${head(paint.doubtful(`calls ${escapeControls(entry.tool)}`))}\n${indented(cut(entry.arguments, longestArguments))}`
    case "result":
      return `${head(entry.failed ? paint.bad("failed") : paint.doubtful("result"))}\n${indented(cut(wordsOf(entry.content), longestResult))}`
    case "task":
      return head("task")
  }
}

const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}… (${text.length} characters; export has all of them)`

const indented = (text: string): string =>
  text
    .split(/\r\n|[\n\r]/)
    .map((line) => `  ${line}`)
    .join("\n")

/** The words of a content; of what is none, what it is. */
export const wordsOf = (content: Model.Content): string =>
  typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n")
