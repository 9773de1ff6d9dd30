/**
 * The law of tolerance through the bridge: a key that says nothing about text, thoughts, calls, results, questions and
 * ends may be missing, null or of another type, and a client sees what it saw before. Every request of an agent that
 * carries an id is answered, once, however it is damaged.
 *
 * `npm test` takes a sample of the keys of some tapes, always the same; `npm run sweep` takes many more.
 */
import { findTape, loadTape, type TapeEntry, wireLines } from "@agentwire/fixtures"
import type { Agui } from "@agentwire/protocol"
import { decodeValue } from "@agentwire/protocol/claude"
import { isRecord } from "@agentwire/protocol/wire"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import fc from "fast-check"
import { sweeping } from "../../../../fixtures/test/Sweep.ts"
import {
  changed,
  changes,
  essenceOf,
  type Place,
  placesOf,
  type Session,
  sessionOf
} from "../../../../protocol/test/claude/Tolerance.ts"
import { agreed, ask, init, isPrompt, pageToolCall, result, text, toolUse } from "../../AgentLines.ts"
import { outcome } from "../../AguiClient.ts"
import type { Behaviour, Line } from "../../FakeAgent.ts"
import { answerTo, happened, until, withSession } from "../../WithSession.ts"

const without = (line: Line, key: string): Line =>
  Object.fromEntries(Object.entries(line).filter(([name]) => name !== key))

const answered = (line: Line): unknown => (line["response"] as Line | undefined)?.["request_id"]

describe("a line that lacks what nothing depends on", () => {
  it.effect("ends its run, though it is a result without duration_api_ms", () =>
    withSession(
      (line, say) => (isPrompt(line) ? say(init(), text("Hi."), without(result(), "duration_api_ms")) : Effect.void),
      {},
      ({ client }) =>
        Effect.gen(function* () {
          expect(outcome(yield* client.run("r1", { prompt: "Hi" }))).toEqual({ type: "success" })
        })
    )
  )

  it.effect.each([
    ["nothing", {}],
    ["null", { permission_suggestions: null }],
    ["a number", { permission_suggestions: 7 }]
  ] as const)("is asked, though it is a can_use_tool with %s for permission_suggestions", ([, odd]) => {
    const question = ask("q1", "Bash", "toolu_1", { command: "ls" })
    const asks: Behaviour = (line, say) => {
      if (isPrompt(line))
        return say(init(), toolUse("toolu_1", "Bash"), {
          ...question,
          request: { ...(question["request"] as Line), ...odd }
        })
      return answered(line) === "q1" ? say(result()) : Effect.void
    }
    return withSession(asks, { approvals: "interrupt" }, ({ agents, client }) =>
      Effect.gen(function* () {
        const first = outcome(yield* client.run("r1", { prompt: "Hi" }))
        expect(first).toMatchObject({ type: "interrupt", interrupts: [{ id: "q1", toolCallId: "toolu_1" }] })
        const payload = { approved: true }
        const second = yield* client.run("r2", { resume: [{ interruptId: "q1", status: "resolved", payload }] })
        expect(outcome(second)).toEqual({ type: "success" })
        expect(answerTo(agents, "q1")).toMatchObject([{ subtype: "success", response: { behavior: "allow" } }])
      })
    )
  })

  it.effect.each([
    ["without jsonrpc", (message: Line) => without(message, "jsonrpc")],
    ["with a jsonrpc of another type", (message: Line) => ({ ...message, jsonrpc: 3 })]
  ] as const)("calls a tool of the page, %s and without the name of the server", ([, change]) => {
    const call = pageToolCall("c1", 3, "toolu_1", "color", { name: "red" })
    const { server_name: _, ...request } = call["request"] as Line
    const odd = { ...call, request: { ...request, message: change(request["message"] as Line) } }
    const calls: Behaviour = (line, say) => {
      if (isPrompt(line)) return say(init(), toolUse("toolu_1", "mcp__frontend__color", { name: "red" }), odd)
      if (line["type"] === "control_request") return say(agreed(line))
      return answered(line) === "c1" ? say(result()) : Effect.void
    }
    const tools = [{ name: "color", description: "", parameters: { type: "object" } }]
    return withSession(calls, {}, ({ agents, client, session }) =>
      Effect.gen(function* () {
        yield* client.run("r1", { prompt: "Hi", tools })
        yield* client.run("r2", { results: { toolu_1: "It is red." }, tools })
        yield* until(session, "turn_ended")
        expect(answerTo(agents, "c1")).toMatchObject([
          { subtype: "success", response: { mcp_response: { id: 3, result: { content: [{ text: "It is red." }] } } } }
        ])
      })
    )
  })

  it.effect("lists the tools of the page, though params is null", () => {
    const list = { type: "control_request", request_id: "c1" }
    const message = { id: 3, method: "tools/list", params: null }
    const lists: Behaviour = (line, say) => {
      if (isPrompt(line)) return say(init(), { ...list, request: { subtype: "mcp_message", message } })
      return answered(line) === "c1" ? say(result()) : Effect.void
    }
    return withSession(lists, {}, ({ agents, client }) =>
      Effect.gen(function* () {
        yield* client.run("r1", { prompt: "Hi" })
        expect(answerTo(agents, "c1")).toMatchObject([{ response: { mcp_response: { id: 3, result: { tools: [] } } } }])
      })
    )
  })

  it.effect("keeps the conversation, though its init does not say which it is", () =>
    withSession(
      (line, say) => (isPrompt(line) ? say(without(init(), "session_id"), text("Hi."), result()) : Effect.void),
      { thread: { providerSessionId: "provider-0" } },
      ({ agents, client, session }) =>
        Effect.gen(function* () {
          expect(outcome(yield* client.run("r1", { prompt: "Hi" }))).toEqual({ type: "success" })
          yield* agents.exit({})
          while ((yield* session.status) !== "disconnected") yield* Effect.yieldNow
          expect(outcome(yield* client.run("r2", { prompt: "Hi" }))).toEqual({ type: "success" })
          expect(agents.launched.map(({ resume }) => resume)).toEqual(["provider-0", "provider-0"])
        })
    )
  )
})

describe("an id that is a number", () => {
  it.effect("is given back as it came", () =>
    withSession(
      (line, say) => {
        if (isPrompt(line)) return say(init(), { ...ask("q", "Bash", "toolu_1"), request_id: 7 })
        return answered(line) === 7 ? say(result()) : Effect.void
      },
      { approvals: "interrupt" },
      ({ client }) =>
        Effect.gen(function* () {
          expect(outcome(yield* client.run("r1", { prompt: "Hi" }))).toEqual({ type: "success" })
        })
    )
  )

  it.effect("takes back the question that has it as a text", () =>
    withSession(
      (line, say) => {
        if (!isPrompt(line)) return Effect.void
        return say(init(), toolUse("toolu_1", "Bash"), ask("7", "Bash", "toolu_1"))
      },
      { approvals: "event" },
      ({ agents, client, session }) =>
        Effect.gen(function* () {
          yield* client.submit("r1", { prompt: "Hi" })
          yield* until(session, "request_opened")
          yield* agents.say({ type: "control_cancel_request", request_id: 7 }, result())
          yield* until(session, "turn_ended")
          const closed = (yield* happened(session)).filter(({ type }) => type === "request_closed")
          expect(closed).toMatchObject([{ id: "7", by: "withdrawn" }])
        })
    )
  )
})

const entryOf = (scenario: string, version = "2.1.325"): TapeEntry => {
  const entry = findTape({ scenario, version })
  if (entry === undefined) throw new Error(`no tape of ${scenario}`)
  return entry
}

/** A turn of a tape, and before which of its lines the host answered which request. */
interface Turn extends Session {
  readonly answers: ReadonlyMap<number, unknown>
}

/** The first turn of a tape, without the answers to what its host asked. */
const firstTurn = (entry: TapeEntry): Turn => {
  const values: Array<Line> = []
  const answers = new Map<number, unknown>()
  const asked = new Set<unknown>()
  for (const { from, line } of wireLines(entry.scenario, loadTape(entry))) {
    const value: unknown = line.trim() === "" ? undefined : JSON.parse(line)
    if (!isRecord(value)) continue
    if (from === "host") {
      if (value["type"] === "control_response" && asked.has(answered(value)))
        answers.set(values.length, answered(value))
      continue
    }
    if (isQuestion(value)) asked.add(value["request_id"])
    if (value["type"] !== "control_response") values.push(value)
    if (value["type"] === "result") break
  }
  return { name: `${entry.version} ${entry.scenario}`, values, decoded: values.map(decodeValue), answers }
}

const isQuestion = (value: Line): boolean => {
  const request = value["request"]
  return (
    value["type"] === "control_request" &&
    isRecord(request) &&
    (request["subtype"] === "can_use_tool" || request["subtype"] === "elicitation")
  )
}

/** From 2.1.197 the question comes before the reply is over, and a client is asked when it is. */
const isOfReply = (value: Line): boolean =>
  value["type"] === "stream_event" ||
  value["type"] === "assistant" ||
  (value["request"] as Line | undefined)?.["subtype"] === "can_use_tool"

/** An agent that says what a tape has, and waits for the answers that its host gave. */
const plays = ({ answers, values }: Pick<Turn, "answers" | "values">): Behaviour => {
  let at = 0
  let waitsFor: unknown
  const given = new Set<unknown>()
  return (line, say) => {
    if (line["type"] === "control_request") return say(agreed(line))
    given.add(answered(line))
    if (!isPrompt(line) && at === 0) return Effect.void
    const lines: Array<Line> = []
    while (at < values.length) {
      waitsFor = answers.get(at) ?? waitsFor
      const next = values[at] as Line
      if (waitsFor !== undefined && !given.has(waitsFor) && !isOfReply(next)) break
      lines.push(next)
      at++
    }
    return say(...lines)
  }
}

/** What a client sees of a session, and what the agent is answered. */
const seen = (turn: Pick<Turn, "answers" | "values">): Effect.Effect<unknown> =>
  withSession(plays(turn), { approvals: "interrupt" }, ({ agents, client }) =>
    Effect.gen(function* () {
      const events: Array<Agui.AguiEvent> = []
      let resume: Agui.RunAgentInput["resume"]
      for (let run = 1; run < 20; run++) {
        const given = yield* client.run(`r${run}`, resume === undefined ? { prompt: "Hi" } : { resume })
        events.push(...given)
        const end = outcome(given)
        const asked = isRecord(end) && end["type"] === "interrupt" ? (end["interrupts"] as ReadonlyArray<Line>) : []
        if (asked.length === 0) break
        resume = asked.map(({ id }) => ({
          interruptId: String(id),
          status: "resolved" as const,
          payload: { approved: true, action: "accept", content: {} }
        }))
      }
      const answers = agents.sent.filter(({ type }) => type === "control_response").map(verdictOf)
      return { ...(essenceOf(events) as object), answers }
    })
  ).pipe(Effect.orDie)

/** Which request it answers, and how; what is remembered besides depends on what was suggested. */
const verdictOf = ({ response }: Line): unknown => {
  const { request_id, response: given, subtype } = response as Line
  return [request_id, subtype, isRecord(given) ? given["behavior"] : undefined]
}

const scenarios = [
  "plain_text",
  "tool_approved",
  "parallel_tools",
  "mcp_elicitation",
  "subagent",
  "thinking_text",
  "api_400",
  "ask_user_question",
  "slash_commands"
]

describe("a session of a tape, one key of which is odd", () => {
  const turns = ["2.1.325", "2.1.37"].flatMap((version) =>
    scenarios.flatMap((scenario) => {
      const entry = findTape({ scenario, version })
      return entry === undefined ? [] : [firstTurn(entry)]
    })
  )
  const cases = sweeping ? { numRuns: 1000 } : { numRuns: 20, seed: 13 }

  it.effect.each(turns.map((turn) => [turn.name, turn] as const))(
    "is seen as it was by a client of the bridge (%s)",
    ([, turn]) =>
      Effect.gen(function* () {
        const expected = yield* seen(turn)
        for (const [place, [how, change]] of fc.sample(
          fc.tuple(fc.constantFrom(...somePlaces(turn)), fc.constantFrom(...Object.entries(changes))),
          cases
        )) {
          const value = changed(place, change)
          if (place.carries(valueAt(value, place.path))) continue
          const where = `line ${place.line + 1}: ${place.path.join(".")} ${how}`
          expect(yield* seen({ ...turn, values: turn.values.with(place.line, value) }), where).toEqual(expected)
        }
      })
  )
})

/** A few places for every key of every message: a session is deltas for the most part. */
const somePlaces = (turn: Turn): ReadonlyArray<Place> => {
  const places = new Map<string, Array<Place>>()
  for (const place of placesOf(turn)) {
    const of = turn.decoded[place.line]
    const key = `${of?._tag === "Known" ? of.name : ""} ${place.pattern.map(String).join(".")}`
    const same = places.get(key) ?? []
    if (same.length < 3) places.set(key, [...same, place])
  }
  return [...places.values()].flat()
}

const valueAt = (value: unknown, path: Place["path"]): unknown =>
  path.reduce<unknown>((inner, step) => (inner as Line | undefined)?.[step as string], value)

/** A control request with its `request` damaged: as a whole, and each of its keys. */
const damaged = (line: Line): ReadonlyArray<readonly [string, Line]> => {
  const request = line["request"] as Line
  const odd: ReadonlyArray<unknown> = [null, 7, "seven", true, [7], {}]
  return [
    ["no request", without(line, "request")] as const,
    ...odd.map((value) => [`request ${JSON.stringify(value)}`, { ...line, request: value }] as const),
    ...Object.keys(request).flatMap((key) => [
      [`no ${key}`, { ...line, request: without(request, key) }] as const,
      ...odd.map(
        (value) => [`${key} ${JSON.stringify(value)}`, { ...line, request: { ...request, [key]: value } }] as const
      )
    ])
  ]
}

describe("a control request of a tape, however it is damaged", () => {
  /** One of each subtype, of each tape. */
  const requests = ["tool_approved", "ask_user_question", "mcp_elicitation", "mcp_sdk", "hooks"].flatMap((scenario) => {
    const found = new Map<unknown, Line>()
    for (const value of sessionOf(entryOf(scenario)).values as ReadonlyArray<Line>)
      if (value["type"] === "control_request" && isRecord(value["request"])) {
        const { message, subtype } = value["request"]
        found.set(`${String(subtype)} ${isRecord(message) ? String(message["method"]) : ""}`, value)
      }
    return [...found].map(([kind, line]) => [`${scenario}: ${String(kind)}`, line] as const)
  })

  it.effect.each(requests)("is answered once (%s)", ([, line]) =>
    Effect.gen(function* () {
      const id = String(line["request_id"])
      for (const [how, odd] of damaged(line)) {
        const answers = yield* withSession(
          (message, say) => {
            if (isPrompt(message)) return say(init(), odd)
            return answered(message) === id ? say(result()) : Effect.void
          },
          {},
          ({ agents, client }) => Effect.map(client.run("r1", { prompt: "Hi" }), () => answerTo(agents, id))
        )
        expect(answers.length, how).toBe(1)
      }
    })
  )
})
