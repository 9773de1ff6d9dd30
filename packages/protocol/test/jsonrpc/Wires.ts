/** Connections for tests: a plain pair, and one that shuffles and cuts what it carries. */
import type { Done } from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { vi } from "vitest"
import { type Channel, lineChannel } from "../../src/jsonrpc/index.ts"

/** Lets a test fail soon that waits for an answer which never comes, as where a peer does not take 0 for an id. */
export const failsSoon = (): void => vi.setConfig({ testTimeout: 10_000 })

/** A peer's channel, and the other end of it in the hands of a test. */
export interface Held {
  readonly channel: Channel
  /** What the peer wrote, parsed. */
  readonly sent: Queue.Dequeue<unknown>
  readonly say: (...messages: ReadonlyArray<unknown>) => Effect.Effect<void>
  readonly sayText: (text: string) => Effect.Effect<void>
  readonly end: Effect.Effect<void>
}

/** A channel whose other side is the test. */
export const held: Effect.Effect<Held> = Effect.gen(function* () {
  const incoming = yield* Queue.unbounded<string, Done>()
  const sent = yield* Queue.unbounded<unknown>()
  return {
    channel: {
      incoming: Stream.fromQueue(incoming),
      send: (text) => Effect.asVoid(Queue.offer(sent, JSON.parse(text)))
    },
    sent,
    say: (...messages) =>
      Effect.sync(() => {
        for (const each of messages) Queue.offerUnsafe(incoming, JSON.stringify(each))
      }),
    sayText: (text) => Effect.sync(() => void Queue.offerUnsafe(incoming, text)),
    end: Effect.sync(() => void Queue.endUnsafe(incoming))
  }
})

/** Two channels, the one's words the other's: lines in another order than they were written in, and cut anywhere. */
export const shuffledPair = (random: () => number): Effect.Effect<readonly [Channel, Channel], never, Scope.Scope> =>
  Effect.gen(function* () {
    const toRight = yield* direction(random)
    const toLeft = yield* direction(random)
    return [lineChannel(toLeft.bytes, toRight.write), lineChannel(toRight.bytes, toLeft.write)] as const
  })

const direction = (random: () => number) =>
  Effect.gen(function* () {
    const lines = yield* Queue.unbounded<string>()
    const chunks = yield* Queue.unbounded<Uint8Array>()
    const below = (limit: number): number => Math.floor(random() * limit)
    yield* Effect.forkScoped(
      Effect.forever(
        Effect.gen(function* () {
          const batch: Array<string> = [...(yield* Queue.takeAll(lines))]
          let bytes = new TextEncoder().encode(shuffled(batch, below).join(""))
          while (bytes.length > 0) {
            const cut = 1 + below(Math.min(bytes.length, 40))
            yield* Queue.offer(chunks, bytes.slice(0, cut))
            bytes = bytes.slice(cut)
          }
        })
      )
    )
    return {
      bytes: Stream.fromQueue(chunks),
      write: (text: string) => Effect.asVoid(Queue.offer(lines, text))
    }
  })

const shuffled = <T>(values: ReadonlyArray<T>, below: (limit: number) => number): ReadonlyArray<T> => {
  const rest = [...values]
  return values.flatMap(() => rest.splice(below(rest.length), 1))
}
