/** `@agentwire/fixtures/arbitrary`: fast-check arbitraries for the wire of Claude Code. */
import {
  messages,
  mutate,
  mutatedSessions,
  mutations,
  sessions,
  stories,
  storyFrontendTools
} from "@agentwire/fixtures/arbitrary"
import { decodeLine, decodeValue } from "@agentwire/protocol/claude"
import fc from "fast-check"

const few = { numRuns: 5 }

// Single messages: of all kinds, or of some.
fc.assert(
  fc.property(messages(["keep_alive"]), (message) => decodeValue(message)._tag === "Known"),
  few
)

// Sessions, both sides; stories, in which everything happens that the wire is known for.
const isKnown = ({ line }: { readonly line: string }): boolean => decodeLine(line)._tag === "Known"
fc.assert(
  fc.property(sessions({ maxTurns: 2 }), (lines) => lines.every(isKnown)),
  few
)
fc.assert(
  fc.property(stories(), (lines) => lines.every(isKnown)),
  few
)
console.log(storyFrontendTools.length > 0) // true

// Sessions that something went wrong with; or one thing that goes wrong with a session of yours.
fc.assert(
  fc.property(mutatedSessions(), ({ lines }) => lines.every(({ line }) => decodeLine(line)._tag !== undefined)),
  few
)
fc.assert(
  fc.property(mutations, (mutation) => mutate([], mutation).length === 0),
  few
)
