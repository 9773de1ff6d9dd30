import type { Decoded } from "@agentwire/protocol/claude"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { TestClock } from "effect/testing"
import { type AgentExit, AgentLauncher, type LaunchRequest } from "../../../src/runtime/claude/Agent.ts"
import { makeAgentLink } from "../../../src/runtime/claude/AgentLink.ts"
import type { ToolListChange } from "../../../src/runtime/claude/FrontendServer.ts"
import { agreed } from "../../AgentLines.ts"
import { type Behaviour, fakeAgents, type Line } from "../../FakeAgent.ts"
import { controls, eventually } from "../../WithSession.ts"

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
      heard: (decoded) => {
        if (JSON.stringify(decoded).includes("breaks us")) throw new Error("broken")
        return Effect.sync(() => void heard.push(decoded))
      },
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
    yield* link.ensureStarted(Effect.succeed(request))
    yield* link.ensureStarted(Effect.succeed(request))
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

it.effect("goes on listening after a line that cannot be handled", () => {
  const { agents, layer } = fakeAgents(() => Effect.void)
  const alive = (n: number | string): Line => ({ type: "keep_alive", n })
  return Effect.gen(function* () {
    const { heard, link } = yield* setUp
    yield* link.ensureStarted(Effect.succeed(request))
    yield* link.whenReady
    yield* agents.say(alive(1), alive("breaks us"), alive(2), alive("breaks us"), alive(3))
    yield* eventually(() => heard.length === 3)
    expect(heard).toMatchObject([1, 2, 3].map((n) => ({ message: { n } })))
  }).pipe(Effect.provide(layer), Effect.scoped)
})

it.effect("tells of an end, but not of one that was wanted", () => {
  const { agents, layer } = fakeAgents(() => Effect.void)
  return Effect.gen(function* () {
    const { ended, link, ready } = yield* setUp
    yield* link.ensureStarted(Effect.succeed(request))
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
    yield* link.ensureStarted(Effect.succeed(request))
    yield* Effect.yieldNow
    yield* link.disconnect
    expect(yield* Effect.flip(link.whenReady)).toMatchObject({ code: "GONE" })
    yield* TestClock.adjust("2 minutes")
    expect(agents.launched).toEqual([])
    expect(link.version()).toBeUndefined()
  }).pipe(Effect.provide(slow), Effect.scoped)
})

/** A change that names its server, so that each can be told from the others. */
const changeTo = (server: string): ToolListChange => ({
  requests: [{ subtype: "mcp_set_servers", body: { servers: { [server]: { type: "sdk", name: server } } } }],
  server
})

const serversIn = (line: Line | undefined): ReadonlyArray<string> =>
  Object.keys((line?.["request"] as { readonly servers?: object } | undefined)?.servers ?? {})

const isChange = (line: Line): boolean => (line["request"] as Line | undefined)?.["subtype"] === "mcp_set_servers"

describe("other tools", () => {
  const agrees: Behaviour = (line, say) => (isChange(line) ? say(agreed(line)) : Effect.void)

  it.effect("that come while the agent starts are told before the prompt that came with them", () => {
    const { agents, layer } = fakeAgents(agrees)
    return Effect.gen(function* () {
      const { link } = yield* setUp
      yield* link.ensureStarted(Effect.succeed(request))
      yield* eventually(() => link.version() !== undefined)
      yield* link.changeTools(changeTo("two"))
      yield* link.changeTools(changeTo("three"))
      yield* link.send(hello)
      yield* eventually(() => agents.sent.some((line) => line["type"] === "user"))
      expect(controls(agents, "mcp_set_servers").map(serversIn)).toEqual([["three"]])
      expect(agents.sent.at(-1)).toBe(hello)
    }).pipe(Effect.provide(layer), Effect.scoped)
  })

  it.effect("that come while others are told are told after them, and the prompt last", () => {
    const { agents, layer } = fakeAgents(agrees)
    return Effect.gen(function* () {
      const { link } = yield* setUp
      yield* link.ensureStarted(Effect.succeed(request))
      yield* link.whenReady
      yield* link.changeTools(changeTo("two"))
      yield* link.changeTools(changeTo("three"))
      yield* link.send(hello)
      yield* eventually(() => agents.sent.some((line) => line["type"] === "user"))
      expect(controls(agents, "mcp_set_servers").map(serversIn)).toEqual([["two"], ["three"]])
      expect(agents.sent.at(-1)).toBe(hello)
    }).pipe(Effect.provide(layer), Effect.scoped)
  })

  it.effect("do not hold up answers: the agent may wait for one before it agrees", () => {
    const answer = { type: "control_response", response: { subtype: "success", request_id: "q", response: {} } }
    let change: Line | undefined
    const { agents, layer } = fakeAgents((line, say) => {
      if (isChange(line)) change = line
      return line === answer && change !== undefined ? say(agreed(change)) : Effect.void
    })
    return Effect.gen(function* () {
      const { link } = yield* setUp
      yield* link.ensureStarted(Effect.succeed(request))
      yield* link.whenReady
      yield* link.changeTools(changeTo("two"))
      yield* link.send(hello)
      yield* eventually(() => change !== undefined)
      expect(agents.sent).not.toContain(hello)
      yield* link.send(answer)
      yield* eventually(() => agents.sent.includes(hello))
    }).pipe(Effect.provide(layer), Effect.scoped)
  })

  it.effect.each([
    ["refuses them", changeTo("two")],
    ["cannot be told (2.0.45)", { requests: [], server: "frontend" }]
  ] as const)("are there after another start, where the agent %s", ([, change]) => {
    const refusal = (line: Line): Line => ({
      type: "control_response",
      response: { subtype: "error", request_id: line["request_id"], error: "no" }
    })
    const { agents, layer } = fakeAgents((line, say) => (isChange(line) ? say(refusal(line)) : Effect.void))
    return Effect.gen(function* () {
      const { link } = yield* setUp
      let starts = 0
      yield* link.ensureStarted(Effect.sync(() => ({ ...request, resume: `start ${++starts}` })))
      yield* link.whenReady
      yield* link.changeTools(change)
      yield* link.send(hello)
      yield* eventually(() => agents.sent.includes(hello))
      expect(agents.launched.map(({ resume }) => resume)).toEqual(["start 1", "start 2"])
      // Once is enough.
      yield* link.send({ ...hello })
      expect(agents.launched).toHaveLength(2)
    }).pipe(Effect.provide(layer), Effect.scoped)
  })
})
