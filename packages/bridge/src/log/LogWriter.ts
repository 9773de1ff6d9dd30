/**
 * Writes what is added to a log: at once, and one batch after the other. What is added while a batch is being written goes
 * into the next one, so that a store that takes its time is asked less often.
 */
import type * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

/** What writes, and who is told of it. */
export interface LogWriterParts<B, E> {
  /** Runs before a batch is taken. */
  readonly prepare: Effect.Effect<void, E>
  /** All that is to be written now. */
  readonly take: () => B
  readonly write: (batch: B) => Effect.Effect<void, E>
  readonly written: (batch: B) => void
  /** Something could not be written, and nothing is from now on. */
  readonly failed: (error: E) => void
}

/** Writes what is added to a log. */
export interface LogWriter<E> {
  /** There is more to write. It begins once the code that runs now has come to its end. */
  readonly kick: () => void
  /**
   * Looks at the log when all is written that was added before, and gives what was seen. Nothing that is not written
   * was there to be seen.
   */
  readonly look: <A>(look: () => A) => Effect.Effect<A, E>
}

interface Wanted<E> {
  /** Looks, and gives what tells whoever asked. */
  readonly look: () => () => void
  readonly fail: (error: E) => void
}

/** A writer, whose effects run with some services. */
export const makeLogWriter = <B, E>(
  { failed, prepare, take, write, written }: LogWriterParts<B, E>,
  services: Context.Context<never>
): LogWriter<E> => {
  /** How often something was added, and how much of that is written. */
  let added = 0
  let done = 0
  let isRunning = false
  let failure: { readonly error: E } | undefined
  let wanted: Array<Wanted<E>> = []

  const writeAll: Effect.Effect<void, E> = Effect.gen(function* () {
    while (done < added || wanted.length > 0) {
      if (done < added) yield* prepare
      // From here to the writing nothing comes between.
      const asked = wanted
      wanted = []
      const until = added
      const batch = done < until ? take() : undefined
      const seen = asked.map(({ look }) => look())
      if (batch !== undefined) {
        yield* Effect.tapError(write(batch), () => Effect.sync(() => wanted.push(...asked)))
        done = until
        written(batch)
      }
      for (const tell of seen) tell()
    }
    isRunning = false
  })

  const fail = (error: E): void => {
    failure = { error }
    isRunning = false
    for (const each of wanted.splice(0)) each.fail(error)
    failed(error)
  }

  const run = (): void => {
    Effect.runForkWith(services)(Effect.catch(writeAll, (error) => Effect.sync(() => fail(error))))
  }

  const begin = (): void => {
    if (isRunning || failure !== undefined) return
    isRunning = true
    queueMicrotask(run)
  }

  return {
    kick: () => {
      added++
      begin()
    },
    look: <A>(look: () => A) =>
      Effect.suspend((): Effect.Effect<A, E> => {
        if (failure !== undefined) return Effect.fail(failure.error)
        // Nothing is under way.
        if (done === added) return Effect.sync(look)
        const answer = Deferred.makeUnsafe<A, E>()
        wanted.push({
          look: () => {
            const seen = look()
            return () => void Deferred.doneUnsafe(answer, Effect.succeed(seen))
          },
          fail: (error) => void Deferred.doneUnsafe(answer, Effect.fail(error))
        })
        begin()
        return Deferred.await(answer)
      })
  }
}
