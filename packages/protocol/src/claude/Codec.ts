/**
 * The codec of Claude Code's wire.
 *
 * `decodeLine` for one line, `decoder` to push bytes, `decodeChunks` to pull from any
 * iterable of bytes, `decodeStream` for Effect. All share the three outcomes of `Decoded`.
 */
import * as Codec from "../Codec.ts"
import { messages } from "./Message.ts"

/** All of the below in one value, for code that is generic in the protocol. */
export const codec: Codec.Codec<typeof messages> = Codec.makeCodec(messages, {
  system: ["subtype"],
  result: ["subtype"],
  stream_event: ["event", "type"],
  control_request: ["request", "subtype"],
  control_response: ["response", "subtype"]
})

/** What a line of Claude Code's wire turns out to be. */
export type Decoded = Codec.Decoded<typeof messages>

/** A message of Claude Code's wire that fits its schema; `name` tells which. */
export type Known = Codec.Known<typeof messages>

/** Decodes one line, with or without its `\n`. Never throws. */
export const decodeLine = codec.decodeLine

/** Decodes a value that has been parsed already. Never throws. */
export const decodeValue = codec.decodeValue

/** The push form: give it bytes as they come, take what they complete. */
export const decoder = codec.decoder

/** The pull form, over anything that yields chunks of bytes. */
export const decodeChunks = codec.decodeChunks

/** The Effect form: a stream of bytes becomes a stream of outcomes. */
export const decodeStream = codec.decodeStream

/** What a message has that its schema does not name. */
export const drift = codec.drift
