/** The events of `codex exec --json`, as the commands read them. */
import { execCodec } from "@agentwire/protocol/codex"
import type { Reading } from "../Reading.ts"

/** How they are read. Nobody asks anything there. */
export const reading: Reading = {
  decodeLine: execCodec.decodeLine,
  decoder: execCodec.decoder,
  drift: execCodec.drift,
  listener: () => ({ take: () => undefined })
}
