import { describe, expect, test } from "vitest"
import type { Decoded } from "../../src/claude/Codec.ts"
import type { Out } from "../../src/translate/Block.ts"
import { endRun, lastUsage, settleUsage, startRun, unanswered } from "../../src/translate/Run.ts"
import { initial } from "../../src/translate/State.ts"
import { begin, step, suspend } from "../../src/translate/Translator.ts"
import { tokenUsage } from "../../src/translate/Usage.ts"
import {
  after,
  blockStart,
  brief,
  init,
  jsonDelta,
  messageDelta,
  messageStart,
  only,
  options,
  recorded,
  said,
  streamedCall,
  streamedText,
  success,
  text,
  textDelta,
  thinking,
  thinkingDelta,
  toolResult,
  toolUse,
  translated
} from "./Lines.ts"
import { refusal } from "./Order.ts"

const finished = { type: "finished", outcome: { type: "success" } } as const

describe("a run begins", () => {
  test("with the id it was asked for, and what was asked", () => {
    const out: Out = []
    const input = { threadId: "t", runId: "r", messages: [], tools: [], context: [], state: {}, forwardedProps: {} }
    const state = startRun(initial(options), { runId: "r", parentRunId: "p", input }, out)
    expect(out).toEqual([
      { type: "RUN_STARTED", threadId: "t", runId: "r", parentRunId: "p", input, protocolVersion: "1.0" }
    ])
    expect(state.run).toEqual({ id: "r", ordinal: 1 })
  })

  test("with an id of its own when the CLI began it, one for each", () => {
    const events = translated([init(), success(), init(), success()], { runId: (ordinal) => `auto-${ordinal}` })
    expect(only(events, "RUN_STARTED").map(({ runId }) => runId)).toEqual(["auto-1", "auto-2"])
    expect(only(events, "RUN_FINISHED").map(({ runId }) => runId)).toEqual(["auto-1", "auto-2"])
  })

  test("with the application's tools of that request, or those it had", () => {
    const before = initial({ ...options, frontendTools: ["a"] })
    expect([...startRun(before, { runId: "r" }, []).frontendTools.values()]).toEqual(["a"])
    expect([...startRun(before, { runId: "r", frontendTools: ["b"] }, []).frontendTools.values()]).toEqual(["b"])
  })
})

describe("a run ends in order, whatever is open (clients refuse it otherwise)", () => {
  const open: ReadonlyArray<readonly [string, ReadonlyArray<Decoded>]> = [
    ["text", [messageStart("m"), blockStart(0, text("")), textDelta(0, "Hi")]],
    ["thinking", [messageStart("m"), blockStart(0, thinking("")), thinkingDelta(0, "hm")]],
    ["a call", [messageStart("m"), blockStart(0, toolUse("c1")), jsonDelta(0, "{")]],
    ["half a pair", [messageStart("m"), blockStart(0, text("")), textDelta(0, "a\ud83d")]],
    ["a sub-agent", [said("m", toolUse("c1", {}, "Agent")), said("n", text("in"), "c1")]],
    ["a cut answer", [messageStart("m"), blockStart(0, text("")), textDelta(0, "Hi"), messageStart("n")]],
    ["nothing", []]
  ]
  test.each(open)("%s", (_, messages) => {
    for (const reach of ["run", "turn", "session"] as const) {
      const out: Out = []
      const [state, before] = step(initial(options), init())
      let running = state
      const events = [...before]
      for (const message of messages) {
        const [next, given] = step(running, message)
        running = next
        events.push(...given)
      }
      const ended = endRun(running, finished, reach, undefined, out)
      expect(refusal([...events, ...out])).toBeUndefined()
      expect(ended.run).toBeUndefined()
    }
  })

  test("once: without a run there is nothing to end", () => {
    const out: Out = []
    const state = initial(options)
    expect(endRun(state, finished, "turn", undefined, out)).toBe(state)
    expect(out).toEqual([])
  })
})

describe("how far an end reaches", () => {
  const busy = after([init(), ...streamedCall("m", "c1", {}), said("n", text("in"), "c1")])

  test("a turn that goes on keeps its calls, speakers and words", () => {
    const { calls, lanes, subagents, turn } = endRun(busy, finished, "run", undefined, [])
    expect([calls.size, lanes.size, subagents.size]).toEqual([1, 1, 1])
    expect(turn).toBe(busy.turn)
  })

  test("a turn that is over keeps only what runs in the background", () => {
    const { calls, lanes, subagents, turn } = endRun(busy, finished, "turn", undefined, [])
    expect([calls.size, lanes.size, subagents.size, turn]).toEqual([0, 0, 0, undefined])
    const launched = toolResult("c1", "…", { more: { tool_use_result: { status: "async_launched" } } })
    const [working] = step(step(busy, launched)[0], said("o", toolUse("c2"), "c1"))
    const kept = endRun(working, finished, "turn", undefined, [])
    expect([[...kept.calls.keys()], kept.lanes.size, kept.subagents.size]).toEqual([["c2"], 1, 1])
  })
})

describe("usage", () => {
  test("each run of a turn reports its own part, and together they are the turn's", () => {
    const first = [init(), ...streamedCall("m", "c1", {})]
    const [second, paused] = begin(after(first), { runId: "r2" })
    const [idle, more] = step(second, toolResult("c1"))
    const [spoken, words] = streamedText("n", ["Hi"]).reduce(
      ([state, events], message) => {
        const [next, given] = step(state, message)
        return [next, [...events, ...given]] as const
      },
      [idle, more] as const
    )
    const total = { input_tokens: 20, output_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }
    const [, last] = step(spoken, success({ usage: total }))
    const reports = only([...paused, ...words, ...last], "RUN_FINISHED").flatMap(({ usage = [] }) => usage)
    expect(reports.map(({ totalTokens }) => totalTokens)).toEqual([15, 15])
  })

  test("is not reported when nothing was spent since", () => {
    const [state, usage] = settleUsage(after([init(), messageStart("m"), messageDelta()]))
    expect(usage).toEqual([expect.objectContaining({ totalTokens: 15, model: "claude-test" })])
    expect(settleUsage(state)[1]).toBeUndefined()
    expect(lastUsage(state, tokenUsage({ input_tokens: 10, output_tokens: 5 }))).toBeUndefined()
    expect(settleUsage(initial(options))[1]).toBeUndefined()
  })

  test("as recorded: what the runs of a session report is what its results say (2.1.325)", () => {
    for (const scenario of ["plain_text", "multi_turn_3", "three_tool_turns", "api_400"]) {
      const messages = recorded({ scenario, version: "2.1.325" })
      const results = messages.flatMap((each) =>
        each._tag === "Known" && (each.name === "result/success" || each.name === "result/error_during_execution")
          ? [tokenUsage(each.message.usage).totalTokens ?? 0]
          : []
      )
      const reports = only(translated(messages), "RUN_FINISHED", "RUN_ERROR").map(
        ({ usage }) => usage?.[0]?.totalTokens ?? 0
      )
      expect(reports).toEqual(results)
      if (scenario !== "api_400") expect(reports[0]).toBeGreaterThan(0)
    }
  })
})

describe("calls nobody has answered", () => {
  test("are those this run announced, in order: what `pendingToolCallIds` must list", () => {
    const asked = after([
      init(),
      said("m", toolUse("c1")),
      said("m", toolUse("c2")),
      toolResult("c1"),
      said("m", toolUse("c3"))
    ])
    expect(unanswered(asked)).toEqual(["c2", "c3"])
    const [next] = begin(asked, { runId: "r2" })
    expect(unanswered(next)).toEqual([])
  })

  test("one that goes on in this run is this run's, too: the client is told of it here", () => {
    const streaming = after([init(), messageStart("m"), blockStart(0, toolUse("c1")), jsonDelta(0, '{"a"')])
    const [next] = begin(streaming, { runId: "r2" })
    expect(unanswered(step(next, jsonDelta(0, ":1}"))[0])).toEqual(["c1"])
  })

  test("end a run that waits for the application", () => {
    const state = after([init(), said("m", toolUse("c1", {}, "mcp__frontend__pick"))], { frontendTools: ["pick"] })
    const [, events] = suspend(state, { calls: ["c1"] })
    expect(only(events, "RUN_FINISHED")[0]?.outcome).toEqual({ type: "success", pendingToolCallIds: ["c1"] })
    expect(brief(events)).toEqual(["RUN_FINISHED"])
  })
})
