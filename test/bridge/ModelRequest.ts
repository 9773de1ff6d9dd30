/** What a model was asked, as a conversation. */
import type { JsonObject } from "@agentwire/fixtures"
import { isRecord } from "@agentwire/protocol/wire"

/** Something in a conversation: what somebody said, a call by its id, or what one gave. */
export type Said = readonly [who: "user" | "assistant" | "call" | "result", what: string]

/** What the model was sent: what was said, the calls, and what they gave. What the CLI itself adds is left out. */
export const sent = (request: JsonObject | undefined): ReadonlyArray<Said> =>
  blocksOf(request?.["messages"]).flatMap((message) =>
    blocksOf(message["role"] === "system" ? [] : message["content"]).flatMap((block): ReadonlyArray<Said> => {
      if (block["type"] === "tool_use") return [["call", String(block["id"])]]
      if (block["type"] === "tool_result") return [["result", wordsIn(block["content"])]]
      const words = String(block["text"] ?? "")
      if (block["type"] !== "text" || words.startsWith("<system-reminder>")) return []
      return [[message["role"] === "assistant" ? "assistant" : "user", words]]
    })
  )

const blocksOf = (content: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  Array.isArray(content)
    ? content.filter(isRecord)
    : typeof content === "string"
      ? [{ type: "text", text: content }]
      : []

const wordsIn = (content: unknown): string =>
  blocksOf(content)
    .map((block) => String(block["text"] ?? ""))
    .join("")

/** The newest question to the model that is of the conversation: titles and the like bring no tools. */
export const newestOf = (asked: ReadonlyArray<JsonObject>): JsonObject | undefined =>
  asked.findLast(({ tools }) => Array.isArray(tools) && tools.length > 0)
