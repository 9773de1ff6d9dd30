/**
 * The codec of AG-UI events, per dialect.
 *
 * The outcomes are those of every codec here. How a client takes them differs: an `Unknown` event is
 * dropped with a warning by client 1.0.0 and fatal to client 0.0.59.
 */
import { type Codec, makeCodec } from "../wire/Codec.ts"
import { events } from "./Event.ts"
import { events00 } from "./Event00.ts"

/** Decodes the events of a dialect: `codecs["1.0"].decodeLine(line)`. */
export const codecs: { readonly "1.0": Codec<typeof events>; readonly "0.0": Codec<typeof events00> } = {
  "1.0": makeCodec(events),
  "0.0": makeCodec(events00)
}
