/** Looking on: it changes nothing, whatever the one who looks does. */
import { loadTape } from "@agentwire/fixtures"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as fc from "fast-check"
import { sessionLog } from "../../src/observe/SessionLog.ts"
import { sessionMetrics } from "../../src/observe/SessionMetrics.ts"
import type { SessionObserver } from "../../src/observe/SessionObserver.ts"
import { replayLauncher } from "../../src/runtime/replay/ReplayAgent.ts"
import { sessionKeyOf } from "../../src/session/SessionKey.ts"
import { ask, echo, init, isPrompt, result, text, toolResult, toolUse } from "../AgentLines.ts"
import { type Behaviour, fakeAgents } from "../FakeAgent.ts"
import { observing, run } from "./Observed.ts"
import { total } from "./Prometheus.ts"

describe("an observer", () => {
  it.effect("that breaks is let go, and neither the session nor the others notice", () =>
    Effect.gen(function* () {
      const broken: ReadonlyArray<SessionObserver> = [
        () => Effect.die(new Error("at once")),
        () => Effect.succeed({ events: () => Effect.die(new Error("at events")) }),
        () => Effect.succeed({ lines: () => Effect.die(new Error("at lines")) }),
        () => Effect.succeed({ refused: () => Effect.die(new Error("at a refusal")) }),
        () => Effect.succeed({ ended: Effect.die(new Error("at the end")) })
      ]
      const { layer } = fakeAgents(echo)
      const { lines, samples } = yield* observing(
        layer,
        (sessions) =>
          Effect.flatMap(sessions.open("t"), (session) => Effect.forEach(["a", "b"], (id) => run(session, id, "Hi"))),
        { observers: [...broken, sessionLog, sessionMetrics] }
      )
      expect(total(samples, "agentwire_runs_ended_total", { outcome: "success" })).toBe(2)
      expect(lines.filter(({ event }) => event === "run ended")).toHaveLength(2)
      const told = lines.filter(({ event }) => event === "observer failed")
      expect(told.map(({ cause }) => /at \w+( \w+)?/.exec(String(cause))?.[0])).toEqual(
        expect.arrayContaining(["at once", "at events", "at lines", "at the end"])
      )
      expect(told).toHaveLength(4)
    })
  )

  it.effect("that never comes back holds nobody up", () =>
    Effect.gen(function* () {
      const { layer } = fakeAgents(echo)
      const stuck: SessionObserver = () => Effect.succeed({ events: () => Effect.never, lines: () => Effect.never })
      let ended = false
      const use = observing(
        layer,
        (sessions) =>
          Effect.gen(function* () {
            const session = yield* sessions.open("t")
            for (let each = 0; each < 50; each++) yield* run(session, `r${each}`, "Hi")
            ended = yield* sessions.remove("t")
            yield* Effect.fail("enough" as const)
          }),
        { observers: [stuck] }
      )
      expect(yield* Effect.flip(use)).toBe("enough")
      expect(ended).toBe(true)
    })
  )

  it.effect("that is slower than the log reads every entry all the same, and holds nobody up", () =>
    Effect.gen(function* () {
      let read = 0
      let missed = 0
      let next = 0
      const slow: SessionObserver = (session) =>
        Effect.succeed({
          events: (entries) =>
            Effect.gen(function* () {
              read += entries.length
              // As long as the session takes for some more runs.
              const from = session.log.next()
              while (session.log.next() < Math.min(from + 100, 700)) yield* Effect.yieldNow
            }),
          missed: (_, count) =>
            Effect.sync(() => {
              missed += count
            })
        })
      const { layer } = fakeAgents(echo)
      yield* observing(
        layer,
        (sessions) =>
          Effect.gen(function* () {
            const session = yield* sessions.open("t")
            while (session.log.next() < 700) yield* run(session, `r${session.log.next()}`, "Hi")
            next = session.log.next()
            while (read < next) yield* Effect.yieldNow
          }),
        { observers: [slow], session: { log: { maxEvents: 20 } } }
      )
      expect([read, missed]).toEqual([next, 0])
    })
  )

  it.effect("that is behind when the thread is removed is told what it missed, and ends", () =>
    Effect.gen(function* () {
      let read = 0
      let missed = 0
      let next = 0
      const removed = Latch.makeUnsafe(false)
      const behind: SessionObserver = () =>
        Effect.succeed({
          events: (entries) =>
            Effect.suspend(() => {
              read += entries.length
              return removed.await
            }),
          missed: (_, count) =>
            Effect.sync(() => {
              missed += count
            })
        })
      const { layer } = fakeAgents(echo)
      yield* observing(
        layer,
        (sessions) =>
          Effect.gen(function* () {
            const session = yield* sessions.open("t")
            while (session.log.next() < 200) yield* run(session, `r${session.log.next()}`, "Hi")
            next = session.log.next()
            yield* Effect.orDie(sessions.remove("t"))
            removed.openUnsafe()
          }),
        { observers: [behind], session: { log: { maxEvents: 20 } } }
      )
      expect(missed).toBeGreaterThan(100)
      expect(read + missed).toBe(next)
    })
  )
})

describe("the log of sessions", () => {
  it.effect("has lines that can be joined: the thread and the key of its agents are in each", () =>
    Effect.gen(function* () {
      const tapes = [{ name: "plain", tape: loadTape({ scenario: "plain_text", version: "2.1.325" }) }]
      const { lines } = yield* observing(replayLauncher({ tapes }), (sessions) =>
        Effect.forEach(
          ["one", "two"],
          (thread) => Effect.flatMap(sessions.open(thread), (session) => run(session, `of-${thread}`, "Hi")),
          { concurrency: 2 }
        )
      )
      for (const thread of ["one", "two"]) {
        const mine = lines.filter((line) => line["thread"] === thread)
        expect(mine.map(({ event }) => event).sort()).toEqual(
          ["agent ended", "agent started", "run ended", "run started", "session ended", "session started"].sort()
        )
        for (const { session } of mine) expect(session).toBe(sessionKeyOf(thread))
      }
      for (const line of lines) expect(line).toMatchObject({ time: expect.any(String), level: expect.any(String) })
    })
  )

  it("never has a word of what is said, asked, called or answered", () =>
    fc.assert(
      fc.asyncProperty(fc.uuid(), fc.boolean(), async (marker, dies) => {
        const says: Behaviour = (line, say) => {
          if (isPrompt(line))
            return say(
              init(),
              text(`answer ${marker}`),
              toolUse("toolu_1", "Bash", { command: marker }),
              ask("q1", "Bash", "toolu_1", { command: marker })
            )
          if (line["type"] !== "control_response") return Effect.void
          return dies
            ? agents.exit({ code: 1, stderr: marker })
            : say(toolResult("toolu_1", marker), { type: "new", text: marker }, result({ result: marker }))
        }
        const { agents, layer } = fakeAgents(says)
        const {
          samples,
          spans,
          text: log
        } = await Effect.runPromise(
          observing(layer, (sessions) =>
            Effect.flatMap(sessions.open("t"), (session) => run(session, "r", `prompt ${marker}`))
          )
        )
        expect(log).toContain("run ended")
        expect(log).not.toContain(marker)
        expect(JSON.stringify(samples)).not.toContain(marker)
        expect(JSON.stringify(spans.map(({ attributes }) => [...attributes]))).not.toContain(marker)
      }),
      { numRuns: 20 }
    ))
})
