/**
 * The tolerance law: whatever key of a line of the server carries no text, thought, call, result, question or end may be
 * missing, null or of another type. What is said, asked and ended is as before.
 */
import fc from "fast-check"
import { expect, test } from "vitest"
import { sweeping } from "../../../../fixtures/test/Sweep.ts"
import { essentials, resultEssentials } from "../../../src/codex/index.ts"
import { isNeeded, needOf } from "../../../src/wire/Essentials.ts"
import type { JsonPath } from "../../../src/wire/internal/JsonPath.ts"
import { isRecord } from "../../../src/wire/Json.ts"
import { parseJson } from "../../../src/wire/ReadJson.ts"
import { folded, gistOf, heardIn, type Line, sessions } from "../Sessions.ts"

/** In `npm test` always the same cases. */
const parameters = sweeping ? { numRuns: 20_000 } : { numRuns: 800, seed: 13 }

const changes: ReadonlyArray<{ readonly to?: unknown }> = [
  {},
  ...[null, 7, "seven", true, [7], { seven: 7 }, {}].map((to) => ({ to }))
]

/** A key of a line that carries nothing. */
interface Place {
  readonly session: number
  readonly line: number
  readonly path: JsonPath
}

/** The keys of a message, all the way down. */
const keysOf = (value: unknown, path: JsonPath = []): ReadonlyArray<JsonPath> => {
  const entries: ReadonlyArray<readonly [string | number, unknown]> = Array.isArray(value)
    ? value.map((inner, index) => [index, inner] as const)
    : isRecord(value)
      ? Object.entries(value)
      : []
  return entries.flatMap(([step, inner]) => [[...path, step], ...keysOf(inner, [...path, step])])
}

/** Keys that tell what a line is. */
const isTag = (path: JsonPath): boolean =>
  path.length === 1 && /^(?:method|id|params|result|error|jsonrpc)$/.test(String(path[0]))

/** Long sessions say little that short ones do not. */
const maxLines = sweeping ? Number.POSITIVE_INFINITY : 120

const recorded = sessions
  .filter(({ lines }) => lines.length <= maxLines)
  .map(({ lines, name }) => ({ name, lines, expected: gistOf(folded(heardIn(lines)).events) }))

const places: ReadonlyArray<Place> = recorded.flatMap(({ lines }, session) =>
  heardIn(lines).flatMap(({ answers, decoded, from }, line): ReadonlyArray<Place> => {
    if (from !== "server" || decoded._tag !== "Known") return []
    const paths =
      decoded.name === "response"
        ? (answers === undefined ? [] : resultEssentials(answers)).map((path) => `result.${path}`)
        : (essentials[decoded.name] ?? [])
    const need = needOf(paths)
    return keysOf(decoded.message).flatMap((path) =>
      isTag(path) || isNeeded(need, path) ? [] : [{ session, line, path }]
    )
  })
)

const changedLine = ({ text, from }: Line, path: JsonPath, change: { readonly to?: unknown }): Line => {
  const copy: unknown = JSON.parse(text)
  let holder = copy as Record<string | number, unknown>
  for (const step of path.slice(0, -1)) holder = holder[step as string] as Record<string | number, unknown>
  const last = path.at(-1) as string
  if ("to" in change) holder[last] = change.to
  else if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else delete holder[last]
  return { from, text: JSON.stringify(copy) }
}

const cases = fc.tuple(fc.nat(places.length - 1), fc.constantFrom(...changes))

test("there are keys that carry nothing", () => expect(places.length).toBeGreaterThan(5000))

test("a key that carries nothing may be anything", () => {
  fc.assert(
    fc.property(cases, ([index, change]) => {
      const place = places[index]
      const session = recorded[place?.session ?? 0]
      if (place === undefined || session === undefined) return
      const line = session.lines[place.line]
      if (line === undefined) return
      const lines = session.lines.with(place.line, changedLine(line, place.path, change))
      const what = `${session.name} line ${place.line} ${place.path.join(".")} = ${JSON.stringify(change)}: ${line.text.slice(0, 200)}`
      expect(gistOf(folded(heardIn(lines)).events), what).toEqual(session.expected)
    }),
    parameters
  )
})

test("any key of any line may be anything and breaks nothing", () => {
  const lines = recorded.flatMap(({ lines: all }, session) =>
    all.flatMap((line, index) => (isRecord(parseJson(line.text)) ? [{ session, line, index }] : []))
  )
  fc.assert(
    fc.property(fc.nat(lines.length - 1), fc.nat(), fc.constantFrom(...changes), (at, place, change) => {
      const chosen = lines[at]
      const session = recorded[chosen?.session ?? 0]
      if (chosen === undefined || session === undefined) return
      const paths = keysOf(JSON.parse(chosen.line.text))
      const path = paths[place % Math.max(1, paths.length)]
      if (path === undefined) return
      const changed = session.lines.with(chosen.index, changedLine(chosen.line, path, change))
      const { events } = folded(heardIn(changed))
      const starts = events.filter(({ type }) => type === "turn_started").length
      expect(events.filter(({ type }) => type === "turn_ended").length).toBe(starts)
    }),
    parameters
  )
})
