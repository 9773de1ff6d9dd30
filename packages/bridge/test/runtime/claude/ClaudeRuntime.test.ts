/**
 * Claude Code behind the runtime port: what of its wire a session need not know.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { HookCallbacks } from "../../../src/runtime/claude/HookCallbacks.ts"
import {
  aborted,
  agreed,
  ask,
  echo,
  init,
  isInterrupt,
  isPrompt,
  pageToolCall,
  result,
  text,
  toolUse,
  withdraw
} from "../../AgentLines.ts"
import type { Behaviour, FakeAgents, Line } from "../../FakeAgent.ts"
import { answerTo, controls, eventsUntil, eventually, happened, until, withSession } from "../../WithSession.ts"

const control = (requestId: string, request: Line): Line => ({
  type: "control_request",
  request_id: requestId,
  request
})

describe("a tool of the application", () => {
  const tools = [{ name: "paint", description: "Paints.", parameters: {} }]

  it.effect("needs nobody's permission: its page is where the person is", () =>
    withSession(
      (line, say) => {
        if (isPrompt(line))
          return say(
            init(),
            toolUse("c1", "mcp__frontend__paint", { color: "red" }),
            ask("q1", "mcp__frontend__paint", "c1", { color: "red" })
          )
        return (line["response"] as Line | undefined)?.["request_id"] === "q1" ? say(result()) : Effect.void
      },
      { approvals: "interrupt" },
      ({ agents, client, session }) =>
        Effect.gen(function* () {
          yield* client.submit("r1", { prompt: "Paint", tools })
          yield* until(session, "turn_ended")
          expect(answerTo(agents, "q1")).toMatchObject([
            { response: { behavior: "allow", updatedInput: { color: "red" } } }
          ])
          expect((yield* happened(session)).map(({ type }) => type)).not.toContain("request_opened")
        })
    )
  )

  it.effect("whose call is taken back is not waited for", () =>
    withSession(
      (line, say) =>
        isPrompt(line)
          ? say(init(), toolUse("c1", "mcp__frontend__paint"), pageToolCall("m1", 7, "c1", "paint"))
          : Effect.void,
      {},
      ({ agents, client, session }) =>
        Effect.gen(function* () {
          yield* client.submit("r1", { prompt: "Paint", tools })
          yield* until(session, "request_opened")
          yield* agents.say(withdraw("m1"))
          const all = yield* eventsUntil(session, ({ type }) => type === "request_closed")
          expect(all.at(-1)).toMatchObject({ id: "m1", by: "withdrawn" })
          expect(yield* session.waiting).toEqual([])
          expect(answerTo(agents, "m1")).toEqual([])
        })
    )
  )

  it.effect("whose call the CLI gives up, in the words of MCP, is not waited for", () =>
    withSession(
      (line, say) =>
        isPrompt(line)
          ? say(
              init(),
              toolUse("c1", "mcp__frontend__paint"),
              pageToolCall("m1", 7, "c1", "paint"),
              pageToolCall("m2", 8, "c2", "paint"),
              control("x1", {
                subtype: "mcp_message",
                server_name: "frontend",
                message: { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } }
              })
            )
          : Effect.void,
      {},
      ({ agents, client, session }) =>
        Effect.gen(function* () {
          yield* client.submit("r1", { prompt: "Paint", tools })
          const all = yield* eventsUntil(session, ({ type }) => type === "request_closed")
          expect(all.at(-1)).toMatchObject({ id: "m1", by: "withdrawn" })
          expect((yield* session.waiting).map(({ request }) => request.id)).toEqual(["m2"])
          expect(answerTo(agents, "m1")).toEqual([])
          expect(answerTo(agents, "x1")).toMatchObject([{ subtype: "success" }])
        })
    )
  )

  it.effect("that is new while the agent runs is told before the prompt is sent", () =>
    withSession(echo, {}, ({ agents, client }) =>
      Effect.gen(function* () {
        yield* client.run("r1", { prompt: "Hi" })
        yield* client.run("r2", { prompt: "Paint", tools })
        const told = agents.sent.findIndex((line) => controls({ ...agents, sent: [line] }, "mcp_message").length > 0)
        const prompts = agents.sent.flatMap((line, at) => (isPrompt(line) ? [at] : []))
        expect(prompts[0]).toBeLessThan(told)
        expect(told).toBeLessThan(prompts[1] ?? 0)
      })
    )
  )
})

describe("a conversation that the agent has nothing of", () => {
  it.effect("goes on in a new one, with the prompt that was to continue it", () => {
    const noSession = result({
      subtype: "error_during_execution",
      is_error: true,
      errors: ["No conversation found with session ID: provider-0"]
    })
    return withSession(
      echo,
      {
        thread: { providerSessionId: "provider-0" },
        initially: (agents) =>
          agents.launched.length === 1 ? Effect.andThen(agents.say(noSession), agents.exit({ code: 1 })) : Effect.void
      },
      ({ agents, client, session }) =>
        Effect.gen(function* () {
          yield* client.submit("r1", { prompt: "Go on" })
          yield* until(session, "turn_ended")
          expect(agents.launched.map(({ resume }) => resume)).toEqual(["provider-0", undefined])
          const events = yield* happened(session)
          expect(events.filter(({ type }) => type === "turn_ended")).toMatchObject([{ outcome: { type: "completed" } }])
          expect(events).toContainEqual({ type: "context_reset", how: "lost" })
        })
    )
  })
})

describe("an interrupt", () => {
  it.effect("of a turn that has begun is sent once, also when the next turn begins", () =>
    withSession(
      (line, say) => {
        if (isPrompt(line)) return say(init(), text("I am"))
        return isInterrupt(line) ? say(agreed(line), aborted()) : Effect.void
      },
      {},
      ({ agents, client, session }) =>
        Effect.gen(function* () {
          const run = yield* client.submit("r1", { prompt: "Hi" })
          yield* until(session, "item_ended")
          yield* session.stop("r1")
          yield* run
          const seq = session.log.next()
          yield* client.submit("r2", { prompt: "Again" })
          yield* until(session, "item_ended", seq)
          expect(controls(agents, "interrupt")).toHaveLength(1)
        })
    )
  )
})

describe("what only this agent has", () => {
  it.effect("is asked by the names of its own protocol", () =>
    withSession(echo, {}, ({ agents, session }) =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(session.native.request("interrupt", {}))).toMatchObject({ code: "GONE" })
        yield* session.start
        yield* session.native.request("interrupt", {})
        yield* eventually(() => controls(agents, "interrupt").length === 1)
        expect(yield* Effect.flip(session.native.request("dance", {}))).toMatchObject({
          _tag: "NativeFailed",
          code: "UNSUPPORTED",
          method: "dance"
        })
      })
    )
  )

  it.effect("keeps the application's tools when somebody sets the MCP servers", () =>
    withSession(echo, {}, ({ agents, session }) =>
      Effect.gen(function* () {
        yield* session.start
        const servers = { files: { type: "stdio", command: "files" } }
        yield* Effect.ignore(session.native.request("mcp_set_servers", { servers }))
        expect(controls(agents, "mcp_set_servers")).toMatchObject([
          { request: { servers: { ...servers, frontend: { type: "sdk", name: "frontend" } } } }
        ])
      })
    )
  )

  it.effect("does not take a server for the one with the application's tools", () =>
    withSession(echo, {}, ({ agents, session }) =>
      Effect.gen(function* () {
        yield* session.start
        const servers = { frontend: { type: "http", url: "http://127.0.0.1:1/" } }
        const failed = yield* Effect.flip(session.native.request("mcp_set_servers", { servers }))
        expect(failed).toMatchObject({ code: "REFUSED" })
        expect(controls(agents, "mcp_set_servers")).toEqual([])
      })
    )
  )
})

describe("MCP servers of a session", () => {
  const answered = { added: [], removed: [], errors: { web: "down" } }
  const taking: Behaviour = (line, say) =>
    line["type"] === "control_request"
      ? say({
          type: "control_response",
          response: { subtype: "success", request_id: line["request_id"], response: answered }
        })
      : echo(line, say)
  const web = { type: "http", url: "http://127.0.0.1:1/" } as const
  const frontend = { type: "sdk", name: "frontend" }
  const given = (agents: FakeAgents) =>
    controls(agents, "mcp_set_servers").map((line) => (line["request"] as Line)["servers"])

  it.effect("are there before the first prompt is sent, and do not keep it from being sent when they are down", () =>
    withSession(taking, { agent: { mcpServers: { web } } }, ({ agents, client }) =>
      Effect.gen(function* () {
        yield* client.run("r1", { prompt: "Hi" })
        expect(given(agents)).toEqual([{ web, frontend }])
        const order = agents.sent.map((line) => (line["request"] as Line | undefined)?.["subtype"] ?? line["type"])
        expect(order.slice(0, 3)).toEqual(["initialize", "mcp_set_servers", "user"])
      })
    )
  )

  it.effect("that are set later are those of the next process, and are told to be kept", () =>
    withSession(taking, { agent: { mcpServers: { web } } }, ({ agents, client, session }) =>
      Effect.gen(function* () {
        yield* client.run("r1", { prompt: "Hi" })
        const files = { command: "files" }
        yield* session.native.request("mcp_set_servers", { servers: { files } })
        expect(yield* session.options).toEqual({ mcpServers: { files } })
        yield* session.disconnect
        yield* client.run("r2", { prompt: "Again" })
        expect(given(agents)).toEqual([
          { web, frontend },
          { files, frontend },
          { files, frontend }
        ])
        yield* session.native.request("mcp_set_servers", { servers: {} })
        yield* session.disconnect
        yield* client.run("r3", { prompt: "Again" })
        expect(given(agents)).toHaveLength(4)
      })
    )
  )
})

describe("a hook of the program", () => {
  const call = (requestId: string, input: Line, callback_id: string): Line =>
    control(requestId, {
      subtype: "hook_callback",
      callback_id,
      input: { session_id: "s", transcript_path: "/t", cwd: "/", ...input }
    })
  const stop = { hook_event_name: "Stop", stop_hook_active: false }

  it.effect("is subscribed to, called, and answered for, whatever else is said meanwhile", () => {
    const heard: Array<unknown> = []
    const hooks: HookCallbacks = {
      Stop: [
        {
          run: ({ stop_hook_active }, { threadId }) => Effect.sync(() => void heard.push([stop_hook_active, threadId]))
        }
      ]
    }
    return withSession(
      (line, say) => {
        if (isPrompt(line)) return say(init(), call("h1", stop, "agentwire-Stop-1"))
        return (line["response"] as Line | undefined)?.["request_id"] === "h1" ? say(result()) : Effect.void
      },
      { hooks },
      ({ agents, client }) =>
        Effect.gen(function* () {
          yield* client.run("r1", { prompt: "Hi" })
          expect(agents.sent[0]).toMatchObject({
            request: { hooks: { Stop: [{ hookCallbackIds: ["agentwire-Stop-1"] }] } }
          })
          expect(agents.launched[0]?.hookEvents).toEqual(["Stop"])
          expect(answerTo(agents, "h1")).toMatchObject([{ subtype: "success", response: {} }])
          expect(heard).toEqual([[false, "t"]])
        })
    )
  })

  it.effect("whose call the agent takes back is interrupted, and nothing is answered", () => {
    let ended = false
    const hooks: HookCallbacks = {
      Stop: [{ run: () => Effect.onInterrupt(Effect.never, () => Effect.sync(() => (ended = true))) }]
    }
    return withSession(
      (line, say) =>
        isPrompt(line) ? say(init(), call("h1", stop, "agentwire-Stop-1"), withdraw("h1"), result()) : Effect.void,
      { hooks },
      ({ agents, client }) =>
        Effect.gen(function* () {
          yield* client.run("r1", { prompt: "Hi" })
          yield* eventually(() => ended)
          expect(answerTo(agents, "h1")).toEqual([])
        })
    )
  })

  it.effect("is a thread's own where the program says so", () => {
    const hooks = (threadId: string): HookCallbacks | undefined =>
      threadId === "t" ? { SessionEnd: [{ run: () => Effect.void }] } : undefined
    return withSession(echo, { hooks }, ({ agents, session }) =>
      Effect.gen(function* () {
        yield* session.start
        expect(agents.launched[0]?.hookEvents).toEqual(["SessionEnd"])
      })
    )
  })
})
