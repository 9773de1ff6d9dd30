/**
 * What the model wants of Codex, as the params of its requests: a prompt as input, the beginning of a thread and of a
 * turn.
 */
import type { PageTool, Prompt, Said } from "../../model/Command.ts"
import type { Content, Part, Source } from "../../model/Content.ts"
import type { ParamsOf } from "../Message.ts"

/** A part of what is said to Codex. */
export type UserInput = ParamsOf<"turn/start">["input"][number]

/** A prompt as Codex reads it: what the application wants known first, then the person's words and images, in order. */
export const promptInput = ({ aside = "", said }: Pick<Prompt, "aside" | "said">): ReadonlyArray<UserInput> => [
  ...textInput(aside),
  ...said.flatMap(({ content }: Said) => contentInput(content))
]

const contentInput = (content: Content): ReadonlyArray<UserInput> =>
  typeof content === "string" ? textInput(content) : content.flatMap(partInput)

const textInput = (text: string): ReadonlyArray<UserInput> =>
  text.trim() === "" ? [] : [{ type: "text", text, text_elements: [] }]

const names: Readonly<Record<Part["type"], string>> = {
  text: "A text",
  image: "An image",
  audio: "A recording",
  video: "A video",
  document: "A document"
}

/** What Codex cannot take is named to the model: nothing is left out silently. */
const partInput = (part: Part): ReadonlyArray<UserInput> => {
  if (part.type === "text") return textInput(part.text)
  const url = urlOf(part.source)
  if (url !== undefined && part.type === "image") return [{ type: "image", url }]
  if (url !== undefined && part.type === "audio") return [{ type: "audio", url }]
  const { mimeType } = part.source
  const kind = mimeType === undefined ? names[part.type] : `${names[part.type]} (${mimeType})`
  return textInput(`[${kind} was left out: only text, images and recordings can be read.]`)
}

/** Where the bytes of a part are, as an address; undefined where only its provider knows. */
export const urlOf = (source: Source): string | undefined => {
  switch (source.type) {
    case "url":
      return source.value
    case "data":
      return /^data:/i.test(source.value) ? source.value : `data:${source.mimeType};base64,${source.value}`
    default:
      return undefined
  }
}

/** The params that begin a turn. `id` names the prompt, so that its echo is known (`clientId` of the item). */
export const turnStart = (
  threadId: string,
  prompt: Pick<Prompt, "aside" | "said">,
  id?: string
): ParamsOf<"turn/start"> => ({
  threadId,
  input: promptInput(prompt),
  ...(id !== undefined && { clientUserMessageId: id })
})

/** The params that add a prompt to the turn in progress. */
export const turnSteer = (
  threadId: string,
  turnId: string,
  prompt: Pick<Prompt, "aside" | "said">,
  id?: string
): ParamsOf<"turn/steer"> => ({ ...turnStart(threadId, prompt, id), expectedTurnId: turnId })

/** The params that end the turn in progress. */
export const turnInterrupt = (threadId: string, turnId: string): ParamsOf<"turn/interrupt"> => ({ threadId, turnId })

/** The params that begin a thread. Tools of the application need `experimentalApi`. */
export const threadStart = (
  options: Omit<ParamsOf<"thread/start">, "dynamicTools">,
  tools: ReadonlyArray<PageTool> = []
): ParamsOf<"thread/start"> => ({
  ...options,
  ...(tools.length > 0 && { dynamicTools: tools.map(dynamicTool) })
})

/** A tool of the application as Codex takes it. */
export const dynamicTool = ({
  description,
  name,
  parameters
}: PageTool): NonNullable<ParamsOf<"thread/start">["dynamicTools"]>[number] => ({
  type: "function",
  name,
  description,
  inputSchema: parameters ?? { type: "object", properties: {} }
})
