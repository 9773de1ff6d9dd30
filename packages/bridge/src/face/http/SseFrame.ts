/**
 * A value as a server-sent event, in pieces where it is long.
 */
import { jsonPieces } from "@agentwire/protocol/wire"
import { isLong } from "../../eventloop/LongJson.ts"
import type { Frame } from "./StreamWriter.ts"

/** A server-sent event. JSON has no line ends, so it is one line. `message` is what an event is called without a name. */
export const sseFrame = (id: string, event: string, data: unknown): Frame => {
  const head = `${event === "message" ? "" : `event: ${event}\n`}id: ${id}\ndata: `
  return isLong(data) ? longFrame(head, data) : `${head}${JSON.stringify(data)}\n\n`
}

function* longFrame(head: string, data: unknown): Generator<string, void> {
  yield head
  yield* jsonPieces(data)
  yield "\n\n"
}
