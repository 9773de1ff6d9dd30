/** Agents that say a stamped piece at a time when they are told to: no processes, so that the gateway alone is measured. */
import { Runtime } from "@agentwire/bridge/session"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { stamped } from "../bridge/Stamp.ts"

/** Says the next piece of a thread. */
export type Speak = (threadId: string) => void

/** A runtime whose conversations say what `Speak` has them say. */
export const speakers = (): { readonly speak: Speak; readonly layer: Layer.Layer<Runtime> } => {
  const says = new Map<string, () => void>()
  const layer = Layer.succeed(Runtime, {
    kind: "bench",
    name: "Bench",
    agents: [],
    open: ({ threadId }, host) =>
      Effect.sync(() => {
        let isBegun = false
        const lane = null
        says.set(threadId, () => {
          if (!isBegun)
            host.logEvents(
              [
                { type: "turn_started", cause: "agent" },
                { type: "reply_started", lane, id: "m" },
                { type: "item_started", lane, id: "t", item: { kind: "text" } }
              ],
              undefined
            )
          isBegun = true
          host.logEvents([{ type: "item_grew", lane, id: "t", delta: stamped() }], undefined)
        })
        return {
          send: () => Effect.void,
          canSteer: () => false,
          interrupt: Effect.void,
          start: Effect.void,
          whenReady: Effect.void,
          disconnect: Effect.void,
          goBack: () => Effect.void,
          set: () => Effect.void,
          isRunning: () => false,
          cwd: () => "/",
          native: {
            request: () => Effect.die("nothing is asked of it"),
            send: () => Effect.void,
            facts: Effect.succeed({})
          }
        }
      })
  })
  return { speak: (threadId) => says.get(threadId)?.(), layer }
}
