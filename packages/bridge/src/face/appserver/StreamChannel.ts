/**
 * A client at the other end of a pipe: a message is a line, and the next one is written when the pipe has taken the last.
 */
import type { Readable, Writable } from "node:stream"
import { type Channel, lineChannel } from "@agentwire/protocol/jsonrpc"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** The longest line that is read, in bytes. What is longer is dropped. */
const maxLineBytes = 50_000_000

/** The client of a process: on its standard input and output. */
export const streamChannel = (input: Readable, output: Writable): Channel =>
  lineChannel(
    Stream.fromAsyncIterable(input as AsyncIterable<Uint8Array>, (cause) => cause),
    (text) =>
      Effect.callback<void, unknown>((resume) => {
        if (!output.writable) return resume(Effect.fail(new Error("The other side is gone.")))
        output.write(text, (error) => resume(error ? Effect.fail(error) : Effect.void))
      }),
    { maxLineBytes }
  )
