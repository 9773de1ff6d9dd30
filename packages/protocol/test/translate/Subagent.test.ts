import { describe, expect, test } from "vitest"
import type { Decoded } from "../../src/claude/Codec.ts"
import type { Out } from "../../src/claude/fold/Block.ts"
import { closeSubagent, moveToBackground, openLane } from "../../src/claude/fold/Subagent.ts"
import { beginRun, step } from "../../src/translate/Translator.ts"
import {
  after,
  blockStart,
  brief,
  init,
  messageStart,
  only,
  options,
  recorded,
  said,
  streamedText,
  success,
  taskEnded,
  taskStarted,
  text,
  textDelta,
  textsOf,
  toolResult,
  toolUse,
  translated
} from "./Lines.ts"
import { refusal } from "./Order.ts"

const agentCall = (
  id: string,
  call: string,
  parent: string | null = null,
  input: object = { subagent_type: "scout" }
) => said(id, toolUse(call, input, "Agent"), parent)
const launched = (call: string) =>
  toolResult(call, "Async agent launched", { more: { tool_use_result: { status: "async_launched" } } })
const turn = (...messages: ReadonlyArray<Decoded>): ReadonlyArray<Decoded> => [init(), ...messages, success()]
const parts = (messages: ReadonlyArray<Decoded>) => {
  const events = translated(messages)
  expect(refusal(events)).toBeUndefined()
  return only(events, "SUBAGENT_STARTED", "SUBAGENT_FINISHED", "SUBAGENT_ERROR").map((event) =>
    event.type === "SUBAGENT_FINISHED"
      ? `${event.type} ${event.subagentRunId} ${event.outcome?.type}`
      : `${event.type} ${event.subagentRunId}`
  )
}

describe("a sub-agent's part", () => {
  test("begins with its first sign and ends with the result of its call", () => {
    const messages = turn(agentCall("m", "c1"), said("n", text("inside"), "c1"), toolResult("c1"))
    expect(parts(messages)).toEqual(["SUBAGENT_STARTED c1", "SUBAGENT_FINISHED c1 success"])
  })

  test("begins with `task_started`, where there is one, and ends with `task_notification` or the result, once", () => {
    const messages = turn(
      agentCall("m", "c1"),
      taskStarted("k", "c1"),
      said("n", text("inside"), "c1"),
      taskEnded("k", { tool_use_id: "c1" }),
      toolResult("c1")
    )
    expect(parts(messages)).toEqual(["SUBAGENT_STARTED c1", "SUBAGENT_FINISHED c1 success"])
  })

  test("fails when its result or its notification says so", () => {
    expect(
      parts(turn(agentCall("m", "c1"), said("n", text("x"), "c1"), toolResult("c1", "no", { error: true })))
    ).toEqual(["SUBAGENT_STARTED c1", "SUBAGENT_ERROR c1"])
    const killed = taskEnded("k", { tool_use_id: "c1", status: "stopped", summary: "killed" })
    const [error] = only(translated(turn(agentCall("m", "c1"), taskStarted("k", "c1"), killed)), "SUBAGENT_ERROR")
    expect(error).toMatchObject({ code: "stopped", message: "killed" })
  })

  test("has the name and the task the call gave it, and better ones where a message has them", () => {
    const named = agentCall("m", "c1", null, { subagent_type: "scout", description: "look" })
    const [started] = only(translated(turn(named, said("n", text("x"), "c1"))), "SUBAGENT_STARTED")
    expect(started).toMatchObject({ name: "scout", description: "look", parentToolCallId: "c1" })
    const marked = said("n", text("x"), "c1", { subagent_type: "guide", task_description: "show" })
    const [other] = only(translated(turn(named, marked)), "SUBAGENT_STARTED")
    expect(other).toMatchObject({ name: "guide", description: "show" })
  })

  test("of a call nobody announced has a name all the same", () => {
    const [started] = only(translated(turn(said("n", text("x"), "c9"))), "SUBAGENT_STARTED")
    expect(started).toMatchObject({ name: "agent", subagentRunId: "c9" })
  })

  test("that used no tool shows only in its result on 2.1.37", () => {
    const about = { tool_use_result: { agentId: "a1", status: "completed" } }
    expect(parts(turn(agentCall("m", "c1"), toolResult("c1", "done", { more: about })))).toEqual([
      "SUBAGENT_STARTED c1",
      "SUBAGENT_FINISHED c1 success"
    ])
    expect(parts(turn(said("m", toolUse("c1")), toolResult("c1", "done", { more: about })))).toEqual([])
  })
})

describe("who speaks", () => {
  test("everything a sub-agent says and does carries its mark, nothing of the main thread does", () => {
    const events = translated(
      turn(
        agentCall("m", "c1"),
        said("n", text("in"), "c1"),
        said("n", toolUse("c2"), "c1"),
        toolResult("c2", "r", { parent: "c1" }),
        said("o", text("out"))
      )
    )
    const owner = (line: string) =>
      brief(events)
        .find((each) => each.includes(line))
        ?.split("@")[1]
    expect([owner("CONTENT c1/n:0 in"), owner("START c2"), owner("c2:result")]).toEqual(["c1", "c1", "c1"])
    expect([owner("START c1"), owner("out")]).toEqual([undefined, undefined])
  })

  test("interleaving two gives what running them apart gives (law 4)", () => {
    const lane = (call: string) =>
      ["one", "two", "three"].map((words) => said(`msg_${call}`, text(`${call} ${words}`), call))
    const [a, b] = [lane("c1"), lane("c2")]
    const calls = [agentCall("m", "c1"), agentCall("m", "c2")]
    const apart = textsOf(translated(turn(...calls, ...a, ...b)))
    const mixed = textsOf(translated(turn(...calls, ...a.flatMap((each, at) => [each, b[at] ?? each]))))
    expect(mixed).toEqual(apart)
    expect(Object.keys(apart)).toHaveLength(6)
  })

  test("one API message id said by two speakers is two messages", () => {
    const messages = turn(said("m", text("main")), said("m", text("inside"), "c1"), said("m", text("other"), "c2"))
    expect(Object.values(textsOf(translated(messages))).sort()).toEqual(["inside", "main", "other"])
    expect(refusal(translated(messages))).toBeUndefined()
  })
})

describe("sub-agents of sub-agents", () => {
  const nested = [agentCall("m", "c1"), agentCall("n", "c2", "c1"), said("o", text("deep"), "c2")]

  test("name who started them", () => {
    const [, inner] = only(translated(turn(...nested)), "SUBAGENT_STARTED")
    expect(inner).toMatchObject({ subagentRunId: "c2", parentSubagentRunId: "c1" })
  })

  test("begin after those who started them, whoever speaks first in a run", () => {
    const [state] = beginRun(after([init(), ...nested]), { runId: "r2" })
    const [, events] = step(state, said("p", text("again"), "c2"))
    expect(brief(events).slice(0, 2)).toEqual(["SUBAGENT_STARTED scout @c1", "SUBAGENT_STARTED scout @c2"])
  })

  test.each([
    ["itself", [agentCall("m", "c1", "c1"), said("n", text("x"), "c1")]],
    [
      "each other",
      [agentCall("m", "c1", "c2"), agentCall("n", "c2", "c1"), said("o", text("x"), "c1"), said("p", text("y"), "c2")]
    ],
    ["in a ring of three", [agentCall("m", "c1", "c3"), agentCall("n", "c2", "c1"), agentCall("o", "c3", "c2")]]
  ])("that started %s do not hang us", (_, messages) => {
    const events = translated(turn(...messages))
    expect(refusal(events)).toBeUndefined()
    const [state] = beginRun(after([init(), ...messages]), { runId: "r2" })
    expect(step(state, said("z", text("later"), "c1"))[1].length).toBeGreaterThan(0)
  })

  test("that started each other, one of which ended with its run, do not hang us either", () => {
    const ring = [agentCall("m", "c1", "c2"), agentCall("n", "c2", "c1"), taskEnded("k", { tool_use_id: "c2" })]
    const [state, before] = beginRun(after([init(), ...ring]), { runId: "r2" })
    const [, events] = step(state, said("o", text("again"), "c2"))
    expect(brief([...before, ...events]).filter((line) => line.startsWith("SUBAGENT_STARTED"))).toHaveLength(1)
  })

  test("a thousand deep do not overflow", () => {
    const deep = Array.from({ length: 1000 }, (_, at) => agentCall(`m${at}`, `c${at + 1}`, at === 0 ? null : `c${at}`))
    const [state] = beginRun(after([init(), ...deep, said("x", text("x"), "c1000")]), { runId: "r2" })
    expect(only(step(state, said("y", text("y"), "c1000"))[1], "SUBAGENT_STARTED")).toHaveLength(1000)
  })
})

describe("the end of the run", () => {
  const busy = [init(), agentCall("m", "c1"), said("n", text("in"), "c1")]

  test("suspends an agent whose turn goes on, and it begins again in the next run under its id", () => {
    const [state, events] = beginRun(after(busy), { runId: "r2" })
    expect(only(events, "SUBAGENT_FINISHED").map(({ outcome }) => outcome?.type)).toEqual(["suspended"])
    expect(only(step(state, said("o", text("on"), "c1"))[1], "SUBAGENT_STARTED")[0]?.subagentRunId).toBe("c1")
  })

  test("fails one that the turn did not wait for, unless it runs in the background (§5.22)", () => {
    expect(parts([...busy, success()])).toEqual(["SUBAGENT_STARTED c1", "SUBAGENT_ERROR c1"])
    expect(parts([...busy, launched("c1"), success()])).toEqual([
      "SUBAGENT_STARTED c1",
      "SUBAGENT_FINISHED c1 suspended"
    ])
  })

  test("the innermost ends first", () => {
    const state = after([init(), agentCall("m", "c1"), agentCall("n", "c2", "c1"), said("o", text("x"), "c2")])
    const ends = (events: ReturnType<typeof step>[1]) => brief(only(events, "SUBAGENT_FINISHED", "SUBAGENT_ERROR"))
    expect(ends(beginRun(state, { runId: "r2" })[1])).toEqual(["SUBAGENT_FINISHED @c2", "SUBAGENT_FINISHED @c1"])
    expect(ends(step(state, success())[1])).toEqual(["SUBAGENT_ERROR @c2", "SUBAGENT_ERROR @c1"])
  })
})

describe("an id names one invocation", () => {
  const ended = [agentCall("m", "c1"), said("n", text("in"), "c1"), toolResult("c1")]

  test("who speaks after the end is another one, with messages of its own", () => {
    const messages = turn(...ended, said("n", text("late"), "c1"))
    expect(parts(messages)).toEqual([
      "SUBAGENT_STARTED c1",
      "SUBAGENT_FINISHED c1 success",
      "SUBAGENT_STARTED c1#2",
      "SUBAGENT_ERROR c1#2"
    ])
    expect(Object.values(textsOf(translated(messages)))).toEqual(["in", "late"])
  })

  test("the end comes once, also of one that never was", () => {
    const out: Out = []
    const { fold } = after([init(), ...ended])
    const done = { type: "completed" } as const
    closeSubagent(closeSubagent(fold, "c1", done, out), "c9", done, out)
    expect(out).toEqual([])
  })
})

describe("streamed sub-agents, which no version has (§5.36)", () => {
  test("are entered again after a run's end, before they go on", () => {
    const streaming = [messageStart("n", "c1"), blockStart(0, text(""), "c1"), textDelta(0, "one ", "c1")]
    const [state, first] = beginRun(after([init(), agentCall("m", "c1"), ...streaming]), { runId: "r2" })
    const [, second] = step(state, textDelta(0, "two", "c1"))
    expect(brief(first).slice(0, 2)).toEqual(["TEXT_MESSAGE_END c1/n:0 @c1", "SUBAGENT_FINISHED @c1"])
    expect(brief(second)).toEqual([
      "SUBAGENT_STARTED scout @c1",
      "TEXT_MESSAGE_START c1/n:0 @c1",
      "TEXT_MESSAGE_CONTENT c1/n:0 two @c1"
    ])
  })
})

describe("hidden", () => {
  const messages = turn(
    agentCall("m", "c1"),
    taskStarted("k", "c1"),
    said("n", text("in"), "c1"),
    said("n", toolUse("c2"), "c1"),
    toolResult("c2", "r", { parent: "c1" }),
    taskEnded("k", { tool_use_id: "c1" }),
    toolResult("c1", "out")
  )

  test("only the call and its result are there", () => {
    const events = translated(messages, { subagents: "hide" })
    expect(brief(events).filter((line) => line.includes("SUBAGENT") || line.includes("@"))).toEqual([])
    expect(only(events, "TOOL_CALL_START", "TOOL_CALL_RESULT").map(({ toolCallId }) => toolCallId)).toEqual([
      "c1",
      "c1"
    ])
    expect(refusal(events)).toBeUndefined()
  })

  test("nothing of them is kept for a run, and they open none", () => {
    const { writer } = after([...messages.slice(0, -2), launched("c3")], { subagents: "hide" })
    expect([writer.lanes.size, writer.items.size, [...writer.calls.keys()]]).toEqual([0, 0, ["c1"]])
    expect(translated([said("n", text("in"), "c1")], { subagents: "hide" })).toEqual([])
  })
})

test("an agent is in the background from its result on; whom nobody knew is known then", () => {
  const state = moveToBackground(after([init()]).fold, "c7", undefined)
  expect(state.subagents.get("c7")).toMatchObject({ background: true, phase: "announced" })
  const out: Out = []
  expect(openLane(state, "c7", {}, out).subagents.get("c7")).toMatchObject({ background: true, phase: "open" })
  expect(out).toEqual([{ type: "lane_opened", lane: "c7", parent: null, name: "agent" }])
})

test.each(["2.1.37", "2.1.113", "2.1.197", "2.1.325"])(
  "as recorded on %s: every part that begins ends in its run",
  (version) => {
    // Of an agent in the background 2.1.37 says nothing.
    const background = version === "2.1.37" ? [] : ["subagent_background"]
    for (const scenario of ["subagent", "subagent_parallel", "subagent_denied", "subagent_tool_tree", ...background]) {
      const events = translated(recorded({ scenario, version }), options)
      expect(refusal(events)).toBeUndefined()
      expect(only(events, "SUBAGENT_STARTED").length).toBeGreaterThan(0)
    }
  }
)

test("an agent in the background is forgotten after its end, on every version", () => {
  for (const version of ["2.1.37", "2.1.197", "2.1.325"]) {
    // On 2.1.37 its end comes after the turn, and is told in the next one.
    const messages = [...recorded({ scenario: "subagent_background", version }), init(), success()]
    expect(after(messages).fold.subagents.size).toBe(0)
  }
})

test("a run without sub-agents has none", () => {
  expect(parts(turn(...streamedText("m", ["Hi"]), said("m", toolUse("c1")), toolResult("c1")))).toEqual([])
})
