/**
 * The two dialects of AG-UI a server meets, as data: `1.0`, and `0.0` for the client
 * 0.0.59 that CopilotKit 1.74 and 1.75 pin.
 *
 * The request says which: 1.0 clients send `protocolVersion`, 0.0 clients do not
 * (docs/wire/ag-ui.md §0). {@link differences} lists what one of them takes and the other does
 * not; `test/agui/dialect00.test.ts` runs every row against the real clients.
 */
import * as Struct from "effect/Struct"
import { AguiEvent, events } from "./Event.ts"
import { AguiEvent00, events00, Message00, RunAgentInput00 } from "./Event00.ts"
import { Message } from "./Message.ts"
import { RunAgentInput } from "./RunInput.ts"

/** The version of the protocol these schemas describe, and that a producer declares on `RUN_STARTED`. */
export const PROTOCOL_VERSION = "1.0"

/** A dialect of AG-UI. */
export type Dialect = "1.0" | "0.0"

/**
 * The dialect of the peer that sent this request. Versions later than 1.0 get 1.0: the
 * protocol grows by what older peers ignore.
 */
export const dialectOf = (input: { readonly protocolVersion?: unknown }): Dialect =>
  typeof input.protocolVersion === "string" && /^[1-9]/.test(input.protocolVersion) ? "1.0" : "0.0"

/** The schemas and closed lists of both dialects. */
export interface Dialects {
  readonly "1.0": {
    readonly events: typeof events
    readonly eventTypes: ReadonlyArray<keyof typeof events>
    readonly outcomeTypes: readonly ["success", "interrupt", "cancelled"]
    readonly AguiEvent: typeof AguiEvent
    readonly Message: typeof Message
    readonly RunAgentInput: typeof RunAgentInput
  }
  readonly "0.0": {
    readonly events: typeof events00
    readonly eventTypes: ReadonlyArray<keyof typeof events00>
    readonly outcomeTypes: readonly ["success", "interrupt"]
    readonly AguiEvent: typeof AguiEvent00
    readonly Message: typeof Message00
    readonly RunAgentInput: typeof RunAgentInput00
  }
}

/** The schemas and closed lists of each dialect. */
export const dialects: Dialects = {
  "1.0": {
    events,
    eventTypes: Struct.keys(events),
    outcomeTypes: ["success", "interrupt", "cancelled"],
    AguiEvent,
    Message,
    RunAgentInput
  },
  "0.0": {
    events: events00,
    eventTypes: Struct.keys(events00),
    outcomeTypes: ["success", "interrupt"],
    AguiEvent: AguiEvent00,
    Message: Message00,
    RunAgentInput: RunAgentInput00
  }
}

/**
 * What a client does with something in a stream. `accepted`: the application gets it,
 * perhaps in today's shape. `stripped`: the run continues without it. `rejected`: the run
 * ends there; inside CopilotKit without any message (§0 item 5).
 */
export type Verdict = "accepted" | "stripped" | "rejected"

/** Something the two clients treat differently. */
export interface Difference {
  /** What the stream has. */
  readonly what: string
  /** What `@ag-ui/client` 1.0.0 does with it. */
  readonly "1.0": Verdict
  /** What `@ag-ui/client` 0.0.59 does with it. */
  readonly "0.0": Verdict
  /** Where docs/wire/ag-ui.md says so, or how it is known. */
  readonly source: string
}

const ran = "found by test/agui/dialect00.test.ts"

/** What the two clients treat differently, by id. */
export const differences = {
  "event-unknown": {
    what: "an event type that is in no list",
    "1.0": "stripped",
    "0.0": "rejected",
    source: "§0.3, §3.3"
  },
  "event-unknown-key": {
    what: "a key on an event that no schema names",
    "1.0": "stripped",
    "0.0": "accepted",
    source: "§3.3"
  },
  "outcome-cancelled": {
    what: 'RUN_FINISHED.outcome {type: "cancelled"}',
    "1.0": "accepted",
    "0.0": "rejected",
    source: "§0.3, §3.3"
  },
  "outcome-unknown": {
    what: "RUN_FINISHED.outcome of an unknown type; 1.0 then reads the run as a success",
    "1.0": "stripped",
    "0.0": "rejected",
    source: `§2.3 for 1.0; 0.0 ${ran}`
  },
  "outcome-pending-tool-calls": {
    what: "RUN_FINISHED.outcome.pendingToolCallIds",
    "1.0": "accepted",
    "0.0": "rejected",
    source: "§0.3, §3.3"
  },
  "outcome-unknown-key": {
    what: "any other key in RUN_FINISHED.outcome",
    "1.0": "stripped",
    "0.0": "rejected",
    source: ran
  },
  "subagent-outcome-unknown-key": {
    what: "an unknown key in SUBAGENT_FINISHED.outcome",
    "1.0": "stripped",
    "0.0": "rejected",
    source: ran
  },
  "tool-result-parts": {
    what: "TOOL_CALL_RESULT.content as parts",
    "1.0": "accepted",
    "0.0": "rejected",
    source: "§0.3, §3.3"
  },
  "tool-message-parts": {
    what: "content of a tool message as parts, in a snapshot or an echoed input",
    "1.0": "accepted",
    "0.0": "rejected",
    source: `§1.4; ${ran}`
  },
  "part-file-source": {
    what: 'a media part with a source {type: "file"}',
    "1.0": "accepted",
    "0.0": "rejected",
    source: `§1.4; ${ran}`
  },
  "text-part-metadata": {
    what: "`id` and `metadata` on a text part",
    "1.0": "accepted",
    "0.0": "stripped",
    source: `§1.4; ${ran}`
  },
  "part-metadata-null": {
    what: "null as `metadata` of a media part",
    "1.0": "stripped",
    "0.0": "accepted",
    source: `§1.4; ${ran}`
  },
  "usage-cache-write": {
    what: "TokenUsage.cacheWriteInputTokens",
    "1.0": "accepted",
    "0.0": "stripped",
    source: ran
  },
  "input-without-tools": {
    what: "an echoed RUN_STARTED.input without `tools` or `context`",
    "1.0": "accepted",
    "0.0": "rejected",
    source: `§1.2; ${ran}`
  },
  "timestamp-fraction": {
    what: "a `timestamp` that is not an integer",
    "1.0": "rejected",
    "0.0": "accepted",
    source: "§0.4, §3.3"
  },
  "custom-without-value": {
    what: "CUSTOM without `value` (null is fine)",
    "1.0": "rejected",
    "0.0": "accepted",
    source: "§0.4, §3.3"
  },
  "raw-without-event": {
    what: "RAW without `event`",
    "1.0": "rejected",
    "0.0": "accepted",
    source: `§2.3 for 1.0; 0.0 ${ran}`
  },
  "snapshot-missing": {
    what: "STATE_SNAPSHOT without `snapshot` (null is fine)",
    "1.0": "rejected",
    "0.0": "accepted",
    source: `§2.3 for 1.0; 0.0 ${ran}`
  },
  "patch-path": {
    what: "a path in a JSON Patch that is no JSON Pointer",
    "1.0": "rejected",
    "0.0": "accepted",
    source: "§0.4, §3.3"
  },
  "patch-op": {
    what: "an unknown `op` in a JSON Patch; 0.0 warns when it cannot apply it",
    "1.0": "stripped",
    "0.0": "accepted",
    source: ran
  },
  "reasoning-open-message": {
    what: "RUN_FINISHED while a reasoning message is open",
    "1.0": "rejected",
    "0.0": "accepted",
    source: "§0.4, §2.1"
  },
  "reasoning-open-span": {
    what: "RUN_FINISHED while a reasoning span is open",
    "1.0": "rejected",
    "0.0": "accepted",
    source: "§0.4, §2.1"
  },
  "reasoning-without-start": {
    what: "REASONING_MESSAGE_CONTENT or _END without a start",
    "1.0": "rejected",
    "0.0": "accepted",
    source: "§0.4, §2.1"
  },
  "reasoning-twice": {
    what: "REASONING_START for a span that is open",
    "1.0": "rejected",
    "0.0": "accepted",
    source: `§2.1; ${ran}`
  },
  "raw-event-null": {
    what: "null as `rawEvent`: 1.0's schema refuses it, its client removes it first, until 2027",
    "1.0": "stripped",
    "0.0": "accepted",
    source: "§1.4, §3.3"
  },
  "result-null": {
    what: "null as `result` of RUN_FINISHED or SUBAGENT_FINISHED: as rawEvent",
    "1.0": "stripped",
    "0.0": "accepted",
    source: `§1.4; ${ran}`
  }
} as const satisfies Record<string, Difference>

/** The id of a row of {@link differences}. */
export type DifferenceId = keyof typeof differences
