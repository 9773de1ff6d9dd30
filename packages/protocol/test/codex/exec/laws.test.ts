/** The laws of the fold, on every recorded thread of `codex exec --json`. */
import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { sweeping } from "../../../../fixtures/test/Sweep.ts"
import { execCodec, foldExec, initialExecFold, withExecSpending } from "../../../src/codex/index.ts"
import { applyToSituation, emptySituation } from "../../../src/model/Situation.ts"
import { transcriptOf } from "../../../src/model/Transcript.ts"
import { isNeeded, needOf } from "../../../src/wire/Essentials.ts"
import type { JsonPath } from "../../../src/wire/internal/JsonPath.ts"
import { isRecord } from "../../../src/wire/Json.ts"
import { faultsOf, gistOf } from "../Sessions.ts"
import { decodedIn, execSessions, foldedExec, translatedExec } from "./Sessions.ts"

type Json = Readonly<Record<string, unknown>>

const itemsOf = (lines: ReadonlyArray<string>, type: string): ReadonlyArray<Json> =>
  lines.flatMap((line) => {
    const { item, type: event } = JSON.parse(line) as Json
    return event === "item.completed" && isRecord(item) && item["type"] === type ? [item] : []
  })

const typesOf = (lines: ReadonlyArray<string>): ReadonlyArray<unknown> =>
  lines.map((line) => (JSON.parse(line) as Json)["type"])

it("there are threads of three versions, and one of two processes", () => {
  expect(execSessions.length).toBeGreaterThan(25)
  expect(execSessions.some(({ processes }) => processes.length === 2)).toBe(true)
})

describe.each(execSessions)("$name", ({ processes }) => {
  const lines = processes.flat()
  const decoded = processes.map(decodedIn)
  const { events } = foldedExec(decoded)
  const { entries } = transcriptOf(events)

  it("says every text and every thought once, in order", () => {
    for (const [kind, type] of [
      ["text", "agent_message"],
      ["thought", "reasoning"]
    ] as const)
      expect(entries.flatMap((entry) => (entry.kind === kind ? [entry.text] : []))).toEqual(
        itemsOf(lines, type).flatMap(({ text }) => (text === "" ? [] : [text]))
      )
  })

  it("has every call once, with what came of it", () => {
    const results = entries.flatMap((entry) => (entry.kind === "result" ? [entry] : []))
    const commands = itemsOf(lines, "command_execution")
    const others = ["file_change", "mcp_tool_call", "web_search"].flatMap((type) => itemsOf(lines, type))
    expect(results).toHaveLength(commands.length + others.length)
    expect(new Set(results.map(({ id }) => id)).size).toBe(results.length)
    expect(results.flatMap(({ content, exitCode }) => (exitCode === undefined ? [] : [[content, exitCode]]))).toEqual(
      commands.map(({ aggregated_output, exit_code }) => [aggregated_output, exit_code])
    )
  })

  it("ends each turn as it ended, and leaves nothing open", () => {
    const ends = typesOf(lines).flatMap((type) =>
      type === "turn.completed" ? ["completed"] : type === "turn.failed" ? ["failed"] : []
    )
    expect(events.flatMap((event) => (event.type === "turn_ended" ? [event.outcome.type] : []))).toEqual(ends)
    expect(events.filter(({ type }) => type === "turn_started")).toHaveLength(ends.length)
    const { items, lanes, requests, turn } = events.reduce(applyToSituation, emptySituation)
    expect([items.size, lanes.size, requests.size, turn]).toEqual([0, 0, 0, undefined])
  })

  it("says the same when items come whole", () => {
    const whole = decoded.map((process) =>
      process.filter((each) => each._tag !== "Known" || !/^item\.(?:started|updated)$/.test(each.name))
    )
    expect(gistOf(foldedExec(whole).events)).toEqual(gistOf(events))
  })

  it("says the same in any chunks, and in one file", () => {
    const bytes = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""))
    const decoder = execCodec.decoder()
    const read = [...bytes].flatMap((_, at) => (at % 7 === 0 ? decoder.push(bytes.subarray(at, at + 7)) : []))
    expect(gistOf(foldedExec([[...read, ...decoder.end()]]).events)).toEqual(gistOf(events))
  })

  it.each(["1.0", "0.0"] as const)("is legal AG-UI %s", (dialect) => {
    expect(faultsOf(translatedExec(decoded, dialect), dialect)).toEqual([])
  })
})

it("charges each turn what it spent: the program says what the thread has spent", () => {
  const resumed = execSessions.find(({ name }) => name.endsWith("exec_resume"))
  const processes = (resumed?.processes ?? []).map(decodedIn)
  const one = { input: 100, output: 10, cachedInput: 40, cacheWriteInput: 0 }
  const spent = (...given: Parameters<typeof foldedExec>) =>
    foldedExec(...given).events.flatMap((event) => (event.type === "turn_ended" ? [event.usage] : []))
  expect(spent(processes)).toEqual([one, one])
  // What was spent before is in the rollout; else nobody knows it.
  const before = { input_tokens: 100, cached_input_tokens: 40, output_tokens: 10 }
  const known = withExecSpending(initialExecFold({ isResumed: true }), before)
  const events = (processes[1] ?? []).reduce<ReturnType<typeof foldExec>>(
    ([state, had], decoded) => {
      const [next, more] = foldExec(state, decoded)
      return [next, [...had, ...more]]
    },
    [known, []]
  )[1]
  expect(events.flatMap((event) => (event.type === "turn_ended" ? [event.usage] : []))).toEqual([one])
  expect(spent(processes.slice(1), { isResumed: true })).toEqual([undefined])
})

it("keeps nothing of what is done, however many turns a thread has", () => {
  const [first = []] = execSessions.find(({ name }) => name.endsWith("0.166.0 exec_command"))?.processes ?? []
  const weights = [300, 600].map((rounds) => {
    const { state } = foldedExec(Array.from({ length: rounds }, () => decodedIn(first)))
    return JSON.stringify(state, (_, inner: unknown) => (inner instanceof Map ? [...inner] : inner)).length
  })
  expect(weights[1]).toBeLessThanOrEqual((weights[0] ?? 0) + 20)
})

// --- the tolerance law -------------------------------------------------------------------

const changes: ReadonlyArray<{ readonly to?: unknown }> = [
  {},
  ...[null, 7, "seven", true, [7], { seven: 7 }, {}].map((to) => ({ to }))
]

const keysOf = (value: unknown, path: JsonPath = []): ReadonlyArray<JsonPath> => {
  const entries: ReadonlyArray<readonly [string | number, unknown]> = Array.isArray(value)
    ? value.map((inner, index) => [index, inner] as const)
    : isRecord(value)
      ? Object.entries(value)
      : []
  return entries.flatMap(([key, inner]) => [[...path, key], ...keysOf(inner, [...path, key])])
}

const changed = (line: string, path: JsonPath, change: { readonly to?: unknown }): string => {
  const copy: unknown = JSON.parse(line)
  let holder = copy as Record<string | number, unknown>
  for (const key of path.slice(0, -1)) holder = holder[key as string] as Record<string | number, unknown>
  const last = path.at(-1) as string
  if ("to" in change) holder[last] = change.to
  else if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else delete holder[last]
  return JSON.stringify(copy)
}

const recorded = execSessions.map(({ name, processes }) => ({
  name,
  lines: processes.flat(),
  expected: gistOf(foldedExec([decodedIn(processes.flat())]).events)
}))

const places = recorded.flatMap(({ lines }, session) =>
  lines.flatMap((text, line) => {
    const name = String((JSON.parse(text) as Json)["type"])
    const need = execCodec.catalog.members.get(name)?.need ?? needOf([])
    return keysOf(JSON.parse(text)).map((path) => ({
      session,
      line,
      path,
      isNeeded: (path.length === 1 && path[0] === "type") || path.join() === "item" || isNeeded(need, path)
    }))
  })
)

const parameters = sweeping ? { numRuns: 20_000 } : { numRuns: 500, seed: 7 }

test("a key that carries nothing may be anything", () => {
  const free = places.filter((place) => !place.isNeeded)
  expect(free.length).toBeGreaterThan(150)
  fc.assert(
    fc.property(fc.constantFrom(...free), fc.constantFrom(...changes), ({ line, path, session }, change) => {
      const { expected, lines = [], name = "" } = recorded[session] ?? {}
      const text = changed(lines[line] ?? "", path, change)
      expect(gistOf(foldedExec([decodedIn(lines.with(line, text))]).events), `${name} ${text}`).toEqual(expected)
    }),
    parameters
  )
})

test("any key may be anything and breaks nothing", () => {
  fc.assert(
    fc.property(fc.constantFrom(...places), fc.constantFrom(...changes), ({ line, path, session }, change) => {
      const { lines = [] } = recorded[session] ?? {}
      const decoded = decodedIn(lines.with(line, changed(lines[line] ?? "", path, change)))
      const { events } = foldedExec([decoded])
      const count = (type: string) => events.filter((event) => event.type === type).length
      expect(count("turn_ended")).toBe(count("turn_started"))
      expect(faultsOf(translatedExec([decoded], "1.0"), "1.0")).toEqual([])
    }),
    parameters
  )
})
