import { mutatedSessions } from "@agentwire/fixtures/arbitrary"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { AguiEvent } from "../../src/agui/Event.ts"
import { foldEvents } from "../../src/agui/History.ts"
import { isSuspended } from "../../src/agui/write/Write.ts"
import { type Decoded, decodeLine } from "../../src/claude/Codec.ts"
import { stepAll } from "../../src/translate/TranslateStream.ts"
import {
  abortTurn,
  beginRun,
  endIdleRun,
  expectTurn,
  finish,
  initialState,
  type State,
  step,
  suspendRun
} from "../../src/translate/Translator.ts"
import {
  after,
  argumentsOf,
  blockStart,
  brief,
  canUseTool,
  customs,
  init,
  jsonDelta,
  messageStart,
  messageStop,
  only,
  options,
  recorded,
  said,
  status,
  streamedCall,
  streamedText,
  success,
  taskStarted,
  taskUpdated,
  text,
  textDelta,
  textsOf,
  toolResult,
  toolUse,
  translated
} from "./Lines.ts"
import { choices, moves, played, reasons } from "./Moves.ts"
import { refusal } from "./Order.ts"

const notification = () => taskUpdated("k", { status: "running" })
const busy = ["three_tool_turns", "subagent_parallel", "interrupt_midstream", "redacted_interleaved", "compact"]

describe("law 1: always legal", () => {
  test("whatever comes, in any order, and whatever the host does in between", () => {
    fc.assert(
      fc.property(fc.array(moves, { maxLength: 30 }), choices, reasons, (happening, chosen, reason) => {
        const events = played(happening, chosen, reason)
        const wrong = refusal(events, chosen.dialect)
        expect(wrong && [wrong, ...happening.map(({ says }) => says)]).toBeUndefined()
      }),
      { numRuns: 1500 }
    )
  })

  test("sessions that something went wrong with", () => {
    fc.assert(
      fc.property(mutatedSessions(), choices, ({ lines }, chosen) => {
        const messages = lines.filter(({ from }) => from === "agent").map(({ line }) => decodeLine(line))
        expect(refusal(translated(messages, chosen), chosen.dialect)).toBeUndefined()
      }),
      { numRuns: 150 }
    )
  })

  test.each(["2.1.37", "2.1.113", "2.1.197", "2.1.325"])(
    "recorded sessions of %s, cut after any message",
    (version) => {
      for (const scenario of busy) {
        let state = initialState(options)
        const events: Array<AguiEvent> = []
        for (const message of recorded({ scenario, version })) {
          const [next, given] = step(state, message)
          state = next
          events.push(...given)
          expect(refusal([...events, ...finish(state)])).toBeUndefined()
        }
      }
    }
  )
})

describe("a fold", () => {
  test("the same state and message give the same events, however often and after whatever else", () => {
    for (const scenario of busy) {
      const messages = recorded({ scenario, version: "2.1.325" })
      const states: Array<State> = [initialState(options)]
      const first = messages.map((message, at) => {
        const [next, events] = step(states[at] ?? initialState(options), message)
        states.push(next)
        return events
      })
      for (const at of [...messages.keys()].reverse()) {
        const [state, message] = [states[at], messages[at]]
        if (state !== undefined && message !== undefined) expect(step(state, message)[1]).toEqual(first[at])
      }
    }
  })

  test("what comes again under its uuid gives nothing (a WebSocket's replay, §2)", () => {
    for (const scenario of busy) {
      const messages = recorded({ scenario, version: "2.1.325" })
      const twice = messages.flatMap((message) =>
        message._tag === "Known" && "uuid" in message.message ? [message, message] : [message]
      )
      expect(translated(twice)).toEqual(translated(messages))
    }
  })

  test("what has no uuid is not taken for a replay, but a request that is open is not opened again", () => {
    const events = translated([init(), canUseTool("q", "c1"), canUseTool("q", "c1"), canUseTool("r", "c1")])
    expect(customs(events, "tool_approval_request")).toHaveLength(2)
  })
})

describe("runs", () => {
  test("a turn is a run", () => {
    const events = translated([init(), ...streamedText("m", ["Hi"]), success(), init(), success()])
    expect(brief(events).filter((line) => line.startsWith("RUN"))).toEqual([
      "RUN_STARTED",
      "RUN_FINISHED",
      "RUN_STARTED",
      "RUN_FINISHED"
    ])
  })

  test.each<[string, Decoded]>([
    ["init", init()],
    ["an answer", messageStart("m")],
    ["a whole answer", said("m", text("Hi"))],
    ["a permission (2.1.325 asks after the turn, §5.22)", canUseTool("q", "c1")],
    ["a result of a tool", toolResult("c1")],
    ["a compaction", status("compacting")],
    ["a result", success()]
  ])("%s opens one", (_, message) => {
    const [, events] = step(initialState(options), message)
    expect(events[0]?.type).toBe("RUN_STARTED")
  })

  test.each<[string, Decoded]>([
    ["a notice", status("requesting")],
    ["news of a task", notification()],
    ["a delta without an answer", textDelta(0, "x")],
    ["an unknown message", decodeLine('{"type":"later"}')],
    ["a line that is no message", decodeLine("{")]
  ])("%s does not, and waits", (_, message) => {
    const [state, events] = step(initialState(options), message)
    expect(events).toEqual([])
    expect(state.writer.held.length).toBeLessThanOrEqual(1)
    expect(finish(state)).toEqual([])
  })

  test("what has waited comes in its order, before what opened the run", () => {
    const events = translated([notification(), status("requesting"), init()])
    expect(events.map(({ type }) => type).slice(0, 4)).toEqual([
      "RUN_STARTED",
      "ACTIVITY_SNAPSHOT",
      "CUSTOM",
      "STATE_DELTA"
    ])
  })

  test("what means nothing to a client is not kept for it", () => {
    const [state] = step(initialState(options), decodeLine('{"type":"keep_alive"}'))
    expect(state.writer.held).toEqual([])
  })
})

describe("more waits than may", () => {
  const waiting = (count: number) => Array.from({ length: count }, () => status("requesting"))

  test("it gets a run of its own, and nothing is dropped", () => {
    const events = translated(waiting(10), { maxHeld: 3 })
    expect(customs(events, "system_status").length).toBe(8)
    expect(only(events, "RUN_STARTED")).toHaveLength(2)
    expect(refusal(events)).toBeUndefined()
    expect(stepAll(initialState({ ...options, maxHeld: 3 }), waiting(10))[0].writer.held).toHaveLength(2)
  })

  test("also in the middle of a turn that waits for somebody: it goes on then", () => {
    const [suspended] = suspendRun(after([init(), ...streamedCall("m", "c1", {})], { maxHeld: 2 }), { calls: ["c1"] })
    const [state, events] = stepAll(suspended, [toolResult("c1"), said("n", text("a")), said("n", text("b"))])
    expect(events[0]?.type).toBe("RUN_STARTED")
    expect(textsOf(events)).toEqual({ "n:0": "a", "n:1": "b" })
    expect(state.writer.run).toBeDefined()
  })
})

describe("begin", () => {
  test("opens the run that was asked for", () => {
    const [state, events] = beginRun(initialState(options), { runId: "r", parentRunId: "p" })
    expect(events).toEqual([
      { type: "RUN_STARTED", threadId: "t", runId: "r", parentRunId: "p", protocolVersion: "1.0" }
    ])
    expect(step(state, init())[1].map(({ type }) => type)).toEqual(["STATE_DELTA"])
  })

  test("while a run is open ends that one first, and what it was saying goes on in the new one", () => {
    const streaming = [init(), messageStart("m"), blockStart(0, text("")), textDelta(0, "Hel")]
    const [first, before] = stepAll(initialState(options), streaming)
    const [second, between] = beginRun(first, { runId: "r2" })
    const [state, then] = stepAll(second, [textDelta(0, "lo"), said("m", text("Hello")), messageStop(), success()])
    expect(brief(between)).toEqual(["TEXT_MESSAGE_END m:0", "RUN_FINISHED", "RUN_STARTED"])
    const events = [...before, ...between, ...then, ...finish(state)]
    expect(refusal(events)).toBeUndefined()
    expect(textsOf(events)).toEqual({ "m:0": "Hello" })
    expect(foldEvents(events).messages).toEqual([expect.objectContaining({ id: "m:0", content: "Hello" })])
  })

  test("and so do the arguments of a call", () => {
    const streaming = [init(), messageStart("m"), blockStart(0, toolUse("c1")), jsonDelta(0, '{"a"')]
    const [first, before] = stepAll(initialState(options), streaming)
    const [second, between] = beginRun(first, { runId: "r2" })
    const [state, then] = stepAll(second, [
      jsonDelta(0, ":1}"),
      said("m", toolUse("c1", { a: 1 })),
      messageStop(),
      toolResult("c1"),
      success()
    ])
    const events = [...before, ...between, ...then, ...finish(state)]
    expect(refusal(events)).toBeUndefined()
    expect(argumentsOf(events)).toEqual({ c1: '{"a":1}' })
    const [message] = foldEvents(events).messages
    expect(message).toMatchObject({ toolCalls: [{ id: "c1", function: { arguments: '{"a":1}' } }] })
  })
})

describe("suspend", () => {
  test("while an answer streams waits for its end, so that all its calls are announced", () => {
    const [streaming] = stepAll(initialState(options), [init(), messageStart("m"), blockStart(0, toolUse("c1"))])
    const [waiting, now] = suspendRun(streaming, { calls: ["c1"] })
    expect(now).toEqual([])
    const [more, still] = stepAll(waiting, [
      said("m", toolUse("c1")),
      blockStart(1, toolUse("c2")),
      said("m", toolUse("c2"))
    ])
    expect(only(still, "RUN_FINISHED")).toEqual([])
    const [state, then] = step(more, messageStop())
    expect(only(then, "RUN_FINISHED")[0]?.outcome).toEqual({ type: "success", pendingToolCallIds: ["c1", "c2"] })
    expect(isSuspended(state.writer)).toBe(true)
  })

  test("what comes then waits for the next run, and opens none", () => {
    const [suspended] = suspendRun(after([init(), ...streamedCall("m", "c1", {})]), { calls: ["c1"] })
    const [state, nothing] = stepAll(suspended, [toolResult("c1"), init(), ...streamedText("n", ["Hi"])])
    expect(nothing).toEqual([])
    const [going, events] = beginRun(state, { runId: "r2" })
    expect(events[0]).toMatchObject({ type: "RUN_STARTED", runId: "r2" })
    expect(textsOf(events)).toEqual({ "n:0": "Hi" })
    expect(going.writer.held).toEqual([])
    expect(step(going, success())[1].at(-1)?.type).toBe("RUN_FINISHED")
  })

  test("the end of the turn lets go of it: nobody can act any more", () => {
    const [suspended] = suspendRun(after([init(), ...streamedCall("m", "c1", {})]), { calls: ["c1"] })
    const [state, events] = stepAll(suspended, [toolResult("c1"), ...streamedText("n", ["Hi"]), success()])
    expect(brief(events).filter((line) => line.startsWith("RUN"))).toEqual(["RUN_STARTED", "RUN_FINISHED"])
    expect(textsOf(events)).toEqual({ "n:0": "Hi" })
    expect(isSuspended(state.writer)).toBe(false)
  })

  test("without a run ends the next one", () => {
    const [state, now] = suspendRun(initialState(options), { calls: ["c1"] })
    expect(now).toEqual([])
    expect(brief(step(state, init())[1]).filter((line) => line.startsWith("RUN"))).toEqual([
      "RUN_STARTED",
      "RUN_FINISHED"
    ])
  })

  test("without a run, when something waits: what opens the next run comes after that has ended, not outside", () => {
    const held = step(initialState(options), status("requesting"))[0]
    const [state] = suspendRun(held, { calls: ["c1"] })
    const [next, events] = step(state, toolResult("c1"))
    expect(refusal([...events, ...finish(next)])).toBeUndefined()
  })
})

describe("finish", () => {
  test("where nothing was begun ends nothing", () => {
    expect(finish(initialState(options), { type: "exit", code: 1 })).toEqual([])
    expect(finish(after([init(), success()]), { type: "exit", code: 1 })).toEqual([])
  })

  test("in the middle of a turn is an error, or cancelled (law 7)", () => {
    const open = after([init(), messageStart("m"), blockStart(0, text("")), textDelta(0, "Hi")])
    expect(brief(finish(open))).toEqual(["TEXT_MESSAGE_END m:0", "RUN_ERROR"])
    expect(finish(open, { type: "exit", code: null, signal: "SIGKILL" }).at(-1)).toMatchObject({
      type: "RUN_ERROR",
      code: "process_exited"
    })
    expect(finish(open, { type: "cancelled" }).at(-1)).toMatchObject({ outcome: { type: "cancelled" } })
  })

  test("of a run that had no turn is in order, if the process is", () => {
    const [asked] = beginRun(initialState(options), { runId: "r" })
    expect(finish(asked, { type: "exit", code: 0 }).at(-1)).toMatchObject({ outcome: { type: "success" } })
    expect(finish(asked, { type: "exit", code: 1 }).at(-1)).toMatchObject({ type: "RUN_ERROR" })
  })

  test("of a turn that waits for somebody tells what has waited, and that nobody can answer any more", () => {
    const [suspended] = suspendRun(after([init(), ...streamedCall("m", "c1", {})], { approvals: "interrupt" }), {
      calls: ["c1"]
    })
    const [state] = stepAll(suspended, [canUseTool("q2", "c2"), said("n", text("later"))])
    const events = finish(state, { type: "exit", code: 1 })
    expect(textsOf(events)).toEqual({ "n:0": "later" })
    expect(events.at(-1)).toMatchObject({ type: "RUN_ERROR", code: "process_exited" })
    expect(only(events, "RUN_FINISHED")).toEqual([])
  })
})

describe("abort: the agent is gone, and another process goes on with the session", () => {
  const open = [init(), messageStart("m"), blockStart(0, text("")), textDelta(0, "Hi")]

  test("ends what is open as `finish` does, and the next turn is a run like any other", () => {
    const [state, events] = abortTurn(after(open), { type: "exit", code: 137 })
    expect(events).toEqual(finish(after(open), { type: "exit", code: 137 }))
    const [next, more] = stepAll(state, [init(), ...streamedText("n", ["Hello"]), success()])
    expect(brief(more).filter((line) => line.startsWith("RUN"))).toEqual(["RUN_STARTED", "RUN_FINISHED"])
    expect(refusal(more)).toBeUndefined()
    expect([next.fold.open, next.writer.run, next.fold.main.current]).toEqual([false, undefined, undefined])
  })

  test("of a turn that waits for somebody: nobody is waited for any more", () => {
    const [asked] = suspendRun(after([init(), ...streamedCall("m", "c1", {})]), { calls: ["c1"] })
    const [state, events] = abortTurn(asked, { type: "cancelled" })
    expect(events.at(-1)).toMatchObject({ outcome: { type: "cancelled" } })
    expect([isSuspended(state.writer), state.writer.waiting.size, state.fold.calls.size]).toEqual([false, 0, 0])
    expect(step(state, init())[1][0]?.type).toBe("RUN_STARTED")
  })

  test("of a run that waited without a turn: the next message opens one", () => {
    const [waiting] = suspendRun(beginRun(initialState(options), { runId: "r" })[0], { calls: ["c1"] })
    const [state] = abortTurn(waiting, { type: "end" })
    expect(step(state, init())[1][0]?.type).toBe("RUN_STARTED")
  })

  test("a call of that turn that is told of again is not announced again, and has its result", () => {
    const [state] = abortTurn(after([init(), ...streamedCall("m", "c1", {})]), { type: "exit", code: 137 })
    const [, events] = stepAll(state, [init(), said("n", toolUse("c1")), toolResult("c1", "late"), success()])
    expect(only(events, "TOOL_CALL_START")).toEqual([])
    expect(only(events, "TOOL_CALL_RESULT")).toMatchObject([{ toolCallId: "c1", content: "late" }])
    expect(refusal(events)).toBeUndefined()
  })

  test("keeps what the host chose", () => {
    const [state] = abortTurn(after(open, { approvals: "interrupt" }), { type: "end" })
    expect(state.writer.settings.approvals).toBe("interrupt")
  })

  test("takes what ran in the background with it, in a run or between two", () => {
    const launched = toolResult("c1", "…", { more: { tool_use_result: { status: "async_launched" } } })
    const working = [
      init(),
      said("m", toolUse("c1", {}, "Agent")),
      taskStarted("k", "c1"),
      launched,
      said("n", toolUse("c2"), "c1")
    ]
    for (const messages of [working, [...working, success()]]) {
      const [state] = abortTurn(after(messages), { type: "exit", code: 1 })
      const { calls, lanes, subagents, tasks } = state.fold
      expect([subagents.size, tasks.size, calls.size, lanes.size]).toEqual([0, 0, 0, 0])
    }
  })
})

describe("a prompt was sent", () => {
  test("an agent that ends before it begins the turn has failed it", () => {
    const [state, events] = expectTurn(initialState(options))
    const all = [...events, ...finish(state, { type: "exit", code: 1 })]
    expect(all.map(({ type }) => type)).toEqual(["RUN_STARTED", "RUN_ERROR"])
    const [asked] = beginRun(initialState(options), { runId: "r" })
    expect(finish(expectTurn(asked)[0]).at(-1)).toMatchObject({ type: "RUN_ERROR", code: "stream_ended" })
  })

  test("in the middle of a turn it changes nothing: it is folded into that one (§5.23)", () => {
    const going = after([init()])
    expect(expectTurn(going)).toEqual([going, []])
  })
})

describe("an idle run: one that was asked for has nothing to wait for", () => {
  test("it ends, when no turn goes on", () => {
    const [state, events] = endIdleRun(beginRun(initialState(options), { runId: "r" })[0])
    expect(events).toEqual([{ type: "RUN_FINISHED", threadId: "t", runId: "r", outcome: { type: "success" } }])
    expect(endIdleRun(state)[1]).toEqual([])
  })

  test("it goes on, when one does", () => {
    const going = after([init()])
    expect(endIdleRun(going)).toEqual([going, []])
  })
})

describe("messages nobody knows", () => {
  const unknown = decodeLine('{"type":"later","uuid":"u","a":1}')
  const broken = decodeLine('{"type":"assistant"')

  test("are passed on as they are", () => {
    const raw = only(translated([init(), unknown, broken]), "RAW")
    expect(raw).toEqual([
      { type: "RAW", event: { type: "later", uuid: "u", a: 1 }, source: "claude-code" },
      { type: "RAW", event: '{"type":"assistant"', source: "claude-code" }
    ])
  })

  test("or dropped, also where they would wait", () => {
    expect(only(translated([unknown, init(), broken], { unknown: "drop" }), "RAW")).toEqual([])
    expect(after([unknown, broken], { unknown: "drop" }).writer.held).toEqual([])
  })

  test("are passed on as too long, where they are", () => {
    const long = decodeLine(JSON.stringify({ type: "later", text: "x".repeat(1_000_001) }))
    const [{ event } = { event: undefined }] = only(translated([init(), long]), "RAW")
    expect(event).toMatchObject({ omitted: true })
    expect(JSON.stringify(event).length).toBeLessThan(100)
  })

  test("are recognised when they come again", () => {
    expect(only(translated([init(), unknown, unknown]), "RAW")).toHaveLength(1)
  })
})

describe("the result", () => {
  test("its text is shown where the turn had none", () => {
    expect(Object.values(textsOf(translated([init(), success({ result: "Unknown skill" })])))).toEqual([
      "Unknown skill"
    ])
    expect(textsOf(translated([init(), success({ result: "" })]))).toEqual({})
  })

  test("not when it is the text of data that was asked for (§5.43)", () => {
    const data = success({ result: '{"a":1}', structured_output: { a: 1 } })
    expect(
      textsOf(translated([init(), ...streamedCall("m", "c1", {}, "StructuredOutput"), toolResult("c1"), data]))
    ).toEqual({})
  })

  test("not when the turn failed: the error says it", () => {
    const events = translated([init(), success({ is_error: true, result: "API Error" })])
    expect(textsOf(events)).toEqual({})
    expect(only(events, "RUN_ERROR")[0]?.message).toBe("API Error")
  })

  test("its numbers are told before the run ends, with the wire's name for how it ended", () => {
    const events = translated([init(), success({ num_turns: 3 })])
    expect(events.at(-2)).toMatchObject({ name: "result_stats", value: { num_turns: 3, outcome: "success" } })
  })

  test("its data is the run's; its text is told once, where the model said it", () => {
    const spoken = translated([init(), said("m", text("Hi")), success({ result: "Hi" })])
    const [finished] = only(spoken, "RUN_FINISHED")
    expect(finished).not.toHaveProperty("result")
    expect(customs(spoken, "result_stats")[0]).not.toHaveProperty("result")
    const data = translated([init(), said("m", text("{}")), success({ result: "{}", structured_output: { a: 1 } })])
    expect(only(data, "RUN_FINISHED")[0]).toMatchObject({ result: { a: 1 }, outcome: { type: "success" } })
  })
})

test("in the 0.0 dialect every event of every kind of session is one CopilotKit's client takes", () => {
  for (const scenario of [...busy, "tool_image_result", "subagent_background", "api_400", "killed_midturn"])
    for (const reason of [{ type: "cancelled" }, { type: "end" }] as const) {
      const events = translated(recorded({ scenario, version: "2.1.325" }), { dialect: "0.0" }, reason)
      expect(refusal(events, "0.0")).toBeUndefined()
      expect(only(events, "RUN_STARTED").every((event) => event.protocolVersion === undefined)).toBe(true)
    }
})
