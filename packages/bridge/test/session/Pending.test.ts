import type { Translate } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { makePending } from "../../src/session/Pending.ts"
import type { Line } from "../FakeAgent.ts"

const question: Translate.PermissionQuestion = {
  type: "control_request",
  request_id: "q1",
  request: { subtype: "can_use_tool", tool_name: "Bash", tool_use_id: "c1", input: { command: "ls" } }
}
const call = { requestId: "m1", rpcId: 7, toolUseId: "c2" }
const blue: Translate.CallToolResult = { content: [{ type: "text", text: "blue" }] }

const setUp = Effect.gen(function* () {
  const scope = yield* Effect.scope
  const sent: Array<Line> = []
  let released = 0
  const pending = makePending({
    released: Effect.sync(() => void released++),
    send: (message) => Effect.sync(() => void sent.push(message as Line)),
    later: (after, then) => Effect.forkIn(Effect.andThen(Effect.sleep(after), then), scope)
  })
  return { pending, sent, released: () => released }
})

describe("a question", () => {
  it.effect("waits until it is taken, and is refused when its time is up", () =>
    Effect.gen(function* () {
      const { pending, released, sent } = yield* setUp
      yield* pending.ask(question, "1 minute")
      expect(pending.list()).toMatchObject([{ requestId: "q1", expiresAt: 60_000 }])
      yield* TestClock.adjust("61 seconds")
      expect(sent).toMatchObject([{ response: { request_id: "q1", response: { behavior: "deny" } } }])
      expect(pending.questions()).toEqual([])
      expect(released()).toBe(1)
    }).pipe(Effect.scoped)
  )

  it.effect("that was taken is not refused any more", () =>
    Effect.gen(function* () {
      const { pending, sent } = yield* setUp
      yield* pending.ask(question, "1 minute")
      expect(yield* pending.take("q1")).toBe(question)
      expect(yield* pending.take("q1")).toBeUndefined()
      yield* TestClock.adjust("2 minutes")
      expect(sent).toEqual([])
    }).pipe(Effect.scoped)
  )
})

describe("a call of the application's tool", () => {
  it.effect("gets the real result, also when that came before the agent asked", () =>
    Effect.gen(function* () {
      const { pending, sent } = yield* setUp
      expect(yield* pending.call(call, "1 minute")).toBe(true)
      yield* pending.resolve("c2", blue)
      yield* pending.resolve("c3", blue)
      expect(yield* pending.call({ ...call, requestId: "m2", toolUseId: "c3" }, "1 minute")).toBe(false)
      expect(sent).toMatchObject([
        { response: { request_id: "m1", response: { mcp_response: { id: 7, result: blue } } } },
        { response: { request_id: "m2", response: { mcp_response: { id: 7, result: blue } } } }
      ])
      yield* TestClock.adjust("2 minutes")
      expect(sent).toHaveLength(2)
    }).pipe(Effect.scoped)
  )

  it.effect("is an error for the model when nobody answers, and nothing when the agent is gone", () =>
    Effect.gen(function* () {
      const { pending, sent } = yield* setUp
      yield* pending.call(call, "1 minute")
      yield* TestClock.adjust("61 seconds")
      expect(sent).toMatchObject([{ response: { response: { mcp_response: { result: { isError: true } } } } }])
      yield* pending.call(call, "1 minute")
      yield* pending.clear
      yield* TestClock.adjust("2 minutes")
      expect(sent).toHaveLength(1)
    }).pipe(Effect.scoped)
  )
})
