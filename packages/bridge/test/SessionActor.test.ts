/**
 * The session: what faces may rely on, with an agent that says what the test wants.
 */
import type { Agui } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import type { Session } from "../src/Session.ts"
import { makeSession, type SessionOptions } from "../src/SessionActor.ts"
import { type Behaviour, type FakeAgents, fakeAgents, type Line } from "./FakeAgent.ts"

let count = 0
const uuid = (): string => `00000000-0000-4000-8000-${String(++count).padStart(12, "0")}`
const envelope = () => ({ session_id: "provider-1", uuid: uuid() })
const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }

const init = (): Line => ({
  type: "system",
  subtype: "init",
  cwd: "/",
  tools: [],
  mcp_servers: [],
  model: "m",
  permissionMode: "default",
  slash_commands: [],
  apiKeySource: "none",
  claude_code_version: "2.1.325",
  output_style: "default",
  skills: [],
  plugins: [],
  ...envelope()
})
const assistant = (...content: ReadonlyArray<Line>): Line => ({
  type: "assistant",
  message: {
    id: `msg_${++count}`,
    type: "message",
    role: "assistant",
    model: "m",
    content,
    stop_reason: null,
    stop_sequence: null,
    usage
  },
  parent_tool_use_id: null,
  ...envelope()
})
const text = (words: string): Line => assistant({ type: "text", text: words })
const toolUse = (id: string, name: string, input: Line = {}): Line => assistant({ type: "tool_use", id, name, input })
const toolResult = (id: string, content: string): Line => ({
  type: "user",
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content }] },
  parent_tool_use_id: null,
  ...envelope()
})
const result = (fields: Line = {}): Line => ({
  type: "result",
  subtype: "success",
  is_error: false,
  duration_ms: 1,
  duration_api_ms: 1,
  num_turns: 1,
  result: "done",
  stop_reason: "end_turn",
  total_cost_usd: 0,
  usage,
  modelUsage: {},
  permission_denials: [],
  ...fields,
  ...envelope()
})
const ask = (requestId: string, tool: string, toolUseId: string, input: Line = {}): Line => ({
  type: "control_request",
  request_id: requestId,
  request: { subtype: "can_use_tool", tool_name: tool, tool_use_id: toolUseId, input }
})

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

const isPrompt = (line: Line): boolean => line["type"] === "user"

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
