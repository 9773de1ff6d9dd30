/**
 * What travels on the connection: requests of a client, their answers, and events. One JSON text each.
 */
import * as Schema from "effect/Schema"
import { JsonObject, optional } from "../wire/Open.ts"

/** The longest id of a request. */
export const maxIdLength = 200

/** A client asks. */
export const RequestFrame = Schema.Struct({
  type: Schema.Literal("req"),
  /** What the answer is known by. */
  id: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(maxIdLength)),
  method: Schema.String,
  params: optional(JsonObject)
}).annotate({ identifier: "GatewayRequest" })

/** A client asks. */
export type RequestFrame = typeof RequestFrame.Type

/** The answer. */
export const ResponseFrame = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("res"),
    id: Schema.String,
    ok: Schema.Literal(true),
    payload: optional(Schema.Unknown)
  }),
  Schema.Struct({
    type: Schema.Literal("res"),
    /** Empty: the request has no id that could be repeated. */
    id: Schema.String,
    ok: Schema.Literal(false),
    /** In words. */
    error: Schema.String,
    /** Stable. */
    code: Schema.String,
    /** The stable code of what went wrong below, where there is one. */
    cause: optional(Schema.String)
  })
]).annotate({ identifier: "GatewayResponse" })

/** The answer. */
export type ResponseFrame = typeof ResponseFrame.Type

/** An event of any name: those of sessions, and those of extensions. */
export const EventFrame = Schema.Struct({
  type: Schema.Literal("event"),
  event: Schema.String,
  payload: Schema.Unknown
}).annotate({ identifier: "GatewayEvent" })

/** An event of any name. */
export type EventFrame = typeof EventFrame.Type
