import { decodeLine } from "@agentwire/protocol/claude"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { AgentGone } from "../../../src/runtime/claude/Agent.ts"
import { type ControlOptions, makeHostRequests } from "../../../src/runtime/claude/HostRequests.ts"
import type { Line } from "../../FakeAgent.ts"

const requestsOf = (version: string, gone = false, options: ControlOptions = {}) =>
  Effect.gen(function* () {
    const sent: Array<Line> = []
    const requests = yield* makeHostRequests(
      {
        version,
        send: (message) =>
          gone ? Effect.fail(new AgentGone({ message: "gone" })) : Effect.sync(() => void sent.push(message as Line))
      },
      options
    )
    return { requests, sent }
  })

describe("a request", () => {
  it.effect("is answered by the answer with its id, whatever the order", () =>
    Effect.gen(function* () {
      const { requests, sent } = yield* requestsOf("2.1.325")
      const asked = yield* Effect.forEach(["interrupt", "mcp_status"] as const, (subtype) =>
        Effect.forkChild(requests.request(subtype))
      )
      yield* Effect.yieldNow
      const [first, second] = sent.map((line) => String(line["request_id"]))
      yield* requests.answer({ subtype: "success", request_id: second ?? "", response: { mcpServers: [] } })
      yield* requests.answer({ subtype: "success", request_id: first ?? "", response: {} })
      expect(yield* Effect.forEach(asked, Fiber.join)).toEqual([{}, { mcpServers: [] }])
    })
  )

  it.effect("that this version never answers fails at once and is not sent (§6f)", () =>
    Effect.gen(function* () {
      const { requests, sent } = yield* requestsOf("2.1.37")
      expect(yield* Effect.flip(requests.request("get_settings"))).toMatchObject({ code: "UNSUPPORTED" })
      expect(sent).toEqual([])
    })
  )

  it.effect("that this version is only assumed not to answer is sent, and may be answered (§9)", () =>
    Effect.gen(function* () {
      const { requests, sent } = yield* requestsOf("2.1.40")
      const asked = yield* Effect.forkChild(requests.request("reload_plugins"))
      yield* Effect.yieldNow
      const response = { commands: [], agents: [], plugins: [], mcpServers: [], error_count: 0 }
      yield* requests.answer({ subtype: "success", request_id: String(sent[0]?.["request_id"]), response })
      expect(yield* Fiber.join(asked)).toEqual(response)
    })
  )

  it.effect.each([
    ["30 seconds", "3s"],
    ["1 second", "1s"]
  ] as const)("that is only tried with a limit of %s fails after %s", ([limit, waited]) =>
    Effect.gen(function* () {
      const { requests, sent } = yield* requestsOf("2.1.40", false, { trialLimit: "3 seconds" })
      const asked = yield* Effect.forkChild(Effect.flip(requests.request("get_settings", {}, limit)))
      yield* TestClock.adjust("4 seconds")
      expect(sent).toHaveLength(1)
      const message = `Claude Code 2.1.40 did not answer get_settings within ${waited}; an older version is known not to answer it.`
      expect(yield* Fiber.join(asked)).toMatchObject({ code: "TIMEOUT", message })
    })
  )

  it.effect("that the agent does not know is unsupported, in the agent's words (§5.41)", () =>
    Effect.gen(function* () {
      const { requests, sent } = yield* requestsOf("2.1.70")
      const asked = yield* Effect.forkChild(Effect.flip(requests.request("get_settings")))
      yield* Effect.yieldNow
      const error = "Unsupported control request subtype: get_settings"
      yield* requests.answer({ subtype: "error", request_id: String(sent[0]?.["request_id"]), error })
      expect(yield* Fiber.join(asked)).toMatchObject({ code: "UNSUPPORTED", message: error })
    })
  )

  it.effect("fails also where a refusal says nothing that can be read", () =>
    Effect.gen(function* () {
      const { requests, sent } = yield* requestsOf("2.1.325")
      const refused = yield* Effect.forkChild(Effect.flip(requests.request("set_model", { model: "m" })))
      yield* Effect.yieldNow
      const line = {
        type: "control_response",
        response: { subtype: "error", request_id: sent[0]?.["request_id"], error: { why: 1 } }
      }
      const heard = decodeLine(JSON.stringify(line))
      if (heard._tag !== "Known" || heard.name !== "control_response/error") throw new Error("it was not heard")
      yield* requests.answer(heard.message.response)
      expect(yield* Fiber.join(refused)).toMatchObject({ code: "REFUSED", message: "It did not say why." })
    })
  )

  it.effect("fails with the agent's words, in time, and when the agent is gone", () =>
    Effect.gen(function* () {
      const { requests, sent } = yield* requestsOf("2.1.325")
      const refused = yield* Effect.forkChild(Effect.flip(requests.request("set_model", { model: "m" })))
      yield* Effect.yieldNow
      yield* requests.answer({ subtype: "error", request_id: String(sent[0]?.["request_id"]), error: "No." })
      expect(yield* Fiber.join(refused)).toMatchObject({ code: "REFUSED", message: "No." })

      const late = yield* Effect.forkChild(Effect.flip(requests.request("interrupt", {}, "3 seconds")))
      yield* TestClock.adjust("4 seconds")
      expect(yield* Fiber.join(late)).toMatchObject({ code: "TIMEOUT", message: expect.stringContaining("3s") })

      const lost = yield* Effect.forkChild(Effect.flip(requests.request("interrupt")))
      yield* Effect.yieldNow
      yield* requests.failAll("It died.")
      expect(yield* Fiber.join(lost)).toMatchObject({ code: "GONE", message: "It died." })
      const { requests: dead } = yield* requestsOf("2.1.325", true)
      expect(yield* Effect.flip(dead.request("interrupt"))).toMatchObject({ code: "GONE" })
    })
  )

  it.effect("is not confused by answers nobody waits for: the CLI echoes the host's own (§5.25)", () =>
    Effect.gen(function* () {
      const { requests } = yield* requestsOf("2.1.325")
      yield* requests.answer({ subtype: "success", request_id: "somebody's", response: {} })
    })
  )
})
