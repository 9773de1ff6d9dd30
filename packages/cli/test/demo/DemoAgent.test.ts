/** The demo agent as a host sees it, line by line. */
import { type Agent, AgentLauncher, type LaunchRequest } from "@agentwire/bridge/claude"
import type { Decoded } from "@agentwire/protocol/claude"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import { TestClock } from "effect/testing"
import { type DemoOptions, demoLauncher } from "../../src/demo/DemoAgent.ts"
import { textAt } from "../../src/demo/Line.ts"

const request: LaunchRequest = { sessionKey: "k", cwd: "/", options: {}, frontendServer: "frontend" }

const launch = (more: Partial<LaunchRequest> = {}, options: DemoOptions = { speed: "instant" }) =>
  Effect.flatMap(AgentLauncher, (launcher) => launcher.launch({ ...request, ...more })).pipe(
    Effect.provide(demoLauncher(options))
  )

const prompt = (content: string) => ({
  type: "user",
  message: { role: "user", content },
  parent_tool_use_id: null,
  session_id: "",
  uuid: crypto.randomUUID()
})

const control = (id: string, subtype: string, more: object = {}) => ({
  type: "control_request",
  request_id: id,
  request: { subtype, ...more }
})

const response = (id: string, payload: object) => ({
  type: "control_response",
  response: { subtype: "success", request_id: id, response: payload }
})

const messageOf = (decoded: Decoded): Readonly<Record<string, unknown>> =>
  decoded._tag === "Known" ? { ...decoded.message } : { unknown: decoded }

/** All that is said up to a line of a type, it included. */
const until = (agent: Agent, type: string) =>
  Effect.gen(function* () {
    const said: Array<Readonly<Record<string, unknown>>> = []
    for (;;) {
      const message = messageOf(yield* Queue.take(agent.messages))
      said.push(message)
      if (message["type"] === type) return said
    }
  })

const turn = (agent: Agent, content: string) => Effect.andThen(agent.send(prompt(content)), until(agent, "result"))

const idsOf = (said: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  said.flatMap((message) => [textAt(message, "uuid"), textAt(message, "message", "id")]).filter((id) => id !== "")

describe("the demo agent", () => {
  it.effect("is of one session, with an init for each turn and nothing named twice", () =>
    Effect.gen(function* () {
      const agent = yield* launch()
      const turns = yield* Effect.forEach(["Look around", "Look around", "hello"], (text) => turn(agent, text))
      const sessions = new Set(turns.flat().map(({ session_id }) => session_id))
      sessions.delete(undefined)
      expect(sessions.size).toBe(1)
      for (const said of turns) expect(said.filter(({ subtype }) => subtype === "init")).toHaveLength(1)
      const uuids = turns.flat().flatMap(({ uuid }) => (uuid === undefined ? [] : [uuid]))
      expect(new Set(uuids).size).toBe(uuids.length)
      const [first, second] = turns.map((said) => new Set(idsOf(said)))
      for (const id of first ?? []) expect(second?.has(id)).toBe(false)
    }).pipe(Effect.scoped)
  )

  it.effect("goes on with the session it is given", () =>
    Effect.gen(function* () {
      const resume = crypto.randomUUID()
      const agent = yield* launch({ resume })
      expect((yield* turn(agent, "hello")).at(-1)).toMatchObject({ session_id: resume })
    }).pipe(Effect.scoped)
  )

  it.effect("asks a host with a page for its tools, and plays what the page can do", () =>
    Effect.gen(function* () {
      const agent = yield* launch({ frontendServer: "page" })
      yield* agent.send(control("i", "initialize", { sdkMcpServers: ["page"] }))
      yield* agent.send(prompt("Make this page teal"))
      const methods: Array<string> = []
      for (;;) {
        const message = messageOf(yield* Queue.take(agent.messages))
        if (message["type"] === "result") break
        if (message["type"] !== "control_request") continue
        const method = textAt(message, "request", "message", "method")
        methods.push(method === "" ? textAt(message, "request", "tool_name") : method)
        const result =
          method === "tools/list"
            ? { tools: [{ name: "setAccent" }] }
            : { content: [{ type: "text", text: "It is done." }] }
        yield* agent.send(response(textAt(message, "request_id"), { mcp_response: { jsonrpc: "2.0", id: 0, result } }))
      }
      expect(methods).toEqual([
        "initialize",
        "notifications/initialized",
        "tools/list",
        "mcp__page__setAccent",
        "tools/call"
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("answers control requests, and says what it cannot do", () =>
    Effect.gen(function* () {
      const agent = yield* launch()
      const ask = (subtype: string) =>
        Effect.andThen(
          agent.send(control(subtype, subtype)),
          Effect.map(Queue.take(agent.messages), (decoded) => messageOf(decoded)["response"])
        )
      expect(yield* ask("initialize")).toMatchObject({
        subtype: "success",
        request_id: "initialize",
        response: { commands: expect.anything() }
      })
      expect(yield* ask("set_model")).toMatchObject({ subtype: "success", request_id: "set_model" })
      expect(yield* ask("interrupt")).toMatchObject({ subtype: "success", response: { still_queued: [] } })
      expect(yield* ask("get_context_usage")).toMatchObject({
        subtype: "error",
        error: expect.stringContaining("recordings")
      })
      expect(yield* ask("no_such_thing")).toMatchObject({ subtype: "error", request_id: "no_such_thing" })
    }).pipe(Effect.scoped)
  )

  it.effect("stops where it is told to, and goes on with the next prompt", () =>
    Effect.gen(function* () {
      const agent = yield* launch()
      yield* agent.send(prompt("Write a haiku"))
      yield* until(agent, "control_request")
      yield* agent.send(control("stop", "interrupt"))
      const stopped = yield* until(agent, "result")
      expect(stopped.at(-1)).toMatchObject({ subtype: "error_during_execution" })
      expect(stopped.map(({ type }) => type)).toContain("control_cancel_request")
      expect((yield* turn(agent, "hello")).at(-1)).toMatchObject({ subtype: "success" })
    }).pipe(Effect.scoped)
  )

  it.effect("ends the turn with a refusal that says so", () =>
    Effect.gen(function* () {
      const agent = yield* launch()
      yield* agent.send(prompt("Write a haiku"))
      const asked = (yield* until(agent, "control_request")).at(-1)
      yield* agent.send(response(textAt(asked, "request_id"), { behavior: "deny", message: "No.", interrupt: true }))
      expect((yield* until(agent, "result")).at(-1)).toMatchObject({ subtype: "error_during_execution" })
    }).pipe(Effect.scoped)
  )

  it.effect("asks no more for what is allowed for good", () =>
    Effect.gen(function* () {
      const agent = yield* launch()
      yield* agent.send(prompt("Write a haiku"))
      const asked = (yield* until(agent, "control_request")).at(-1)
      const updatedPermissions = [{ type: "setMode", mode: "acceptEdits", destination: "session" }]
      yield* agent.send(response(textAt(asked, "request_id"), { behavior: "allow", updatedPermissions }))
      yield* until(agent, "result")
      const again = yield* turn(agent, "Write a haiku")
      expect(again.map(({ type }) => type)).not.toContain("control_request")
      expect(again.at(-1)).toMatchObject({ result: expect.stringContaining("without a question") })
    }).pipe(Effect.scoped)
  )

  it.effect("plays prompts that come early one after the other", () =>
    Effect.gen(function* () {
      const agent = yield* launch()
      yield* agent.send(prompt("Plan a party"))
      yield* agent.send(prompt("hello"))
      expect((yield* until(agent, "result")).at(-1)).toMatchObject({ result: expect.stringContaining("tea") })
      expect((yield* until(agent, "result")).at(-1)).toMatchObject({ result: expect.stringContaining("demo agent") })
    }).pipe(Effect.scoped)
  )

  it.effect("types as fast as it was recorded, and never waits long", () =>
    Effect.gen(function* () {
      const agent = yield* launch({}, {})
      const ended = yield* Effect.forkChild(turn(agent, "Show me an error"))
      yield* TestClock.adjust("300 millis")
      expect(ended.pollUnsafe()).toBeUndefined()
      // Ten waits at the most.
      yield* TestClock.adjust("4 seconds")
      expect((yield* Fiber.join(ended)).at(-1)).toMatchObject({ is_error: true })
    }).pipe(Effect.scoped)
  )

  it.live("is gone with its scope", () =>
    Effect.gen(function* () {
      const agent = yield* Effect.scoped(launch())
      expect(yield* agent.exit).toEqual({ code: 0, signal: null, stderr: "" })
      expect(yield* Effect.flip(agent.send(prompt("hello")))).toMatchObject({ _tag: "AgentGone" })
    })
  )
})
