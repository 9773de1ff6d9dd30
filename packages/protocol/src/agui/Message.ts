/**
 * The messages of a conversation as AG-UI stores them: in `RunAgentInput.messages` and in
 * `MESSAGES_SNAPSHOT`. Seven roles, told apart by `role`.
 */
import * as Schema from "effect/Schema"
import { JsonObject, open, optional } from "../wire/Open.ts"
import { attributable, Metadata } from "./Base.ts"
import { Content } from "./ContentPart.ts"

const encryptedValue = {
  /** A provider's sealed reasoning, to be given back unread. */
  encryptedValue: optional(Schema.String)
}

const message = {
  id: Schema.String,
  metadata: optional(Metadata),
  ...attributable
}

const named = { ...message, ...encryptedValue, name: optional(Schema.String) }

/** The name and the arguments of a call. */
export const FunctionCall = open("AguiFunctionCall", {
  name: Schema.String,
  /** Text that is JSON by convention only: what the model produced, which may not parse. */
  arguments: Schema.String
})

/** The name and the arguments of a call. */
export type FunctionCall = typeof FunctionCall.Type

/** A call an assistant message made. It belongs to the subagent of that message. */
export const ToolCall = open("AguiToolCall", {
  id: Schema.String,
  type: Schema.Literal("function"),
  function: FunctionCall,
  metadata: optional(Metadata),
  ...encryptedValue
})

/** A call an assistant message made. */
export type ToolCall = typeof ToolCall.Type

/** Instructions of the application's developer. */
export const DeveloperMessage = open("AguiDeveloperMessage", {
  role: Schema.Literal("developer"),
  content: Schema.String,
  ...named
})

/** Instructions of the application's developer. */
export type DeveloperMessage = typeof DeveloperMessage.Type

/** Instructions of the system. */
export const SystemMessage = open("AguiSystemMessage", {
  role: Schema.Literal("system"),
  content: Schema.String,
  ...named
})

/** Instructions of the system. */
export type SystemMessage = typeof SystemMessage.Type

/** What the agent said. A turn of tool calls alone has no `content`; null is an error, unlike in OpenAI's shape. */
export const AssistantMessage = open("AguiAssistantMessage", {
  role: Schema.Literal("assistant"),
  content: optional(Schema.String),
  toolCalls: optional(Schema.Array(ToolCall)),
  ...named
})

/** What the agent said. */
export type AssistantMessage = typeof AssistantMessage.Type

/** What the person said. */
export const UserMessage = open("AguiUserMessage", {
  role: Schema.Literal("user"),
  content: Content,
  ...named
})

/** What the person said. */
export type UserMessage = typeof UserMessage.Type

/**
 * What a tool gave back. After an interrupt with a `toolCallId`, CopilotKit adds one that
 * holds the person's answer, not the tool's output (§0 item 8).
 */
export const ToolMessage = open("AguiToolMessage", {
  role: Schema.Literal("tool"),
  toolCallId: Schema.String,
  /** Parts are new in 1.0: a 0.0 client takes text only. */
  content: Content,
  error: optional(Schema.String),
  ...message,
  ...encryptedValue
})

/** What a tool gave back. */
export type ToolMessage = typeof ToolMessage.Type

/** Progress that is not conversation, kept as a message to hold its place. Clients do not send it back in runs. */
export const ActivityMessage = open("AguiActivityMessage", {
  role: Schema.Literal("activity"),
  activityType: Schema.String,
  content: JsonObject,
  ...message
})

/** Progress that is not conversation. */
export type ActivityMessage = typeof ActivityMessage.Type

/** The agent's reasoning. */
export const ReasoningMessage = open("AguiReasoningMessage", {
  role: Schema.Literal("reasoning"),
  content: Schema.String,
  ...message,
  ...encryptedValue
})

/** The agent's reasoning. */
export type ReasoningMessage = typeof ReasoningMessage.Type

/** The messages by role. */
export const messages = {
  developer: DeveloperMessage,
  system: SystemMessage,
  assistant: AssistantMessage,
  user: UserMessage,
  tool: ToolMessage,
  activity: ActivityMessage,
  reasoning: ReasoningMessage
}

/** Any message of a conversation. */
export const Message = Schema.Union(Object.values(messages)).annotate({ identifier: "AguiMessage" })

/** Any message of a conversation. */
export type Message = typeof Message.Type

/** Who a message is from. */
export const Role = Schema.Literals(["developer", "system", "assistant", "user", "tool", "activity", "reasoning"])

/** Who a message is from. */
export type Role = typeof Role.Type
