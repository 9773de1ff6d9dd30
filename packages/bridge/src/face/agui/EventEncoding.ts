/**
 * How events are written: server-sent events, or Protocol Buffers for clients that ask for them.
 *
 * No stock client asks for the latter (docs/wire/ag-ui.md §3.1), and the package that encodes it, `@ag-ui/proto`,
 * weighs more than the rest of the bridge. So whoever wants it installs that package and gives its `encode`.
 */
import * as Agui from "@agentwire/protocol/agui"
import { sseKeepAlive, sseType } from "../http/StreamWriter.ts"

/** Encodes one event as AG-UI's Protocol Buffers message: `encode` of `@ag-ui/proto`. */
export type ProtobufEncode = (event: Agui.AguiEvent) => Uint8Array

/** The event that may be very long. */
export type Snapshot = Agui.AguiEventOf<"MESSAGES_SNAPSHOT">

/** A way to write events. */
export interface EventEncoding {
  readonly contentType: string
  /** The events one after the other. */
  readonly encode: (events: ReadonlyArray<Agui.AguiEvent>) => string | Uint8Array
  /** A conversation in pieces, each of which is written in a moment; undefined where the encoding cannot do that. */
  readonly encodeSnapshot: ((event: Snapshot) => Iterable<string>) | undefined
  /** What to write when there is nothing to say; undefined where the encoding has no such filler. */
  readonly keepAlive: string | undefined
}

/** Server-sent events. */
export const sse: EventEncoding = {
  contentType: sseType,
  encode: (events) => events.reduce((text, event) => text + Agui.encodeSse(event), ""),
  encodeSnapshot: (event) => snapshotPieces(event),
  keepAlive: sseKeepAlive
}

/** About how long a piece is, unless one message is longer. */
const pieceLength = 65_536

function* snapshotPieces({ messages, ...event }: Snapshot): Generator<string, void> {
  let piece = `data: ${JSON.stringify(event).slice(0, -1)},"messages":[`
  for (const [index, message] of messages.entries()) {
    piece += `${index === 0 ? "" : ","}${JSON.stringify(message)}`
    if (piece.length < pieceLength) continue
    yield piece
    piece = ""
  }
  yield `${piece}]}\n\n`
}

/** The media type of AG-UI's Protocol Buffers. The clients want exactly this: a parameter makes them read nothing. */
export const protobufMediaType = "application/vnd.ag-ui.event+proto"

/** Protocol Buffers: each message after its length, four bytes, the highest first. */
export const protobuf = (encode: ProtobufEncode): EventEncoding => ({
  contentType: protobufMediaType,
  encode: (events) =>
    Buffer.concat(
      events.flatMap((event) => {
        const message = encode(event)
        const length = Buffer.alloc(4)
        length.writeUInt32BE(message.length)
        return [length, message]
      })
    ),
  encodeSnapshot: undefined,
  keepAlive: undefined
})

/** The encoding for a reader, by its `Accept`. */
export const encodingFor = (accept: string | undefined, encode: ProtobufEncode | undefined): EventEncoding =>
  encode !== undefined && mediaTypes(accept).includes(protobufMediaType) ? protobuf(encode) : sse

const mediaTypes = (accept = ""): ReadonlyArray<string> =>
  accept
    .split(",")
    .filter((entry) => !/;\s*q=0(?:\.0*)?\s*(?:;|$)/i.test(entry))
    .map((entry) => (entry.split(";")[0] ?? "").trim().toLowerCase())
