/**
 * Lines of a session file as the lines of the wire that the CLI wrote at the same time: the same content under other
 * names.
 */
import type { Known } from "../Codec.ts"
import { textIn } from "../fold/Fields.ts"
import type { SubagentHints } from "../fold/Subagent.ts"
import type { MessageOf } from "../Message.ts"
import type { User } from "../User.ts"
import type { AssistantLine, UserLine } from "./Line.ts"
import type { SaidLine } from "./Node.ts"
import type { CompactBoundaryLine } from "./SystemLine.ts"
import type { MessageUsage } from "./Usage.ts"

const known = (name: Known["name"], message: object): Known =>
  ({ _tag: "Known", line: 0, name, message }) as object as Known

/** Which sub-agent speaks, under the names of the wire. */
const marks = (lane: string | null, hints: SubagentHints | undefined) => ({
  parent_tool_use_id: lane,
  ...(hints?.name !== undefined && { subagent_type: hints.name }),
  ...(hints?.description !== undefined && { task_description: hints.description })
})

/** A block of an answer. The usage is that of the whole message, which the first of its lines may not have yet. */
export const assistantMessage = (
  line: AssistantLine,
  lane: string | null,
  hints: SubagentHints | undefined,
  spent: MessageUsage | undefined
): Known => {
  const { error, isAbortedMidStream, message, sessionId, uuid } = line
  const wire = {
    type: "assistant",
    // A host may have put it into the conversation, and then it has no id.
    message: {
      ...nothingSaid,
      ...message,
      id: message.id ?? uuid,
      ...(spent !== undefined && { usage: wireUsage(spent) })
    },
    ...marks(lane, hints),
    uuid,
    session_id: sessionId ?? "",
    ...(textIn(error) !== undefined && { error }),
    ...(isAbortedMidStream === true && { aborted: true })
  }
  return known("assistant", wire)
}

/** What a message has that a host put into the conversation, where it does not say. */
const nothingSaid = {
  type: "message",
  role: "assistant",
  model: "",
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 0, output_tokens: 0 }
}

const wireUsage = ({ usage }: MessageUsage) => ({
  input_tokens: usage.input - usage.cachedInput - usage.cacheWriteInput,
  output_tokens: usage.output,
  cache_read_input_tokens: usage.cachedInput,
  cache_creation_input_tokens: usage.cacheWriteInput
})

/** A line in the person's name. */
export const userMessage = (
  line: { readonly uuid: string; readonly sessionId?: string } & Partial<
    Pick<UserLine, "isCompactSummary" | "toolUseResult">
  >,
  content: User["message"]["content"],
  lane: string | null,
  hints?: SubagentHints
): Known => {
  const message = {
    type: "user",
    message: { role: "user", content },
    ...marks(lane, hints),
    uuid: line.uuid,
    session_id: line.sessionId ?? "",
    ...(line.toolUseResult !== undefined && { tool_use_result: line.toolUseResult }),
    ...(line.isCompactSummary === true && { is_compact_summary: true })
  } satisfies MessageOf<"user">
  return known("user", message)
}

/** What a command printed, in the marks that all versions put around it. */
export const outputMessage = (line: { readonly uuid: string; readonly sessionId?: string }, text: string): Known =>
  userMessage(line, `<local-command-stdout>${text}</local-command-stdout>`, null)

/** A compaction. */
export const boundaryMessage = (line: CompactBoundaryLine): Known =>
  known("system/compact_boundary", {
    type: "system",
    subtype: "compact_boundary",
    compact_metadata: snaked(line.compactMetadata ?? {}),
    uuid: line.uuid,
    session_id: line.sessionId ?? ""
  })

/** A request to the API that is tried again: `api_retry` on the wire. */
export const apiErrorMessage = (line: Extract<SaidLine, { readonly name: "system/api_error" }>["message"]): Known =>
  known("system/api_retry", {
    type: "system",
    subtype: "api_retry",
    attempt: line.retryAttempt ?? 0,
    max_retries: line.maxRetries ?? 0,
    retry_delay_ms: line.retryInMs ?? 0,
    error_status: line.error?.["status"] ?? null,
    error: "unknown",
    uuid: line.uuid,
    session_id: line.sessionId ?? ""
  })

type Noticed = Extract<
  SaidLine,
  {
    readonly name:
      | "system/informational"
      | "system/model_fallback"
      | "system/model_refusal_fallback"
      | "system/model_refusal_no_fallback"
  }
>["message"]

/** Something that the wire tells under the same name. */
export const noticeMessage = (line: Noticed): Known => {
  const {
    cwd: _cwd,
    entrypoint: _entrypoint,
    gitBranch: _gitBranch,
    isSidechain: _isSidechain,
    parentUuid: _parentUuid,
    sessionId,
    timestamp: _timestamp,
    userType: _userType,
    version: _version,
    ...rest
  } = line
  return known(`system/${line.subtype}`, {
    ...(snaked(rest) as Readonly<Record<string, unknown>>),
    session_id: sessionId ?? ""
  })
}

/** The same with the names of the wire: `preTokens` is `pre_tokens` there. */
const snaked = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(snaked)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      snaked(inner)
    ])
  )
}
