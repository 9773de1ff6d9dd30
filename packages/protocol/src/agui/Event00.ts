/**
 * AG-UI as `@ag-ui/client` 0.0.59 reads it, the version inside CopilotKit 1.74 and 1.75:
 * what its schemas accept, derived from the 1.0 schemas by naming what differs.
 *
 * 0.0 is stricter than 1.0 about content parts, outcomes and event types, and laxer about
 * timestamps, nulls, missing values and patches.
 */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { type Open, open, optional } from "../wire/Open.ts"
import { baseEvent } from "./Base.ts"
import * as Part from "./ContentPart.ts"
import { events } from "./Event.ts"
import * as Outcome from "./Interrupt.ts"
import { messages, ToolMessage, UserMessage } from "./Message.ts"
import { Context, ResumeEntry, RunAgentInput, Tool } from "./RunInput.ts"
import { TokenUsage } from "./TokenUsage.ts"

/** A 1.0 object with some of its fields replaced. Its name in JSON Schema files ends in `00`. */
const changed = <F extends Schema.Struct.Fields, const G extends Schema.Struct.Fields>(schema: Open<F>, fields: G) =>
  open<Struct.Assign<F, G>>(`${schema.ast.annotations?.["identifier"]}00`, Struct.assign(schema.fields, fields))

/** An object that refuses the keys it does not name, as 0.0's outcomes do. */
const closed = <F extends Schema.Struct.Fields>(identifier: string, fields: F) => {
  const names = Object.keys(fields)
  return open(fields)
    .check(
      Schema.makeFilter((value: object) => Object.keys(value).every((key) => names.includes(key)), {
        expected: `no keys but ${names.join(", ")}`,
        toJsonSchema: () => ({ propertyNames: { enum: names } })
      })
    )
    .annotate({ identifier })
}

/** A field 0.0 accepts whatever it holds, or does not look at because 1.0 brought it. */
const anything = optional(Schema.Unknown)

// Content parts

const PartSource00 = Schema.Union([Part.DataSource, Part.UrlSource]).annotate({ identifier: "AguiPartSource00" })

const media = { source: PartSource00, id: anything, metadata: anything }

/** Bytes in the shape from before media parts. It needs one of `id`, `url` and `data`. 1.0 clients translate it. */
export const BinaryPart00 = open({
  type: Schema.Literal("binary"),
  mimeType: Schema.String,
  id: optional(Schema.String),
  url: optional(Schema.String),
  data: optional(Schema.String),
  filename: optional(Schema.String)
})
  .check(
    Schema.makeFilter(({ id, url, data }) => [id, url, data].some((value) => value !== undefined && value !== ""), {
      expected: "one of id, url and data",
      toJsonSchema: () => ({
        anyOf: ["id", "url", "data"].map((key) => ({ required: [key], properties: { [key]: { minLength: 1 } } }))
      })
    })
  )
  .annotate({ identifier: "AguiBinaryPart00" })

/** One part of a user message. */
export const ContentPart00 = Schema.Union([
  changed(Part.TextPart, { id: anything, metadata: anything }),
  changed(Part.ImagePart, media),
  changed(Part.AudioPart, media),
  changed(Part.VideoPart, media),
  changed(Part.DocumentPart, media),
  BinaryPart00
]).annotate({ identifier: "AguiContentPart00" })

/** One part of a user message. */
export type ContentPart00 = typeof ContentPart00.Type

// Messages and input

/** The messages by role. A tool message holds text only. */
export const messages00 = {
  ...messages,
  user: changed(UserMessage, { content: Schema.Union([Schema.String, Schema.Array(ContentPart00)]) }),
  tool: changed(ToolMessage, { content: Schema.String })
}

/** Any message of a conversation. */
export const Message00 = Schema.Union(Object.values(messages00)).annotate({ identifier: "AguiMessage00" })

/** Any message of a conversation. */
export type Message00 = typeof Message00.Type

/** A request to run an agent. `tools` and `context` are required: CopilotRuntime answers 400 without them. */
export const RunAgentInput00 = changed(RunAgentInput, {
  protocolVersion: anything,
  messages: Schema.Array(Message00),
  tools: Schema.Array(changed(Tool, { parameters: anything })),
  context: Schema.Array(Context),
  forwardedProps: anything,
  resume: optional(Schema.Array(changed(ResumeEntry, { payload: anything })))
})

/** A request to run an agent. */
export type RunAgentInput00 = typeof RunAgentInput00.Type

// Events

const base00 = { ...baseEvent, timestamp: optional(Schema.Finite), rawEvent: anything }

/** An event with 0.0's base fields and some others replaced. */
const event00 = <F extends Schema.Struct.Fields, const G extends Schema.Struct.Fields>(schema: Open<F>, fields: G) =>
  changed(schema, { ...base00, ...fields })

const same = <F extends Schema.Struct.Fields>(schema: Open<F>) => changed(schema, base00)

const parentMessageId = optional(Schema.NullOr(Schema.String))

const usage = optional(Schema.Array(changed(TokenUsage, { cacheWriteInputTokens: anything })))

/** Why a run ended. There is no `cancelled`, and no other key: `pendingToolCallIds` is fatal. */
export const RunFinishedOutcome00 = Schema.Union([
  closed("AguiRunFinishedSuccessOutcome00", { type: Schema.Literal("success") }),
  closed("AguiRunFinishedInterruptOutcome00", Outcome.RunFinishedInterruptOutcome.fields)
]).annotate({ identifier: "AguiRunFinishedOutcome00" })

/** Why a run ended. */
export type RunFinishedOutcome00 = typeof RunFinishedOutcome00.Type

/** Why a subagent's part of a run ended. As in 1.0, but with no other key. */
export const SubagentFinishedOutcome00 = Schema.Union([
  closed("AguiSubagentFinishedSuccessOutcome00", Outcome.SubagentFinishedSuccessOutcome.fields),
  closed("AguiSubagentFinishedSuspendedOutcome00", Outcome.SubagentFinishedSuspendedOutcome.fields)
]).annotate({ identifier: "AguiSubagentFinishedOutcome00" })

/** Why a subagent's part of a run ended. */
export type SubagentFinishedOutcome00 = typeof SubagentFinishedOutcome00.Type

/**
 * The reasoning events from before `REASONING_*`. They are in 0.0 only: its client accepts
 * them and shows nothing, the 1.0 client translates them with a warning. Never send them.
 */
export const thinkingEvents = {
  THINKING_START: open("AguiThinkingStartEvent00", {
    type: Schema.Literal("THINKING_START"),
    title: optional(Schema.String),
    ...base00
  }),
  THINKING_END: open("AguiThinkingEndEvent00", { type: Schema.Literal("THINKING_END"), ...base00 }),
  THINKING_TEXT_MESSAGE_START: open("AguiThinkingTextMessageStartEvent00", {
    type: Schema.Literal("THINKING_TEXT_MESSAGE_START"),
    ...base00
  }),
  THINKING_TEXT_MESSAGE_CONTENT: open("AguiThinkingTextMessageContentEvent00", {
    type: Schema.Literal("THINKING_TEXT_MESSAGE_CONTENT"),
    delta: Schema.String,
    ...base00
  }),
  THINKING_TEXT_MESSAGE_END: open("AguiThinkingTextMessageEndEvent00", {
    type: Schema.Literal("THINKING_TEXT_MESSAGE_END"),
    ...base00
  })
}

/** The 36 events of 0.0 by type. */
export const events00 = {
  TEXT_MESSAGE_START: same(events.TEXT_MESSAGE_START),
  TEXT_MESSAGE_CONTENT: same(events.TEXT_MESSAGE_CONTENT),
  TEXT_MESSAGE_END: same(events.TEXT_MESSAGE_END),
  TEXT_MESSAGE_CHUNK: same(events.TEXT_MESSAGE_CHUNK),
  TOOL_CALL_START: event00(events.TOOL_CALL_START, { parentMessageId }),
  TOOL_CALL_ARGS: same(events.TOOL_CALL_ARGS),
  TOOL_CALL_END: same(events.TOOL_CALL_END),
  TOOL_CALL_CHUNK: event00(events.TOOL_CALL_CHUNK, { parentMessageId }),
  TOOL_CALL_RESULT: event00(events.TOOL_CALL_RESULT, { content: Schema.String }),
  STATE_SNAPSHOT: event00(events.STATE_SNAPSHOT, { snapshot: anything }),
  STATE_DELTA: event00(events.STATE_DELTA, { delta: Schema.Array(Schema.Unknown) }),
  MESSAGES_SNAPSHOT: event00(events.MESSAGES_SNAPSHOT, { messages: Schema.Array(Message00) }),
  ACTIVITY_SNAPSHOT: same(events.ACTIVITY_SNAPSHOT),
  ACTIVITY_DELTA: event00(events.ACTIVITY_DELTA, { patch: Schema.Array(Schema.Unknown) }),
  RAW: event00(events.RAW, { event: anything }),
  CUSTOM: event00(events.CUSTOM, { value: anything }),
  RUN_STARTED: event00(events.RUN_STARTED, { protocolVersion: anything, input: optional(RunAgentInput00) }),
  RUN_FINISHED: event00(events.RUN_FINISHED, {
    result: anything,
    outcome: optional(Schema.NullOr(RunFinishedOutcome00)),
    usage
  }),
  RUN_ERROR: event00(events.RUN_ERROR, { usage }),
  STEP_STARTED: same(events.STEP_STARTED),
  STEP_FINISHED: same(events.STEP_FINISHED),
  REASONING_START: same(events.REASONING_START),
  REASONING_MESSAGE_START: same(events.REASONING_MESSAGE_START),
  REASONING_MESSAGE_CONTENT: same(events.REASONING_MESSAGE_CONTENT),
  REASONING_MESSAGE_END: same(events.REASONING_MESSAGE_END),
  REASONING_MESSAGE_CHUNK: same(events.REASONING_MESSAGE_CHUNK),
  REASONING_END: same(events.REASONING_END),
  REASONING_ENCRYPTED_VALUE: same(events.REASONING_ENCRYPTED_VALUE),
  SUBAGENT_STARTED: same(events.SUBAGENT_STARTED),
  SUBAGENT_FINISHED: event00(events.SUBAGENT_FINISHED, {
    result: anything,
    outcome: optional(SubagentFinishedOutcome00)
  }),
  SUBAGENT_ERROR: same(events.SUBAGENT_ERROR),
  ...thinkingEvents
}

/** The type of an event of 0.0. */
export type EventType00 = keyof typeof events00

/** Any event of AG-UI 0.0. */
export const AguiEvent00 = Schema.Union(Object.values(events00)).annotate({ identifier: "AguiEvent00" })

/** Any event of AG-UI 0.0. */
export type AguiEvent00 = (typeof events00)[EventType00]["Type"]
