/**
 * Where the bytes of an agent become messages: a bounded queue that stops its source while it is full.
 */
import { type Decoded, decoder } from "@agentwire/protocol/claude"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"

/** What an inbox may hold. */
export interface InboxLimits {
  /** How many messages wait to be taken before the agent is slowed. Default 1,024. */
  readonly maxMessages?: number
  /** The longest line that is kept, in bytes; a longer one becomes an `Invalid`. Default 64 MiB. */
  readonly maxLineBytes?: number
}

/** Something that gives bytes and can be told to wait. */
export interface Source {
  readonly pause: () => void
  readonly resume: () => void
}

/** The bytes of one source, in order. */
export interface Feed {
  readonly push: (chunk: Uint8Array) => void
  /** The source is over: its unfinished line counts. */
  readonly end: () => void
}

/** The messages of an agent. */
export interface Inbox {
  readonly messages: Queue.Dequeue<Decoded, Cause.Done>
  /**
   * Takes bytes from a source. Each source has its own unfinished line. `sift` says what becomes of each message: what
   * to take instead, or undefined when nothing more is to be taken from this source.
   */
  readonly feed: (source: Source, sift?: (decoded: Decoded) => ReadonlyArray<Decoded> | undefined) => Feed
  /** Nothing more will come. What waits can still be taken. */
  readonly end: () => void
}

/** An empty inbox. */
export const makeInbox = ({ maxLineBytes, maxMessages = 1024 }: InboxLimits = {}): Effect.Effect<Inbox> =>
  Effect.gen(function* () {
    const queue = yield* Queue.bounded<Decoded, Cause.Done>(maxMessages)
    const run = Effect.runForkWith(yield* Effect.context<never>())
    let waiting = 0
    let over = false

    const finish = () => {
      if (over && waiting === 0) Queue.endUnsafe(queue)
    }

    const offer = (decoded: ReadonlyArray<Decoded>, source?: Source) => {
      // Messages must not overtake those that still wait.
      const rest = waiting > 0 ? decoded : Queue.offerAllUnsafe(queue, decoded)
      if (rest.length === 0) return
      source?.pause()
      waiting++
      run(
        Effect.andThen(
          Queue.offerAll(queue, rest),
          Effect.sync(() => {
            waiting--
            source?.resume()
            finish()
          })
        )
      )
    }

    return {
      messages: queue,
      feed: (source, sift) => {
        const { end, push } = decoder(maxLineBytes === undefined ? {} : { maxLineBytes })
        let isOpen = true
        const sifted = (decoded: Decoded): ReadonlyArray<Decoded> => {
          const taken = isOpen ? sift?.(decoded) : undefined
          isOpen = taken !== undefined
          return taken ?? []
        }
        const wanted = (decoded: ReadonlyArray<Decoded>): ReadonlyArray<Decoded> =>
          sift === undefined ? decoded : decoded.flatMap(sifted)
        return { push: (chunk) => offer(wanted(push(chunk)), source), end: () => offer(wanted(end())) }
      },
      end: () => {
        over = true
        finish()
      }
    }
  })
