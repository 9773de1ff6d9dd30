/**
 * Entries in order, each with a sequence number, of which the newest are kept: for readers that come and go at their
 * own pace. A reader that falls out of the window is told so.
 */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"

/** The reader is so slow that what it wanted next is gone. */
export class LogGap extends Schema.TaggedError<LogGap>()("LogGap", {
  message: Schema.String,
  /** What the reader wanted. */
  wanted: Schema.Finite,
  /** The oldest that is kept. */
  oldest: Schema.Finite
}) {}

/** How much a log keeps. */
export interface BoundedLogLimits {
  readonly maxEntries: number
  /** About how many characters. */
  readonly maxCharacters: number
}

/** Entries in order. */
export interface BoundedLog<A extends { readonly seq: number }> {
  /** Adds an entry, given its number, of about so many characters. */
  readonly add: (entry: (seq: number) => A, characters: number) => void
  /** Lets readers know of what was added. */
  readonly wake: () => void
  /** The number the next entry will have. */
  readonly next: () => number
  /** The number of the oldest entry there is. */
  readonly oldest: () => number
  /** The entries from a number on, as they come, in chunks. Does not end until the log is closed. */
  readonly read: (from: number) => Stream.Stream<A, LogGap>
  /** Takes no more entries, and ends all readers once they have read the rest. */
  readonly close: () => void
}

/** An empty log. */
export const makeBoundedLog = <A extends { readonly seq: number }>({
  maxCharacters,
  maxEntries
}: BoundedLogLimits): BoundedLog<A> => {
  const entries: Array<{ readonly entry: A; readonly size: number } | undefined> = []
  let head = 0
  let next = 0
  let characters = 0
  let closed = false
  let news = Latch.makeUnsafe(false)

  const oldest = (): number => next - (entries.length - head)

  const trim = (): void => {
    while (entries.length - head > 1 && (entries.length - head > maxEntries || characters > maxCharacters)) {
      characters -= entries[head]?.size ?? 0
      entries[head++] = undefined
    }
    // Moving the rest costs its length, so it is done when at least as much is dropped.
    if (head > 1000 && head * 2 > entries.length) {
      entries.splice(0, head)
      head = 0
    }
  }

  const wake = (): void => {
    trim()
    const waiting = news
    news = Latch.makeUnsafe(false)
    waiting.openUnsafe()
  }

  const take = (from: number): ReadonlyArray<A> | LogGap | undefined => {
    if (from < oldest()) return new LogGap({ message: "The reader was too slow.", wanted: from, oldest: oldest() })
    const found = entries
      .slice(head + (from - oldest()), head + (from - oldest()) + 512)
      .flatMap((held) => held?.entry ?? [])
    return found.length === 0 ? undefined : found
  }

  return {
    add: (entry, size) => {
      if (closed) return
      entries.push({ entry: entry(next++), size })
      characters += size
    },
    wake,
    next: () => next,
    oldest,
    read: (from) =>
      Stream.paginate(from, (at) =>
        Effect.gen(function* () {
          for (;;) {
            const waiting = news
            const found = take(at)
            if (found instanceof LogGap) return yield* found
            if (found !== undefined) return [found, Option.some(at + found.length)] as const
            if (closed) return [[], Option.none<number>()] as const
            yield* waiting.await
          }
        })
      ),
    close: () => {
      closed = true
      wake()
    }
  }
}
