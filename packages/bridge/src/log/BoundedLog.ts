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

/** Nothing can be added to the log any more, because what is added could not be kept. */
export class LogFailed extends Schema.TaggedError<LogFailed>()("LogFailed", {
  /** Stable: that of what failed. See docs/errors.md. */
  code: Schema.String,
  message: Schema.String
}) {}

/** Why a reader does not get what it wants. */
export type ReadFailed = LogGap | LogFailed

/** How much a log keeps. */
export interface BoundedLogLimits {
  readonly maxEntries: number
  /** About how many characters. */
  readonly maxCharacters: number
}

/** Entries in order. `F`: why one may end before its time. */
export interface BoundedLog<A extends { readonly seq: number }, F = never> {
  /** Adds an entry, given its number, of about so many characters. */
  readonly add: (entry: (seq: number) => A, characters: number) => void
  /** Lets readers have what was added, up to a number. Default: all of it. */
  readonly wake: (visible?: number) => void
  /** The number the next entry will have. */
  readonly next: () => number
  /** The number of the first entry that readers do not have yet. */
  readonly visible: () => number
  /** The number of the oldest entry there is. */
  readonly oldest: () => number
  /** The entries from a number on, as soon as there are some; none once the log is closed. */
  readonly take: (from: number) => Effect.Effect<ReadonlyArray<A>, LogGap | F>
  /** The entries from a number on, as they come, in chunks. Does not end until the log is closed. */
  readonly read: (from: number) => Stream.Stream<A, LogGap | F>
  /** Takes no more entries, and ends all readers once they have read the rest, with a failure if there is one. */
  readonly close: (failure?: F) => void
}

/** How many entries are read at once. */
const chunkSize = 512

/** An empty log. `first`: the number of its first entry. */
export const makeBoundedLog = <A extends { readonly seq: number }, F = never>({
  first = 0,
  maxCharacters,
  maxEntries
}: BoundedLogLimits & { readonly first?: number }): BoundedLog<A, F> => {
  const entries: Array<{ readonly entry: A; readonly size: number } | undefined> = []
  let head = 0
  let next = first
  let visible = first
  let characters = 0
  let ending: { readonly failure: F | undefined } | undefined
  let news = Latch.makeUnsafe(false)

  const oldest = (): number => next - (entries.length - head)

  /** What nobody could read yet is kept, however much it is. */
  const trim = (): void => {
    while (visible - oldest() > 1 && (entries.length - head > maxEntries || characters > maxCharacters)) {
      characters -= entries[head]?.size ?? 0
      entries[head++] = undefined
    }
    // Moving the rest costs its length, so it is done when at least as much is dropped.
    if (head > 1000 && head * 2 > entries.length) {
      entries.splice(0, head)
      head = 0
    }
  }

  const wake = (until: number = next): void => {
    visible = until
    trim()
    const waiting = news
    news = Latch.makeUnsafe(false)
    waiting.openUnsafe()
  }

  const found = (from: number): ReadonlyArray<A> | LogGap => {
    if (from < oldest()) return new LogGap({ message: "The reader was too slow.", wanted: from, oldest: oldest() })
    if (from >= visible) return []
    const at = head + (from - oldest())
    return entries.slice(at, Math.min(at + chunkSize, at + (visible - from))).flatMap((held) => held?.entry ?? [])
  }

  const take: BoundedLog<A, F>["take"] = (from) =>
    Effect.gen(function* () {
      for (;;) {
        const waiting = news
        const chunk = found(from)
        if (chunk instanceof LogGap) return yield* chunk
        if (chunk.length > 0) return chunk
        if (ending?.failure !== undefined) return yield* Effect.fail(ending.failure)
        if (ending !== undefined) return []
        yield* waiting.await
      }
    })

  return {
    add: (entry, size) => {
      if (ending !== undefined) return
      entries.push({ entry: entry(next++), size })
      characters += size
    },
    wake,
    next: () => next,
    visible: () => visible,
    oldest,
    take,
    read: (from) =>
      Stream.paginate(from, (at) =>
        Effect.map(
          take(at),
          (chunk) => [chunk, chunk.length === 0 ? Option.none<number>() : Option.some(at + chunk.length)] as const
        )
      ),
    close: (failure) => {
      ending ??= { failure }
      wake(visible)
    }
  }
}
