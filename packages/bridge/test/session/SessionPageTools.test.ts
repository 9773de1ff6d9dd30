/**
 * Tools of the application: the agent calls them, and so may others.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import {
  aborted,
  agreed,
  echo,
  init,
  isInterrupt,
  isPrompt,
  pageToolCall,
  result,
  text,
  toolResult,
  toolUse
} from "../AgentLines.ts"
import { aguiClient, deltas, outcome, types } from "../AguiClient.ts"
import type { Behaviour, Line } from "../FakeAgent.ts"
import { answerTo, controls, eventually, happened, until, withSession } from "../WithSession.ts"

const promptText = (line: Line): string => JSON.stringify(line["message"])

describe("a tool of the application", () => {
  const tools = [{ name: "pick color", description: "Asks for a color", parameters: { type: "object" } }]
  const calls: Behaviour = (line, say) => {
    if (isPrompt(line))
      return promptText(line).includes("Color?")
        ? say(init(), toolUse("c1", "mcp__frontend__pick_color", {}), pageToolCall("m1", 7, "c1", "pick color"))
        : say(init(), text("Something else, then."), result())
    if (isInterrupt(line)) return say(agreed(line), aborted())
    return answered(line) === "blue" ? say(toolResult("c1", "blue"), text("Blue it is."), result()) : Effect.void
  }
  /** What the application's result says. */
  const answered = (line: Line): unknown => {
    const { response } = (line["response"] ?? {}) as { readonly response?: Line }
    const { result } = (response?.["mcp_response"] ?? {}) as { readonly result?: Line }
    const [part] = (result?.["content"] ?? []) as ReadonlyArray<Line>
    return part?.["text"]
  }

  it.effect("ends the run, and the agent gets the application's real result", () =>
    withSession(calls, {}, ({ agents, client }) =>
      Effect.gen(function* () {
        const first = yield* client.run("r1", { prompt: "Color?", tools })
        expect(first.find((event) => event.type === "TOOL_CALL_START")).toMatchObject({ toolCallName: "pick color" })
        expect(outcome(first)).toEqual({ type: "success", pendingToolCallIds: ["c1"] })
        const second = yield* client.run("r2", { tools, results: { c1: "blue" } })
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
    withSession(calls, { frontendTimeout: "10 seconds" }, ({ agents, client }) =>
      Effect.gen(function* () {
        yield* client.run("r1", { prompt: "Color?", tools })
        yield* TestClock.adjust("11 seconds")
        expect(answerTo(agents, "m1")).toMatchObject([{ response: { mcp_response: { result: { isError: true } } } }])
      })
    )
  )

  it.effect("that waits while the person says something else is abandoned, and the prompt is answered", () =>
    withSession(calls, {}, ({ agents, client, session }) =>
      Effect.gen(function* () {
        yield* client.run("r1", { prompt: "Color?", tools })
        const list = yield* client.run("r2", { prompt: "Never mind", tools })
        expect(list.at(-1)).toMatchObject({ type: "RUN_FINISHED", runId: "r2", outcome: { type: "success" } })
        expect(deltas(list)).toEqual(["Something else, then."])
        const all = yield* happened(session)
        expect(all.filter(({ type }) => type === "request_closed")).toMatchObject([{ id: "m1", by: "abandoned" }])
        expect(all.flatMap((event) => (event.type === "turn_ended" ? [event.outcome.type] : []))).toEqual([
          "cancelled",
          "completed"
        ])
        expect(answerTo(agents, "m1")).toMatchObject([{ response: { mcp_response: { result: { isError: true } } } }])
        expect(controls(agents, "interrupt")).toHaveLength(1)
        const next = yield* client.run("r3", { prompt: "And now?", tools })
        expect(deltas(next)).toEqual(["Something else, then."])
      })
    )
  )

  it.effect("and a prompt in one submission both count, in this order", () =>
    withSession(calls, {}, ({ agents, client }) =>
      Effect.gen(function* () {
        yield* client.run("r1", { prompt: "Color?", tools })
        const list = yield* client.run("r2", { results: { c1: "blue" }, prompt: "And a shape", tools })
        expect(deltas(list)).toEqual(["Blue it is.", "Something else, then."])
        expect(list.at(-1)).toMatchObject({ type: "RUN_FINISHED", runId: "r2" })
        expect(agents.sent.filter(isPrompt)).toHaveLength(2)
        expect(controls(agents, "interrupt")).toEqual([])
      })
    )
  )

  it.effect("whose result comes before the agent asks for it is answered when it does", () =>
    withSession(
      (line, say) =>
        isPrompt(line)
          ? say(init(), toolUse("c1", "mcp__frontend__pick_color", {}))
          : answered(line) === "blue"
            ? say(toolResult("c1", "blue"), text("Blue it is."), result())
            : Effect.void,
      {},
      ({ agents, client, session }) =>
        Effect.gen(function* () {
          yield* client.submit("r1", { prompt: "Color?", tools })
          yield* until(session, "item_ended")
          const run = yield* aguiClient(session).submit("r2", { results: { c1: "blue" } })
          yield* agents.say(pageToolCall("m1", 7, "c1", "pick color"))
          expect(outcome(yield* run)).toEqual({ type: "success" })
          expect(answerTo(agents, "m1")).toHaveLength(1)
          expect((yield* happened(session)).map(({ type }) => type)).not.toContain("request_opened")
        })
    )
  )
})

describe("a tool of the application called from outside", () => {
  const tools = [{ name: "paint", description: "Paints.", parameters: {} }]

  it.effect("is a run of its own, and is answered by the application's next run", () =>
    withSession(echo, {}, ({ client, session }) =>
      Effect.gen(function* () {
        yield* client.run("r1", { prompt: "Hi", tools })
        expect(yield* Effect.flip(session.callTool("dance", {}))).toMatchObject({ code: "NO_SUCH_TOOL" })
        const calling = yield* Effect.forkChild(session.callTool("paint", { color: "red" }), { startImmediately: true })
        const list = yield* client.run("r2", { prompt: "Go on" })
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
        const after = yield* client.run("r3", { results: { [toolCallId]: "painted" } })
        expect(outcome(after)).toMatchObject({ type: "success" })
        expect(yield* Fiber.join(calling)).toEqual({ type: "result", content: "painted", failed: false })
      })
    )
  )

  it.effect("fails in time, and then the application is told not to make the call", () =>
    withSession(echo, { frontendTimeout: "1 minute" }, ({ client, session }) =>
      Effect.gen(function* () {
        yield* client.run("r1", { prompt: "Hi", tools })
        const calling = yield* Effect.forkChild(Effect.flip(session.callTool("paint", {})), { startImmediately: true })
        yield* until(session, "request_opened")
        yield* TestClock.adjust("2 minutes")
        expect(yield* Fiber.join(calling)).toMatchObject({ code: "TOOL_TIMEOUT" })
        expect(types(yield* client.run("r2", { prompt: "Go on" }))).toContain("TOOL_CALL_RESULT")
      })
    )
  )

  it.effect("waits for the end of the turn that is open, and outlives it", () =>
    withSession(
      (line, say) => (isPrompt(line) ? say(init(), text("I am")) : Effect.void),
      {},
      ({ agents, client, session }) =>
        Effect.gen(function* () {
          const run = yield* client.submit("r1", { prompt: "Hi", tools })
          yield* until(session, "item_ended")
          const calling = yield* Effect.forkChild(session.callTool("paint", {}), { startImmediately: true })
          expect((yield* session.waiting).length).toBe(0)
          yield* agents.say(result())
          yield* run
          yield* until(session, "request_opened")
          yield* agents.exit({ code: 0 })
          yield* eventually(() => session.log.situation().turn === undefined)
          const [waiting] = yield* session.waiting
          yield* session.answer(waiting?.request.id ?? "", { type: "result", content: "painted", failed: false })
          expect(yield* Fiber.join(calling)).toMatchObject({ content: "painted" })
        })
    )
  )
})
