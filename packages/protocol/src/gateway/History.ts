/**
 * What was said as messages: a text with the calls that hang on it is one of the assistant, a thought is one, and the
 * result of a call is one of the user, as in Anthropic's Messages API.
 */
import type { TranscriptEntry } from "../model/Transcript.ts"
import type { Usage } from "../model/Usage.ts"
import { type AgentBlock, blocksOf, inputOf, type SaidBlock } from "./Block.ts"
import type { GatewayUsage } from "./Event.ts"
import type { HistoryMessage } from "./Method.ts"

/** Tokens as Anthropic counts them. */
export const usageOf = ({ cachedInput, cacheWriteInput, input, output }: Usage): GatewayUsage => ({
  input_tokens: input - cachedInput - cacheWriteInput,
  output_tokens: output,
  cache_read_input_tokens: cachedInput,
  cache_creation_input_tokens: cacheWriteInput
})

/** What a person said, as blocks. */
export const saidBlocks = (content: Parameters<typeof blocksOf>[0]): ReadonlyArray<SaidBlock> => {
  const blocks = blocksOf(content)
  return typeof blocks === "string" ? [{ type: "text", text: blocks }] : blocks
}

type AgentEntry = Extract<TranscriptEntry, { readonly kind: "text" | "thought" | "call" }>

const agentBlock = (entry: AgentEntry): AgentBlock => {
  switch (entry.kind) {
    case "text":
      return { type: "text", id: entry.id, text: entry.text }
    case "thought":
      return {
        type: "thinking",
        id: entry.id,
        thinking: entry.text,
        ...(entry.signature !== undefined && { signature: entry.signature })
      }
    case "call":
      return { type: "tool_use", id: entry.id, name: entry.tool, ...inputOf(entry.arguments), action: entry.action }
  }
}

type Blocks = HistoryMessage["content"]

const message = (
  { id, lane }: Pick<TranscriptEntry, "id" | "lane">,
  role: HistoryMessage["role"],
  content: Blocks
): HistoryMessage => ({ id, role, parent_tool_use_id: lane, content })

/** What was said, as messages in order. */
export const messagesOf = (entries: Iterable<TranscriptEntry>): ReadonlyArray<HistoryMessage> => {
  const messages: Array<HistoryMessage> = []
  /** The messages that more may hang on, by their places. */
  const places = new Map<string, number>()
  const hang = (id: string, entry: AgentEntry): void => {
    const at = places.get(id)
    const before = at === undefined ? undefined : messages[at]
    const joined = before ?? message({ id, lane: entry.lane }, "assistant", [])
    const next = {
      ...joined,
      content: [...joined.content, agentBlock(entry)],
      ...(entry.abandoned === true && { aborted: true })
    }
    if (at === undefined) places.set(id, messages.push(next) - 1)
    else messages[at] = next
  }
  for (const entry of entries)
    switch (entry.kind) {
      case "text":
        hang(entry.id, entry)
        break
      case "call":
        hang(entry.parent, entry)
        break
      case "thought":
        messages.push({
          ...message(entry, "assistant", [agentBlock(entry)]),
          ...(entry.abandoned === true && { aborted: true })
        })
        break
      case "prompt":
        messages.push(message(entry, "user", saidBlocks(entry.content)))
        break
      case "result": {
        const { content, exitCode, failed, id } = entry
        const result = {
          type: "tool_result" as const,
          tool_use_id: id,
          content: blocksOf(content),
          is_error: failed,
          ...(exitCode !== undefined && { exit_code: exitCode })
        }
        messages.push(message({ id: `${id}:result`, lane: entry.lane }, "user", [result]))
        break
      }
      case "task":
        messages.push(message(entry, "assistant", [{ type: "task", id: entry.id, content: entry.content }]))
        break
    }
  return messages
}
