/**
 * The end of a conversation that a bridge before has left in the middle of a turn: the agent was killed with it, and may not
 * know all that was said there.
 */
import * as Effect from "effect/Effect"
import type { EventLog } from "./EventLog.ts"

/** How much of what was said last is looked at: a turn is rarely longer. */
const lookedAt = { maxEntries: 64, maxBytes: 1_000_000 }

/** What was said last, as long as nobody has said anything since a bridge has cut it; undefined where none has. */
export const cutWords = ({ cutAt, look, nextPosition }: Pick<EventLog, "cutAt" | "look" | "nextPosition">) =>
  cutAt === undefined || cutAt < nextPosition()
    ? undefined
    : look((view) =>
        Effect.map(view.page({ before: cutAt, ...lookedAt }), ({ entries, more }) => ({
          entries: entries.map(({ entry }) => entry),
          more
        }))
      ).pipe(
        // Nobody knows then what the agent may not know.
        Effect.orElseSucceed(() => ({ entries: [], more: true }))
      )
