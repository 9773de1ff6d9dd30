/**
 * What AG-UI's schemas share: the fields every event has, and the JSON values the protocol
 * distinguishes from plain ones.
 *
 * AG-UI is a published standard and its clients end the run on a value they do not know,
 * so its enumerations and unions are closed here, unlike those of the CLI. Objects stay
 * open: clients keep or drop unknown keys, and never fail on them.
 *
 * The exported names are those of `@ag-ui/core` 1.0.0; the identifiers carry the prefix
 * `Agui`, because other protocols of this package have a `UserMessage` too.
 */
import * as Schema from "effect/Schema"
import { JsonObject, optional } from "../wire/Open.ts"

/**
 * Any JSON value but `null`: where the protocol wants the key left out instead. It is a
 * union, and not `Unknown` with a check, because JSON Schema loses checks on `Unknown`.
 */
export const NotNull = Schema.Union([
  Schema.String,
  Schema.Finite,
  Schema.Boolean,
  Schema.Array(Schema.Unknown),
  JsonObject
])

/** Any JSON value but `null`. */
export type NotNull = typeof NotNull.Type

/**
 * Extra information on an event, message, tool, interrupt or answer. Null is legal under a
 * key and never in place of the object. The key `ag-ui` is reserved for the protocol.
 */
export const Metadata = JsonObject

/** Extra information on an event, message, tool, interrupt or answer. */
export type Metadata = typeof Metadata.Type

/** The fields every event may carry. */
export const baseEvent = {
  /** Milliseconds since the epoch, by convention. An integer: 1.0 clients end the run on `1.5`. */
  timestamp: optional(Schema.Int),
  /** The native event this one was made from. */
  rawEvent: optional(NotNull),
  metadata: optional(Metadata)
}

/** The field that says which subagent an event or message belongs to; absent for the agent itself. */
export const attributable = {
  /** Names one invocation, not a kind of subagent: two invocations have two ids. */
  subagentRunId: optional(Schema.String)
}
