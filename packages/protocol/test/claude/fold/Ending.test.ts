import { readRecording, recordings } from "@agentwire/fixtures"
import { describe, expect, test } from "vitest"
import { decodeLine } from "../../../src/claude/Codec.ts"
import { outcomeOf } from "../../../src/claude/fold/Ending.ts"
import { emptyTurn, type Turn } from "../../../src/claude/fold/State.ts"
import type { Result } from "../../../src/claude/Result.ts"
import type { TurnOutcome } from "../../../src/model/Event.ts"
import { type FinishReason, isOrderly, outcomeWithout } from "../../../src/model/FinishReason.ts"
import { init, only, recorded, stopped, success, synthetic, translated, userText } from "../../translate/Lines.ts"

type Expected = "success" | "cancelled" | string
interface Row {
  readonly subtype: string
  readonly is_error: boolean
  readonly stop_reason: string | null
  readonly terminal_reason: string | undefined
  /** How the turn ended: success, cancelled, or the code of its error. */
  readonly ends: Expected
  /** The same, when the CLI had said before that the person interrupted. */
  readonly interrupted?: Expected
}

const row = (
  subtype: string,
  is_error: boolean,
  stop_reason: string | null,
  terminal_reason: string | undefined,
  ends: Expected,
  interrupted = ends
): Row => ({ subtype, is_error, stop_reason, terminal_reason, ends, interrupted })

/** docs/wire/claude-code.md §6d, without versions and counts; the last rows are of recordings that came later. */
const table: ReadonlyArray<Row> = [
  row("error_during_execution", false, null, undefined, "error_during_execution", "cancelled"),
  row("error_during_execution", true, null, undefined, "error_during_execution", "cancelled"),
  row("error_during_execution", true, "tool_use", "aborted_tools", "cancelled"),
  row("error_during_execution", true, "tool_use", "aborted_streaming", "cancelled"),
  row("error_during_execution", true, null, "aborted_streaming", "cancelled"),
  row("error_max_budget_usd", false, null, undefined, "error_max_budget_usd"),
  row("error_max_budget_usd", true, "tool_use", undefined, "error_max_budget_usd"),
  row("error_max_budget_usd", true, "tool_use", "budget_exhausted", "error_max_budget_usd"),
  row("error_max_structured_output_retries", true, null, undefined, "error_max_structured_output_retries"),
  row("error_max_structured_output_retries", true, "tool_use", undefined, "error_max_structured_output_retries"),
  row(
    "error_max_structured_output_retries",
    true,
    "tool_use",
    "structured_output_retry_exhausted",
    "error_max_structured_output_retries"
  ),
  row("error_max_turns", false, null, undefined, "error_max_turns"),
  row("error_max_turns", true, "tool_use", "max_turns", "error_max_turns"),
  row("success", false, "end_turn", undefined, "success"),
  row("success", false, null, undefined, "success"),
  row("success", false, "end_turn", "completed", "success"),
  row("success", false, "pause_turn", "completed", "success"),
  row("success", false, "stop_sequence", "completed", "success"),
  row("success", false, "tool_use", "completed", "success"),
  row("success", true, "refusal", "completed", "refusal"),
  row("success", true, "stop_sequence", undefined, "api_error"),
  row("success", true, "stop_sequence", "completed", "api_error"),
  row("success", true, "stop_sequence", "prompt_too_long", "api_error"),
  row("success", true, "stop_sequence", "api_error", "api_error"),
  row("success", false, "tool_deferred", "tool_deferred", "success"),
  row("success", false, "tool_use", "hook_stopped", "success"),
  row("success", true, "stop_sequence", "image_error", "api_error"),
  row("success", true, "refusal", "api_error", "refusal")
]

const resultOf = ({ is_error, stop_reason, subtype, terminal_reason }: Row, more: object = {}): Result => {
  const fields = { is_error, stop_reason, ...(terminal_reason === undefined ? {} : { terminal_reason }), ...more }
  return (subtype === "success" ? success(fields) : stopped(subtype, fields)).message as Result
}
const codeOf = (result: Result, turn: Turn): Expected => {
  const ending = outcomeOf(result, turn)
  return nameOf(ending)
}
const nameOf = (outcome: TurnOutcome): Expected => {
  if (outcome.type === "failed" || outcome.type === "limited") return outcome.code
  return outcome.type === "completed" ? "success" : outcome.type
}
const interrupted: Turn = { ...emptyTurn, interrupted: true }

describe("the results of §6d, row by row", () => {
  test.each(table)(
    "$subtype, is_error $is_error, $stop_reason, $terminal_reason: $ends, interrupted $interrupted",
    (each) => {
      expect(codeOf(resultOf(each), emptyTurn)).toBe(each.ends)
      expect(codeOf(resultOf(each), interrupted)).toBe(each.interrupted)
    }
  )

  test.each(table.filter(({ subtype }) => subtype === "success"))(
    "an error of the API has the name the CLI gave it: $subtype, $is_error, $stop_reason, $terminal_reason",
    (each) => {
      const named = codeOf(resultOf(each), { ...emptyTurn, error: "authentication_failed" })
      expect(named).toBe(each.ends === "api_error" ? "authentication_failed" : each.ends)
    }
  )

  test("an end at a limit that somebody set is no failure", () => {
    for (const each of table) {
      const isLimit = each.ends.startsWith("error_max_")
      expect(outcomeOf(resultOf(each), emptyTurn).type === "limited").toBe(isLimit)
    }
  })

  test("the table has every combination of the recordings", () => {
    const key = (each: Omit<Row, "ends" | "interrupted">): string =>
      [each.subtype, each.is_error, each.stop_reason, each.terminal_reason].join(" ")
    const known = new Set(table.map(key))
    const missing = new Set<string>()
    for (const version of recordings)
      for (const { from, line } of readRecording(version)) {
        if (from !== "cli" || !line.includes('"type":"result"')) continue
        const decoded = decodeLine(line)
        if (decoded._tag !== "Known" || !decoded.name.startsWith("result/")) continue
        const { is_error, stop_reason, subtype, terminal_reason } = decoded.message as Result
        const combination = key({
          subtype,
          is_error,
          stop_reason,
          terminal_reason: terminal_reason as string | undefined
        })
        if (!known.has(combination)) missing.add(`${combination} (${version})`)
      }
    expect([...missing]).toEqual([])
  })
})

describe("what a failed turn says", () => {
  test("the CLI's own words, without its diagnostics (§5.15)", () => {
    const errors = ["[ede_diagnostic] result_type=user", "Session limit"]
    expect(outcomeOf(stopped("error_max_turns", { errors }).message as Result, emptyTurn)).toMatchObject({
      message: "Session limit"
    })
    const hidden = outcomeOf(stopped("error_max_turns", { errors: errors.slice(0, 1) }).message as Result, emptyTurn)
    expect(hidden).toMatchObject({ type: "limited", message: expect.not.stringContaining("ede_diagnostic") })
  })

  test("always something", () => {
    for (const each of table) {
      const ending = outcomeOf(resultOf(each), emptyTurn)
      if ("message" in ending) expect(ending.message.length).toBeGreaterThan(10)
    }
  })

  test("why the CLI did not start, where it says so", () => {
    const failed = stopped("error_during_execution", { startup_failure_reason: "cwd_unavailable" }).message as Result
    expect(outcomeOf(failed, emptyTurn)).toMatchObject({ code: "cwd_unavailable" })
  })
})

describe("what a good turn gives", () => {
  const given = (more: object) => outcomeOf(success(more).message as Result, emptyTurn)
  test("its data, where it was asked for any; its text is told where the model says it", () => {
    expect(given({ result: "text", structured_output: { a: 1 } })).toEqual({ type: "completed", result: { a: 1 } })
    expect(given({ result: "text", structured_output: null })).toEqual({ type: "completed" })
    expect(given({ result: "" })).toEqual({ type: "completed" })
  })
})

describe("no result", () => {
  const reasons: ReadonlyArray<readonly [FinishReason, Expected, orderly: boolean]> = [
    [{ type: "end" }, "stream_ended", true],
    [{ type: "exit", code: 0 }, "process_exited", true],
    [{ type: "exit", code: 1 }, "process_exited", false],
    [{ type: "exit", code: null, signal: "SIGKILL" }, "process_exited", false],
    [{ type: "cancelled" }, "cancelled", false],
    [{ type: "error", code: "mine", message: "m" }, "mine", false]
  ]
  test.each(reasons)("%j in the middle of a turn: %s", (reason, code, orderly) => {
    const ending = outcomeWithout(reason)
    expect(nameOf(ending)).toBe(code)
    expect(isOrderly(reason)).toBe(orderly)
  })

  test("a person can read what happened to the process", () => {
    expect(outcomeWithout({ type: "exit", code: 137, detail: "out of memory" })).toMatchObject({
      message: expect.stringMatching(/137.*\n.*out of memory/)
    })
    expect(outcomeWithout({ type: "exit", code: null, signal: "SIGTERM" })).toMatchObject({
      message: expect.stringContaining("SIGTERM")
    })
  })
})

describe("as recorded: a turn that was interrupted is cancelled, on every version (§5.15)", () => {
  test.each(recordings)("%s", (version) => {
    for (const scenario of ["interrupt_midstream", "interrupt_during_tool", "interrupt_during_tool_args"]) {
      const events = translated(recorded({ scenario, version }))
      expect(only(events, "RUN_FINISHED").map(({ outcome }) => outcome?.type)).toContain("cancelled")
      expect(only(events, "RUN_ERROR")).toEqual([])
    }
  })
})

describe("as recorded: an error of the API is an error, though its result says success (§5.14)", () => {
  test.each(recordings)("%s", (version) => {
    for (const scenario of ["api_400", "api_401", "api_403", "api_529_exhausted"]) {
      const [error, ...more] = only(translated(recorded({ scenario, version })), "RUN_ERROR")
      expect(more).toEqual([])
      expect(error?.message).toMatch(/./)
      expect(error?.code).not.toBe("stream_ended")
    }
  })
})

test("an error of an earlier turn is not that of a later one", () => {
  const events = translated([
    init(),
    synthetic("s", "No key", { error: "authentication_failed" }),
    success({ is_error: true, result: "No key" }),
    init(),
    success({ is_error: true, result: "Odd" }),
    init(),
    userText("[Request interrupted by user]"),
    stopped("error_during_execution"),
    init(),
    stopped("error_during_execution")
  ])
  const ends = only(events, "RUN_ERROR", "RUN_FINISHED").map((each) =>
    each.type === "RUN_ERROR" ? each.code : each.outcome?.type
  )
  expect(ends).toEqual(["authentication_failed", "api_error", "cancelled", "error_during_execution"])
})
