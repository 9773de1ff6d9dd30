import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { resultId } from "../../src/agui/write/Item.ts"
import type { Decoded } from "../../src/claude/Codec.ts"
import { isAnnounced } from "../../src/claude/fold/ToolCall.ts"
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
  recorded,
  said,
  streamedCall,
  success,
  text,
  toolResult,
  toolUse,
  translated
} from "./Lines.ts"
import { refusal } from "./Order.ts"

const input = { command: "ls" }
const json = JSON.stringify(input)
const turn = (...messages: ReadonlyArray<Decoded>): ReadonlyArray<Decoded> => [init(), ...messages, success()]

describe("a call is announced once", () => {
  test("by whatever tells of it first, with its arguments once", () => {
    const stream = () => [messageStart("m"), blockStart(0, toolUse("c1")), jsonDelta(0, ""), jsonDelta(0, json)]
    const answer = () => [toolResult("c1")]
    const tellings = [
      () => [...stream(), said("m", toolUse("c1", input)), messageStop()],
      () => [canUseTool("q", "c1")],
      () => [said("m", toolUse("c1", input))],
      answer
    ]
    fc.assert(
      fc.property(fc.shuffledSubarray(tellings, { minLength: 1 }), (chosen) => {
        const events = translated(turn(...chosen.flatMap((tell) => tell())))
        expect(refusal(events)).toBeUndefined()
        expect(only(events, "TOOL_CALL_RESULT")).toHaveLength(chosen.includes(answer) ? 1 : 0)
        // After its result a call is not announced any more.
        if (chosen[0] === answer) return
        expect(only(events, "TOOL_CALL_START")).toHaveLength(1)
        expect(argumentsOf(events)).toEqual({ c1: json })
      })
    )
  })

  test("and not again by what comes after its result", () => {
    for (const late of [
      () => said("m", toolUse("c1", input)),
      () => canUseTool("q", "c1"),
      () => said("n", toolUse("c1", input), "c9")
    ]) {
      const events = translated(turn(said("m", toolUse("c1", input)), toolResult("c1"), late()))
      expect(only(events, "TOOL_CALL_START")).toHaveLength(1)
      expect(refusal(events)).toBeUndefined()
    }
  })
})

describe("one call in several answers, which no wire has", () => {
  test.each<[string, () => ReadonlyArray<Decoded>]>([
    [
      "open in one, whole in another",
      () => [said("n", text("x")), messageStart("m"), blockStart(0, toolUse("c1")), said("n", toolUse("c1", input))]
    ],
    [
      "whole in two of another speaker",
      () => [
        said("m", toolUse("c1", input)),
        said("n", toolUse("c1", input), "c9"),
        said("o", toolUse("c1", input), "c9")
      ]
    ],
    ["whole in two", () => [said("m", toolUse("c1", input)), said("n", toolUse("c1", input))]]
  ])("%s: it is legal, and announced once", (_, messages) => {
    const events = translated(turn(...messages(), toolResult("c1")))
    expect(refusal(events)).toBeUndefined()
    expect(only(events, "TOOL_CALL_START")).toHaveLength(1)
    expect(only(events, "TOOL_CALL_RESULT")).toHaveLength(1)
  })
})

describe("arguments", () => {
  test("are what was streamed; the whole line brings only what is missing", () => {
    for (const pieces of [[json], [json.slice(0, 5), json.slice(5)], [json.slice(0, 5)], []]) {
      const streamed = pieces.map((piece) => jsonDelta(0, piece))
      const events = translated(
        turn(
          messageStart("m"),
          blockStart(0, toolUse("c1")),
          ...streamed,
          said("m", toolUse("c1", input)),
          messageStop()
        )
      )
      expect(argumentsOf(events)).toEqual({ c1: json })
    }
  })

  test("the CLI's normalised input is not sent after them (Edit gains replace_all, §7.49)", () => {
    const streamed = [messageStart("m"), blockStart(0, toolUse("c1")), jsonDelta(0, json)]
    const events = translated(
      turn(...streamed, said("m", toolUse("c1", { ...input, replace_all: false })), messageStop())
    )
    expect(argumentsOf(events)).toEqual({ c1: json })
  })

  test("of the API's own tools may be JSON text already (2.1.37, §8)", () => {
    const use = { type: "server_tool_use", id: "c1", name: "web_search", input: '{"query":"x"}' }
    const decoded = { ...said("m", toolUse("x")) }
    const message = {
      ...decoded.message,
      message: { ...(decoded.message as { message: object }).message, content: [use] }
    }
    const events = translated(turn({ ...decoded, message } as Decoded))
    expect(argumentsOf(events)).toEqual({ c1: '{"query":"x"}' })
  })
})

describe("names", () => {
  test("the application's tools have the application's names", () => {
    const use = toolUse("c1", {}, "mcp__frontend__pick")
    const [start] = only(translated(turn(said("m", use)), { frontendTools: ["pick"] }), "TOOL_CALL_START")
    expect(start?.toolCallName).toBe("pick")
    const [other] = only(translated(turn(said("m", use))), "TOOL_CALL_START")
    expect(other?.toolCallName).toBe("mcp__frontend__pick")
  })

  test("their results are the application's own: the CLI's is not shown", () => {
    const messages = turn(said("m", toolUse("c1", {}, "mcp__frontend__pick")), toolResult("c1"))
    expect(only(translated(messages, { frontendTools: ["pick"] }), "TOOL_CALL_RESULT")).toEqual([])
    expect(only(translated(messages), "TOOL_CALL_RESULT")).toHaveLength(1)
  })
})

describe("where a call hangs", () => {
  test("on the text before it, with the calls in between; after text it begins anew", () => {
    const blocks = [text("First"), toolUse("c1"), toolUse("c2"), text("Then"), toolUse("c3")]
    const events = translated(turn(...blocks.map((block) => said("m", block))))
    expect(only(events, "TOOL_CALL_START").map(({ parentMessageId }) => parentMessageId)).toEqual(["m:0", "m:0", "m:3"])
  })
})

describe("results", () => {
  test("close a call whose arguments are still coming, and come once", () => {
    const events = translated(
      turn(messageStart("m"), blockStart(0, toolUse("c1")), jsonDelta(0, '{"comm'), toolResult("c1", "x"))
    )
    expect(brief(events.slice(2, 6))).toEqual([
      "TOOL_CALL_START c1",
      'TOOL_CALL_ARGS c1 {"comm',
      "TOOL_CALL_END c1",
      "TOOL_CALL_RESULT c1:result x"
    ])
  })

  test("without a call are shown all the same", () => {
    const events = translated(turn(toolResult("c9", "orphan", { error: true })))
    expect(only(events, "TOOL_CALL_RESULT")).toEqual([
      {
        type: "TOOL_CALL_RESULT",
        messageId: resultId("c9"),
        toolCallId: "c9",
        role: "tool",
        content: "orphan",
        metadata: { isError: true }
      }
    ])
  })

  test("of the API's own tools come in the answer itself, errors marked", () => {
    const search = (content: unknown) => ({ type: "web_search_tool_result", tool_use_id: "c1", content })
    const [good] = only(translated(turn(said("m", search([])))), "TOOL_CALL_RESULT")
    expect([good?.content, good?.metadata]).toEqual(["[]", undefined])
    const failed = search({ type: "web_search_tool_result_error", error_code: "unavailable" })
    const [bad] = only(translated(turn(said("m", failed))), "TOOL_CALL_RESULT")
    expect(bad?.metadata).toEqual({ isError: true })
  })

  test("of the API's MCP tools are content like any other", () => {
    const block = {
      type: "mcp_tool_result",
      tool_use_id: "c1",
      is_error: true,
      content: [{ type: "text", text: "no" }]
    }
    const [result] = only(translated(turn(said("m", block))), "TOOL_CALL_RESULT")
    expect([result?.content, result?.metadata]).toEqual(["no", { isError: true }])
  })

  test("every recorded call of the API's own tools has exactly one (2.1.325)", () => {
    for (const scenario of ["server_tool_blocks", "server_web_fetch", "server_code_execution", "server_tool_error"]) {
      const events = translated(recorded({ scenario, version: "2.1.325" }))
      const answered = only(events, "TOOL_CALL_RESULT").map(({ toolCallId }) => toolCallId)
      expect(new Set(answered).size).toBe(answered.length)
      expect(only(events, "TOOL_CALL_START").map(({ toolCallId }) => toolCallId)).toEqual(
        expect.arrayContaining(answered)
      )
    }
  })
})

test("a block AG-UI has no event for is told whole", () => {
  const block = { type: "container_upload", file_id: "f" }
  expect(customs(translated(turn(said("m", block))), "content_block")).toEqual([{ messageId: "m", block }])
})

test("a call is known as announced before and after its result", () => {
  const asked = after([init(), ...streamedCall("m", "c1", input)])
  expect([isAnnounced(asked.fold, "c1"), isAnnounced(asked.fold, "c2")]).toEqual([true, false])
  const answered = after([init(), ...streamedCall("m", "c1", input), toolResult("c1")])
  expect([isAnnounced(answered.fold, "c1"), answered.fold.calls.size]).toEqual([true, 0])
})
