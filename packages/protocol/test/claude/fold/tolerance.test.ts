/**
 * The tolerance law, as far as the fold is concerned: whatever key of a message carries no text, thought, call, result,
 * question or end may be missing, null or of another type. What is said, asked and ended is as before.
 */
import { loadTape, tapes } from "@agentwire/fixtures"
import fc from "fast-check"
import { expect, test } from "vitest"
import { sweeping } from "../../../../fixtures/test/Sweep.ts"
import { type Decoded, decodeLine } from "../../../src/claude/index.ts"
import { Claude, Model, Tape } from "../../../src/index.ts"
import { isRecord } from "../../../src/wire/Json.ts"

/** In `npm test` always the same cases. */
const parameters = sweeping ? { numRuns: 20_000 } : { numRuns: 1500, seed: 13 }

/** Keys without which there is nothing to fold: text, calls, results, questions, and what they belong to. */
const carrying = [
  ...["type", "subtype", "event", "message", "content", "request", "response", "delta", "content_block", "index"],
  ...["text", "thinking", "partial_json", "data", "id", "name", "input", "tool_use_id", "tool_name", "request_id"],
  ...["parent_tool_use_id", "task_id", "role", "source"]
]

/** Keys that say whose words they are, or how something ended: without them that is told otherwise. */
const telling = [
  ...["result", "errors", "is_error", "structured_output", "signature", "uuid", "model", "status", "isReplay"],
  ...["is_compact_summary", "tool_use_result", "patch", "task_type", "terminal_reason", "stop_reason", "error"],
  ...["startup_failure_reason", "abandoned_blocks", "api_message_id", "agent_id", "questions", "mcp_server_name"],
  ...["requested_schema", "url", "mode"]
]

const odd: ReadonlyArray<unknown> = [undefined, null, 7, "odd", true, [], {}, [null], { a: 1 }]

interface Place {
  readonly path: ReadonlyArray<string>
}

/** The places of keys that carry nothing, down to the API's message. */
const placesIn = (
  value: unknown,
  kept: ReadonlySet<string>,
  path: ReadonlyArray<string> = []
): ReadonlyArray<Place> => {
  if (!isRecord(value) || path.length > 3) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (!kept.has(key)) return [{ path: [...path, key] }]
    return deep.has(key) ? placesIn(inner, kept, [...path, key]) : []
  })
}

const deep = new Set(["event", "message", "request"])

const changedAt = (value: unknown, [key, ...rest]: ReadonlyArray<string>, to: unknown): unknown => {
  const copy: Record<string, unknown> = { ...(value as Record<string, unknown>) }
  if (key === undefined) return copy
  if (rest.length > 0) copy[key] = changedAt(copy[key], rest, to)
  else if (to === undefined) delete copy[key]
  else copy[key] = to
  return copy
}

/** What was said, what was asked, and how turns ended. */
const gist = (messages: ReadonlyArray<Decoded>): unknown => {
  const events: Array<Model.Event> = []
  let state = Claude.initialFold()
  for (const message of messages) {
    const [next, given] = Claude.foldMessage(state, message)
    state = next
    events.push(...given)
  }
  events.push(...Claude.endFold(state, { type: "end" })[1])
  return {
    // The name of a point to go back to says nothing of what was said.
    said: Model.transcriptOf(events.filter(({ type }) => type !== "anchored")).entries.filter(
      ({ kind }) => kind !== "task"
    ),
    asked: events.flatMap((event) => (event.type === "request_opened" ? [[event.request.id, event.request.kind]] : [])),
    ended: events.flatMap((event) => (event.type === "turn_ended" ? [event.outcome] : []))
  }
}

const scenarios = [
  "plain_text",
  "three_tool_turns",
  "tool_approved",
  "ask_user_question",
  "mcp_elicitation",
  "subagent_background",
  "compact",
  "api_400",
  "interrupt_midstream",
  "redacted_interleaved",
  "slash_commands"
]
const sessions = tapes
  .filter(
    ({ scenario, version }) =>
      sweeping || (scenarios.includes(scenario) && (version === "2.1.325" || version === "2.1.37"))
  )
  .map((entry) =>
    Tape.tapeLines(loadTape(entry).frames).flatMap(({ from, line }) =>
      from === "agent" && line._tag === "Text" && line.text.trim() !== "" ? [decodeLine(line.text)] : []
    )
  )

/** Sessions with one key changed that is not among those to keep. */
const oneChanged = (kept: ReadonlySet<string>) =>
  fc
    .tuple(fc.nat(sessions.length - 1), fc.nat(), fc.nat(), fc.constantFrom(...odd))
    .map(([session, at, place, value]) => {
      const messages = sessions[session] ?? []
      const index = at % messages.length
      const decoded = messages[index]
      const places = decoded?._tag === "Known" ? placesIn(decoded.message, kept) : []
      const chosen = places[place % Math.max(1, places.length)]
      if (decoded?._tag !== "Known" || chosen === undefined) return { session, messages, what: "nothing" }
      const message = changedAt(decoded.message, chosen.path, value)
      const what = `${decoded.name} ${chosen.path.join(".")} = ${JSON.stringify(value)}`
      return { session, messages: messages.with(index, { ...decoded, message } as Decoded), what }
    })

test("there are sessions", () => expect(sessions.length).toBeGreaterThan(15))

test("a key that carries nothing may be anything", () => {
  const expected = sessions.map(gist)
  fc.assert(
    fc.property(oneChanged(new Set([...carrying, ...telling])), ({ messages, session, what }) => {
      expect(gist(messages), what).toEqual(expected[session])
    }),
    parameters
  )
})

test("a key that only tells whose words they are, or how something ended, may be anything and breaks nothing", () => {
  fc.assert(
    fc.property(oneChanged(new Set(carrying)), ({ messages, what }) => {
      expect(() => gist(messages), what).not.toThrow()
    }),
    parameters
  )
})
