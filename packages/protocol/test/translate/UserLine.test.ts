import { describe, expect, test } from "vitest"
import type { Out } from "../../src/claude/fold/Block.ts"
import { commandResult, showText } from "../../src/claude/fold/UserLine.ts"
import { told } from "../claude/fold/Told.ts"
import {
  after,
  brief,
  customs,
  init,
  only,
  recorded,
  said,
  status,
  success,
  text,
  textsOf,
  toolResult,
  toolUse,
  translated,
  userText
} from "./Lines.ts"

describe("what is part of the conversation", () => {
  test.each([
    ["a result", toolResult("c1"), true],
    ["a line of a sub-agent", userText("look around", { parent_tool_use_id: "c1" }), true],
    ["a prompt's echo", userText("hi", { isReplay: true }), false],
    ["an interruption", userText([text("[Request interrupted by user]")]), false]
  ])("%s begins a run: %j", (_, message, expected) => {
    expect(translated([message]).some(({ type }) => type === "RUN_STARTED")).toBe(expected)
  })
})

describe("results of tools", () => {
  test("come with all their content, when they arrive", () => {
    const parts = [text("a"), { type: "image", source: { type: "base64", media_type: "image/png", data: "x" } }]
    const [result] = only(translated([init(), said("m", toolUse("c1")), toolResult("c1", parts)]), "TOOL_CALL_RESULT")
    expect(result).toMatchObject({ messageId: "c1:result", toolCallId: "c1", role: "tool" })
    expect(result?.content).toHaveLength(2)
  })

  test("say that they are errors, and only then", () => {
    const metadata = (error?: boolean) =>
      only(translated([init(), toolResult("c1", "x", error === undefined ? {} : { error })]), "TOOL_CALL_RESULT")[0]
        ?.metadata
    expect([metadata(), metadata(false), metadata(true)]).toEqual([undefined, undefined, { isError: true }])
  })

  test("several in one line are all there (none was recorded, §5.6)", () => {
    const both = userText([
      { type: "tool_result", tool_use_id: "c1", content: "one" },
      { type: "tool_result", tool_use_id: "c2", content: "two" }
    ])
    expect(only(translated([init(), both]), "TOOL_CALL_RESULT").map(({ content }) => content)).toEqual(["one", "two"])
  })
})

describe("what the CLI says in the person's name", () => {
  test("an echo of a prompt says nothing, wherever it comes (§5.25)", () => {
    const events = translated([init(), userText("hi", { isReplay: true }), said("m", text("Hello")), success()])
    expect(brief(events).filter((line) => line.includes("synthetic") || line.includes("hi"))).toEqual([])
  })

  test("a prompt it made up is a notice (§5.17)", () => {
    const events = translated([init(), userText("Continue.", { isSynthetic: true }), success()])
    expect(customs(events, "synthetic_user_message")).toEqual([{ content: "Continue." }])
  })

  test("an interruption makes the turn a cancelled one (2.1.37 says so nowhere else, §5.15)", () => {
    const lines = [init(), userText([text("[Request interrupted by user for tool use]")])]
    expect(after(lines).fold.turn?.interrupted).toBe(true)
    expect(after([lines[0] ?? init(), userText("[Request something else")]).fold.turn?.interrupted).toBe(false)
  })

  test("the summary of a compaction is one, by its mark or by its place (§5.28)", () => {
    const boundary = recorded({ scenario: "compact", version: "2.1.37" }).filter(
      (each) => each._tag === "Known" && each.name === "system/compact_boundary"
    )
    expect(boundary).toHaveLength(1)
    const placed = translated([init(), ...boundary, userText("Summary"), userText("More")])
    expect(customs(placed, "compact_summary")).toEqual([{ content: "Summary" }])
    expect(customs(placed, "synthetic_user_message")).toEqual([{ content: "More" }])
    const marked = translated([init(), userText("Summary", { is_compact_summary: true })])
    expect(customs(marked, "compact_summary")).toEqual([{ content: "Summary" }])
  })

  test("the prompt of a sub-agent is told with its mark, where sub-agents are shown", () => {
    const lines = [init(), said("m", toolUse("c1", {}, "Agent")), userText("Look", { parent_tool_use_id: "c1" })]
    expect(translated(lines)).toContainEqual({
      type: "CUSTOM",
      name: "subagent_prompt",
      value: "Look",
      subagentRunId: "c1"
    })
    expect(customs(translated(lines, { subagents: "hide" }), "subagent_prompt")).toEqual([])
  })
})

describe("what a slash command printed (§5.29)", () => {
  const printed = (words: string) =>
    userText(`<local-command-stdout>${words}</local-command-stdout>`, { isReplay: true })

  test("is the answer, where there is no other", () => {
    expect(Object.values(textsOf(translated([init(), printed("Total cost: 0"), success()])))).toEqual(["Total cost: 0"])
  })

  test("is a notice after an answer, and between turns (`set_model` prints one, §5.26)", () => {
    const events = translated([
      init(),
      said("m", text("Hi")),
      printed("Set model"),
      success(),
      printed("Again"),
      init()
    ])
    expect(textsOf(events)).toEqual({ "m:0": "Hi" })
    expect(customs(events, "local_command_output")).toEqual([{ content: "Set model" }, { content: "Again" }])
  })

  test("is a notice, too, when the model has been asked: its answer is to come", () => {
    const events = translated([init(), status("requesting"), printed("Set model"), said("m", text("Hi")), success()])
    expect(textsOf(events)).toEqual({ "m:0": "Hi" })
    expect(customs(events, "local_command_output")).toEqual([{ content: "Set model" }])
  })

  test.each(["2.1.37", "2.1.113", "2.1.197", "2.1.325"])(
    "as recorded on %s: /compact answers, `set_model` does not",
    (version) => {
      const compact = translated(recorded({ scenario: "compact_short", version }))
      expect(Object.values(textsOf(compact))).toHaveLength(3)
      const switched = translated(recorded({ scenario: "set_model", version }))
      expect(Object.values(textsOf(switched))).toEqual(["Done.", "Done.", "Done."])
    }
  )

  test("may be errors, and may have several lines", () => {
    const words = "one\ntwo <b>\n"
    const failed = userText(`<local-command-stderr>${words}</local-command-stderr>\n`, { isReplay: true })
    expect(Object.values(textsOf(translated([init(), failed])))).toEqual([words])
  })

  test("words that only look like it are none", () => {
    const events = translated([init(), userText("see <local-command-stdout>x</local-command-stdout>")])
    expect(customs(events, "synthetic_user_message")).toHaveLength(1)
  })

  test("empty, it cannot be a message", () => {
    const out: Out = []
    commandResult(after([init()]).fold, "u", "", out)
    expect(out).toMatchObject([{ type: "noticed", name: "local_command_output" }])
  })

  test("without a uuid it is the text of its turn", () => {
    const out: Out = []
    commandResult(after([init()]).fold, undefined, "x", out)
    expect(out).toMatchObject([{ type: "item_started", id: "result:1" }, { delta: "x" }, { type: "item_ended" }])
  })

  test("as 2.1.37 was recorded: every turn has one answer, be it the output of a command", () => {
    const events = translated(recorded({ scenario: "slash_commands", version: "2.1.37" }))
    const shown = Object.values(textsOf(events))
    expect(shown.length).toBeGreaterThan(1)
    expect(shown).toHaveLength(only(events, "RUN_STARTED").length)
    for (const words of shown) expect(words).not.toContain("local-command")
  })
})

test("a text that no answer brought is a whole message", () => {
  const out: Out = []
  showText("u", "Hi", out)
  expect(told(out)).toEqual(["item_started u", "item_grew u Hi", "item_ended u"])
})
