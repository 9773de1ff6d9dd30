/**
 * What a gateway has asked to be done, so that it is done once: a connection may break after the runtime has done something
 * and before its answer is read, and then the request is repeated on the next one.
 *
 * Every such request has a number. The outcome is kept until the gateway says that it has the answers up to a number, so no more
 * is kept than a gateway may ask at a time. What is under way goes on when a connection breaks. A gateway that does not come
 * back is forgotten, and whatever only waits for somebody is given up.
 */
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"

/** A request that is done once. */
export interface OnceCall {
  readonly gateway: string
  readonly call: number
  /** The gateway has the answers to all requests before this number. */
  readonly answered: number
  /** Whether it is given up when its gateway does not come back. */
  readonly waits: boolean
}

/** What was asked. */
export interface CallBook {
  /** Does something once: who asks again gets the same outcome. */
  readonly once: <A, E>(call: OnceCall, work: Effect.Effect<A, E>) => Effect.Effect<A, E>
  /** Gives up what a gateway has taken back. */
  readonly cancel: (gateway: string, call: number) => Effect.Effect<void>
  /** A gateway is there. */
  readonly enter: (gateway: string) => void
  /** A connection of a gateway is gone. It is forgotten unless it comes back. */
  readonly leave: (gateway: string) => Effect.Effect<void>
  /** How many outcomes are kept. */
  readonly size: () => number
}

interface Entry {
  readonly outcome: Deferred.Deferred<unknown, unknown>
  readonly fiber: Fiber.Fiber<unknown, unknown>
  readonly waits: boolean
}

interface Gateway {
  readonly calls: Map<number, Entry>
  connections: number
  /** Changes with every connection. */
  visits: number
}

/** Nothing was asked yet. `patience`: how long a gateway may be gone. */
export const makeCallBook = (patience: Duration.Input = "1 minute"): Effect.Effect<CallBook, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    const gateways = new Map<string, Gateway>()

    const of = (id: string): Gateway => {
      const known = gateways.get(id) ?? { calls: new Map(), connections: 0, visits: 0 }
      gateways.set(id, known)
      return known
    }

    const forget = (id: string, visits: number): Effect.Effect<void> =>
      Effect.suspend(() => {
        const gateway = gateways.get(id)
        if (gateway === undefined || gateway.connections > 0 || gateway.visits !== visits) return Effect.void
        gateways.delete(id)
        const waiting = [...gateway.calls.values()].filter(({ waits }) => waits)
        return Fiber.interruptAll(waiting.map(({ fiber }) => fiber))
      })

    return {
      once: <A, E>({ answered, call, gateway, waits }: OnceCall, work: Effect.Effect<A, E>) =>
        Effect.gen(function* () {
          const { calls } = of(gateway)
          for (const number of calls.keys()) if (number < answered) calls.delete(number)
          const known = calls.get(call)
          if (known !== undefined) return yield* Deferred.await(known.outcome as Deferred.Deferred<A, E>)
          const outcome = Deferred.makeUnsafe<A, E>()
          // In the scope of the runtime: it goes on when the connection is gone.
          const fiber = yield* Effect.forkIn(Deferred.into(work, outcome), scope)
          calls.set(call, { outcome: outcome as Deferred.Deferred<unknown, unknown>, fiber, waits })
          return yield* Deferred.await(outcome)
        }),
      cancel: (gateway, call) => {
        const entry = gateways.get(gateway)?.calls.get(call)
        return entry?.waits === true ? Effect.asVoid(Effect.forkIn(Fiber.interrupt(entry.fiber), scope)) : Effect.void
      },
      enter: (id) => {
        const gateway = of(id)
        gateway.connections++
        gateway.visits++
      },
      leave: (id) =>
        Effect.suspend(() => {
          const gateway = of(id)
          gateway.connections--
          const { visits } = gateway
          return Effect.asVoid(Effect.forkIn(Effect.delay(forget(id, visits), patience), scope))
        }),
      size: () => [...gateways.values()].reduce((sum, { calls }) => sum + calls.size, 0)
    }
  })
