/**
 * Which entries of a transcript are one message to a client: a text, and the calls that hang on it.
 */
import type * as Model from "@agentwire/protocol/model"

/** The id of the message that an entry may share with others; undefined where it shares none. */
export const messageOf = (entry: Model.TranscriptEntry): string | undefined => {
  switch (entry.kind) {
    case "text":
      return entry.id
    case "call":
      return entry.parent
    default:
      return undefined
  }
}
