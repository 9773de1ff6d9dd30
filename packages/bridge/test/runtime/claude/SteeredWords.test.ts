/** Words for the turn that is open: when they are sent, and when it is said that nobody will hear them. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { makeSteeredWords } from "../../../src/runtime/claude/SteeredWords.ts"

const setUp = (isHeardNow: () => boolean) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const told: Array<string> = []
    const folded: Array<string> = []
    const unheard: Array<string> = []
    const cancelled: Array<string> = []
    const words = makeSteeredWords({
      host: {
        handleEvents: () => Effect.void,
        kept: Effect.succeed(true),
        locked: (effect) => effect,
        unheard: (ticket) => Effect.sync(() => void unheard.push(ticket))
      },
      cancel: (uuid) => Effect.sync(() => void cancelled.push(uuid)),
      tell: (line) =>
        Effect.sync(() => {
          if (isHeardNow()) told.push((line as { readonly uuid: string }).uuid)
          return isHeardNow()
        }),
      foldSent: (_said, uuid) => void folded.push(uuid),
      foldUnheard: () => [],
      inBackground: (effect) => Effect.asVoid(Effect.forkIn(effect, scope, { startImmediately: true }))
    })
    const steer = (ticket: string) => words.steer({ type: "steer", id: ticket, said: [{ id: "m", content: "And?" }] })
    return { cancelled, folded, steer, told, unheard, words }
  })

it.effect("what cannot be sent yet is sent once it can be, and once", () =>
  Effect.gen(function* () {
    let isReady = false
    const { folded, steer, told, words } = yield* setUp(() => isReady)
    yield* steer("a")
    expect([told, folded, words.isEmpty()]).toEqual([[], [], false])
    isReady = true
    yield* words.sendWaiting
    yield* words.sendWaiting
    expect(told).toHaveLength(1)
    expect(folded).toEqual(told)
  })
)

it.effect("what the CLI has begun with is heard, and what it dropped is not", () =>
  Effect.gen(function* () {
    const { steer, told, unheard, words } = yield* setUp(() => true)
    const changed = (index: number, state: "queued" | "started" | "cancelled") =>
      words.lifecycleChanged({
        type: "command_lifecycle",
        command_uuid: told[index] ?? "",
        state,
        uuid: "u",
        session_id: "s"
      })
    yield* steer("a")
    yield* steer("b")
    yield* changed(0, "queued")
    expect(words.isEmpty()).toBe(false)
    yield* changed(0, "started")
    yield* changed(1, "cancelled")
    expect([words.isEmpty(), unheard]).toEqual([true, ["b"]])
  })
)

it.effect("what was sent when the turn ended is taken back after a while, and what was not sent at once", () =>
  Effect.gen(function* () {
    let isReady = true
    const { cancelled, steer, told, unheard, words } = yield* setUp(() => isReady)
    yield* steer("sent")
    isReady = false
    yield* steer("kept back")
    yield* words.turnEnded
    expect(unheard).toEqual(["kept back"])
    yield* TestClock.adjust("9 seconds")
    expect(cancelled).toEqual([])
    yield* TestClock.adjust("1 second")
    expect([cancelled, unheard, words.isEmpty()]).toEqual([told, ["kept back", "sent"], true])
  })
)

it.effect("with the process all of it is given up", () =>
  Effect.gen(function* () {
    const { steer, unheard, words } = yield* setUp(() => true)
    yield* steer("a")
    yield* steer("b")
    yield* words.giveUpAll
    expect([unheard, words.isEmpty()]).toEqual([["a", "b"], true])
  })
)
