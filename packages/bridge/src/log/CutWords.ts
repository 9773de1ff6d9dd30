/**
 * The end of a conversation whose bridge was killed, in the middle of a turn or just after one: the agent was killed with it,
 * and may not know all that was said there.
 */
import * as Effect from "effect/Effect"
import type { EventLog } from "./EventLog.ts"

/** How much of what was said last is looked at: a turn is rarely longer. */
const lookedAt = { maxEntries: 64, maxBytes: 1_000_000 }

/** What was said last, as long as nobody has said anything since a bridge was killed; undefined where none was. */
export const cutWords = ({
  cutAt,
  leftAt,
  look,
  nextPosition
}: Pick<EventLog, "cutAt" | "leftAt" | "look" | "nextPosition">) =>
  leftAt === undefined || leftAt < nextPosition()
    ? undefined
    : look((view) =>
        Effect.map(view.page({ before: leftAt, ...lookedAt }), ({ entries, more }) => ({
          entries: entries.map(({ entry }) => entry),
          more,
          isInTurn: cutAt === leftAt
        }))
      ).pipe(
        // Nobody knows then what the agent may not know.
        Effect.orElseSucceed(() => ({ entries: [], more: true, isInTurn: false }))
      )
