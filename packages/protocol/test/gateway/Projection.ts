/**
 * What a client of the gateway has of a transcript: docs/gateway.md has the same table in words. Left out are the names
 * that runtimes have for points (`anchor`), which text a call hangs on (`parent`), and whether the agent was cut off
 * (`abandoned`), which the end of the message says.
 */
import type { Model } from "../../src/index.ts"
import type { Json } from "./ReadingClient.ts"

const attachment = (source: Model.Source): Json => {
  switch (source.type) {
    case "data":
      return { type: "base64", media_type: source.mimeType, data: source.value }
    case "url":
      return { type: "url", url: source.value }
    case "file":
      return { type: "file", file_id: source.value }
  }
}

const block = (part: Model.Part): Json =>
  "text" in part ? { type: "text", text: part.text } : { type: part.type, source: attachment(part.source) }

const content = (said: Model.Content): unknown => (typeof said === "string" ? said : said.map(block))

const parsed = (text: string): unknown => {
  if (text === "") return {}
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

type Entries = { readonly [K in Model.TranscriptEntry["kind"]]: Extract<Model.TranscriptEntry, { readonly kind: K }> }

/** What becomes of each entry. */
const table: { readonly [K in keyof Entries]: (entry: Entries[K]) => Json } = {
  prompt: (entry) => ({
    kind: "prompt",
    content: typeof entry.content === "string" ? [{ type: "text", text: entry.content }] : content(entry.content)
  }),
  text: ({ text }) => ({ kind: "text", text }),
  thought: ({ signature, text }) => ({
    kind: "thinking",
    thinking: text,
    ...(signature !== undefined && { signature })
  }),
  call: ({ action, arguments: args, tool }) => ({ kind: "tool_use", name: tool, action, input: parsed(args) }),
  result: ({ content: said, exitCode, failed }) => ({
    kind: "tool_result",
    content: content(said),
    is_error: failed,
    ...(exitCode !== undefined && { exit_code: exitCode })
  }),
  task: ({ content }) => ({ kind: "task", ...content })
}

/** A transcript as a client of the gateway has it. */
export const projected = (entries: ReadonlyArray<Model.TranscriptEntry>): ReadonlyArray<Json> =>
  entries.map((entry) => ({
    id: entry.id,
    by: entry.lane,
    ...(table[entry.kind] as (entry: Model.TranscriptEntry) => Json)(entry)
  }))
