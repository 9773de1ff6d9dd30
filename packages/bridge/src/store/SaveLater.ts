/**
 * Writes changes some time later, many at once, and the rest when the scope closes. A disk that refuses is logged once
 * and tried again until it works; nobody has to wait for it.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type * as Scope from "effect/Scope"

/** What is saved, and when. */
export interface SaveLaterOptions {
  /** What is saved, in the plural: `Threads`. */
  readonly subject: string
  /** Writes what was not written yet; nothing when there is nothing. */
  readonly write: Effect.Effect<void, { readonly code: string; readonly message: string; readonly path: string }>
  /** How long changes are gathered before they are written. */
  readonly writeDelay: Duration.Input
  /** How long after a failed write it is tried again. */
  readonly retryDelay: Duration.Input
}

/** Writes later, until the scope is closed. Call the returned function for every change. */
export const makeSaveLater = ({
  retryDelay,
  subject,
  write,
  writeDelay
}: SaveLaterOptions): Effect.Effect<() => void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const changed = Latch.makeUnsafe(false)
    // Said once, not at every try of a disk that is full.
    let isRefused = false
    const save = write.pipe(
      Effect.matchEffect({
        onFailure: ({ code, message, path }) => {
          if (isRefused) return Effect.succeed(false)
          isRefused = true
          return Effect.logError(`${subject} cannot be saved at the moment: ${message} Retrying until it works.`).pipe(
            Effect.annotateLogs({ code, path }),
            Effect.as(false)
          )
        },
        onSuccess: () => {
          if (!isRefused) return Effect.succeed(true)
          isRefused = false
          return Effect.logInfo(`${subject} are being saved again.`).pipe(Effect.as(true))
        }
      })
    )
    yield* Effect.addFinalizer(() => save)
    yield* Effect.forkScoped(
      Effect.gen(function* () {
        for (;;) {
          yield* changed.await
          yield* Effect.sleep(writeDelay)
          changed.closeUnsafe()
          while (!(yield* save)) yield* Effect.sleep(retryDelay)
        }
      })
    )
    return () => void changed.openUnsafe()
  })
