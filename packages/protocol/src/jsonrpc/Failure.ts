/** Why requests fail, as typed errors: what the other side refused, and what went wrong on the way. */
import * as Schema from "effect/Schema"

/** What a handler fails with, and the other side gets as the error of its request. */
export class Refusal extends Schema.TaggedError<Refusal>()("Refusal", {
  /** Of JSON-RPC: `errorCodes`, or one of your protocol. */
  code: Schema.Finite,
  message: Schema.String,
  data: Schema.optionalKey(Schema.Unknown)
}) {}

/** A request to the other side that has no result. */
export class RequestFailed extends Schema.TaggedError<RequestFailed>()("RequestFailed", {
  /**
   * Stable: `REFUSED` (the other side answered with an error), `TIMEOUT`, `CLOSED` (the connection ended first), `BUSY`
   * (too many requests wait already), `UNSENT` (it could not be written).
   */
  reason: Schema.Literals(["REFUSED", "TIMEOUT", "CLOSED", "BUSY", "UNSENT"]),
  method: Schema.String,
  message: Schema.String,
  /** Of `REFUSED`: the code and the data of the error. */
  code: Schema.optionalKey(Schema.Finite),
  data: Schema.optionalKey(Schema.Unknown)
}) {}
