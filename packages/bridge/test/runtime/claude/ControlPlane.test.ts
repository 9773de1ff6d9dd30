import { decodeLine } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { AgentGone } from "../../../src/runtime/claude/Agent.ts"
import { makeControlPlane } from "../../../src/runtime/claude/ControlPlane.ts"
import type { Line } from "../../FakeAgent.ts"

const planeOf = (version: string, gone = false) =>
  Effect.gen(function* () {
    const sent: Array<Line> = []
    const plane = yield* makeControlPlane({
      version,
      send: (message) =>
        gone ? Effect.fail(new AgentGone({ message: "gone" })) : Effect.sync(() => void sent.push(message as Line))
    })
    return { plane, sent }
  })

describe("a request", () => {
  it.effect("is answered by the answer with its id, whatever the order", () =>
    Effect.gen(function* () {
      const { plane, sent } = yield* planeOf("2.1.325")
      const asked = yield* Effect.forEach(["interrupt", "mcp_status"] as const, (subtype) =>
        Effect.forkChild(plane.request(subtype))
      )
      yield* Effect.yieldNow
      const [first, second] = sent.map((line) => String(line["request_id"]))
      yield* plane.answer({ subtype: "success", request_id: second ?? "", response: { mcpServers: [] } })
      yield* plane.answer({ subtype: "success", request_id: first ?? "", response: {} })
      expect(yield* Effect.forEach(asked, Fiber.join)).toEqual([{}, { mcpServers: [] }])
    })
  )

  it.effect("that this version never answers fails at once and is not sent (§6f)", () =>
    Effect.gen(function* () {
      const { plane, sent } = yield* planeOf("2.1.37")
      expect(yield* Effect.flip(plane.request("get_settings"))).toMatchObject({ code: "UNSUPPORTED" })
      expect(sent).toEqual([])
    })
  )

  it.effect("fails also where a refusal says nothing that can be read", () =>
    Effect.gen(function* () {
      const { plane, sent } = yield* planeOf("2.1.325")
      const refused = yield* Effect.forkChild(Effect.flip(plane.request("set_model", { model: "m" })))
      yield* Effect.yieldNow
      const line = {
        type: "control_response",
        response: { subtype: "error", request_id: sent[0]?.["request_id"], error: { why: 1 } }
      }
      const heard = decodeLine(JSON.stringify(line))
      if (heard._tag !== "Known" || heard.name !== "control_response/error") throw new Error("it was not heard")
      yield* plane.answer(heard.message.response)
      expect(yield* Fiber.join(refused)).toMatchObject({ code: "REFUSED", message: "It did not say why." })
    })
  )

  it.effect("fails with the agent's words, in time, and when the agent is gone", () =>
    Effect.gen(function* () {
      const { plane, sent } = yield* planeOf("2.1.325")
      const refused = yield* Effect.forkChild(Effect.flip(plane.request("set_model", { model: "m" })))
      yield* Effect.yieldNow
      yield* plane.answer({ subtype: "error", request_id: String(sent[0]?.["request_id"]), error: "No." })
      expect(yield* Fiber.join(refused)).toMatchObject({ code: "REFUSED", message: "No." })

      const late = yield* Effect.forkChild(Effect.flip(plane.request("interrupt", {}, "3 seconds")))
      yield* TestClock.adjust("4 seconds")
      expect(yield* Fiber.join(late)).toMatchObject({ code: "TIMEOUT", message: expect.stringContaining("3s") })

      const lost = yield* Effect.forkChild(Effect.flip(plane.request("interrupt")))
      yield* Effect.yieldNow
      yield* plane.gone("It died.")
      expect(yield* Fiber.join(lost)).toMatchObject({ code: "GONE", message: "It died." })
      const { plane: dead } = yield* planeOf("2.1.325", true)
      expect(yield* Effect.flip(dead.request("interrupt"))).toMatchObject({ code: "GONE" })
    })
  )

  it.effect("is not confused by answers nobody waits for: the CLI echoes the host's own (§5.25)", () =>
    Effect.gen(function* () {
      const { plane } = yield* planeOf("2.1.325")
      yield* plane.answer({ subtype: "success", request_id: "somebody's", response: {} })
    })
  )
})
