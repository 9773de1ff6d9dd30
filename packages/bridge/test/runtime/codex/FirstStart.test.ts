/** The first start in a home goes alone; all others do not wait for each other. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import { firstStartIn, makeFirstStart } from "../../../src/runtime/codex/FirstStart.ts"

/** A start that waits for its turn, or has it. */
const begin = ({ turn }: ReturnType<typeof makeFirstStart>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const fiber = yield* Effect.forkChild(Scope.provide(turn, scope))
    yield* Effect.yieldNow
    return { fiber, hasTurn: () => fiber.pollUnsafe() !== undefined, end: Scope.close(scope, Exit.void) }
  })

describe("the first start in a home", () => {
  it.effect("goes alone until it has said something, and the others together", () =>
    Effect.gen(function* () {
      const starts = makeFirstStart()
      const [first, second, third] = [yield* begin(starts), yield* begin(starts), yield* begin(starts)]
      expect([first, second, third].map(({ hasTurn }) => hasTurn())).toEqual([true, false, false])
      yield* yield* Fiber.join(first.fiber)
      yield* Fiber.join(second.fiber)
      yield* Fiber.join(third.fiber)
      expect((yield* begin(starts)).hasTurn()).toBe(true)
    })
  )

  it.effect(
    "leaves its turn to the next when it is gone without a word, and a start that is given up leaves its place",
    () =>
      Effect.gen(function* () {
        const starts = makeFirstStart()
        const [first, second, third] = [yield* begin(starts), yield* begin(starts), yield* begin(starts)]
        yield* Fiber.interrupt(second.fiber)
        yield* first.end
        const spoke = yield* Fiber.join(third.fiber)
        const fourth = yield* begin(starts)
        expect(fourth.hasTurn()).toBe(false)
        yield* spoke
        yield* third.end
        yield* Fiber.join(fourth.fiber)
      })
  )

  it("is that of the home, whoever starts there", () => {
    expect(firstStartIn({ HOME: "/h" })).toBe(firstStartIn({ CODEX_HOME: "/h/.codex", HOME: "/other" }))
    expect(firstStartIn({ HOME: "/h" })).not.toBe(firstStartIn({ HOME: "/i" }))
  })
})
