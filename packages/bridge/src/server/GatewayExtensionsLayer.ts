/**
 * Extensions as what joins the gateway: their methods, the events that they tell, and how they are.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { ExtensionFailed } from "../extension/ExtensionFailed.ts"
import { Extensions } from "../extension/ExtensionHost.ts"
import {
  GatewayExtensions,
  GatewayMethodFailed,
  type GatewayNews,
  type GatewayPrompted
} from "../face/gateway/Extensions.ts"

/** How many events may wait for the gateway; more are dropped. */
const maxWaiting = 10_000

const methodFailed = ({ code, message }: ExtensionFailed) => new GatewayMethodFailed({ code, message })

/** The port of the gateway, filled with the extensions there are. */
export const layerGatewayExtensions: Layer.Layer<GatewayExtensions, never, Extensions> = Layer.effect(
  GatewayExtensions,
  Effect.map(Extensions, ({ call, health, methods, note, subscribe }) => ({
    methods,
    call: (method, params) => Effect.mapError(call(method, params), methodFailed),
    /** A prompt with a source, before it is said. */
    prompted: ({ messageId, promptId, sessionId, source }: GatewayPrompted) =>
      Effect.mapError(note({ threadId: sessionId, ticket: promptId, messageId, source }), methodFailed),
    events: Stream.unwrap(
      Effect.gen(function* () {
        const waiting = yield* Queue.dropping<GatewayNews>(maxWaiting)
        yield* Effect.acquireRelease(
          Effect.sync(() =>
            subscribe("*", ({ payload, type }) => {
              // Sessions are read from their logs.
              if (!type.startsWith("session.")) Queue.offerUnsafe(waiting, { event: type, payload })
            })
          ),
          (end) => Effect.sync(() => end?.())
        )
        return Stream.fromQueue(waiting)
      })
    ),
    health: Effect.map(health, (all) =>
      Object.fromEntries(all.map(({ details, id, ok }) => [id, { ok, ...(details !== undefined && { details }) }]))
    )
  }))
)
