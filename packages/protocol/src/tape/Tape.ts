/**
 * A tape: one session between a host and an agent, as it was on the wire.
 *
 * One NDJSON file. The first line is the header; every other line is a frame
 * `[wait, from, channel, payload]`, readable with `less` and comparable with `diff`; the last one, when the
 * recording ended in order, says how many frames there are and what they hash to. Joining the payloads of a
 * channel gives back exactly the bytes that went over it: a payload is a whole line with its `\n` wherever
 * there was one. A file cut anywhere still loads up to the cut.
 */
import * as Schema from "effect/Schema"
import { known, open, optional } from "../wire/Open.ts"

/** The version of the format this package writes. */
export const tapeVersion = 1

/** What is known of a session before its first frame. */
export const TapeHeader = open("TapeHeader", {
  tape: Schema.Literal(tapeVersion),
  /** The version of agentwire that wrote the tape. */
  agentwire: Schema.String,
  /** The agent, such as `claude-code`, and its version where it is known. */
  runtime: open({ name: known("claude-code", "codex"), version: optional(Schema.String) }),
  transport: known("stdio", "ws"),
  /** The agent's arguments, without the program itself. */
  argv: Schema.Array(Schema.String),
  /** When it started, as ISO 8601. */
  startedAt: Schema.String,
  /** The kinds of secrets that were looked for and replaced; empty when redaction was off. */
  redacted: Schema.Array(Schema.String),
  /** The scenario that was played, where one was. */
  scenario: optional(Schema.String),
  /** What it was made from, when nobody recorded it: `transcript` is a session file that the agent kept. */
  madeFrom: optional(known("transcript"))
})

/** What is known of a session before its first frame. */
export type TapeHeader = typeof TapeHeader.Type

/** The end of a tape that was not cut. */
export const TapeEnd = open("TapeEnd", {
  /** The number of frames. */
  end: Schema.Finite,
  /** SHA-256, in hex, of every byte of the file before this line. */
  sha256: Schema.String
})

/** The end of a tape that was not cut. */
export type TapeEnd = typeof TapeEnd.Type

/** Who spoke. */
export type Speaker = "host" | "agent"

/** Where bytes went. On `ws` both speak; on the others the channel says who does. */
export type Channel = "stdin" | "stdout" | "stderr" | "ws"

interface Timed {
  /** Milliseconds since the frame before, or since the start. */
  readonly wait: number
}

/** Bytes on a channel: text, or base64 where they are not UTF-8. */
export interface DataFrame extends Timed {
  readonly _tag: "Data"
  readonly from: Speaker
  readonly channel: Channel
  readonly data: string | { readonly base64: string }
}

/** A channel was closed by its writer. */
export interface CloseFrame extends Timed {
  readonly _tag: "Close"
  readonly from: Speaker
  readonly channel: Channel
  /** The close code and reason of a WebSocket. */
  readonly ws?: { readonly code: number; readonly reason: string }
}

/** A WebSocket was opened by the agent; again at every reconnect. */
export interface OpenFrame extends Timed {
  readonly _tag: "Open"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** The agent's process ended. */
export interface ExitFrame extends Timed {
  readonly _tag: "Exit"
  readonly code: number | null
  readonly signal: string | null
}

/** A note by the recorder. */
export interface MarkerFrame extends Timed {
  readonly _tag: "Marker"
  readonly text: string
}

/** One thing that happened. */
export type Frame = DataFrame | CloseFrame | OpenFrame | ExitFrame | MarkerFrame

/** A tape in memory. */
export interface Tape {
  readonly header: TapeHeader
  readonly frames: ReadonlyArray<Frame>
  /** Absent when the recording was cut. */
  readonly end?: TapeEnd
}

const data = Schema.Union([Schema.String, open({ base64: Schema.String })])
const speaker = Schema.Literals(["host", "agent"])
const channel = Schema.Literals(["stdin", "stdout", "stderr", "ws"])

/** A frame as its line has it: `[wait, from, what, payload]`. */
export const FrameLine = Schema.Union([
  Schema.Tuple([Schema.Finite, speaker, channel, data]),
  Schema.Tuple([
    Schema.Finite,
    speaker,
    Schema.Literal("close"),
    open({ channel, ws: optional(open({ code: Schema.Finite, reason: Schema.String })) })
  ]),
  Schema.Tuple([
    Schema.Finite,
    Schema.Literal("agent"),
    Schema.Literal("open"),
    open({ url: Schema.String, headers: Schema.Record(Schema.String, Schema.String) })
  ]),
  Schema.Tuple([
    Schema.Finite,
    Schema.Literal("agent"),
    Schema.Literal("exit"),
    open({ code: Schema.NullOr(Schema.Finite), signal: Schema.NullOr(Schema.String) })
  ]),
  Schema.Tuple([Schema.Finite, Schema.Literal("host"), Schema.Literal("marker"), Schema.String])
]).annotate({ identifier: "TapeFrame" })

/** A frame as its line has it. */
export type FrameLine = typeof FrameLine.Type
