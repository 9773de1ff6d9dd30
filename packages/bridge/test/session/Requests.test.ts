import type { Model } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import type { PolicyDecision } from "../../src/policy/Policy.ts"
import { makeRequests, type Requests, refusalOf } from "../../src/session/Requests.ts"

const permission = (id: string): Model.EventOf<"request_opened"> => ({
  type: "request_opened",
  lane: null,
  request: {
    id,
    kind: "permission",
    message: "May it?",
    call: `call-${id}`,
    tool: "Bash",
    input: { command: "ls" },
    remember: [],
    details: {}
  }
})
const pageTool = (id: string, call: string): Model.EventOf<"request_opened"> => ({
  type: "request_opened",
  lane: null,
  request: { id, kind: "page_tool", message: "Run it.", call, tool: "paint", input: {} }
})
const blue: Model.Answer = { type: "result", content: "blue", failed: false }

interface Setting {
  /** Whether anybody can be asked. */
  readonly canAsk?: boolean
  readonly judge?: Effect.Effect<PolicyDecision>
}

const setUp = ({ canAsk = true, judge }: Setting = {}) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const answers: Array<readonly [id: string, answer: Model.Answer]> = []
    const events: Array<Model.Event> = []
    const requests: Requests = makeRequests({
      answer: (id, answer) => Effect.sync(() => void answers.push([id, answer])),
      append: (appended) => void events.push(...appended),
      judge: () => judge,
      answerUnasked: (request) =>
        Effect.succeed(canAsk || request.kind === "page_tool" ? undefined : refusalOf(request, "nobody")),
      limitOf: () => "1 minute",
      inBackground: (effect) => Effect.forkIn(effect, scope, { startImmediately: true }),
      locked: (effect) => effect
    })
    return { requests, answers, events }
  })

describe("a question", () => {
  it.effect("waits until it is answered, once", () =>
    Effect.gen(function* () {
      const { answers, events, requests } = yield* setUp()
      yield* requests.open(permission("q"), 3)
      expect(requests.waiting()).toMatchObject([{ request: { id: "q" }, expiresAt: 60_000 }])
      expect(yield* requests.answer("q", { type: "allow" })).toBe(true)
      expect(yield* requests.answer("q", { type: "deny", reason: "late" })).toBe(false)
      yield* TestClock.adjust("2 minutes")
      expect(answers).toEqual([["q", { type: "allow" }]])
      expect(events).toMatchObject([
        { type: "request_opened" },
        { type: "request_closed", id: "q", by: "answered", verdict: "allow" }
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("is refused when its time is up", () =>
    Effect.gen(function* () {
      const { answers, events, requests } = yield* setUp()
      yield* requests.open(permission("q"), undefined)
      yield* TestClock.adjust("61 seconds")
      expect(answers).toMatchObject([["q", { type: "deny" }]])
      expect(events.at(-1)).toMatchObject({ type: "request_closed", by: "expired" })
      expect(requests.waiting()).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.effect("that is taken back while the policy thinks is never asked", () =>
    Effect.gen(function* () {
      const decision = yield* Deferred.make<PolicyDecision>()
      const { answers, events, requests } = yield* setUp({ judge: Deferred.await(decision) })
      yield* requests.open(permission("q"), undefined)
      yield* requests.close("q", "withdrawn")
      yield* Deferred.succeed(decision, { _tag: "Ask" })
      yield* Effect.yieldNow
      yield* TestClock.adjust("2 minutes")
      expect([answers, events, requests.waiting()]).toEqual([[], [], []])
    }).pipe(Effect.scoped)
  )

  it.effect("that the policy decides is nobody's", () =>
    Effect.gen(function* () {
      const { answers, events, requests } = yield* setUp({
        judge: Effect.succeed({ _tag: "Deny", message: "No shells." })
      })
      yield* requests.open(permission("q"), undefined)
      yield* Effect.yieldNow
      expect(answers).toEqual([["q", { type: "deny", reason: "No shells." }]])
      expect(events).toEqual([])
    }).pipe(Effect.scoped)
  )

  it.effect("is refused where nobody can be asked", () =>
    Effect.gen(function* () {
      const { answers, events, requests } = yield* setUp({ canAsk: false })
      yield* requests.open(permission("q"), undefined)
      expect(answers).toMatchObject([["q", { type: "deny" }]])
      expect(events).toEqual([])
    }).pipe(Effect.scoped)
  )
})

describe("a call of the application's tool", () => {
  it.effect("gets the real result, also when that came before the agent asked", () =>
    Effect.gen(function* () {
      const { answers, requests } = yield* setUp({ canAsk: false })
      yield* requests.open(pageTool("m1", "c1"), undefined)
      yield* requests.answer("m1", blue)
      yield* requests.answerEarly("c2", blue)
      yield* requests.open(pageTool("m2", "c2"), undefined)
      expect(answers).toEqual([
        ["m1", blue],
        ["m2", blue]
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("has failed when nobody answers, and is nothing when the agent is gone", () =>
    Effect.gen(function* () {
      const { answers, requests } = yield* setUp()
      yield* requests.open(pageTool("m1", "c1"), undefined)
      yield* TestClock.adjust("61 seconds")
      expect(answers).toMatchObject([["m1", { type: "result", failed: true }]])
      yield* requests.open(pageTool("m2", "c2"), undefined)
      yield* requests.closeAll("ended")
      yield* TestClock.adjust("2 minutes")
      expect(answers).toHaveLength(1)
    }).pipe(Effect.scoped)
  )
})

type Step = { readonly do: "open" | "answer" | "withdraw"; readonly id: string } | { readonly do: "decide" | "wait" }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constantFrom("open" as const, "answer" as const, "withdraw" as const),
    id: fc.constantFrom("a", "b", "c")
  }),
  fc.record({ do: fc.constantFrom("decide" as const, "wait" as const) })
)

/** Whatever happens in whatever order: opened once, closed once, answered at most once, and never after a withdrawal. */
it("opens each question once and closes it once", () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), fc.constantFrom("Ask", "Allow"), async (steps, verdict) => {
      const program = Effect.gen(function* () {
        let deciding = yield* Deferred.make<PolicyDecision>()
        const { answers, events, requests } = yield* setUp({
          judge: Effect.suspend(() => Deferred.await(deciding))
        })
        const known = new Set<string>()
        const withdrawn = new Set<string>()
        for (const each of steps) {
          switch (each.do) {
            case "open":
              if (!known.has(each.id)) yield* requests.open(permission(each.id), undefined)
              known.add(each.id)
              break
            case "answer":
              yield* requests.answer(each.id, { type: "allow" })
              break
            case "withdraw":
              if (known.has(each.id) && !answers.some(([id]) => id === each.id)) withdrawn.add(each.id)
              yield* requests.close(each.id, "withdrawn")
              break
            case "decide":
              yield* Deferred.succeed(deciding, verdict === "Ask" ? { _tag: "Ask" } : { _tag: "Allow" })
              yield* Effect.yieldNow
              deciding = yield* Deferred.make<PolicyDecision>()
              break
            case "wait":
              yield* TestClock.adjust("30 seconds")
          }
        }
        yield* TestClock.adjust("5 minutes")
        for (const id of known) {
          const opened = events.filter((event) => event.type === "request_opened" && event.request.id === id).length
          const closed = events.filter((event) => event.type === "request_closed" && event.id === id).length
          const told = answers.filter(([to]) => to === id).length
          expect(opened).toBeLessThanOrEqual(1)
          expect(closed).toBe(opened)
          expect(told).toBeLessThanOrEqual(1)
          if (withdrawn.has(id)) expect(told).toBe(0)
        }
        expect(requests.waiting()).toEqual([])
      })
      await Effect.runPromise(program.pipe(Effect.scoped, Effect.provide(TestClock.layer())))
    }),
    { numRuns: 200 }
  ))
