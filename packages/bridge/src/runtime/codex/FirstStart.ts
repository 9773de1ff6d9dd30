/**
 * The first start of Codex in a home goes alone.
 *
 * Codex makes its database when it is started for the first time, and of processes that do so at once nearly all end with
 * "failed to initialize sqlite state runtime" (0.166.0: 54 of 60, ten at a time; with the database there, none of 60).
 * Whoever opens two threads of a new Codex would lose one.
 */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"

/** The starts in one home. */
export interface FirstStart {
  /**
   * Waits until a process may be started: until another one has said something, or is gone. What it gives is to be run when
   * the process that is started then has said something. It is gone with the scope.
   */
  readonly turn: Effect.Effect<Effect.Effect<void>, never, Scope.Scope>
}

/** The starts in a home that is new. */
export const makeFirstStart = (): FirstStart => {
  const alone = Semaphore.makeUnsafe(1)
  let isOver = false
  const turn = Effect.gen(function* () {
    if (isOver) return Effect.void
    let isHeld = true
    const pass = Effect.suspend(() => {
      if (!isHeld) return Effect.void
      isHeld = false
      return Effect.asVoid(alone.release(1))
    })
    yield* Effect.acquireRelease(alone.take(1), () => pass, { interruptible: true })
    if (isOver) yield* pass
    return Effect.suspend(() => {
      isOver = true
      return pass
    })
  })
  return { turn }
}

/** The homes in which this process has started Codex: whoever starts it, its database is the same. */
const homes = new Map<string, FirstStart>()

/** The starts in the home that an environment names. */
export const firstStartIn = ({ CODEX_HOME, HOME = "" }: Readonly<Record<string, string | undefined>>): FirstStart => {
  const home = CODEX_HOME ?? join(HOME, ".codex")
  const known = homes.get(home)
  if (known !== undefined) return known
  const made = makeFirstStart()
  homes.set(home, made)
  return made
}
