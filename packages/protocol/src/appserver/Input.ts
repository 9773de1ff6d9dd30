/**
 * What a client sends of a person's words (`turn/start`, `turn/steer`), as parts of the model. A file is named by its path:
 * whoever may read files puts it in place. What no agent here can take is refused in words, and nothing is left out.
 */
import type { Part } from "../model/Content.ts"
import { fieldsIn, textIn } from "../wire/Fields.ts"
import { mediaPart } from "./UserInput.ts"

/** An image in a file of the machine that the agent runs on. */
export interface LocalImage {
  readonly type: "localImage"
  readonly path: string
}

/** A part of what a person said. */
export type InputPart = Part | LocalImage

/** What a client sent, or why it cannot be taken. */
export type ReadInput =
  | { readonly _tag: "Input"; readonly parts: ReadonlyArray<InputPart> }
  | { readonly _tag: "Refused"; readonly reason: string }

type Fields = Readonly<Record<string, unknown>>

/** A part, or why there is none. */
type ReadPart = InputPart | string

const missing = (type: string, key: string): string => `An input of the type ${type} needs ${key}, a text.`

/** What a path is to a prompt: mentioned as agents know it, where it is one word. */
const mention = (name: string, path: string): string => (/^[^\s:]+$/.test(path) ? `@${path}` : `[@${name}](${path})`)

/** Skills of agents that do not say where theirs are have an address that is none of a file. */
const isFile = (path: unknown): boolean => typeof path === "string" && !path.startsWith("agentwire:")

const readers: Readonly<Record<string, (fields: Fields) => ReadPart>> = {
  text: ({ text }) => (typeof text === "string" ? { type: "text", text } : missing("text", "text")),
  image: ({ fileId, url }) => {
    if (typeof url === "string") return mediaPart("image", url)
    return fileId === undefined
      ? missing("image", "url")
      : "An image that only a provider has (fileId) cannot be read here: send it by its url."
  },
  localImage: ({ path }) => (typeof path === "string" ? { type: "localImage", path } : missing("localImage", "path")),
  mention: ({ name, path }) =>
    typeof path === "string" ? { type: "text", text: mention(textIn(name) ?? path, path) } : missing("mention", "path"),
  skill: ({ name, path }) =>
    typeof name === "string"
      ? { type: "text", text: `Use the skill ${name}${isFile(path) ? ` (${path})` : ""}.` }
      : missing("skill", "name"),
  audio: () => "Recordings cannot be taken: this agent reads text and images.",
  localAudio: () => "Recordings cannot be taken: this agent reads text and images."
}

/** What a client sent. Never throws. */
export const readUserInput = (input: unknown): ReadInput => {
  if (!Array.isArray(input)) return { _tag: "Refused", reason: "The input is no list." }
  const parts: Array<InputPart> = []
  for (const each of input as ReadonlyArray<unknown>) {
    const fields = fieldsIn(each)
    const type = textIn(fields["type"])
    const reader = type !== undefined && Object.hasOwn(readers, type) ? readers[type] : undefined
    const part = reader === undefined ? `There is no input of the type ${type ?? "undefined"}.` : reader(fields)
    if (typeof part === "string") return { _tag: "Refused", reason: part }
    parts.push(part)
  }
  return parts.length === 0 ? { _tag: "Refused", reason: "The input is empty." } : { _tag: "Input", parts }
}
