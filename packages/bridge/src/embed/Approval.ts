/**
 * A question of an agent that waits for somebody, for programs and for pages: nothing here needs Node or Effect.
 */
import type * as Model from "@agentwire/protocol/model"

/** A question of an agent that waits for somebody. */
export interface Approval {
  readonly threadId: string
  /** What `approve` and `deny` take. */
  readonly requestId: string
  /** What is asked: may a tool run, is the plan good, which option, a form, or a tool of the application. */
  readonly kind: Model.Request["kind"]
  /** The question in words. */
  readonly message: string
  /** The tool it wants to use, such as `Bash`; undefined when an MCP server asks for a form. */
  readonly toolName: string | undefined
  /** The input of the tool. */
  readonly input: Readonly<Record<string, unknown>>
  /** When it is answered with a refusal, in milliseconds since 1970. */
  readonly expiresAt: number
  /** All about it: what `always` would remember, choices, or the form. */
  readonly request: Model.Request
}

/** A request as the class shows it. */
export const approvalOf = (
  threadId: string,
  { expiresAt, request }: { readonly expiresAt: number; readonly request: Model.Request }
): Approval => ({
  threadId,
  requestId: request.id,
  kind: request.kind,
  message: request.message,
  toolName: request.kind === "form" ? undefined : request.tool,
  input: request.kind === "form" ? {} : request.input,
  expiresAt,
  request
})
