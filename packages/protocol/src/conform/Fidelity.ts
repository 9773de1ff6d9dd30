/**
 * Compares a session of Claude Code with the AG-UI events a bridge made from it.
 *
 * How a bridge cuts messages and names things is its own affair; a finding means that something was lost, doubled,
 * attributed to the wrong speaker or misstated. What the wire itself makes ambiguous is allowed either way: a cut answer that came
 * again may be shown or not, and arguments may be those that were streamed or those of the whole message.
 */
import type { Decoded } from "../claude/Codec.ts"
import type { CheckOptions } from "./Checker.ts"
import type { Finding } from "./Finding.ts"
import { compareCalls } from "./fidelity/Calls.ts"
import { compareEnds } from "./fidelity/Ends.ts"
import { readRendering } from "./fidelity/Rendering.ts"
import { readSession } from "./fidelity/Session.ts"
import { compareWords } from "./fidelity/Words.ts"

/**
 * What the events lose, double or misstate of the session. `source` is what the CLI said, not what the host did; the
 * results of `frontendTools` are the application's and not looked for.
 */
export const checkFidelity = (
  source: Iterable<Decoded>,
  events: Iterable<unknown>,
  { dialect = "1.0", frontendTools = [] }: CheckOptions = {}
): ReadonlyArray<Finding> => {
  const session = readSession(source)
  const rendering = readRendering(events, dialect)
  // A stream is compared as a whole: what is missing here may come later.
  return [
    ...compareWords(session, rendering),
    ...compareCalls(session, rendering, frontendTools),
    ...compareEnds(session, rendering, dialect, frontendTools)
  ].map((finding) => ({ ...finding, prefix: rendering.events }))
}
