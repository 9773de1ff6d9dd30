/**
 * Stopping: what was asked for ends, whatever it was doing, and the next prompt works.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import type { Policy, PolicyDecision } from "../../src/policy/Policy.ts"
import { AgentLauncher } from "../../src/runtime/claude/Agent.ts"
import { layerClaudeRuntime } from "../../src/runtime/claude/ClaudeRuntime.ts"
import { openThread } from "../../src/session/OpenThread.ts"
import { makeSession } from "../../src/session/SessionActor.ts"
import { layerMemoryStore } from "../../src/store/memory/MemoryStore.ts"
import { Store } from "../../src/store/Store.ts"
import {
  aborted,
  agreed,
  ask,
  echo,
  init,
  isInterrupt,
  isPrompt,
  result,
  text,
  toolResult,
  toolUse,
  withdraw
} from "../AgentLines.ts"
import { aguiClient, deltas, outcome } from "../AguiClient.ts"
import { type Behaviour, fakeAgents, type Line } from "../FakeAgent.ts"
import { testThread } from "../TestLog.ts"
import { answerTo, controls, eventsUntil, eventually, happened, until, withSession } from "../WithSession.ts"

const speaks: Behaviour = (line, say) => {
  if (isPrompt(line)) return say(init(), text("I am"))
  return isInterrupt(line) ? say(agreed(line), aborted()) : Effect.void
}

describe("stop", () => {
  it.effect("interrupts the agent, and the run is cancelled", () =>
    withSession(speaks, {}, ({ client, session }) =>
      Effect.gen(function* () {
        const run = yield* client.submit("r1", { prompt: "Hi" })
        yield* until(session, "item_ended")
        expect(yield* session.stop("another run")).toBe(false)
        expect(yield* session.stop("r1")).toBe(true)
        expect(outcome(yield* run)).toEqual({ type: "cancelled" })
        expect(yield* session.stop()).toBe(false)
      })
    )
  )

  it.effect("closes what a background sub-agent asks, too, in a turn and between turns", () => {
    const task = { task_id: "a1", tool_use_id: "agent1", task_type: "local_agent", description: "Look" }
    const question = { tool_name: "Bash", tool_use_id: "c1", input: { command: "ls" }, agent_id: "a1" }
    const launched = { ...toolResult("agent1", "Go on."), tool_use_result: { status: "async_launched", agentId: "a1" } }
    const asksLater =
      (...more: ReadonlyArray<Line>): Behaviour =>
      (line, say) => {
        if (isPrompt(line))
          return say(
            init(),
            toolUse("agent1", "Agent", { prompt: "Look", run_in_background: true }),
            { type: "system", subtype: "task_started", uuid: "u1", session_id: "provider-1", ...task },
            launched,
            { type: "control_request", request_id: "q1", request: { subtype: "can_use_tool", ...question } },
            ...more
          )
        return isInterrupt(line) ? say(agreed(line), aborted()) : Effect.void
      }
    return Effect.forEach([[], [result()]], (more) =>
      withSession(asksLater(...more), { approvals: "event" }, ({ agents, client, session }) =>
        Effect.gen(function* () {
          yield* client.submit("r1", { prompt: "Hi" })
          yield* until(session, more.length === 0 ? "request_opened" : "turn_ended")
          expect(yield* session.waiting).toMatchObject([{ lane: "agent1" }])
          expect(yield* session.stop()).toBe(true)
          yield* until(session, "turn_ended")
          expect(yield* session.waiting).toEqual([])
          expect(answerTo(agents, "q1")).toHaveLength(1)
          expect(yield* session.stop()).toBe(false)
        })
      )
    )
  })

  it.effect("does not wait for an agent that does not answer", () =>
    withSession(
      (line, say) => (isPrompt(line) ? say(init(), text("I am")) : Effect.void),
      { stopTimeout: "2 seconds" },
      ({ client, session }) =>
        Effect.gen(function* () {
          const run = yield* client.submit("r1", { prompt: "Hi" })
          yield* until(session, "item_ended")
          yield* session.stop()
          yield* TestClock.adjust("3 seconds")
          expect(outcome(yield* run)).toEqual({ type: "cancelled" })
          expect(yield* session.status).toBe("disconnected")
        })
    )
  )

  it.effect("never reaches the turn after the one it was for", () =>
    withSession(speaks, { busy: "queue" }, ({ agents, client, session }) =>
      Effect.gen(function* () {
        yield* client.submit("r1", { prompt: "Hi" })
        yield* until(session, "item_ended")
        yield* aguiClient(session).submit("r2", { prompt: "Next" })
        // The answer is complete at the moment of the stop, and the next prompt is sent at once.
        yield* agents.say(result())
        yield* session.stop("r1")
        yield* eventually(() => agents.sent.filter(isPrompt).length === 2)
        yield* TestClock.adjust("1 second")
        const stopped = agents.sent.findIndex(isInterrupt)
        expect(stopped).toBeLessThan(agents.sent.findLastIndex(isPrompt))
      })
    )
  )

  it.effect("does not end the agent when the turn ended in time", () =>
    withSession(speaks, { stopTimeout: "2 seconds" }, ({ agents, client, session }) =>
      Effect.gen(function* () {
        const run = yield* client.submit("r1", { prompt: "Hi" })
        yield* until(session, "item_ended")
        yield* session.stop()
        yield* run
        yield* client.submit("r2", { prompt: "Again" })
        yield* TestClock.adjust("10 seconds")
        expect(yield* session.status).toBe("active")
        expect(agents.launched).toHaveLength(1)
      })
    )
  )
})

describe("stop while a question is shown", () => {
  const asks: Behaviour = (line, say) => {
    if (isPrompt(line)) return say(init(), toolUse("c1", "Bash"), ask("q1", "Bash", "c1"))
    return isInterrupt(line) ? say(withdraw("q1"), agreed(line), aborted()) : Effect.void
  }

  it.effect("ends the turn and closes the question, and the next prompt is answered", () =>
    withSession(asks, { approvals: "interrupt" }, ({ agents, client, session }) =>
      Effect.gen(function* () {
        expect(outcome(yield* client.run("r1", { prompt: "List" }))).toMatchObject({ type: "interrupt" })
        expect(yield* session.stop("r1")).toBe(true)
        expect(yield* session.waiting).toEqual([])
        const all = yield* eventsUntil(session, (event) => event.type === "turn_ended")
        expect(all.at(-1)).toMatchObject({ outcome: { type: "cancelled" } })
        expect(all.filter(({ type }) => type === "request_closed")).toMatchObject([{ id: "q1", by: "abandoned" }])
        expect(answerTo(agents, "q1")).toEqual([])
        const run = yield* client.submit("r2", { prompt: "Something else" })
        yield* eventually(() => agents.sent.filter(isPrompt).length === 2)
        expect(outcome(yield* run)).toMatchObject({ type: "interrupt", interrupts: [{ id: "q1" }] })
      })
    )
  )

  it.effect("never asks what the policy was deciding about, and allows nothing", () =>
    Effect.gen(function* () {
      for (const _tag of ["Ask", "Allow"] as const) {
        const decision = yield* Deferred.make<PolicyDecision>()
        const judging = yield* Deferred.make<void>()
        const policy: Policy = () => Effect.andThen(Deferred.succeed(judging, undefined), Deferred.await(decision))
        const silent: Behaviour = (line, say) => (isInterrupt(line) ? say(agreed(line)) : asks(line, say))
        yield* withSession(silent, { approvals: "interrupt", policy }, ({ agents, client, session }) =>
          Effect.gen(function* () {
            const run = yield* client.submit("r1", { prompt: "List" })
            yield* Deferred.await(judging)
            expect(yield* session.stop("r1")).toBe(true)
            yield* Deferred.succeed(decision, { _tag })
            yield* eventually(() => controls(agents, "interrupt").length === 1)
            yield* agents.say(withdraw("q1"), aborted())
            expect(outcome(yield* run)).toEqual({ type: "cancelled" })
            expect((yield* happened(session)).map(({ type }) => type)).not.toContain("request_opened")
            expect(answerTo(agents, "q1")).toEqual([])
          })
        )
      }
    })
  )

  it.effect("refuses a question that was on its way, so that the agent does not wait", () =>
    withSession(
      (line, say) => {
        if (isPrompt(line)) return say(init(), toolUse("c1", "Bash"))
        return isInterrupt(line) ? say(ask("q1", "Bash", "c1")) : Effect.void
      },
      { approvals: "interrupt" },
      ({ agents, client, session }) =>
        Effect.gen(function* () {
          const run = yield* client.submit("r1", { prompt: "List" })
          yield* until(session, "item_ended")
          yield* session.stop("r1")
          yield* eventually(() => answerTo(agents, "q1").length > 0)
          expect(answerTo(agents, "q1")).toMatchObject([{ response: { behavior: "deny" } }])
          yield* agents.say(aborted())
          expect(outcome(yield* run)).toEqual({ type: "cancelled" })
          expect((yield* happened(session)).map(({ type }) => type)).not.toContain("request_opened")
        })
    )
  )
})

describe("stop before the agent has begun", () => {
  it.effect("while it starts: the prompt is never sent, the turn ends at once, and the next prompt works", () => {
    const { agents, layer } = fakeAgents(echo)
    return Effect.gen(function* () {
      const mayStart = yield* Deferred.make<void>()
      const slow = Layer.effect(
        AgentLauncher,
        Effect.map(AgentLauncher, ({ launch }) => ({
          launch: (request) => Effect.andThen(Deferred.await(mayStart), launch(request))
        }))
      ).pipe(Layer.provide(layer))
      yield* Effect.gen(function* () {
        const claim = yield* openThread(yield* Store, testThread("t"))
        const session = yield* makeSession({ claim, sessionKey: "t", cwd: "/" })
        const client = aguiClient(session)
        const run = yield* client.submit("r1", { prompt: "Stopped" })
        expect(yield* session.status).toBe("starting")
        expect(yield* session.stop("r1")).toBe(true)
        expect(outcome(yield* run)).toEqual({ type: "cancelled" })
        const next = yield* client.submit("r2", { prompt: "Next" })
        yield* Deferred.succeed(mayStart, undefined)
        expect(deltas(yield* next)).toEqual(["You said: Next"])
        expect(agents.launched).toHaveLength(1)
        expect(agents.sent.filter(isPrompt)).toHaveLength(1)
        expect(controls(agents, "interrupt")).toEqual([])
      }).pipe(Effect.scoped, Effect.provide(Layer.merge(Layer.provide(layerClaudeRuntime, slow), layerMemoryStore())))
    })
  })

  it.effect("before the turn began there: the interrupt is sent again when it does", () => {
    let begun = false
    return withSession(
      (line, say) => {
        if (!isInterrupt(line)) return Effect.void
        // An interrupt that comes before the turn has begun is agreed to, and does nothing.
        return begun ? say(agreed(line), aborted()) : say(agreed(line))
      },
      {},
      ({ agents, client, session }) =>
        Effect.gen(function* () {
          const run = yield* client.submit("r1", { prompt: "Hi" })
          yield* eventually(() => agents.sent.some(isPrompt))
          expect(yield* session.stop("r1")).toBe(true)
          yield* eventually(() => controls(agents, "interrupt").length === 1)
          begun = true
          yield* agents.say(init())
          expect(outcome(yield* run)).toEqual({ type: "cancelled" })
          expect(controls(agents, "interrupt")).toHaveLength(2)
          // The next turn is its own: nothing stops it.
          const seq = session.log.next()
          const next = yield* client.submit("r2", { prompt: "Again" })
          yield* until(session, "turn_started", seq)
          yield* agents.say(init(), text("Hello."), result())
          expect(outcome(yield* next)).toEqual({ type: "success" })
          expect(controls(agents, "interrupt")).toHaveLength(2)
        })
    )
  })
})

describe("stop of a prompt that waits for its turn", () => {
  it.effect("drops it: it never runs", () =>
    withSession(
      (line, say) => (isPrompt(line) ? say(init(), text("I am")) : Effect.void),
      { busy: "queue" },
      ({ agents, client, session }) =>
        Effect.gen(function* () {
          const first = yield* client.submit("r1", { prompt: "One" })
          yield* until(session, "item_ended")
          yield* aguiClient(session).submit("r2", { prompt: "Two" })
          const third = yield* aguiClient(session).submit("r3", { prompt: "Three" })
          expect(yield* session.stop("r2")).toBe(true)
          expect(yield* session.stop("r2")).toBe(false)
          yield* agents.say(result())
          expect(outcome(yield* first)).toEqual({ type: "success" })
          yield* eventually(() => agents.sent.filter(isPrompt).length === 2)
          yield* agents.say(result())
          expect((yield* third).at(-1)).toMatchObject({ type: "RUN_FINISHED", runId: "r3" })
          expect(agents.sent.filter(isPrompt).map((line) => JSON.stringify(line["message"]))).toEqual([
            expect.stringContaining("One"),
            expect.stringContaining("Three")
          ])
        })
    )
  )

  it.effect("ends its run, too", () =>
    withSession(
      (line, say) => (isPrompt(line) ? say(init(), text("I am")) : Effect.void),
      { busy: "queue" },
      ({ agents, client, session }) =>
        Effect.gen(function* () {
          yield* client.submit("r1", { prompt: "One" })
          yield* until(session, "item_ended")
          const second = yield* aguiClient(session).submit("r2", { prompt: "Two" })
          yield* session.stop("r2")
          yield* agents.say(result())
          expect((yield* second).at(-1)).toMatchObject({ type: "RUN_FINISHED", runId: "r2" })
        })
    )
  )
})
