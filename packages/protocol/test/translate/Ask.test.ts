import { describe, expect, test } from "vitest"
import type { Decoded } from "../../src/claude/Codec.ts"
import { beginRun, type State, step, suspendRun } from "../../src/translate/Translator.ts"
import {
  after,
  argumentsOf,
  brief,
  cancelRequest,
  canUseTool,
  customs,
  elicitation,
  init,
  messageStart,
  only,
  recorded,
  said,
  streamedCall,
  success,
  taskStarted,
  text,
  toolResult,
  toolUse,
  translated
} from "./Lines.ts"
import { refusal } from "./Order.ts"

const turn = (...messages: ReadonlyArray<Decoded>): ReadonlyArray<Decoded> => [init(), ...messages, success()]

/** The requests and calls that a run has to end for. */
const waitingIn = ({ writer }: State): ReadonlyArray<string> => [...writer.waiting.keys()]

describe("a permission", () => {
  test("is told with the call it is for, the id to answer with, and all the CLI says of it", () => {
    const asked = canUseTool("q", "c1", { description: "List files", permission_suggestions: [] })
    const events = translated(turn(said("m", toolUse("c1", { command: "ls" })), asked))
    expect(customs(events, "tool_approval_request")).toEqual([
      {
        requestId: "q",
        toolName: "Bash",
        toolInput: { command: "ls" },
        toolCallId: "c1",
        description: "List files",
        permission_suggestions: [],
        remember: []
      }
    ])
    expect(only(events, "TOOL_CALL_START")).toHaveLength(1)
  })

  test("announces its call when no message has: nobody can approve what is not there (2.1.197, §5.5)", () => {
    const events = translated(turn(canUseTool("q", "c1")))
    expect(brief(events).slice(2, 6)).toEqual([
      "TOOL_CALL_START c1",
      'TOOL_CALL_ARGS c1 {"command":"ls"}',
      "TOOL_CALL_END c1",
      "CUSTOM tool_approval_request"
    ])
  })

  test("of a sub-agent is found by its task: it names the agent, not the call (§5.36)", () => {
    const messages = turn(taskStarted("agent-7", "c1"), canUseTool("q", "c2", { agent_id: "agent-7" }))
    expect(brief(translated(messages)).filter((line) => line.includes("c2") || line.includes("approval"))).toEqual([
      "TOOL_CALL_START c2 @c1",
      'TOOL_CALL_ARGS c2 {"command":"ls"} @c1',
      "TOOL_CALL_END c2 @c1",
      "CUSTOM tool_approval_request @c1"
    ])
  })

  test("of an agent nobody knows is the main thread's", () => {
    const events = translated(turn(canUseTool("q", "c2", { agent_id: "who" })))
    expect(brief(events)).toContain("TOOL_CALL_START c2")
    expect(refusal(events)).toBeUndefined()
  })

  test("of a hidden sub-agent is asked, and its call is not shown", () => {
    const messages = turn(taskStarted("k", "c1"), canUseTool("q", "c2", { agent_id: "k" }))
    const events = translated(messages, { subagents: "hide" })
    expect(customs(events, "tool_approval_request")).toHaveLength(1)
    expect(argumentsOf(events)).toEqual({})
  })

  test("after the turn opens a run, in which the sub-agent begins before it is asked (2.1.325, §5.22)", () => {
    const launched = toolResult("c1", "launched", { more: { tool_use_result: { status: "async_launched" } } })
    const idle = after(turn(said("m", toolUse("c1", {}, "Agent")), said("n", toolUse("c2"), "c1"), launched))
    const [, events] = step(idle, canUseTool("q", "c2"))
    expect(brief(events)).toEqual(["RUN_STARTED", "SUBAGENT_STARTED agent @c1", "CUSTOM tool_approval_request @c1"])
  })

  test("names the application's tool as the application does", () => {
    const asked = canUseTool("q", "c1", { tool_name: "mcp__frontend__pick" })
    const events = translated(turn(asked), { frontendTools: ["pick"] })
    expect(customs(events, "tool_approval_request")).toEqual([expect.objectContaining({ toolName: "pick" })])
    expect(only(events, "TOOL_CALL_START")[0]?.toolCallName).toBe("pick")
  })
})

describe("other questions", () => {
  test("forms and hooks are told with the id to answer with", () => {
    expect(customs(translated(turn(elicitation("e"))), "elicitation_request")).toEqual([
      expect.objectContaining({ requestId: "e", message: "Name?", mode: "form" })
    ])
    const messages = recorded({ scenario: "hooks", version: "2.1.325" })
    const asked = messages.flatMap((each) =>
      each._tag === "Known" && each.name === "control_request/hook_callback" ? [each.message] : []
    )
    expect(asked.length).toBeGreaterThan(0)
    expect(customs(translated(messages), "hook_callback")).toEqual(
      asked.map(({ request, request_id }) => ({
        requestId: request_id,
        callbackId: request.callback_id,
        ...(request.tool_use_id === undefined ? {} : { toolCallId: request.tool_use_id }),
        input: request.input
      }))
    )
  })

  test("a request that is taken back is told", () => {
    expect(customs(translated(turn(cancelRequest("q"))), "control_request_cancelled")).toEqual([{ requestId: "q" }])
  })
})

describe("as interrupts", () => {
  const interrupts = { approvals: "interrupt" } as const
  const outcomes = (messages: ReadonlyArray<Decoded>) =>
    only(translated(messages, interrupts), "RUN_FINISHED").map(({ outcome }) =>
      outcome?.type === "interrupt" ? outcome.interrupts.map(({ id }) => id) : outcome?.type
    )

  test("the run ends with the question, and the call it is about is announced", () => {
    const events = translated([init(), canUseTool("q", "c1")], interrupts)
    expect(brief(events).slice(2)).toEqual(expect.arrayContaining(["TOOL_CALL_END c1", "RUN_FINISHED"]))
    expect(outcomes([init(), canUseTool("q", "c1")])[0]).toEqual(["q"])
    expect(customs(events, "tool_approval_request")).toEqual([])
  })

  test("not before the answer is complete, so that all its calls are announced (from 2.1.197 on it may be early, §5.4)", () => {
    const calls = [...streamedCall("m", "c1", { a: 1 })]
    const early = [...calls.slice(0, -3), canUseTool("q", "c1"), ...calls.slice(-3)]
    const events = translated([init(), ...early], interrupts)
    expect(only(events, "RUN_FINISHED")[0]?.outcome).toMatchObject({ type: "interrupt" })
    expect(argumentsOf(events)).toEqual({ c1: '{"a":1}' })
    expect(refusal(events)).toBeUndefined()
  })

  test("what waits by then is asked together, each once", () => {
    const [stop, ...rest] = streamedCall("m", "c1", { a: 1 }).toReversed()
    const messages = [
      init(),
      ...rest.toReversed(),
      canUseTool("q", "c1"),
      canUseTool("q", "c1"),
      elicitation("e"),
      stop ?? init()
    ]
    expect(outcomes(messages)[0]).toEqual(["q", "e"])
  })

  test("one that is taken back before the run ends is not asked (§5.38)", () => {
    const streaming = [init(), messageStart("m"), canUseTool("q", "c1"), cancelRequest("q")]
    expect(waitingIn(after(streaming, interrupts))).toEqual([])
    expect(outcomes([...streaming, said("n", text("x")), success()])).toEqual(["success"])
  })

  test("and the others are still asked", () => {
    const state = after(
      [init(), messageStart("m"), canUseTool("q", "c1"), elicitation("e"), cancelRequest("q")],
      interrupts
    )
    expect(waitingIn(state)).toEqual(["e"])
  })

  test("a cancelled question leaves frontend calls waiting", () => {
    const [waiting] = suspendRun(after([init(), messageStart("m"), canUseTool("q", "c1")], interrupts), {
      calls: ["c2"]
    })
    expect(waitingIn(step(waiting, cancelRequest("q"))[0])).toEqual(["c2"])
  })

  test("of a sub-agent says whose it is", () => {
    const events = translated([init(), taskStarted("k", "c1"), canUseTool("q", "c2", { agent_id: "k" })], interrupts)
    const [finished] = only(events, "RUN_FINISHED")
    expect(finished?.outcome).toMatchObject({ interrupts: [{ id: "q", subagentRunId: "c1" }] })
  })

  test("a question of a turn that is over is not asked in the next", () => {
    const dead = [init(), messageStart("m"), canUseTool("q", "c1"), success()]
    expect(outcomes([...dead, init(), said("n", text("Hi")), success()])).toEqual(["success", "success"])
  })

  test("nor is a frontend call of a turn that is over waited for", () => {
    const [waiting] = suspendRun(after([init(), messageStart("m")]), { calls: ["c1"] })
    expect(waitingIn(waiting)).toEqual(["c1"])
    expect(waitingIn(step(waiting, success())[0])).toEqual([])
  })

  test("but one of an agent in the background is, for that one still waits", () => {
    const launched = toolResult("c1", "launched", { more: { tool_use_result: { status: "async_launched" } } })
    const agent = [said("m", toolUse("c1", {}, "Agent")), launched, said("n", toolUse("c2"), "c1")]
    const state = after([init(), ...agent, messageStart("o"), canUseTool("q", "c2"), success()], interrupts)
    expect(waitingIn(state)).toEqual(["q"])
  })

  test("what comes while somebody thinks waits for the next run", () => {
    const asked = after([init(), canUseTool("q", "c1")], interrupts)
    const [held, none] = step(asked, said("n", text("meanwhile")))
    expect(none).toEqual([])
    expect(brief(beginRun(held, { runId: "r2" })[1])[0]).toBe("RUN_STARTED")
  })

  test("when the answer came from elsewhere, the turn goes on in a run of the agent's own", () => {
    const asked = after([init(), canUseTool("q", "c1")], interrupts)
    const [released, none] = step(asked, cancelRequest("q"))
    expect(none).toEqual([])
    const [, events] = step(released, toolResult("c1", "done"))
    expect(brief(events)).toEqual([
      "RUN_STARTED",
      "CUSTOM control_request_cancelled",
      "TOOL_CALL_RESULT c1:result done"
    ])
  })
})

test.each(["2.1.37", "2.1.113", "2.1.197", "2.1.325"])(
  "as recorded on %s: what is asked for is announced before",
  (version) => {
    for (const scenario of [
      "tool_approved",
      "parallel_tools",
      "subagent_parallel",
      "mcp_elicitation",
      "ask_user_question"
    ]) {
      const events = translated(recorded({ scenario, version }))
      const announced = new Set<string>()
      for (const event of events) {
        if (event.type === "TOOL_CALL_START") announced.add(event.toolCallId)
        if (event.type !== "CUSTOM" || event.name !== "tool_approval_request") continue
        expect(announced).toContain((event.value as { toolCallId: string }).toolCallId)
      }
    }
  }
)
