/** The numbers: what they add up to, whatever the sessions do. */
import { listTapes, loadTape } from "@agentwire/fixtures"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import type { ReadFailed } from "../../src/log/BoundedLog.ts"
import { maxSeries, metrics, renderMetrics } from "../../src/observe/Metrics.ts"
import { AgentLauncher, LaunchFailed } from "../../src/runtime/claude/Agent.ts"
import { replayLauncher } from "../../src/runtime/replay/ReplayAgent.ts"
import type { Session } from "../../src/session/Session.ts"
import { ask, beforeTool, echo, init, isPrompt, result, text, toolUse } from "../AgentLines.ts"
import { type Behaviour, fakeAgents } from "../FakeAgent.ts"
import { isEnd, isQuestion, observing, prompt, run, submit, until } from "./Observed.ts"
import { parsePrometheus, total } from "./Prometheus.ts"

describe("runs", () => {
  it.effect("all end once, however they end", () =>
    Effect.gen(function* () {
      const { agents, layer } = fakeAgents((line, say) => {
        if (!isPrompt(line)) return Effect.void
        const said = JSON.stringify(line)
        if (said.includes("fail"))
          return say(init(), result({ subtype: "error_max_turns", errors: [], is_error: true }))
        if (said.includes("die")) return Effect.andThen(say(init()), agents.exit({ code: 3 }))
        return said.includes("hang") ? say(init()) : say(init(), text("Hello."), result())
      })
      const { samples } = yield* observing(layer, (sessions) =>
        Effect.gen(function* () {
          const session = yield* sessions.open("t")
          for (const [index, words] of ["fine", "fail", "fine", "die"].entries())
            yield* run(session, `r${index}`, words)
          const from = session.log.next()
          yield* submit(session, prompt("last", "hang"))
          yield* until(session, from, ({ type }) => type === "session_changed")
          yield* Effect.flip(submit(session, prompt("refused", "me, too")))
        })
      )
      expect(total(samples, "agentwire_runs_started_total")).toBe(5)
      expect(total(samples, "agentwire_runs_ended_total")).toBe(5)
      expect(total(samples, "agentwire_runs_ended_total", { outcome: "success" })).toBe(2)
      expect(total(samples, "agentwire_runs_ended_total", { outcome: "limited", code: "error_max_turns" })).toBe(1)
      expect(total(samples, "agentwire_runs_ended_total", { outcome: "error" })).toBe(1)
      expect(total(samples, "agentwire_runs_ended_total", { outcome: "cancelled" })).toBe(1)
      expect(total(samples, "agentwire_runs_refused_total")).toBe(1)
      expect(total(samples, "agentwire_run_duration_seconds_count")).toBe(5)
      expect(total(samples, "agentwire_run_first_event_seconds_count")).toBeLessThanOrEqual(5)
      expect(total(samples, "agentwire_agent_starts_total")).toBe(2)
      expect(total(samples, "agentwire_agent_exits_total", { reason: "3" })).toBe(1)
      expect(total(samples, "agentwire_agent_exits_total")).toBe(2)
      expect(total(samples, "agentwire_agents")).toBe(0)
    })
  )

  it.effect("spend what they say, and the price is told once although the CLI tells a sum", () =>
    Effect.gen(function* () {
      let turns = 0
      const { layer } = fakeAgents((line, say) =>
        isPrompt(line) ? say(init(), text("Hi."), result({ total_cost_usd: 0.25 * ++turns })) : Effect.void
      )
      const { samples } = yield* observing(layer, (sessions) =>
        Effect.gen(function* () {
          const session = yield* sessions.open("t")
          for (const id of ["a", "b", "c"]) yield* run(session, id, "Hi")
        })
      )
      expect(total(samples, "agentwire_cost_usd_total")).toBe(0.75)
      expect(total(samples, "agentwire_tokens_total", { kind: "input" })).toBe(3)
      expect(total(samples, "agentwire_tokens_total", { kind: "output" })).toBe(3)
    })
  )
})

describe("events", () => {
  it.effect(
    "are counted by type as often as they are in the logs, for recorded sessions",
    () =>
      Effect.gen(function* () {
        const scenarios = ["plain_text", "tool_approved", "parallel_tools", "subagent", "thinking", "api_400"]
        const chosen = listTapes().filter(
          ({ scenario, transport, version }) =>
            scenarios.includes(scenario) && transport === "stdio" && ["2.1.325", "2.1.37"].includes(version)
        )
        expect(chosen.length).toBeGreaterThan(5)
        const tapes = chosen.map((entry) => ({ name: entry.file, tape: loadTape(entry) }))
        const logged = new Map<string, number>()
        const readers: Array<Fiber.Fiber<void, ReadFailed>> = []
        const { samples } = yield* observing(
          replayLauncher({ tapes }),
          (sessions) =>
            Effect.forEach(tapes, ({ name }) =>
              Effect.gen(function* () {
                const session = yield* sessions.open(name)
                readers.push(
                  yield* Effect.forkDetach(
                    Stream.runForEach(session.log.read(0), ({ event: { type } }) =>
                      Effect.sync(() => logged.set(type, (logged.get(type) ?? 0) + 1))
                    )
                  )
                )
                yield* run(session, "r", "Hi")
              })
            ),
          { session: { approvals: "event", policy: () => Effect.succeed({ _tag: "Allow" }) } }
        )
        yield* Effect.forEach(readers, Fiber.join, { discard: true })
        const counted = samples.filter(({ name }) => name === "agentwire_events_total")
        expect(Object.fromEntries(counted.map(({ labels, value }) => [labels["type"], value]))).toEqual(
          Object.fromEntries(logged)
        )
        expect(total(samples, "agentwire_runs_ended_total")).toBe(total(samples, "agentwire_runs_started_total"))
        expect(total(samples, "agentwire_agent_drift_lines_total")).toBe(0)
      }),
    60_000
  )

  it.effect("tell of lines that nobody knows", () =>
    Effect.gen(function* () {
      const { layer } = fakeAgents((line, say) =>
        isPrompt(line)
          ? say(init(), { type: "brand_new", uuid: "x" }, { type: "assistant", message: 1 }, text("Hi."), result())
          : Effect.void
      )
      const { samples } = yield* observing(layer, (sessions) =>
        Effect.flatMap(sessions.open("t"), (session) => run(session, "r", "Hi"))
      )
      expect(total(samples, "agentwire_agent_drift_lines_total", { kind: "unknown" })).toBe(1)
      expect(total(samples, "agentwire_agent_drift_lines_total", { kind: "invalid" })).toBe(1)
    })
  )

  it.effect("tell of lines that were read although they are odd, by their message", () =>
    Effect.gen(function* () {
      const { duration_api_ms: _, ...odd } = result()
      const { layer } = fakeAgents((line, say) => (isPrompt(line) ? say(init(), text("Hi."), odd) : Effect.void))
      const { samples } = yield* observing(layer, (sessions) =>
        Effect.flatMap(sessions.open("t"), (session) => run(session, "r", "Hi"))
      )
      expect(total(samples, "agentwire_agent_drift_lines_total")).toBe(1)
      expect(total(samples, "agentwire_agent_drift_lines_total", { kind: "odd", message: "result/success" })).toBe(1)
    })
  )
})

/** Asks one question, and is done when it is answered. */
const asks: Behaviour = (line, say) => {
  if (isPrompt(line)) return say(init(), toolUse("toolu_1", "Bash"), ask("q1", "Bash", "toolu_1"))
  return line["type"] === "control_response" ? say(result()) : Effect.void
}

describe("questions", () => {
  const decisions = (how: (session: Session) => Effect.Effect<unknown, unknown>) =>
    Effect.gen(function* () {
      const { layer } = fakeAgents(asks)
      const { samples } = yield* observing(
        layer,
        (sessions) =>
          Effect.gen(function* () {
            const session = yield* sessions.open("t")
            yield* submit(session, prompt("r", "Hi"))
            yield* until(session, 0, isQuestion)
            yield* how(session)
          }).pipe(Effect.orDie),
        { session: { approvals: "event" } }
      )
      expect(total(samples, "agentwire_approvals_asked_total")).toBe(1)
      expect(total(samples, "agentwire_approvals_ended_total")).toBe(1)
      return samples.find(({ name }) => name === "agentwire_approvals_ended_total")?.labels["decision"]
    })

  it.effect("are allowed, denied, expired or left, and always one of these", () =>
    Effect.gen(function* () {
      const answer = (approved: boolean) => (session: Session) =>
        Effect.andThen(
          session.answer("q1", approved ? { type: "allow" } : { type: "deny", reason: "No." }),
          until(session, 0, isEnd)
        )
      expect(yield* decisions(answer(true))).toBe("allow")
      expect(yield* decisions(answer(false))).toBe("deny")
      expect(
        yield* decisions((session) => Effect.andThen(TestClock.adjust("6 minutes"), until(session, 0, isEnd)))
      ).toBe("expired")
      expect(yield* decisions(() => Effect.void)).toBe("unanswered")
    })
  )

  it.effect("that the policy decides are counted as its decisions", () =>
    Effect.gen(function* () {
      const { layer } = fakeAgents((line, say) => {
        if (isPrompt(line)) return say(init(), beforeTool("h1", "agentwire-policy", "Bash"))
        return line["type"] === "control_response" ? say(result()) : Effect.void
      })
      const { samples } = yield* observing(
        layer,
        (sessions) => Effect.flatMap(sessions.open("t"), (session) => run(session, "r", "Hi")),
        { session: { policy: () => Effect.succeed({ _tag: "Deny", message: "No." }) } }
      )
      expect(total(samples, "agentwire_policy_decisions_total", { decision: "deny" })).toBe(1)
      expect(total(samples, "agentwire_approvals_asked_total")).toBe(0)
      const hooks = { from: "agent", subtype: "hook_callback", outcome: "success" }
      expect(total(samples, "agentwire_control_requests_total", hooks)).toBe(1)
    })
  )
})

describe("control requests", () => {
  it.effect("end once each, also those that nobody answers", () =>
    Effect.gen(function* () {
      const { layer } = fakeAgents((line, say) => {
        const { subtype } = (line["request"] ?? {}) as { readonly subtype?: string }
        if (isPrompt(line)) return say(init(), result())
        const response = { request_id: line["request_id"] }
        if (subtype === "set_model")
          return say({ type: "control_response", response: { ...response, subtype: "success", response: {} } })
        if (subtype === "set_permission_mode")
          return say({ type: "control_response", response: { ...response, subtype: "error", error: "no" } })
        return Effect.void
      })
      const { samples } = yield* observing(layer, (sessions) =>
        Effect.gen(function* () {
          const session = yield* sessions.open("t")
          yield* session.start
          yield* session.native.request("set_model", { model: "m" })
          yield* Effect.flip(session.native.request("set_permission_mode", { mode: "plan" }))
          const waiting = yield* Effect.forkChild(Effect.flip(session.native.request("mcp_status", {})))
          yield* Effect.yieldNow
          yield* TestClock.adjust("1 minute")
          expect((yield* Fiber.join(waiting)).code).toBe("TIMEOUT")
        }).pipe(Effect.orDie)
      )
      const ends = samples
        .filter(({ name }) => name === "agentwire_control_requests_total")
        .map(({ labels, value }) => [labels["subtype"], labels["outcome"], value])
      expect(ends).toEqual(
        expect.arrayContaining([
          ["initialize", "success", 1],
          ["set_model", "success", 1],
          ["set_permission_mode", "error", 1],
          ["mcp_status", "unanswered", 1]
        ])
      )
      expect(ends).toHaveLength(4)
    })
  )
})

describe("agents", () => {
  it.effect("that cannot be started are counted by code", () =>
    Effect.gen(function* () {
      const launch = () => Effect.fail(new LaunchFailed({ code: "CLI_NOT_FOUND", message: "There is none." }))
      const { samples } = yield* observing(Layer.succeed(AgentLauncher, { launch }), (sessions) =>
        Effect.flatMap(sessions.open("t"), (session) => run(session, "r", "Hi"))
      )
      expect(total(samples, "agentwire_agent_start_failures_total", { code: "CLI_NOT_FOUND" })).toBe(1)
      expect(total(samples, "agentwire_runs_ended_total", { outcome: "error", code: "CLI_NOT_FOUND" })).toBe(1)
      expect(total(samples, "agentwire_agents")).toBe(0)
    })
  )
})

describe("the text", () => {
  it("can be read by a scraper whatever the labels are, and has a bounded number of series", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: "binary", maxLength: 20 }), { maxLength: 300 }), async (codes) => {
        const samples = await Effect.gen(function* () {
          for (const code of codes) yield* Metric.update(metrics.runsEnded("error", code), 1)
          return parsePrometheus(yield* renderMetrics)
        }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()), Effect.runPromise)
        const mine = samples.filter(({ name }) => name === "agentwire_runs_ended_total")
        expect(mine.reduce((sum, { value }) => sum + value, 0)).toBe(codes.length)
        expect(mine.length).toBeLessThanOrEqual(maxSeries + 1)
        for (const { labels } of mine) expect(labels["code"]).toMatch(/^[\w./:+-]{1,64}$/)
      }),
      { numRuns: 50 }
    ))

  it("is refused by the reader of these tests where it is wrong", () => {
    for (const wrong of [
      "a 1",
      "# TYPE a counter\nb 1\n",
      "# TYPE a counter\na{x=1} 1\n",
      '# TYPE a counter\na{x="1",x="2"} 1\n',
      '# TYPE a counter\na{x="\\q"} 1\n',
      "# TYPE a counter\na one\n",
      "# TYPE a counter\na 1\na 1\n",
      "# TYPE a counter\n# TYPE a counter\n"
    ])
      expect(() => parsePrometheus(wrong)).toThrow()
  })
})

describe("a silent agent", () => {
  it.effect("has a turn and no first event: what the person said is none", () =>
    Effect.gen(function* () {
      const { layer } = fakeAgents(() => Effect.void)
      const { samples } = yield* observing(layer, (sessions) =>
        Effect.flatMap(sessions.open("t"), (session) => submit(session, prompt("r", "Hi")))
      )
      expect(total(samples, "agentwire_runs_started_total")).toBe(1)
      expect(total(samples, "agentwire_run_first_event_seconds_count")).toBe(0)
    })
  )
})

describe("an agent that repeats what it is told", () => {
  it.effect("has no word of it in the numbers", () =>
    Effect.gen(function* () {
      const { layer } = fakeAgents(echo)
      const { samples } = yield* observing(layer, (sessions) =>
        Effect.flatMap(sessions.open("a-thread"), (session) => run(session, "a-run", "a-secret"))
      )
      const told = JSON.stringify(samples)
      for (const word of ["a-secret", "a-thread", "a-run"]) expect(told).not.toContain(word)
    })
  )
})
