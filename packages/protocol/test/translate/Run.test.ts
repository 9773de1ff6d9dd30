import { describe, expect, test } from "vitest"
import type { Decoded } from "../../src/claude/Codec.ts"
import { usageOf } from "../../src/claude/fold/Usage.ts"
import { stepAll } from "../../src/translate/TranslateStream.ts"
import {
  abortTurn,
  beginRun,
  finish,
  initialState,
  type State,
  type Stepped,
  step,
  suspendRun
} from "../../src/translate/Translator.ts"
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

/** The calls of the open run that nobody has answered. */
const unanswered = ({ writer }: State): ReadonlyArray<string> =>
  [...writer.situation.items.keys()].filter((id) => writer.calls.has(id))

describe("a run begins", () => {
  test("with the id it was asked for, and what was asked", () => {
    const input = { threadId: "t", runId: "r", messages: [], tools: [], context: [], state: {}, forwardedProps: {} }
    const [state, events] = beginRun(initialState(options), { runId: "r", parentRunId: "p", input })
    expect(events).toEqual([
      { type: "RUN_STARTED", threadId: "t", runId: "r", parentRunId: "p", input, protocolVersion: "1.0" }
    ])
    expect(state.writer.run).toMatchObject({ id: "r", ordinal: 1 })
  })

  test("with an id of its own when the CLI began it, one for each", () => {
    const events = translated([init(), success(), init(), success()], { runId: (ordinal) => `auto-${ordinal}` })
    expect(only(events, "RUN_STARTED").map(({ runId }) => runId)).toEqual(["auto-1", "auto-2"])
    expect(only(events, "RUN_FINISHED").map(({ runId }) => runId)).toEqual(["auto-1", "auto-2"])
  })

  test("with the application's tools of that request, or those it had", () => {
    const before = initialState({ ...options, frontendTools: ["a"] })
    const tools = ([{ fold }]: Stepped) => [...fold.pageTools]
    expect(tools(beginRun(before, { runId: "r" }))).toEqual([["mcp__frontend__a", "a"]])
    expect(tools(beginRun(before, { runId: "r", frontendTools: ["b"] }))).toEqual([["mcp__frontend__b", "b"]])
    const moved = beginRun(before, { runId: "r", frontendTools: ["b"], frontendServer: "app" })
    // A call by the name from before may be on its way.
    expect(tools(moved)).toEqual([
      ["mcp__frontend__b", "b"],
      ["mcp__app__b", "b"]
    ])
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
  const ends: Readonly<Record<string, (state: State) => Stepped>> = {
    "its turn goes on": (state) => beginRun(state, { runId: "next" }),
    "its turn is over": (state) => step(state, success()),
    "the agent is gone": (state) => abortTurn(state, { type: "exit", code: 1 })
  }
  test.each(open)("%s", (_, messages) => {
    for (const end of Object.values(ends)) {
      const [running, events] = stepAll(initialState(options), [init(), ...messages])
      const [ended, last] = end(running)
      expect(refusal([...events, ...last, ...finish(ended)])).toBeUndefined()
      expect(only(last, "RUN_FINISHED", "RUN_ERROR")).toHaveLength(1)
    }
  })
})

describe("how far an end reaches", () => {
  const busy = after([init(), ...streamedCall("m", "c1", {}), said("n", text("in"), "c1")])
  const kept = ({ fold: { calls, lanes, subagents } }: State) => [calls.size, lanes.size, subagents.size]

  test("a turn that goes on keeps its calls, speakers and words", () => {
    const [state] = beginRun(busy, { runId: "next" })
    expect(state.fold).toBe(busy.fold)
    expect(kept(state)).toEqual([1, 1, 1])
  })

  test("a turn that is over keeps only what runs in the background", () => {
    expect(kept(step(busy, success())[0])).toEqual([0, 0, 0])
    const launched = toolResult("c1", "…", { more: { tool_use_result: { status: "async_launched" } } })
    const [working] = stepAll(busy, [launched, said("o", toolUse("c2"), "c1"), success()])
    expect([[...working.fold.calls.keys()], working.fold.open]).toEqual([["c2"], false])
    expect(kept(working)).toEqual([1, 1, 1])
    expect([...working.writer.situation.items.keys()]).toEqual(["c2"])
  })
})

const totalOf = (usage: unknown): number => usageOf(usage).input + usageOf(usage).output

describe("usage", () => {
  test("each run of a turn reports its own part, and together they are the turn's", () => {
    const first = [init(), ...streamedCall("m", "c1", {})]
    const [second, paused] = beginRun(after(first), { runId: "r2" })
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
    const usages = (events: Stepped[1]) => only(events, "RUN_FINISHED").map(({ usage }) => usage)
    const [second, first] = beginRun(after([init(), messageStart("m"), messageDelta()]), { runId: "r2" })
    expect(usages(first)).toEqual([[expect.objectContaining({ totalTokens: 15, model: "claude-test" })]])
    const [third, silent] = beginRun(second, { runId: "r3" })
    expect(usages(silent)).toEqual([undefined])
    const total = { input_tokens: 10, output_tokens: 5 }
    expect(usages(step(third, success({ usage: total }))[1])).toEqual([undefined])
    const [asked] = beginRun(initialState(options), { runId: "r" })
    expect(usages(beginRun(asked, { runId: "r2" })[1])).toEqual([undefined])
  })

  test("as recorded: what the runs of a session report is what its results say (2.1.325)", () => {
    for (const scenario of ["plain_text", "multi_turn_3", "three_tool_turns", "api_400"]) {
      const messages = recorded({ scenario, version: "2.1.325" })
      const results = messages.flatMap((each) =>
        each._tag === "Known" && (each.name === "result/success" || each.name === "result/error_during_execution")
          ? [totalOf(each.message.usage)]
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
    const [next] = beginRun(asked, { runId: "r2" })
    expect(unanswered(next)).toEqual([])
  })

  test("one that goes on in this run is this run's, too: the client is told of it here", () => {
    const streaming = after([init(), messageStart("m"), blockStart(0, toolUse("c1")), jsonDelta(0, '{"a"')])
    const [next] = beginRun(streaming, { runId: "r2" })
    expect(unanswered(step(next, jsonDelta(0, ":1}"))[0])).toEqual(["c1"])
  })

  test("end a run that waits for the application", () => {
    const state = after([init(), said("m", toolUse("c1", {}, "mcp__frontend__pick"))], { frontendTools: ["pick"] })
    const [, events] = suspendRun(state, { calls: ["c1"] })
    expect(only(events, "RUN_FINISHED")[0]?.outcome).toEqual({ type: "success", pendingToolCallIds: ["c1"] })
    expect(brief(events)).toEqual(["RUN_FINISHED"])
  })
})
