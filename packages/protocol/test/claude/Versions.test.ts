import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { controlRequests } from "../../src/claude/ControlRequest.ts"
import { HookEvent } from "../../src/claude/Hook.ts"
import {
  answers,
  compareVersions,
  controlAnswers,
  type FactName,
  fact,
  hookEventVersions,
  launchOptions,
  lookup,
  lookupAnswer,
  lookupHookEvent,
  lookupOption,
  measuredVersions,
  versionTable
} from "../../src/claude/Versions.ts"

const version = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(400)).map((numbers) => numbers.join("."))

const rowsOf = (name: FactName) => versionTable.filter((row) => row.fact === name)
const factNames = [...new Set(versionTable.map((row) => row.fact))]

describe("compareVersions", () => {
  it("is a total order", () => {
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(compareVersions(a, a)).toBe(0)
        expect(Math.sign(compareVersions(a, b))).toBe(0 - Math.sign(compareVersions(b, a)))
        if (compareVersions(a, b) === 0) expect(a).toBe(b)
        if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0)
          expect(compareVersions(a, c)).toBeLessThanOrEqual(0)
      })
    )
  })

  it("compares numbers, not texts", () => {
    expect(compareVersions("2.1.37", "2.1.113")).toBeLessThan(0)
    expect(compareVersions("2.10.0", "2.9.9")).toBeGreaterThan(0)
    expect(compareVersions("2.1", "2.1.0")).toBe(0)
  })

  it("reads what `claude --version` prints", () => {
    expect(compareVersions("2.1.325 (Claude Code)", "2.1.325")).toBe(0)
  })

  it("holds what is no version for the oldest", () => {
    expect(compareVersions("unknown", "0.0.1")).toBeLessThan(0)
  })
})

describe("the table of facts", () => {
  it.each(factNames)("%s: ranges do not overlap, and differ from their neighbours", (name) => {
    const rows = rowsOf(name)
    rows.forEach((row, i) => {
      expect(row.from).toBe(row.measured[0])
      expect([...row.measured].sort(compareVersions)).toEqual(row.measured)
      expect(row.source).toMatch(/§\d/)
      const next = rows[i + 1]
      expect(row.until).toBe(next === undefined ? undefined : row.measured.at(-1))
      if (next === undefined || row.until === undefined) return
      expect(compareVersions(row.until, next.from)).toBeLessThan(0)
      expect(row.value).not.toEqual(next.value)
    })
  })

  it("gives every measured version the value measured", () => {
    for (const row of versionTable)
      for (const measured of row.measured)
        expect(lookup(row.fact, measured)).toEqual({ value: row.value, assumed: false, source: row.source })
  })

  it("gives every version one value, that of the newest row not younger than it, or else of the first", () => {
    fc.assert(
      fc.property(fc.constantFrom(...factNames), version, (name, version) => {
        const rows = rowsOf(name)
        const row = rows.findLast(({ from }) => compareVersions(from, version) <= 0) ?? rows[0]
        expect(fact(name, version)).toEqual(row?.value)
      })
    )
  })

  it("knows what was measured, and what lies between two measurements that agree; all else is assumed", () => {
    fc.assert(
      fc.property(fc.constantFrom(...factNames), version, (name, version) => {
        const measured = rowsOf(name).flatMap((row) => row.measured.map((each) => ({ each, row })))
        const before = measured.findLast(({ each }) => compareVersions(each, version) <= 0)?.row
        const after = measured.find(({ each }) => compareVersions(each, version) >= 0)?.row
        expect(lookup(name, version).assumed).toBe(before === undefined || before !== after)
      })
    )
  })

  it("says when it guesses", () => {
    expect(lookup("subagentTool", "2.1.113")).toMatchObject({ value: "Agent", assumed: false })
    expect(lookup("subagentTool", "2.1.115")).toMatchObject({ value: "Agent", assumed: false })
    expect(lookup("subagentTool", "2.1.112")).toMatchObject({ value: "Task", assumed: true })
    expect(lookup("subagentTool", "3.0.0")).toMatchObject({ value: "Agent", assumed: true })
    expect(lookup("subagentTool", "2.1.36")).toMatchObject({ value: "Task", assumed: true })
  })

  // docs/wire/claude-code.md §9
  it.each([
    ["resultStopReason", "2.1.30", false, "2.1.31", true],
    ["initCapabilities", "2.1.204", false, "2.1.205", true],
    ["resultStartsWithType", "2.1.217", true, "2.1.218", false],
    ["toolListChange", "2.1.62", "set_servers_twice", "2.1.63", "new_name"],
    ["sdkUrl", "2.1.120", true, "2.1.121", false]
  ] as const)("knows on which release %s flipped", (name, last, before, first, after) => {
    expect(lookup(name, last)).toMatchObject({ value: before, assumed: false })
    expect(lookup(name, first)).toMatchObject({ value: after, assumed: false })
  })

  it("knows the last version that takes --sdk-url on loopback", () => {
    expect(fact("sdkUrl", "2.1.120")).toBe(true)
    expect(fact("sdkUrl", "2.1.121")).toBe(false)
    expect(fact("sdkUrl", "2.1.325")).toBe(false)
  })

  it("keeps a value that comes back", () => {
    expect(measuredVersions.map((version) => fact("toolListChange", version))).toEqual([
      "set_servers_twice",
      "new_name",
      "new_name",
      "set_servers_twice",
      "list_changed"
    ])
  })
})

describe("answers", () => {
  // docs/wire/claude-code.md §6f, with its error answers read as what they are: the request is known.
  it.each([
    ["apply_flag_settings", "silent", "ok", "ok", "ok", "ok"],
    ["background_tasks", "silent", "unsupported", "unsupported", "ok", "ok"],
    ["end_session", "silent", "ok", "ok", "ok", "ok"],
    ["get_binary_version", "silent", "unsupported", "ok", "ok", "ok"],
    ["get_task_output", "silent", "unsupported", "unsupported", "unsupported", "ok"],
    ["initialize", "ok", "ok", "ok", "ok", "ok"],
    ["mcp_call", "silent", "unsupported", "ok", "ok", "ok"],
    ["mcp_reconnect", "ok", "ok", "ok", "ok", "ok"],
    ["set_color", "silent", "unsupported", "unsupported", "unsupported", "unsupported"],
    ["side_question", "silent", "ok", "ok", "ok", "ok"]
  ])("%s, as measured", (subtype, ...measured) => {
    expect(measuredVersions.map((version) => answers(subtype, version))).toEqual(measured)
  })

  it("answers for every request a host can make", () => {
    const fromHost = Object.entries(controlRequests).flatMap(([subtype, { from }]) => (from === "cli" ? [] : [subtype]))
    expect(Object.keys(controlAnswers).sort()).toEqual(fromHost.sort())
  })

  // docs/wire/claude-code.md §9
  it.each([
    ["get_context_usage", "2.1.85", "unsupported", "2.1.86"],
    ["get_hooks_listing", "2.1.268", "unsupported", "2.1.269"]
  ] as const)("knows on which release %s began to be answered", (subtype, last, before, first) => {
    expect(lookupAnswer(subtype, last)).toEqual({ value: before, assumed: false })
    expect(lookupAnswer(subtype, first)).toEqual({ value: "ok", assumed: false })
  })

  it("knows what lies between two measurements that agree, skipping what was not tried", () => {
    expect(lookupAnswer("get_context_usage", "2.1.100")).toEqual({ value: "ok", assumed: false })
    expect(lookupAnswer("set_cwd", "2.1.120")).toEqual({ value: "unsupported", assumed: false })
  })

  it("assumes the older neighbour's answer between two that differ, and after the last", () => {
    expect(lookupAnswer("get_usage", "2.1.160")).toEqual({ value: "unsupported", assumed: true })
    expect(lookupAnswer("get_settings", "2.1.40")).toEqual({ value: "silent", assumed: true })
    expect(lookupAnswer("list_models", "2.1.400")).toEqual({ value: "ok", assumed: true })
    expect(answers("set_color", "2.1.400")).toBe("unsupported")
  })

  it("does not know what nobody tried", () => {
    expect(answers("initialize", "2.0.44")).toBe("unknown")
    expect(answers("invented", "2.1.325")).toBe("unknown")
    expect(answers("toString", "2.1.325")).toBe("unknown")
    expect(answers("submit_feedback", "2.1.197")).toBe("unknown")
  })
})

describe("the table of options", () => {
  const names = Object.keys(launchOptions) as ReadonlyArray<keyof typeof launchOptions>

  it.each(names)("%s: says how it is given and what was seen, and nobody forgets it", (name) => {
    const { how, seen, versions } = launchOptions[name]
    expect(how).toMatch(/\w/)
    expect(seen).toMatch(/\w/)
    const tried = Object.keys(versions).sort(compareVersions)
    expect(tried).toEqual(expect.arrayContaining(["2.1.37", "2.1.120", "2.1.197", "2.1.325"]))
    const first = tried.findIndex((each) => versions[each] === "known")
    expect(first).toBeGreaterThanOrEqual(0)
    for (const [index, each] of tried.entries())
      expect(lookupOption(name, each)).toEqual({ value: index >= first ? "known" : "unknown", assumed: false })
  })

  it("knows what lies between two that agree, and assumes the rest", () => {
    expect(lookupOption("effort", "2.1.36")).toEqual({ value: "unknown", assumed: false })
    expect(lookupOption("effort", "2.1.50")).toEqual({ value: "unknown", assumed: true })
    expect(lookupOption("effort", "2.1.200")).toEqual({ value: "known", assumed: false })
    expect(lookupOption("effort", "2.1.900")).toEqual({ value: "known", assumed: true })
    expect(lookupOption("model", "1.0.0")).toEqual({ value: "known", assumed: true })
  })
})

describe("the table of hook events", () => {
  it("has every event that there is a schema for, and as many as were counted", () => {
    expect(Object.keys(hookEventVersions).sort()).toEqual([...HookEvent.literals].sort())
    const known = (version: string) =>
      Object.keys(hookEventVersions).filter((event) => lookupHookEvent(event, version).value === "known").length
    expect(["2.1.37", "2.1.120", "2.1.197", "2.1.325"].map(known)).toEqual([15, 29, 30, 33])
  })

  it("says that no version calls an event that nobody has heard of, except one that nobody has tried", () => {
    expect(lookupHookEvent("PreToolUze", "2.1.325")).toEqual({ value: "unknown", assumed: false })
    expect(lookupHookEvent("toString", "2.1.200")).toEqual({ value: "unknown", assumed: false })
    expect(lookupHookEvent("FromTheFuture", "2.1.326")).toEqual({ value: "unknown", assumed: true })
  })
})
