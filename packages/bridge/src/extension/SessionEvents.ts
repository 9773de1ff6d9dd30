/**
 * What happens in sessions, told on the bus: `session.` and the type of the event of the model.
 */
import * as Effect from "effect/Effect"
import type { SessionObserver } from "../observe/SessionObserver.ts"
import type { EventBus } from "./EventBus.ts"

/** Tells what happens in a session to whoever wants it. */
export const tellSessions =
  (bus: EventBus): SessionObserver =>
  ({ threadId }) =>
    Effect.succeed({
      events: (entries) =>
        Effect.sync(() => {
          for (const { at, event, seq } of entries) {
            const type = `session.${event.type}`
            if (bus.isWanted(type)) bus.publish({ type, payload: { threadId, seq, at, event } })
          }
        })
    })
