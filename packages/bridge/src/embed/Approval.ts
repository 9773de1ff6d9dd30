/**
 * A question of an agent that waits for somebody, for programs and for pages: nothing here is of Node or of Effect.
 */
import type { PendingQuestion } from "../session/Session.ts"

/** A question of an agent that waits for somebody. */
export interface Approval {
  readonly threadId: string
  /** What `approve` and `deny` take. */
  readonly requestId: string
  /** The tool it wants to use, such as `Bash`; undefined when an MCP server asks for a form. */
  readonly toolName: string | undefined
  /** The input of the tool. */
  readonly input: Readonly<Record<string, unknown>>
  /** When it is answered with a refusal, in milliseconds since 1970. */
  readonly expiresAt: number
  /** All of the request, as it is on the wire: `can_use_tool` or `elicitation`. */
  readonly request: unknown
}

/** A question as the class shows it. */
export const approvalOf = (threadId: string, { expiresAt, request, requestId }: PendingQuestion): Approval => {
  const fields = isRecord(request) ? request : {}
  const { input, tool_name: toolName } = fields
  return {
    threadId,
    requestId,
    toolName: typeof toolName === "string" ? toolName : undefined,
    input: isRecord(input) ? input : {},
    expiresAt,
    request
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
