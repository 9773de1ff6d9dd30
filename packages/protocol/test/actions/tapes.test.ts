/** What the calls of both runtimes do, on every tape: no call is without an action or a line that fits, in any state. */
import { loadTape, tapes } from "@agentwire/fixtures"
import { describe, expect, it } from "vitest"
import { callActions } from "../../src/actions/Call.ts"
import { maxSummary, summarise } from "../../src/actions/Summary.ts"
import { tools } from "../../src/actions/ToolTable.ts"
import { decodeLine } from "../../src/claude/index.ts"
import { Claude, Model, Tape } from "../../src/index.ts"
import { folded, heardIn, sessions, threadsIn } from "../codex/Sessions.ts"

type Entry = ReturnType<typeof Model.transcriptOf>["entries"][number]

const claudeEntries = (entry: (typeof tapes)[number]): ReadonlyArray<Entry> => {
  const events: Array<Model.Event> = []
  let state = Claude.initialFold()
  for (const { from, line } of Tape.tapeLines(loadTape(entry).frames)) {
    if (from !== "agent" || line._tag !== "Text" || line.text.trim() === "") continue
    const [next, given] = Claude.foldMessage(state, decodeLine(line.text))
    state = next
    events.push(...given)
  }
  return Model.transcriptOf(events).entries
}

const runtimes: Readonly<Record<string, ReadonlyArray<readonly [name: string, entries: ReadonlyArray<Entry>]>>> = {
  "Claude Code": tapes.map((entry) => [`${entry.version} ${entry.scenario}`, claudeEntries(entry)]),
  Codex: sessions.flatMap(({ lines, name }) =>
    threadsIn(lines).map((thread) => [name, Model.transcriptOf(folded(heardIn(lines), thread).events).entries] as const)
  )
}

/** Calls that the scripted model makes wrongly on purpose. */
const wrong: ReadonlySet<string> = new Set(['Bash {"cmd":3}', 'Read {"file_path":1}'])

/** Tools that steer the agent itself: there is no path or word that a person would want to be told. */
const doesOther =
  /^(?:mcp__|page_|Todo|Task|Cron|Enter|Exit|Skill|ToolSearch|Structured|Kill|BashOutput$|List|wait|send|close|resume|sleep|spawn)/

describe.each(Object.entries(runtimes))("every call of %s", (_, all) => {
  it("has an action, and one of its own where its tool is known", () => {
    const vague = new Set<string>()
    let calls = 0
    for (const [name, entries] of all)
      for (const entry of entries) {
        if (entry.kind !== "call") continue
        calls++
        const actions = callActions(entry)
        expect(actions.length, name).toBeGreaterThan(0)
        const isWhole = entry.arguments.endsWith("}") && entry.arguments !== "{}"
        if (isWhole && tools.has(entry.tool) && actions[0].type === "other")
          vague.add(`${entry.tool} ${entry.arguments}`)
      }
    expect(calls).toBeGreaterThan(100)
    expect([...vague].filter((call) => !doesOther.test(call) && !wrong.has(call))).toEqual([])
  })

  it("has a line while it runs, when it is done, when it failed and when it was denied", () => {
    for (const [name, entries] of all)
      for (const call of entries) {
        if (call.kind !== "call") continue
        const result = entries.find((each) => each.kind === "result" && each.id === call.id)
        const outcome = result?.kind === "result" ? result : undefined
        const lines = [
          summarise(call),
          ...(outcome === undefined ? [] : [summarise(call, outcome)]),
          summarise(call, { content: "It broke.", failed: true }),
          summarise(call, { content: "", failed: true, denied: true })
        ]
        for (const line of lines) {
          expect(line, `${name} ${call.tool}`).toMatch(/^\S.*$/)
          expect([...line].length).toBeLessThanOrEqual(maxSummary)
        }
        expect(lines.at(-2), name).toMatch(/broke/)
        expect(lines.at(-1), name).toMatch(/^Denied/)
      }
  })
})

it("what Codex's commands do is told by what they read, list and search, not by the shell around them", () => {
  const told = new Set<string>()
  for (const [name, entries] of runtimes["Codex"] ?? [])
    if (name.includes("command_kinds"))
      for (const entry of entries) if (entry.kind === "call") for (const { type } of callActions(entry)) told.add(type)
  expect([...told].sort()).toEqual(expect.arrayContaining(["list", "read", "search"]))
})
