/**
 * The codec of Claude Code's wire.
 *
 * `decodeLine` for one line, `decoder` to push bytes, `decodeChunks` to pull from any
 * iterable of bytes, `decodeStream` for Effect. All share the three outcomes of `Decoded`.
 */
import * as Codec from "../wire/Codec.ts"
import { type Drift, driftOf } from "../wire/Drift.ts"
import { needOf } from "../wire/Essentials.ts"
import { type ControlSubtype, controlRequests, type ResponseOf } from "./ControlRequest.ts"
import { essentials, responseEssentials } from "./Essentials.ts"
import { type Messages, messages } from "./Message.ts"

/** The codec's type. */
export type ClaudeCodec = Codec.Codec<Messages>

/** All of the below in one value, for code that is generic in the protocol. */
export const codec: ClaudeCodec = Codec.makeCodec(
  messages,
  {
    system: ["subtype"],
    result: ["subtype"],
    stream_event: ["event", "type"],
    control_request: ["request", "subtype"],
    control_response: ["response", "subtype"]
  },
  essentials
)

/** What a line of Claude Code's wire turns out to be. */
export type Decoded = Codec.Decoded<Messages>

/** A message of Claude Code's wire that can be read; `name` tells which. */
export type Known = Codec.Known<Messages>

/** Decodes one line, with or without its `\n`. Never throws. */
export const decodeLine: ClaudeCodec["decodeLine"] = codec.decodeLine

/** Decodes a value that has been parsed already. Never throws. */
export const decodeValue: ClaudeCodec["decodeValue"] = codec.decodeValue

/** The push form: give it bytes as they come, take what they complete. */
export const decoder: ClaudeCodec["decoder"] = codec.decoder

/** The pull form, over anything that yields chunks of bytes. */
export const decodeChunks: ClaudeCodec["decodeChunks"] = codec.decodeChunks

/** The Effect form: a stream of bytes becomes a stream of outcomes. */
export const decodeStream: ClaudeCodec["decodeStream"] = codec.decodeStream

/** What a message has that the schemas do not name (keys, values, its very type), and what of it is odd. */
export const drift: ClaudeCodec["drift"] = codec.drift

/**
 * Decodes the payload of a success (`response.response` of a `control_response`). What it is depends on
 * the request it answers, which the line does not say: whoever asked knows. Never throws.
 */
export const decodeResponse = <S extends ControlSubtype>(
  subtype: S,
  payload: unknown
): Codec.DecodedPayload<ResponseOf<S>> =>
  Codec.decodeTolerantly(controlRequests[subtype].response, needOf(responseEssentials(subtype)), payload ?? {})

/** What the payload of a success has that the schema of its subtype does not name, and what of it is odd. */
export const responseDrift = (subtype: ControlSubtype, payload: unknown): ReadonlyArray<Drift> =>
  driftOf(controlRequests[subtype].response, payload ?? {})
