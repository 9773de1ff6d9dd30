/** What happens to sessions is told once to each who asks, and who has missed some is told what is open. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import { makeNews } from "../../src/link/News.ts"
import type { Session } from "../../src/session/Session.ts"
import type { Titled } from "../../src/session/Sessions.ts"
import { Sessions } from "../../src/session/Sessions.ts"
import { bareSession } from "../BareSession.ts"
import { fakeSessions } from "../FakeSessions.ts"
import { testLog } from "../TestLog.ts"

/** Sessions of which the test says what happens. */
const told: Effect.Effect<
  {
    readonly sessions: Sessions["Service"]
    readonly open: (threadId: string) => Effect.Effect<void>
    readonly title: (titled: Titled) => void
  },
  never,
  Scope.Scope
> = Effect.gen(function* () {
  const opened: Array<(session: Session) => Effect.Effect<void>> = []
  const titled: Array<(titled: Titled) => void> = []
  const inner = yield* Effect.provide(Effect.flatMap(Sessions, Effect.succeed), fakeSessions().layer)
  return {
    sessions: {
      ...inner,
      onOpen: (listener) => Effect.sync(() => void opened.push(listener)),
      onTitled: (heard) => Effect.sync(() => void titled.push(heard))
    },
    open: (threadId) =>
      Effect.forEach(opened, (listener) => listener(bareSession(threadId, testLog())), { discard: true }),
    title: (said) => {
      for (const heard of titled) heard(said)
    }
  }
})

const nobody = Effect.succeed([] as ReadonlyArray<string>)

describe("News", () => {
  it.effect("tell what is open to who has just come, and then what happens, in order", () =>
    Effect.gen(function* () {
      const { open, sessions, title } = yield* told
      const news = yield* makeNews(sessions)
      const { next, open: found } = yield* news.after(undefined, Effect.succeed(["a"]))
      expect(found).toEqual(["a"])
      yield* open("b")
      title({ threadId: "b", title: "B", titleBy: "person" })
      const more = yield* news.after(next, nobody)
      expect(more.news).toEqual([
        { type: "opened", threadId: "b" },
        { type: "titled", titled: { threadId: "b", title: "B", titleBy: "person" } }
      ])
      const waiting = yield* Effect.forkChild(news.after(more.next, nobody), { startImmediately: true })
      yield* TestClock.adjust("1 minute")
      expect(waiting.pollUnsafe()).toMatchObject({ value: { news: [], next: more.next } })
    }).pipe(Effect.scoped)
  )

  it.effect("tell what is open to who has missed some, or comes from another runtime", () =>
    Effect.gen(function* () {
      const { open, sessions } = yield* told
      const news = yield* makeNews(sessions)
      for (let n = 0; n < 1100; n++) yield* open(`t${n}`)
      expect(yield* news.after(0, Effect.succeed(["t"]))).toMatchObject({ open: ["t"], next: 1100 })
      expect(yield* news.after(9999, Effect.succeed(["t"]))).toMatchObject({ open: ["t"] })
    }).pipe(Effect.scoped)
  )
})
