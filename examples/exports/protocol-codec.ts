/** `@agentwire/protocol/codec`: a codec for any protocol of lines, made from its schemas. */
import { decodePayload, driftOf, encodeLine, makeCodec } from "@agentwire/protocol/codec"
import * as Schema from "effect/Schema"

const Ping = Schema.Struct({ type: Schema.Literal("ping"), id: Schema.Finite })

// A codec from the schemas of the messages, by their names.
const codec = makeCodec({ ping: Ping })
console.log(codec.decodeLine('{"type":"ping","id":1}')._tag, codec.decodeLine('{"type":"pong"}')._tag) // Known Unknown

// A value of which one knows what it should be.
console.log(decodePayload(Ping, { type: "ping", id: "one" })._tag) // Invalid

// What a value has that its schema does not name.
console.log(driftOf(Ping, { type: "ping", id: 1, mood: "good" })) // [ { path: '$.mood', example: 'good' } ]

// A message as a line.
console.log(encodeLine({ type: "ping", id: 1 })) // {"type":"ping","id":1}
