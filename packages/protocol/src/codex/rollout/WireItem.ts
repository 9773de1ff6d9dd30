/**
 * Items as a rollout spells them, in the spelling of the app-server: other names of types and keys, addresses for paths,
 * and a few of other shapes. One table; what a type does not name stays, with its keys in the wire's spelling.
 */
import { fieldsIn, listIn, textIn, textsIn } from "../../wire/Fields.ts"
import { isRecord } from "../../wire/Json.ts"

type Fields = Readonly<Record<string, unknown>>

const camel = (word: string): string => word.replaceAll(/_+([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** An object whose own keys are in the wire's spelling. */
export const camelKeys = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [camel(key), value]))

/** A value that is one of several words, in the wire's spelling. */
export const camelWord = (value: unknown): unknown => (typeof value === "string" ? camel(value) : value)

/** A path that is written as an address. */
const pathOf = (value: unknown): unknown => {
  if (typeof value !== "string" || !value.startsWith("file://")) return value
  try {
    return decodeURIComponent(value.slice("file://".length))
  } catch {
    return value.slice("file://".length)
  }
}

/** A word of a shell text, quoted where it must be. */
const quoted = (word: string): string => {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  return word.includes("'") ? `"${word.replaceAll(/["$\\`]/g, "\\$&")}"` : `'${word}'`
}

/** A command as one text. */
const commandOf = (command: unknown): unknown =>
  Array.isArray(command) ? textsIn(command).map(quoted).join(" ") : command

/** Changes of files as a list, which the rollout has by their paths. */
export const changesOf = (changes: unknown): ReadonlyArray<Fields> =>
  Object.entries(fieldsIn(changes))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, given]) => {
      const { content, move_path: to, type, unified_diff: diff } = fieldsIn(given)
      const kind = type === "update" ? { type, move_path: textIn(to) ?? null } : { type }
      const text = textIn(diff) ?? textIn(content) ?? ""
      return { path, kind, diff: textIn(to) === undefined ? text : `${text}\n\nMoved to: ${textIn(to)}` }
    })

const statesOf = (states: unknown): Fields =>
  Object.fromEntries(
    Object.entries(fieldsIn(states)).map(([thread, state]) => {
      if (!isRecord(state)) return [thread, { status: camelWord(state), message: null }]
      const [[status, message] = []] = Object.entries(state)
      return [thread, { status: camelWord(status), message: textIn(message) ?? null }]
    })
  )

/** What the types spell otherwise. */
const spellings: Readonly<Record<string, (item: Fields) => Fields>> = {
  AgentMessage: ({ content }) => ({
    text: listIn(content)
      .map((part) => textIn(fieldsIn(part)["text"]) ?? "")
      .join("")
  }),
  UserMessage: ({ client_id: client, content }) => ({
    clientId: textIn(client) ?? null,
    content: listIn(content).map((part) => {
      const { audio_url: audio, image_url: image, ...rest } = fieldsIn(part)
      const url = image ?? audio
      return { ...rest, type: camelWord(rest["type"]), ...(url !== undefined && { url }), path: pathOf(rest["path"]) }
    })
  }),
  Reasoning: ({ raw_content: raw, summary_text: summary }) => ({ summary: textsIn(summary), content: textsIn(raw) }),
  CommandExecution: ({ command, cwd }) => ({ command: commandOf(command), cwd: pathOf(cwd) }),
  FileChange: ({ changes }) => ({ changes: changesOf(changes) }),
  CollabAgentToolCall: ({ agents_states: states, tool }) => ({
    tool: camelWord(tool),
    agentsStates: statesOf(states)
  }),
  ImageView: ({ path }) => ({ path: pathOf(path) }),
  EnteredReviewMode: ({ user_facing_hint: hint }) => ({ review: textIn(hint) ?? "" }),
  ExitedReviewMode: ({ review_output: output }) => ({ review: textIn(fieldsIn(output)["overall_explanation"]) ?? "" })
}

/** An item of a rollout as the app-server would have it. */
export const wireItem = (item: Fields): Fields => {
  const type = textIn(item["type"]) ?? ""
  const own = Object.hasOwn(spellings, type) ? spellings[type] : undefined
  return {
    ...camelKeys(item),
    ...("status" in item && { status: camelWord(item["status"]) }),
    ...own?.(item),
    type: type.slice(0, 1).toLowerCase() + type.slice(1)
  }
}
