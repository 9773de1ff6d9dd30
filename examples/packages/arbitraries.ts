import { mutatedSessions } from "@agentwire/fixtures/arbitrary"
import { decodeLine } from "@agentwire/protocol/claude"
import fc from "fast-check"

// Sessions with lines dropped, moved, doubled, cut and interleaved.
fc.assert(
  fc.property(mutatedSessions(), ({ lines }) => lines.every(({ line }) => decodeLine(line)._tag !== undefined)),
  { numRuns: 20 }
)
console.log("every line has an outcome") // every line has an outcome
