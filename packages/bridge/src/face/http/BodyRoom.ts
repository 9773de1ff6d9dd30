/**
 * Room for large bodies, so that many of them at once do not fill the memory: what has no room waits, unread, and is
 * refused when that takes too long.
 */
import type { IncomingMessage } from "node:http"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { isLarge } from "./Body.ts"
import { defaultHttpLimits, type HttpLimits } from "./HttpLimits.ts"
import { type HttpRefusal, refuse } from "./HttpRefusal.ts"

/** Does something with a request once there is room for its body, which it has until that is done. */
export type BodyRoom = <A, E, R>(
  request: Pick<IncomingMessage, "headers">,
  use: Effect.Effect<A, E, R>
) => Effect.Effect<A, E | HttpRefusal, R>

/** The room that there is for the bodies of a server. */
export const makeBodyRoom = (limits: HttpLimits = {}): Effect.Effect<BodyRoom> =>
  Effect.gen(function* () {
    const { maxBodiesBytes, maxBodyBytes, requestTimeout } = { ...defaultHttpLimits, ...limits }
    const room = yield* Semaphore.make(maxBodiesBytes)
    const noRoom = refuse(
      "TOO_MANY_BODIES",
      `Other large bodies are being read, and there was no room for this one within ${Duration.format(Duration.fromInputUnsafe(requestTimeout))}. Send it again.`
    )
    return (request, use) => {
      if (!isLarge(request)) return use
      // What does not say how large it is may be as large as a body can be.
      const size = Math.min(Number(request.headers["content-length"] ?? maxBodyBytes), maxBodyBytes, maxBodiesBytes)
      return Effect.acquireUseRelease(
        room
          .take(size)
          .pipe(
            Effect.timeoutOrElse({ duration: requestTimeout, orElse: () => Effect.fail(noRoom) }),
            Effect.interruptible
          ),
        () => use,
        () => room.release(size)
      )
    }
  })
