/**
 * The law of tolerance: a key that says nothing about text, thoughts, calls, results, questions and ends may be
 * missing, null or of another type, on any line. The transcript, the questions and the ends stay what they were, and
 * drift says what was odd.
 *
 * `npm test` takes a sample of keys of some tapes, always the same. `npm run sweep` takes every key of every line of
 * every tape: removed, null, and of another type.
 */
import { isDeepStrictEqual } from "node:util"
import { oldTapes, type TapeEntry, tapes } from "@agentwire/fixtures"
import fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import { sweeping } from "../../../fixtures/test/Sweep.ts"
import type { AguiEvent } from "../../src/agui/Event.ts"
import { codec, type Decoded, decodeValue, drift } from "../../src/claude/Codec.ts"
import { essentials } from "../../src/claude/Essentials.ts"
import { checkEvents } from "../../src/conform/Checker.ts"
import { checkFidelity } from "../../src/conform/Fidelity.ts"
import { renderPath } from "../../src/wire/internal/JsonPath.ts"
import { askedByAgents, exempt } from "./Exempt.ts"
import {
  changed,
  changes,
  essenceOf,
  eventsOf,
  isSameState,
  mattersTo,
  otherType,
  type Place,
  placesOf,
  type Session,
  sessionOf,
  stepsOf
} from "./Tolerance.ts"

const parameters = sweeping ? { numRuns: 20_000 } : { numRuns: 500, seed: 13 }
const timeLimit = sweeping ? 7_200_000 : 60_000

/** Scenarios that between them have most messages, and are short. */
const scenarios = new Set([
  "api_stream_cut_after_block",
  "ask_user_question",
  "compact",
  "hooks_permission_denied",
  "interrupt_midstream",
  "mcp_elicitation",
  "multi_text_blocks",
  "parallel_tools",
  "redacted_interleaved",
  "server_web_fetch",
  "slash_commands",
  "stop_refusal",
  "subagent",
  "subagent_background",
  "thinking_text",
  "tool_approved",
  "tool_denied",
  "tool_image_result"
])

const isChosen = ({ scenario, version }: TapeEntry): boolean =>
  sweeping || (scenarios.has(scenario) && (version === "2.1.325" || version === "2.1.37"))

const old = oldTapes.map(sessionOf)
const sessions = [...tapes.filter(isChosen).map(sessionOf), ...old]

/** A few places for every key of every message: a session is deltas for the most part. With `all`, of any key. */
const somePlaces = (all: boolean): ReadonlyArray<Place> => {
  const found = new Map<string, Array<Place>>()
  for (const session of sessions)
    for (const place of placesOf(session, all)) {
      const decoded = session.decoded[place.line]
      const key = `${decoded?._tag === "Known" ? decoded.name : ""} ${renderPath(place.pattern)}`
      const same = found.get(key)
      if (same === undefined) found.set(key, [place])
      else if (same.length < (sweeping ? 30 : 2)) same.push(place)
    }
  return [...found.values()].flat()
}

/** Holds for any of the places and any change of it. Drawn by number: a counterexample would print its session. */
const assertFor = (
  places: ReadonlyArray<Place>,
  law: (place: Place, value: unknown, decoded: Decoded, where: string) => void
): void => {
  expect(places.length).toBeGreaterThan(500)
  fc.assert(
    fc.property(fc.nat(places.length - 1), fc.constantFrom(...Object.keys(changes)), (number, how) => {
      const place = places[number]
      const change = changes[how]
      if (place === undefined || change === undefined) throw new Error("no such case")
      const value = changed(place, change)
      law(
        place,
        value,
        decodeValue(value),
        `${place.session.name}, line ${place.line + 1}: ${renderPath(place.path)} ${how}`
      )
    }),
    parameters
  )
}

const request = (inner: object): object => ({ type: "control_request", request_id: "r", request: inner })
const mcpMessage = (message: object): object => request({ subtype: "mcp_message", message })

const approvals = ["event", "interrupt"] as const

describe("what is exempt", () => {
  it("is what the list of the test says, and no more", () => {
    const unjustified = Object.entries(essentials).flatMap(([name, paths = []]) =>
      isOrder(name)
        ? []
        : paths
            .map((path) => path.replace(/\?$/, ""))
            .filter((path) => exempt[name]?.[path] === undefined)
            .map((path) => `${name} ${path}`)
    )
    expect(unjustified).toEqual([])
  })

  it("is an order of the host, where all of a message is", () => {
    const whole = Object.entries(essentials).flatMap(([name, paths]) => (paths?.includes("**") === true ? [name] : []))
    expect(whole.filter((name) => !isOrder(name))).toEqual([])
  })

  it.each([
    ["system/init", { type: "system", subtype: "init" }],
    ["control_request/mcp_message", mcpMessage({ id: 1, method: "tools/list", params: null })],
    ["control_request/mcp_message", mcpMessage({ jsonrpc: 3, method: "notifications/initialized" })],
    ["control_request/mcp_message", mcpMessage({ jsonrpc: null, id: 1, method: "ping" })],
    ["control_request/elicitation", request({ subtype: "elicitation" })],
    ["control_request/request_user_dialog", request({ subtype: "request_user_dialog", payload: 7 })],
    [
      "control_request/hook_callback",
      request({ subtype: "hook_callback", callback_id: "h", input: { hook_event_name: "Stop" } })
    ],
    ["control_cancel_request", { type: "control_cancel_request", request_id: 7 }],
    ["system/task_updated", { type: "system", subtype: "task_updated" }]
  ])("leaves %s to be read without the rest", (name, message) => {
    expect(decodeValue(message)).toMatchObject({ _tag: "Known", name })
    expect(() => eventsOf([decodeValue(message)], "interrupt")).not.toThrow()
  })
})

/** What sweeps have found. */
describe("a tape that was told otherwise once", () => {
  it.each([["2.1.113", "api_stream_cut_after_tool", "result/success", "is_error"]])(
    "%s %s: %s without %s",
    (version, scenario, name, key) => {
      const entry = tapes.find((each) => each.version === version && each.scenario === scenario)
      if (entry === undefined) throw new Error(`no tape of ${scenario}`)
      const session = sessionOf(entry)
      const places = placesOf(session).filter(({ line, path }) => {
        const decoded = session.decoded[line]
        return decoded?._tag === "Known" && decoded.name === name && renderPath(path) === `$.${key}`
      })
      expect(places.length).toBeGreaterThan(0)
      for (const place of places) {
        const messages = session.decoded.with(place.line, decodeValue(changed(place, {})))
        for (const mode of approvals)
          expect(essenceOf(eventsOf(messages, mode))).toEqual(essenceOf(eventsOf(session.decoded, mode)))
      }
    }
  )
})

if (sweeping)
  describe("every key of every line of every tape", () => {
    let cases = 0
    afterAll(() => console.info(`${cases} cases of ${sessions.length} tapes`))

    it.each(sessions.map((session) => [session.name, session] as const))("%s", (_, session) => {
      const failures: Array<string> = []
      const places = placesOf(session)
      const byLine = new Map<number, Array<Place>>()
      for (const place of places) byLine.set(place.line, [...(byLine.get(place.line) ?? []), place])
      for (const mode of approvals) {
        const steps = stepsOf(session.decoded, mode)
        const whole = essenceOf(steps.events)
        for (const [line, here] of byLine)
          for (const place of here)
            for (const [how, change] of Object.entries({ removed: {}, null: { to: null }, other: otherType(place) })) {
              const value = changed(place, change)
              if (place.carries(valueAt(value, place.path))) continue
              const where = `line ${line + 1}: ${renderPath(place.path)} ${how}`
              const decoded = decodeValue(value)
              if (decoded._tag !== "Known") {
                failures.push(`${where}: ${decoded._tag}`)
                continue
              }
              if (mode === "event") expectOddNamed(place, value, decoded, `${session.name}, ${where}`)
              cases++
              const [state, events] = steps.stepAt(line, decoded)
              const before = steps.at(line)
              const isSame =
                isSameState(state, before.after) &&
                isDeepStrictEqual(events.filter(mattersTo), before.events.filter(mattersTo))
              if (isSame || isDeepStrictEqual(essenceOf(eventsOf(session.decoded.with(line, decoded), mode)), whole))
                continue
              failures.push(`${where}: told otherwise (${mode})`)
            }
      }
      expect(failures).toEqual([])
    })
  })

describe("a key that carries nothing may be missing, null or of another type", () => {
  const before = new Map<Session, ReadonlyArray<unknown>>()

  const essences = (session: Session): ReadonlyArray<unknown> => {
    const known = before.get(session) ?? approvals.map((mode) => essenceOf(eventsOf(session.decoded, mode)))
    before.set(session, known)
    return known
  }

  it(
    "and what was said, asked and ended stays; drift says what was odd",
    () => {
      assertFor(somePlaces(false), (place, value, decoded, where) => {
        const { carries, line, path, session } = place
        fc.pre(!carries(valueAt(value, path)))
        expect(decoded, where).toMatchObject({ _tag: "Known" })
        const messages = session.decoded.with(line, decoded)
        approvals.forEach((mode, index) => {
          expect(essenceOf(eventsOf(messages, mode)), where).toEqual(essences(session)[index])
        })
        expectOddNamed(place, value, decoded, where)
      })
    },
    timeLimit
  )
})

/** What does not fit any more is in the outcome and in drift; what still fits is in neither. */
const expectOddNamed = ({ line, path, session }: Place, value: unknown, decoded: Decoded, where: string): void => {
  const before = session.decoded[line]
  if (decoded._tag !== "Known" || (before?._tag === "Known" && before.odd !== undefined)) return
  const fits = codec.catalog.members.get(decoded.name)?.check(value) === true
  const odd = (decoded.odd ?? []).map((oddity) => oddity.path)
  const key = renderPath(path)
  expect(odd.length > 0, where).toBe(!fits)
  expect(
    odd.filter((each) => !each.startsWith(key) && !key.startsWith(each)),
    where
  ).toEqual([])
  expect(drift(value).filter(({ code }) => code === "odd-key").length, where).toBe(odd.length)
}

/** What a host says is an order, and must be whole; what an agent says may be odd. */
const isOrder = (name: string): boolean =>
  name === "update_environment_variables" || (name.startsWith("control_request/") && !askedByAgents.has(name))

const valueAt = (value: unknown, path: Place["path"]): unknown =>
  path.reduce<unknown>((inner, step) => (inner as Record<string, unknown> | undefined)?.[step as string], value)

describe("any key may be missing, null or of another type", () => {
  it(
    "and the session is still translated, into a legal stream",
    () => {
      assertFor(somePlaces(true), (place, _, decoded, where) => {
        const events = eventsOf(place.session.decoded.with(place.line, decoded), "interrupt")
        // There are sessions without a turn, and so without an event.
        const findings = events.length === 0 ? [] : checkEvents(events).findings
        expect(
          findings.filter(({ level }) => level === "error"),
          where
        ).toEqual([])
      })
    },
    timeLimit
  )
})

describe("versions before the library's first", () => {
  it.each(old.map((session) => [session.name, session] as const))("%s is told as it was", (_, { decoded }) => {
    expect(decoded.filter(({ _tag }) => _tag !== "Known")).toEqual([])
    for (const mode of approvals) {
      const events = eventsOf(decoded, mode)
      expect(checkEvents(events).findings.filter(({ level }) => level === "error")).toEqual([])
      expect(checkFidelity(decoded, events)).toEqual([])
      expect(events.filter(isAbandoned)).toEqual([])
    }
  })

  it("lack the keys that were measured, and no other", () => {
    const lacking = (version: string): ReadonlyArray<string> => {
      const drifts = old
        .filter(({ name }) => name.startsWith(version))
        .flatMap(({ values }) => values.flatMap((value) => drift(value)))
      return [...new Set(drifts.map(({ code, path }) => `${code ?? "new"} ${path}`))].sort()
    }
    expect(lacking("2.1.14")).toEqual(["odd-key $.stop_reason"])
    expect(lacking("2.0.45")).toEqual(["odd-key $.modelUsage[*].maxOutputTokens", "odd-key $.stop_reason"])
  })
})

/** Whether an event says that a part of an answer was given up: no answer of these sessions was cut. */
const isAbandoned = (event: AguiEvent): boolean => event.type === "CUSTOM" && event.name === "message_abandoned"
