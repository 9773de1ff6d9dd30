/**
 * A line of a session file as a link of the conversation: who it is, what it follows, and what it says, where it says
 * something.
 *
 * Every line with a `uuid` is one, also of a type that no schema knows and with content that cannot be read: the chain
 * goes through them. Of lines that say nothing (reminders, copies of the system prompt) no more than the link is kept,
 * so that a file takes the memory of its conversation, not its own size.
 */
import { isRecord } from "../../wire/Json.ts"
import { readJson } from "../../wire/ReadJson.ts"
import type { DecodedLine, KnownLine, TranscriptLineName } from "./TranscriptCodec.ts"

/** A line of the conversation. */
export interface TranscriptNode {
  /** Its place among the nodes of its file. */
  readonly index: number
  /** The line's position in its file, from 1. */
  readonly line: number
  readonly uuid: string
  /** The uuid of the line before it; null when it is the first, undefined when it does not say. */
  readonly parent: string | null | undefined
  /** The type of the line. */
  readonly type: string
  /** A sub-agent said it. */
  readonly isSidechain: boolean
  /** The sub-agent that said it, by the CLI's id. */
  readonly agent: string | undefined
  /** When, in milliseconds since 1970. */
  readonly at: number | undefined
  /** What it says; undefined when it says nothing that is part of the conversation. */
  readonly said: SaidLine | undefined
}

/** The names of the lines that say something. */
const saying = [
  "user",
  "assistant",
  "system/compact_boundary",
  "system/local_command",
  "system/api_error",
  "system/informational",
  "system/model_fallback",
  "system/model_refusal_fallback",
  "system/model_refusal_no_fallback",
  "attachment/queued_command",
  "attachment/hook_deferred_tool",
  "attachment/hook_stopped_continuation",
  "attachment/max_turns_reached",
  "attachment/structured_output"
] as const satisfies ReadonlyArray<TranscriptLineName>

/** A line that says something that is part of the conversation. */
export type SaidLine = Extract<KnownLine, { readonly name: (typeof saying)[number] }>

const says = new Set<string>(saying)

const isSaid = (known: KnownLine): known is SaidLine => says.has(known.name)

/** The node of a line; undefined when it is no part of the conversation. */
export const nodeOf = (decoded: DecodedLine, index: number): TranscriptNode | undefined => {
  const fields = fieldsOf(decoded)
  const uuid = fields?.["uuid"]
  const type = fields?.["type"]
  // Titles that the Agent SDK writes have a uuid, and follow nothing.
  if (fields === undefined || typeof uuid !== "string" || typeof type !== "string" || !("parentUuid" in fields))
    return undefined
  const { agentId, isSidechain, parentUuid, teamName, timestamp } = fields
  return {
    index,
    line: decoded.line,
    uuid,
    parent: parentUuid === null || typeof parentUuid === "string" ? parentUuid : undefined,
    type,
    isSidechain: isSidechain === true || (typeof teamName === "string" && teamName !== ""),
    agent: typeof agentId === "string" ? agentId : undefined,
    at: timeOf(timestamp),
    said: decoded._tag === "Known" && isSaid(decoded) ? decoded : undefined
  }
}

/** The keys of a line, whatever the codec says of it. */
const fieldsOf = (decoded: DecodedLine): Readonly<Record<string, unknown>> | undefined => {
  if (decoded._tag === "Known") return decoded.message as object as Readonly<Record<string, unknown>>
  if (decoded._tag === "Unknown") return isRecord(decoded.raw) ? decoded.raw : undefined
  if (decoded.error.code !== "BAD_FIELD" && decoded.error.code !== "NO_TYPE") return undefined
  const read = typeof decoded.raw === "string" ? readJson(decoded.raw) : undefined
  return read?.isRead === true && isRecord(read.value) ? read.value : undefined
}

/** The time of a line; undefined when it is none. */
export const timeOf = (timestamp: unknown): number | undefined => {
  const time = typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN
  return Number.isNaN(time) ? undefined : time
}

/** Whether a line is a message of the conversation itself, and not of a sub-agent. */
export const isMain = ({ isSidechain, type }: TranscriptNode): boolean =>
  !isSidechain && (type === "user" || type === "assistant")

/** Whether a line says something in the main conversation: a message, or what a command printed, or a notice. */
export const isTold = (node: TranscriptNode): boolean => isMain(node) || (!node.isSidechain && node.said !== undefined)

/** The ids of the calls that a line makes. */
export const callsIn = ({ said }: TranscriptNode): ReadonlyArray<string> =>
  said?.name === "assistant"
    ? said.message.message.content.flatMap((block) =>
        (block.type === "tool_use" || block.type === "server_tool_use" || block.type === "mcp_tool_use") &&
        typeof block.id === "string"
          ? [block.id]
          : []
      )
    : []

/** The ids of the calls that a line answers. */
export const answersIn = ({ said }: TranscriptNode): ReadonlyArray<string> => {
  const content = said?.name === "user" ? said.message.message.content : []
  return typeof content === "string"
    ? []
    : content.flatMap((part) => (part.type === "tool_result" ? [part.tool_use_id] : []))
}

/** Whether the CLI said it in the model's place: an error of the API, or that nothing was asked. */
export const isSynthetic = ({ said }: TranscriptNode): boolean =>
  said?.name === "assistant" && said.message.message.model === "<synthetic>"

/** The API's id of the message that a line is a block of. */
export const messageIdOf = ({ said }: TranscriptNode): string | undefined =>
  said?.name === "assistant" && typeof said.message.message.id === "string" ? said.message.message.id : undefined
