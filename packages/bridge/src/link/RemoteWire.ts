/** The lines between a session of the runtime and its agent: the runtime keeps them, and they are read there. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { LogGap } from "../log/BoundedLog.ts"
import type { WireEntry, WireLog } from "../log/WireLog.ts"
import type { LinkClient } from "./LinkClient.ts"

/** The lines of a session. */
export const remoteWire = (
  link: LinkClient,
  asked: { readonly threadId: string; readonly instance: string }
): WireLog => {
  const place = link.call("wire.place", asked).pipe(
    Effect.catchTag("SessionGone", () => Effect.succeed({ oldest: 0, next: 0 })),
    Effect.orDie
  )
  const take = (from: number): Effect.Effect<ReadonlyArray<WireEntry>, LogGap> =>
    Effect.gen(function* () {
      for (;;) {
        const { ended, lines } = yield* link.call("wire.take", { ...asked, from }, { patient: true })
        if (lines.length > 0 || ended === true) return lines
      }
    }).pipe(
      Effect.catchTag("SessionGone", () => Effect.succeed([])),
      Effect.catchTag("Unreachable", Effect.die)
    )
  return {
    note: () => {
      throw new Error("Only the process that has the session notes its lines.")
    },
    next: Effect.map(place, ({ next }) => next),
    oldest: Effect.map(place, ({ oldest }) => oldest),
    read: (from) =>
      Stream.paginate(from, (at) =>
        Effect.map(
          take(at),
          (lines) => [lines, lines.length === 0 ? Option.none<number>() : Option.some(at + lines.length)] as const
        )
      ),
    close: () => undefined
  }
}
