/**
 * How a turn ended that its client never heard the end of, because the bridge was gone first.
 *
 * The newest failure does not say it: another client may have come back sooner, and been answered since. So it is told to
 * whoever was there before, and has had nothing since the thread was opened again.
 */
import * as Agui from "@agentwire/protocol/agui"
import type * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import type { LogFailed } from "../../log/BoundedLog.ts"
import type { EventLog } from "../../log/EventLog.ts"

/** How many messages of a client are looked up: what it was sent last is at the end. */
const lookedUp = 16

/** How the turns ended that the bridge before has cut, for a client that comes back with these messages. */
export const missedEnd = (
  { cut, look, openedPosition }: Pick<EventLog, "cut" | "look" | "openedPosition">,
  messages: ReadonlyArray<Agui.Message>
): Effect.Effect<Model.TurnFailure | undefined, LogFailed> =>
  cut === undefined || messages.length === 0
    ? Effect.undefined
    : look((view) =>
        Effect.map(view.find(Agui.entryIds(messages.slice(-lookedUp))), (found) =>
          found.length > 0 && found.every(({ position }) => position < openedPosition) ? cut : undefined
        )
      )
