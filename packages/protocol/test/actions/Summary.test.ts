/** Calls in one line: those of the real CLIs on the tapes, and whatever else there may be. */
import { loadTape, tapes } from "@agentwire/fixtures"
import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { maxSummary, summarise } from "../../src/actions/Summary.ts"
import { decodeLine } from "../../src/claude/index.ts"
import { Claude, Model, Tape } from "../../src/index.ts"

/** The summaries of a tape's calls, in order: while they run, and when they have their results. */
const summaries = (entry: (typeof tapes)[number]): ReadonlyArray<readonly [string, string, string]> => {
  const events: Array<Model.Event> = []
  let state = Claude.initialFold()
  for (const { from, line } of Tape.tapeLines(loadTape(entry).frames)) {
    if (from !== "agent" || line._tag !== "Text" || line.text.trim() === "") continue
    const [next, given] = Claude.foldMessage(state, decodeLine(line.text))
    state = next
    events.push(...given)
  }
  const { entries } = Model.transcriptOf(events)
  return entries.flatMap((result) => {
    const call = entries.find(({ id, kind }) => kind === "call" && id === result.id)
    if (result.kind !== "result" || call?.kind !== "call") return []
    const hidden = (text: string) => text.replaceAll(/\/tmp\/agentwire-\w+\/project/g, "…")
    return [[call.tool, hidden(summarise(call)), hidden(summarise(call, result))] as const]
  })
}

const tapeOf = (version: string, scenario: string) => {
  const entry = tapes.find((each) => each.version === version && each.scenario === scenario)
  if (entry === undefined) throw new Error(`no tape of ${scenario}`)
  return summaries(entry)
}

describe("on tapes of Claude Code", () => {
  it("searches have their counts and what was searched for", () => {
    expect(tapeOf("2.1.37", "search_tools").slice(0, 4)).toEqual([
      ["Glob", "**/*.txt", "2 files **/*.txt"],
      ["Grep", '"line"', '3 matches "line"'],
      ["Grep", '"line"', '2 files "line"'],
      ["Grep", '"line"', '3 matches "line"']
    ])
  })

  it("files have their paths, and errors their reasons", () => {
    const told = tapeOf("2.1.37", "file_tool_errors")
    expect(told.map(([tool, , after]) => [tool, after])).toEqual(
      expect.arrayContaining([
        ["Read", "Failed: File does not exist."],
        ["Read", "…/a.txt"],
        ["Edit", "Failed: String to replace not found in file."]
      ])
    )
  })

  it("commands have their short answers and exit codes", () => {
    expect(tapeOf("2.1.37", "compact")).toContainEqual(["Bash", "echo a", "a"])
    expect(tapeOf("2.1.37", "hooks")).toContainEqual(["Bash", "exit 1", "Exit code 1"])
    expect(tapeOf("2.1.37", "interrupt_during_tool")).toContainEqual([
      "Bash",
      "sleep 20; touch a",
      "Exit code 137: [Request interrupted by user for tool use]"
    ])
  })

  test("every call of every tape has one line that fits", () => {
    let count = 0
    for (const entry of tapes)
      for (const lines of summaries(entry))
        for (const line of lines.slice(1)) {
          count++
          expect([...line].length).toBeLessThanOrEqual(maxSummary)
          expect(line).toMatch(/^\S.*$/)
        }
    expect(count).toBeGreaterThan(1000)
  })
})

describe("summarise", () => {
  const grep = { tool: "Grep", arguments: '{"pattern":"x","output_mode":"content"}' }

  it("counts one as one, none as none, and no context", () => {
    expect(summarise(grep, { content: "a:1:x", failed: false })).toBe('1 match "x"')
    expect(summarise(grep, { content: "No matches found", failed: false })).toBe('0 matches "x"')
    expect(summarise(grep, { content: "a-1-y\na:2:x\na-3-y\n--\nb:9:x", failed: false })).toBe('2 matches "x"')
  })

  it("says what was denied", () => {
    const bash = { tool: "Bash", arguments: '{"command":"rm -rf a"}' }
    expect(summarise(bash, { content: "No.", failed: true, denied: true })).toBe("Denied: rm -rf a")
  })

  it("shows Codex's commands without the shell around them", () => {
    const call = { tool: "commandExecution", arguments: JSON.stringify({ command: "/bin/bash -lc 'npm test'" }) }
    expect(summarise(call)).toBe("npm test")
  })

  it("is one line that fits, whatever the call and its result are", () => {
    const outcomes = fc.record({
      content: fc.string(),
      failed: fc.boolean(),
      denied: fc.boolean(),
      exitCode: fc.integer()
    })
    fc.assert(
      fc.property(
        fc.constantFrom("Bash", "Grep", "Glob", "Read", "commandExecution", "other"),
        fc.oneof(fc.string(), fc.dictionary(fc.constantFrom("command", "pattern", "file_path"), fc.string())),
        fc.option(outcomes, { nil: undefined }),
        (tool, input, outcome) => {
          const line = summarise({ tool, arguments: JSON.stringify(input) }, outcome)
          expect([...line].length).toBeLessThanOrEqual(maxSummary)
          expect(line).not.toMatch(/[\n\r]/)
        }
      )
    )
  })
})
