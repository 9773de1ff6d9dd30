/**
 * Whose words a `user` line of a session file has: the person's, a tool's, or the CLI's own, told apart by the marks that
 * the CLI puts on them (docs/wire/claude-code.md §12).
 */
import type { Said } from "../../model/Command.ts"
import { hostPrompt } from "../command/HostPrompt.ts"
import { fieldsIn, textIn } from "../fold/Fields.ts"
import type { User } from "../User.ts"
import type { QueuedCommandLine } from "./AttachmentLine.ts"
import type { UserLine } from "./Line.ts"

/** Whose words they are. */
export type UserWords =
  /** Results of tools. */
  | { readonly kind: "results" }
  /** The person's. */
  | { readonly kind: "prompt"; readonly said: Said }
  /** What a slash command, or a command behind `!`, printed. */
  | { readonly kind: "output"; readonly text: string }
  /** The summary of a compaction. */
  | { readonly kind: "summary" }
  /** That the person interrupted. */
  | { readonly kind: "interruption" }
  /** The end of a task, a message of another agent: it begins a turn that nobody asked for. */
  | { readonly kind: "event" }
  /** What the CLI made up for the model. */
  | { readonly kind: "made_up" }

/** Whose words a `user` line has. */
export const wordsOf = (line: UserLine): UserWords => {
  const { content } = line.message
  if (typeof content !== "string" && content.some(({ type }) => type === "tool_result")) return { kind: "results" }
  if (line.isCompactSummary === true) return { kind: "summary" }
  const text = textOf(content)
  if (isMadeUp(line, text)) return { kind: "made_up" }
  if (text.startsWith("[Request interrupted by user")) return { kind: "interruption" }
  const output = outputIn(text)
  if (output !== undefined) return { kind: "output", text: output }
  if (isEvent(line.origin) || text.startsWith("<task-notification>")) return { kind: "event" }
  const command = commandIn(text)
  if (command !== undefined) return { kind: "prompt", said: { id: line.uuid, content: command } }
  const said = hostPrompt(asHostLine(line), line.uuid)
  return said === undefined ? { kind: "made_up" } : { kind: "prompt", said }
}

/** Whose words a prompt has that came in the middle of a turn. */
export const queuedWordsOf = (line: QueuedCommandLine): UserWords => {
  const { commandMode, isMeta, origin, prompt, source_uuid } = line.attachment
  if (isMeta === true) return { kind: "made_up" }
  if (commandMode === "task-notification" || isEvent(origin)) return { kind: "event" }
  const id = source_uuid === undefined || source_uuid === "" ? line.uuid : source_uuid
  const said = hostPrompt(
    { type: "user", message: { role: "user", content: prompt }, parent_tool_use_id: null, uuid: id },
    id
  )
  return said === undefined ? { kind: "made_up" } : { kind: "prompt", said }
}

const asHostLine = ({ message: { content }, uuid }: UserLine): User => ({
  type: "user",
  message: { role: "user", content },
  parent_tool_use_id: null,
  uuid
})

const textOf = (content: UserLine["message"]["content"]): string =>
  typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" && typeof part.text === "string" ? part.text : "")).join("")

/** How the CLI begins what it says to the model in the person's name, where no mark is on the line. */
const beginnings = ["<local-command-caveat>", "<system-reminder>", "Operation stopped by hook: "]

const isMadeUp = ({ isMeta }: UserLine, text: string): boolean =>
  isMeta === true || beginnings.some((beginning) => text.startsWith(beginning))

const isEvent = (origin: unknown): boolean => {
  const kind = textIn(fieldsIn(origin)["kind"])
  return kind !== undefined && kind !== "human" && kind !== "unclassified"
}

const output = /^<(local-command-stdout|local-command-stderr|bash-stdout)>(?<text>[\s\S]*)<\/(?:\1|bash-stderr)>\s*$/

/** What a command printed. Behind `!` it has two parts, and both were on the person's screen. */
export const outputIn = (text: string): string | undefined =>
  output.exec(text)?.groups?.["text"]?.replace(/<\/bash-stdout><bash-stderr>/, "")

const named = /<command-name>(?<name>[^<]*)<\/command-name>/
const given = /<command-args>(?<args>[\s\S]*)<\/command-args>/
const typed = /^<bash-input>(?<input>[\s\S]*)<\/bash-input>\s*$/

/** The command that a person typed: `/name arguments`, or `!command` for the shell. */
export const commandIn = (text: string): string | undefined => {
  const input = typed.exec(text)?.groups?.["input"]
  if (input !== undefined) return `!${input}`
  const name = text.startsWith("<command-") ? named.exec(text)?.groups?.["name"]?.trim() : undefined
  if (name === undefined || name === "") return undefined
  const args = given.exec(text)?.groups?.["args"]?.trim() ?? ""
  const slash = name.startsWith("/") ? name : `/${name}`
  return args === "" ? slash : `${slash} ${args}`
}
