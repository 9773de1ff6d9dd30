/**
 * How events are written: server-sent events, or Protocol Buffers for clients that ask for them.
 *
 * No stock client asks for the latter (docs/wire/ag-ui.md §3.1), and the package that encodes it, `@ag-ui/proto`,
 * weighs more than the rest of the bridge. So whoever wants it installs that package and gives its `encode`.
 */
import * as Agui from "@agentwire/protocol/agui"
import { jsonPieces } from "@agentwire/protocol/wire"
import { sseKeepAlive, sseType } from "../http/StreamWriter.ts"

/** Encodes one event as AG-UI's Protocol Buffers message: `encode` of `@ag-ui/proto`. */
export type ProtobufEncode = (event: Agui.AguiEvent) => Uint8Array

/** A way to write events. */
export interface EventEncoding {
  readonly contentType: string
  /** The events one after the other. */
  readonly encode: (events: ReadonlyArray<Agui.AguiEvent>) => string | Uint8Array
  /** A long event in pieces, each of which is written in a moment; undefined where the encoding cannot do that. */
  readonly encodeLong: ((event: Agui.AguiEvent) => Iterable<string>) | undefined
  /** What to write when there is nothing to say; undefined where the encoding has no such filler. */
  readonly keepAlive: string | undefined
}

/** Server-sent events. */
export const sse: EventEncoding = {
  contentType: sseType,
  encode: (events) => events.reduce((text, event) => text + Agui.encodeSse(event), ""),
  encodeLong: (event) => longPieces(event),
  keepAlive: sseKeepAlive
}

function* longPieces(event: Agui.AguiEvent): Generator<string, void> {
  yield "data: "
  yield* jsonPieces(event)
  yield "\n\n"
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
  encodeLong: undefined,
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
