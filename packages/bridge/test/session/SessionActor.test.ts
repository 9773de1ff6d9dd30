/**
 * The session: what faces may rely on, with an agent that says what the test wants.
 */
import type { Agui } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import type { Policy } from "../../src/policy/Policy.ts"
import type { Session } from "../../src/session/Session.ts"
import { makeSession, type SessionOptions } from "../../src/session/SessionActor.ts"
import { ask, beforeTool, echo, init, isPrompt, result, text, toolResult, toolUse } from "../AgentLines.ts"
import { type Behaviour, type FakeAgents, fakeAgents, type Line } from "../FakeAgent.ts"

const input = (
  runId: string,
  words: string | undefined,
  more: Partial<Agui.RunAgentInput> = {}
): Agui.RunAgentInput => ({
  threadId: "t",
  runId,
  messages: words === undefined ? [] : [{ id: `user-${runId}`, role: "user", content: words }],
  ...more
})

/** The events of a run as a face would send them. */
const events = (session: Session, runInput: Agui.RunAgentInput) =>
  Effect.gen(function* () {
    const ticket = yield* session.run(runInput)
    let mine = false
    const entries = yield* Stream.runCollect(
      session.log.read(ticket.from).pipe(
        Stream.takeUntil(({ event }) => {
          if (event.type === "RUN_STARTED") mine = event.runId === ticket.runId
          return mine && (event.type === "RUN_FINISHED" || event.type === "RUN_ERROR")
        })
      )
    )
    const last = entries.at(-1)
    if (last !== undefined) yield* session.delivered(last.seq + 1)
    return entries.map(({ event }) => event)
  })

const types = (list: ReadonlyArray<Agui.AguiEvent>): ReadonlyArray<string> =>
  list.map(({ type }) => type).filter((type) => type !== "STATE_DELTA" && type !== "CUSTOM")

const outcome = (list: ReadonlyArray<Agui.AguiEvent>): unknown => {
  const last = list.at(-1)
  return last?.type === "RUN_FINISHED" ? last.outcome : last
}

const withSession = <A, E>(
  behave: Behaviour,
  options: Partial<SessionOptions>,
  use: (session: Session, agents: FakeAgents) => Effect.Effect<A, E>
) => {
  const { agents, layer } = fakeAgents(behave)
  return Effect.gen(function* () {
    const session = yield* makeSession({ threadId: "t", sessionKey: "t", cwd: "/", ...options })
    return yield* use(session, agents)
  }).pipe(Effect.provide(layer), Effect.scoped)
}

const answers: Behaviour = (line, say) => (isPrompt(line) ? say(init(), text("Hello."), result()) : Effect.void)

describe("a run", () => {
  it.effect("starts the agent when it is first needed, and gives the answer", () =>
    withSession(answers, {}, (session, agents) =>
      Effect.gen(function* () {
        expect(agents.launched).toEqual([])
        const list = yield* events(session, input("r1", "Hi"))
        expect(types(list)).toEqual([
          "RUN_STARTED",
          "TEXT_MESSAGE_START",
          "TEXT_MESSAGE_CONTENT",
          "TEXT_MESSAGE_END",
          "RUN_FINISHED"
        ])
        expect(list[0]).toMatchObject({ threadId: "t", runId: "r1", protocolVersion: "1.0" })
        expect(agents.launched).toHaveLength(1)
        expect(agents.sent.filter(isPrompt)).toMatchObject([{ message: { content: [{ type: "text", text: "Hi" }] } }])
        expect(yield* session.providerSessionId).toBe("provider-1")
        yield* events(session, input("r2", "Again"))
        expect(agents.launched).toHaveLength(1)
      })
    )
  )

  it.effect("on a busy thread is rejected, and the run that goes on is not disturbed", () =>
    withSession(
      (line, say) => (isPrompt(line) ? say(init()) : Effect.void),
      {},
      (session, agents) =>
        Effect.gen(function* () {
          yield* session.run(input("r1", "Hi"))
          const refused = yield* Effect.flip(session.run(input("r2", "Me too")))
          expect(refused._tag).toBe("ThreadBusy")
          expect(agents.sent.filter(isPrompt).length).toBeLessThanOrEqual(1)
        })
    )
  )

  it.effect("on a busy thread waits its turn, where the thread queues", () =>
    withSession(answers, { busy: "queue" }, (session, agents) =>
      Effect.gen(function* () {
        const first = yield* session.run(input("r1", "One"))
        const second = yield* events(session, input("r2", "Two"))
        expect(first.runId).toBe("r1")
        expect(second.at(-1)).toMatchObject({ type: "RUN_FINISHED", runId: "r2" })
        expect(agents.sent.filter(isPrompt)).toHaveLength(2)
      })
    )
  )

  it.effect("with nothing new ends at once", () =>
    withSession(answers, {}, (session, agents) =>
      Effect.gen(function* () {
        expect(types(yield* events(session, input("r1", undefined)))).toEqual(["RUN_STARTED", "RUN_FINISHED"])
        expect(agents.launched).toEqual([])
      })
    )
  )

  it.effect("brings the next client what the agent did by itself", () =>
    withSession(answers, {}, (session, agents) =>
      Effect.gen(function* () {
        yield* events(session, input("r1", "Hi"))
        const seq = yield* session.log.next
        yield* agents.say(init(), text("The task is done."), result())
        yield* Stream.runDrain(
          session.log.read(seq).pipe(Stream.takeUntil(({ event }) => event.type === "RUN_FINISHED"))
        )
        const list = yield* events(session, input("r2", "And?"))
        expect(list.filter(({ type }) => type === "RUN_STARTED")).toHaveLength(2)
        expect(list.filter((event) => event.type === "TEXT_MESSAGE_CONTENT").map((event) => event.delta)).toEqual([
          "The task is done.",
          "Hello."
        ])
      })
    )
  )
})

describe("a question", () => {
  const asks: Behaviour = (line, say) => {
    if (isPrompt(line))
      return say(init(), toolUse("c1", "Bash", { command: "ls" }), ask("q1", "Bash", "c1", { command: "ls" }))
    return line["type"] === "control_response"
      ? say(toolResult("c1", "a.txt"), text("One file."), result())
      : Effect.void
  }

  it.effect("is refused where nobody can be asked, which is the default", () =>
    withSession(asks, {}, (session, agents) =>
      Effect.gen(function* () {
        yield* events(session, input("r1", "List"))
        expect(agents.sent.at(-1)).toMatchObject({ response: { request_id: "q1", response: { behavior: "deny" } } })
      })
    )
  )

  it.effect("ends the run with an interrupt, and `resume` answers it", () =>
    withSession(asks, { approvals: "interrupt" }, (session, agents) =>
      Effect.gen(function* () {
        const first = yield* events(session, input("r1", "List"))
        expect(outcome(first)).toMatchObject({ type: "interrupt", interrupts: [{ id: "q1", toolCallId: "c1" }] })
        const second = yield* events(
          session,
          input("r2", undefined, {
            resume: [
              { interruptId: "q1", status: "resolved", payload: { approved: true, editedArgs: { command: "ls -a" } } }
            ]
          })
        )
        expect(agents.sent.at(-1)).toMatchObject({
          response: { request_id: "q1", response: { behavior: "allow", updatedInput: { command: "ls -a" } } }
        })
        expect(types(second)).toEqual([
          "RUN_STARTED",
          "TOOL_CALL_RESULT",
          "TEXT_MESSAGE_START",
          "TEXT_MESSAGE_CONTENT",
          "TEXT_MESSAGE_END",
          "RUN_FINISHED"
        ])
      })
    )
  )

  it.effect("is told by an event, and answered through the session", () =>
    withSession(asks, { approvals: "event" }, (session, agents) =>
      Effect.gen(function* () {
        yield* session.run(input("r1", "List"))
        yield* Effect.yieldNow
        while ((yield* session.pending).length === 0) yield* Effect.yieldNow
        expect((yield* session.pending).map(({ requestId }) => requestId)).toEqual(["q1"])
        yield* session.answer("q1", true)
        expect(agents.sent.at(-1)).toMatchObject({
          response: { response: { behavior: "allow", updatedInput: { command: "ls" } } }
        })
        expect((yield* Effect.flip(session.answer("q1", true)))._tag).toBe("NothingPending")
      })
    )
  )

  it.effect("is refused when nobody answers in time", () =>
    withSession(asks, { approvals: "event", approvalTimeout: "1 minute" }, (session, agents) =>
      Effect.gen(function* () {
        yield* session.run(input("r1", "List"))
        while ((yield* session.pending).length === 0) yield* Effect.yieldNow
        yield* TestClock.adjust("61 seconds")
        expect(agents.sent.at(-1)).toMatchObject({
          response: { request_id: "q1", response: { behavior: "deny", message: expect.stringContaining("1m") } }
        })
        expect(yield* session.pending).toEqual([])
      })
    )
  )

  it.effect("that nobody answered in a suspended run lets the agent end its turn in a run of its own", () =>
    withSession(asks, { approvals: "interrupt", approvalTimeout: "1 minute" }, (session) =>
      Effect.gen(function* () {
        const first = yield* events(session, input("r1", "List"))
        expect(outcome(first)).toMatchObject({ type: "interrupt" })
        const seq = yield* session.log.next
        yield* TestClock.adjust("61 seconds")
        const own = yield* Stream.runCollect(
          session.log.read(seq).pipe(Stream.takeUntil(({ event }) => event.type === "RUN_FINISHED"))
        )
        expect(types(own.map(({ event }) => event))).toContain("TOOL_CALL_RESULT")
        expect(yield* session.status).toBe("idle")
      })
    )
  )

  it.effect("is decided by the policy before anyone is asked", () =>
    withSession(asks, { approvals: "interrupt", policy: () => Effect.succeed({ _tag: "Allow" }) }, (session, agents) =>
      Effect.gen(function* () {
        const list = yield* events(session, input("r1", "List"))
        expect(outcome(list)).toEqual({ type: "success" })
        expect(agents.sent.at(-1)).toMatchObject({
          response: { response: { behavior: "allow", updatedInput: { command: "ls" } } }
        })
      })
    )
  )
})

describe("a frontend tool", () => {
  const tools = [{ name: "pick color", description: "Asks for a color", parameters: { type: "object" } }]
  const calls: Behaviour = (line, say) => {
    if (isPrompt(line))
      return say(init(), toolUse("c1", "mcp__frontend__pick_color", {}), {
        type: "control_request",
        request_id: "m1",
        request: {
          subtype: "mcp_message",
          server_name: "frontend",
          message: {
            jsonrpc: "2.0",
            id: 7,
            method: "tools/call",
            params: { name: "pick color", arguments: {}, _meta: { "claudecode/toolUseId": "c1" } }
          }
        }
      })
    return line["type"] === "control_response"
      ? say(toolResult("c1", "blue"), text("Blue it is."), result())
      : Effect.void
  }

  it.effect("ends the run, and the agent gets the application's real result", () =>
    withSession(calls, {}, (session, agents) =>
      Effect.gen(function* () {
        const first = yield* events(session, input("r1", "Color?", { tools }))
        expect(first.find((event) => event.type === "TOOL_CALL_START")).toMatchObject({ toolCallName: "pick color" })
        expect(outcome(first)).toEqual({ type: "success", pendingToolCallIds: ["c1"] })
        const second = yield* events(
          session,
          input("r2", undefined, {
            tools,
            messages: [{ id: "tool-1", role: "tool", toolCallId: "c1", content: "blue" }]
          })
        )
        expect(agents.sent.at(-1)).toMatchObject({
          response: {
            request_id: "m1",
            response: { mcp_response: { id: 7, result: { content: [{ type: "text", text: "blue" }] } } }
          }
        })
        expect(types(second)).not.toContain("TOOL_CALL_RESULT")
        expect(outcome(second)).toEqual({ type: "success" })
      })
    )
  )

  it.effect("that nobody runs in time is an error the model reads", () =>
    withSession(calls, { frontendTimeout: "10 seconds" }, (session, agents) =>
      Effect.gen(function* () {
        yield* events(session, input("r1", "Color?", { tools }))
        yield* TestClock.adjust("11 seconds")
        expect(agents.sent.at(-1)).toMatchObject({
          response: { response: { mcp_response: { result: { isError: true } } } }
        })
      })
    )
  )
})

describe("an agent that is gone", () => {
  it.effect("ends the run with its reason, and the next run goes on with the conversation", () =>
    withSession(
      (line, say) => (isPrompt(line) ? say(init(), text("I am")) : Effect.void),
      {},
      (session, agents) =>
        Effect.gen(function* () {
          const ticket = yield* session.run(input("r1", "Hi"))
          yield* Stream.runDrain(
            session.log.read(ticket.from).pipe(Stream.takeUntil(({ event }) => event.type === "TEXT_MESSAGE_END"))
          )
          yield* agents.exit({ code: null, signal: "SIGKILL", stderr: "out of memory" })
          const list = yield* Stream.runCollect(
            session.log.read(ticket.from).pipe(Stream.takeUntil(({ event }) => event.type === "RUN_ERROR"))
          )
          expect(list.at(-1)?.event).toMatchObject({
            code: "process_exited",
            message: expect.stringContaining("out of memory")
          })
          yield* session.run(input("r2", "Still there?"))
          while (agents.launched.length < 2) yield* Effect.yieldNow
          expect(agents.launched[1]).toMatchObject({ resume: "provider-1" })
        })
    )
  )
})

describe("a policy", () => {
  const policy: Policy = ({ cwd, mode, toolName }) =>
    Effect.succeed(
      toolName === "Read"
        ? { _tag: "Allow" }
        : toolName === "Bash"
          ? { _tag: "Deny", message: `Not in ${cwd} as ${mode}.` }
          : { _tag: "Ask", reason: "Who knows." }
    )
  const decisions = (agents: FakeAgents) =>
    agents.sent.flatMap((line) => {
      const { response } = (line["response"] ?? {}) as { readonly response?: Line }
      return response?.["hookSpecificOutput"] === undefined ? [] : [response["hookSpecificOutput"]]
    })

  it.effect("sees every call by a hook, and says what it thinks of it", () =>
    withSession(
      (line, say) =>
        isPrompt(line)
          ? say(
              init(),
              beforeTool("h1", "agentwire-policy", "Read"),
              beforeTool("h2", "agentwire-policy", "Bash"),
              beforeTool("h3", "agentwire-policy", "Write"),
              result()
            )
          : Effect.void,
      { policy, mode: "planner" },
      (session, agents) =>
        Effect.gen(function* () {
          yield* events(session, input("r1", "Hi"))
          yield* Effect.yieldNow
          expect(agents.sent[0]).toMatchObject({
            request: { hooks: { PreToolUse: [{ hookCallbackIds: ["agentwire-policy"] }] } }
          })
          expect(decisions(agents)).toEqual([
            { hookEventName: "PreToolUse", permissionDecision: "allow" },
            {
              hookEventName: "PreToolUse",
              permissionDecision: "deny",
              permissionDecisionReason: "Not in / as planner."
            },
            { hookEventName: "PreToolUse", permissionDecision: "ask", permissionDecisionReason: "Who knows." }
          ])
        })
    )
  )

  it.effect("does not answer what only a person can", () =>
    withSession(
      (line, say) =>
        isPrompt(line)
          ? say(init(), toolUse("toolu_1", "AskUserQuestion"), ask("q1", "AskUserQuestion", "toolu_1"))
          : Effect.void,
      { policy: () => Effect.succeed({ _tag: "Allow" }), approvals: "interrupt" },
      (session) =>
        Effect.gen(function* () {
          const list = yield* events(session, input("r1", "Hi"))
          expect(outcome(list)).toMatchObject({ type: "interrupt", interrupts: [{ id: "q1" }] })
        })
    )
  )
})

describe("the lines of the wire", () => {
  it.effect("are all there, in the order of cause and effect, with the events they became", () =>
    withSession(
      (line, say) =>
        isPrompt(line) ? say(init(), beforeTool("h1", "of somebody", "Bash"), text("Hello."), result()) : Effect.void,
      {},
      (session) =>
        Effect.gen(function* () {
          yield* events(session, input("r1", "Hi"))
          const lines = yield* Stream.runCollect(session.wire.read(0).pipe(Stream.take(8)))
          expect(
            lines.map(({ from, line }) => `${from} ${(JSON.parse(line) as { readonly type: string }).type}`)
          ).toEqual([
            "host control_request",
            "agent control_response",
            "host user",
            "agent system",
            "agent control_request",
            "host control_response",
            "agent assistant",
            "agent result"
          ])
          const all = yield* Stream.runCollect(session.log.read(0).pipe(Stream.take(yield* session.log.next)))
          const said = lines.find(({ line }) => line.includes("Hello."))
          expect(types(all.slice(...(said?.events ?? [0, 0])).map(({ event }) => event))).toEqual([
            "TEXT_MESSAGE_START",
            "TEXT_MESSAGE_CONTENT",
            "TEXT_MESSAGE_END"
          ])
        })
    )
  )
})

describe("what a session does", () => {
  it.effect("is told whenever it changes, once", () => {
    const told: Array<string> = []
    return withSession(
      echo,
      { onStatus: (threadId, status) => Effect.sync(() => void told.push(`${threadId} ${status}`)) },
      (session, agents) =>
        Effect.gen(function* () {
          yield* events(session, input("r1", "Hi"))
          yield* agents.exit({ code: 1 })
          while (told.at(-1) !== "t disconnected") yield* Effect.yieldNow
          expect(told).toEqual(["t starting", "t connected", "t active", "t idle", "t disconnected"])
        })
    )
  })
})

describe("an agent that is started by hand", () => {
  it.effect("is ready then, and says what it can", () =>
    withSession(echo, {}, (session, agents) =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(session.send({ type: "keep_alive" }))).toMatchObject({ code: "GONE" })
        yield* session.start
        yield* session.start
        expect(agents.launched).toHaveLength(1)
        expect(yield* session.status).toBe("connected")
        yield* session.send({ type: "keep_alive" })
        expect(agents.sent.at(-1)).toEqual({ type: "keep_alive" })
        yield* events(session, input("r1", "Hi"))
        expect((yield* session.init)?.model).toBe("m")
      })
    )
  )
})

describe("a tool of the application called from outside", () => {
  const tools = [{ name: "paint", description: "Paints.", parameters: {} }]

  it.effect("is a run of its own, and is answered by the application's next run", () =>
    withSession(echo, {}, (session) =>
      Effect.gen(function* () {
        yield* events(session, input("r1", "Hi", { tools }))
        expect(yield* Effect.flip(session.callTool("dance", {}))).toMatchObject({ code: "NO_SUCH_TOOL" })
        const calling = yield* Effect.forkChild(session.callTool("paint", { color: "red" }), {
          startImmediately: true
        })
        const list = yield* events(session, input("r2", "Go on"))
        const start = list.find((event) => event.type === "TOOL_CALL_START")
        expect(types(list).slice(0, 6)).toEqual([
          "RUN_STARTED",
          "TOOL_CALL_START",
          "TOOL_CALL_ARGS",
          "TOOL_CALL_END",
          "RUN_FINISHED",
          "RUN_STARTED"
        ])
        const toolCallId = start?.type === "TOOL_CALL_START" ? start.toolCallId : ""
        const result = { id: "tool-1", role: "tool" as const, toolCallId, content: "painted" }
        const after = yield* events(session, { threadId: "t", runId: "r3", messages: [result] })
        expect(outcome(after)).toMatchObject({ type: "success" })
        expect(yield* Fiber.join(calling)).toMatchObject({ content: [{ type: "text", text: "painted" }] })
      })
    )
  )

  it.effect("fails in time, and then the application is told not to make the call", () =>
    withSession(echo, { frontendTimeout: "1 minute" }, (session) =>
      Effect.gen(function* () {
        yield* events(session, input("r1", "Hi", { tools }))
        const calling = yield* Effect.forkChild(Effect.flip(session.callTool("paint", {})), {
          startImmediately: true
        })
        yield* Effect.yieldNow
        yield* TestClock.adjust("2 minutes")
        expect(yield* Fiber.join(calling)).toMatchObject({ code: "TOOL_TIMEOUT" })
        expect(types(yield* events(session, input("r2", "Go on")))).toContain("TOOL_CALL_RESULT")
      })
    )
  )
})

describe("stop", () => {
  it.effect("interrupts the agent, and the run is cancelled", () =>
    withSession(
      (line, say) => {
        if (isPrompt(line)) return say(init(), text("I am"))
        const request = line["request"] as Line | undefined
        if (request?.["subtype"] !== "interrupt") return Effect.void
        return say(
          { type: "control_response", response: { subtype: "success", request_id: line["request_id"] } },
          result({
            subtype: "error_during_execution",
            is_error: true,
            errors: [],
            terminal_reason: "aborted_streaming"
          })
        )
      },
      {},
      (session) =>
        Effect.gen(function* () {
          const ticket = yield* session.run(input("r1", "Hi"))
          yield* Stream.runDrain(
            session.log.read(ticket.from).pipe(Stream.takeUntil(({ event }) => event.type === "TEXT_MESSAGE_END"))
          )
          expect(yield* session.stop("another run")).toBe(false)
          expect(yield* session.stop("r1")).toBe(true)
          const list = yield* Stream.runCollect(
            session.log.read(ticket.from).pipe(Stream.takeUntil(({ event }) => event.type === "RUN_FINISHED"))
          )
          expect(list.at(-1)?.event).toMatchObject({ outcome: { type: "cancelled" } })
        })
    )
  )

  it.effect("does not wait for an agent that does not answer", () =>
    withSession(
      (line, say) => (isPrompt(line) ? say(init(), text("I am")) : Effect.void),
      { stopTimeout: "2 seconds" },
      (session) =>
        Effect.gen(function* () {
          const ticket = yield* session.run(input("r1", "Hi"))
          yield* Stream.runDrain(
            session.log.read(ticket.from).pipe(Stream.takeUntil(({ event }) => event.type === "TEXT_MESSAGE_END"))
          )
          yield* session.stop()
          yield* TestClock.adjust("3 seconds")
          const list = yield* Stream.runCollect(
            session.log.read(ticket.from).pipe(Stream.takeUntil(({ event }) => event.type === "RUN_FINISHED"))
          )
          expect(list.at(-1)?.event).toMatchObject({ outcome: { type: "cancelled" } })
          expect(yield* session.status).toBe("disconnected")
        })
    )
  )
})
