/**
 * How a turn ended that its client never heard the end of, because the bridge was gone first.
 *
 * The newest failure does not say it: another client may have come back sooner, and been answered since. So it is told to
 * whoever was there before, and has had nothing since, after however many restarts.
 */
import * as Agui from "@agentwire/protocol/agui"
import type * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import type { LogFailed } from "../../log/BoundedLog.ts"
import { bridgeEnded } from "../../log/CutTurns.ts"
import type { EventLog } from "../../log/EventLog.ts"

/** How many messages of a client are looked up: what it was sent last is at the end. */
const lookedUp = 16

/** How the turns ended that a bridge before has cut, for a client that comes back with these messages. */
export const missedEnd = (
  { cutAt, look }: Pick<EventLog, "cutAt" | "look">,
  messages: ReadonlyArray<Agui.Message>
): Effect.Effect<Model.TurnFailure | undefined, LogFailed> =>
  cutAt === undefined || messages.length === 0
    ? Effect.undefined
    : look((view) =>
        Effect.map(view.find(Agui.entryIds(messages.slice(-lookedUp))), (found) =>
          found.length > 0 && found.every(({ position }) => position < cutAt) ? failure : undefined
        )
      )

const failure: Model.TurnFailure = { code: bridgeEnded.code, message: bridgeEnded.message }
