import type { Decoded } from "@agentwire/protocol/claude"
import { expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { TestClock } from "effect/testing"
import { type AgentExit, AgentLauncher, type LaunchRequest } from "../../../src/runtime/claude/Agent.ts"
import { makeAgentLink } from "../../../src/runtime/claude/AgentLink.ts"
import { fakeAgents } from "../../FakeAgent.ts"

const request: LaunchRequest = { sessionKey: "k", cwd: "/", options: {}, frontendServer: "frontend" }
const hello = { type: "user", message: { role: "user", content: "Hi" }, parent_tool_use_id: null, session_id: "" }

const setUp = Effect.gen(function* () {
  const lock = yield* Semaphore.make(1)
  const heard: Array<Decoded> = []
  const ready = yield* Deferred.make<void>()
  const ended = yield* Deferred.make<AgentExit>()
  const link = yield* makeAgentLink(
    lock.withPermits(1),
    { startTimeout: "10 seconds", hooks: { PreToolUse: [{ hookCallbackIds: ["h"] }] } },
    {
      sent: () => Effect.void,
      answered: () => Effect.void,
      heard: (decoded) => Effect.sync(() => void heard.push(decoded)),
      ready: () => Effect.asVoid(Deferred.succeed(ready, undefined)),
      ended: (exit) => Effect.asVoid(Deferred.succeed(ended, exit)),
      failed: ({ message }) => Effect.die(message)
    }
  )
  return { link, heard, ready, ended }
})

it.effect("starts one agent, and sends what was kept only when it has answered `initialize`", () => {
  const { agents, layer } = fakeAgents(() => Effect.void)
  return Effect.gen(function* () {
    const { link, ready } = yield* setUp
    yield* link.ensureStarted(() => request)
    yield* link.ensureStarted(() => request)
    yield* link.send(hello)
    expect(agents.sent).toEqual([])
    yield* Deferred.await(ready)
    expect(agents.launched).toHaveLength(1)
    expect(agents.sent.map((line) => line["type"])).toEqual(["control_request", "user"])
    expect(agents.sent[0]).toMatchObject({ request: { subtype: "initialize", hooks: { PreToolUse: [{}] } } })
    expect(link.version()).toBe("2.1.325")
    yield* link.whenReady
  }).pipe(Effect.provide(layer), Effect.scoped)
})

it.effect("tells of an end, but not of one that was wanted", () => {
  const { agents, layer } = fakeAgents(() => Effect.void)
  return Effect.gen(function* () {
    const { ended, link, ready } = yield* setUp
    yield* link.ensureStarted(() => request)
    yield* Deferred.await(ready)
    yield* agents.exit({ code: 1, stderr: "why" })
    expect(yield* Deferred.await(ended)).toMatchObject({ code: 1, stderr: "why" })
    expect(link.version()).toBeUndefined()
    expect(yield* Effect.flip(link.control("interrupt"))).toMatchObject({ code: "GONE" })
  }).pipe(Effect.provide(layer), Effect.scoped)
})

it.effect("ends an agent that is still being started, when it is not wanted any more", () => {
  const { agents, layer } = fakeAgents(() => Effect.void)
  const slow = Layer.effect(
    AgentLauncher,
    Effect.map(AgentLauncher, ({ launch }) => ({
      launch: (asked) => Effect.delay(launch(asked), "1 minute")
    }))
  ).pipe(Layer.provide(layer))
  return Effect.gen(function* () {
    const { link } = yield* setUp
    yield* link.ensureStarted(() => request)
    yield* Effect.yieldNow
    yield* link.disconnect
    expect(yield* Effect.flip(link.whenReady)).toMatchObject({ code: "GONE" })
    yield* TestClock.adjust("2 minutes")
    expect(agents.launched).toEqual([])
    expect(link.version()).toBeUndefined()
  }).pipe(Effect.provide(slow), Effect.scoped)
})
