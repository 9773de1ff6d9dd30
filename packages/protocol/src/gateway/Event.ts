/**
 * What a client of the gateway is told: the events of Anthropic's streaming Messages API as they are, whichever runtime
 * an agent has, and around them what a turn, a question and a session say. On the wire each is `session.` and its type,
 * with the payload that is described here.
 */
import * as Schema from "effect/Schema"
import { EntryPlace } from "../model/Branch.ts"
import { Event, LaneOutcome, TurnOutcome } from "../model/Event.ts"
import { Closing, Request } from "../model/Request.ts"
import { JsonObject, known, optional } from "../wire/Open.ts"
import { AgentBlock, SaidBlock, ToolResult } from "./Block.ts"

/** Which session an event is of, and where it is there. */
const place = {
  sessionId: Schema.String,
  /** The number of the entry of the session's log that it is made from; -1: before the first. */
  seq: Schema.Int,
  /**
   * Its number among several events of one entry, all but the last, which has none; -1: the entry itself, before them. Below
   * that: what whoever joins is told, all but the last, when it has come to this entry.
   */
  part: optional(Schema.Int)
}

/** Who speaks: null is the agent itself, a text is the call that started a sub-agent. */
const speaker = { parent_tool_use_id: Schema.NullOr(Schema.String) }

/** Tokens as Anthropic counts them: `input_tokens` is without what came from a cache or went into one. */
export const GatewayUsage = Schema.Struct({
  input_tokens: Schema.Natural,
  output_tokens: Schema.Natural,
  cache_read_input_tokens: Schema.Natural,
  cache_creation_input_tokens: Schema.Natural
}).annotate({ identifier: "GatewayUsage" })

/** Tokens as Anthropic counts them. */
export type GatewayUsage = typeof GatewayUsage.Type

const payload = <const T extends string, const F extends Schema.Struct.Fields>(
  type: T,
  identifier: string,
  fields: F
) => Schema.Struct({ type: Schema.Literal(type), ...place, ...fields }).annotate({ identifier })

/** The payloads by their type. */
export const gatewayPayloads = {
  /** The agent begins to work: on a prompt, or by itself. */
  turn_start: payload("turn_start", "GatewayTurnStart", {
    cause: Schema.Literals(["prompt", "agent"]),
    /** What `session.prompt` answered; absent for a turn that no prompt of the bridge began. */
    promptId: optional(Schema.String)
  }),
  message_start: payload("message_start", "GatewayMessageStart", {
    ...speaker,
    message: Schema.Struct({
      id: Schema.String,
      type: Schema.Literal("message"),
      role: Schema.Literal("assistant"),
      model: Schema.String,
      content: Schema.Array(AgentBlock),
      stop_reason: Schema.Null,
      stop_sequence: Schema.Null,
      /** Of the turn, so far. */
      usage: GatewayUsage
    })
  }),
  /**
   * A block begins, or goes on that was begun before: then it has the same id, and comes with what it has until now. What
   * follows is added to that.
   */
  content_block_start: payload("content_block_start", "GatewayContentBlockStart", {
    ...speaker,
    index: Schema.Natural,
    content_block: AgentBlock
  }),
  content_block_delta: payload("content_block_delta", "GatewayContentBlockDelta", {
    ...speaker,
    index: Schema.Natural,
    delta: Schema.Union([
      Schema.Struct({ type: Schema.Literal("text_delta"), text: Schema.String }),
      Schema.Struct({ type: Schema.Literal("thinking_delta"), thinking: Schema.String }),
      Schema.Struct({ type: Schema.Literal("signature_delta"), signature: Schema.String }),
      Schema.Struct({ type: Schema.Literal("input_json_delta"), partial_json: Schema.String })
    ])
  }),
  content_block_stop: payload("content_block_stop", "GatewayContentBlockStop", { ...speaker, index: Schema.Natural }),
  message_delta: payload("message_delta", "GatewayMessageDelta", {
    ...speaker,
    delta: Schema.Struct({
      /** `abort`: it was cut off. */
      stop_reason: known("end_turn", "tool_use", "abort"),
      stop_sequence: Schema.Null
    }),
    /** Of the turn, so far. */
    usage: GatewayUsage
  }),
  message_stop: payload("message_stop", "GatewayMessageStop", speaker),
  /** Tools have run. */
  request_tool_results: payload("request_tool_results", "GatewayRequestToolResults", {
    ...speaker,
    tool_results: Schema.Array(ToolResult)
  }),
  /** The turn is over. Where it was stopped, nothing of it follows. */
  turn_stop: payload("turn_stop", "GatewayTurnStop", {
    outcome: TurnOutcome,
    /** Of the whole turn; of a turn that was stopped: until then. */
    usage: GatewayUsage,
    /** In US dollars, since the agent's program was started: absent where the agent does not say. */
    total_cost_usd: optional(Schema.Finite)
  }),
  /** A person has said something. */
  user_message: payload("user_message", "GatewayUserMessage", {
    ...speaker,
    message: Schema.Struct({
      id: Schema.String,
      role: Schema.Literal("user"),
      content: Schema.Array(SaidBlock)
    })
  }),
  /** Something that runs for a while, such as a plan or a background command: these keys have these values now. */
  task: payload("task", "GatewayTask", { ...speaker, task_id: Schema.String, content: JsonObject }),
  /** The agent asks: answer with `session.answer`. */
  request_opened: payload("request_opened", "GatewayRequestOpened", { ...speaker, request: Request }),
  /** A question is closed, for everybody. */
  request_closed: payload("request_closed", "GatewayRequestClosed", {
    ...speaker,
    requestId: Schema.String,
    by: Closing,
    /** What was decided, in a word. */
    verdict: optional(Schema.String)
  }),
  /** A sub-agent begins: `id` is the call that started it. */
  subagent_start: payload("subagent_start", "GatewaySubagentStart", {
    ...speaker,
    id: Schema.String,
    name: Schema.String,
    description: optional(Schema.String)
  }),
  subagent_stop: payload("subagent_stop", "GatewaySubagentStop", { id: Schema.String, outcome: LaneOutcome }),
  /** The conversation has gone back: what was said after this id is not part of it any more. Null: nothing is. */
  branched: payload("branched", "GatewayBranched", {
    branch: Schema.Natural,
    after: Schema.NullOr(Schema.String),
    from: Schema.NullOr(EntryPlace)
  }),
  /** An entry of the session's log as the model has it: everything there is, for those who name it. */
  event: payload("event", "GatewayModelEvent", {
    /** In milliseconds since 1970. */
    at: Schema.Finite,
    event: Event
  })
} as const

/** The type of a payload. */
export type PayloadType = keyof typeof gatewayPayloads

/** The payload of a type. */
export type PayloadOf<T extends PayloadType> = (typeof gatewayPayloads)[T]["Type"]

/** An event of a session, as it is on the wire. */
export type SessionEvent = {
  readonly [T in PayloadType]: {
    readonly type: "event"
    readonly event: `session.${T}`
    readonly payload: PayloadOf<T>
  }
}[PayloadType]

const sessionEvent = <T extends PayloadType>(type: T) =>
  Schema.Struct({
    type: Schema.Literal("event"),
    event: Schema.Literal(`session.${type}`),
    payload: gatewayPayloads[type] as Schema.Top
  }).annotate({ identifier: `Gateway_session.${type}` })

/** The frames of the events of a session, by their names. */
export const sessionEvents: Readonly<Record<string, Schema.Top>> = Object.fromEntries(
  (Object.keys(gatewayPayloads) as ReadonlyArray<PayloadType>).map((type) => [`session.${type}`, sessionEvent(type)])
)
