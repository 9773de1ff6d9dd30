/**
 * What a client knows an entry of the transcript by: the id of the message that it is, or that it is part of.
 */
import type { TranscriptEntry } from "../../model/Transcript.ts"
import { resultId } from "./Item.ts"

/** The id of the message that an entry is, or is part of. */
export const messageIdOf = (entry: TranscriptEntry): string => {
  switch (entry.kind) {
    case "call":
      return entry.parent
    case "result":
      return resultId(entry.id)
    default:
      return entry.id
  }
}

/** The ids that an entry of a message may have, the likeliest first. */
export const entryIdsOf = (messageId: string): ReadonlyArray<string> => {
  const call = messageId.slice(0, -resultId("").length)
  return call !== "" && resultId(call) === messageId ? [messageId, call] : [messageId]
}
