import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { FeedEvent, FeedLine } from "../../page/Feed.ts"
import { everything, isWanted, kindOf, rowsOf, typesOf } from "../../page/WireRows.ts"

const lineOf = (
  seq: number,
  events: number,
  message: object = { type: "keep_alive" },
  from: FeedLine["from"] = "agent"
): FeedLine => ({ seq, at: 0, from, line: JSON.stringify(message), events })

const eventOf = (seq: number, line: number | undefined, part = Number.POSITIVE_INFINITY): FeedEvent => ({
  seq,
  part,
  line,
  event: { type: "CUSTOM", name: `n${seq}` }
})

const shown = (rows: ReturnType<typeof rowsOf>) =>
  rows.map(({ events, line }) => [line?.seq, events.map(({ seq }) => seq)])

/** Lines as they came, and events that name theirs, some of which came long after it. */
const feeds = fc.array(fc.tuple(fc.constantFrom("agent", "host"), fc.nat(3)), { maxLength: 20 }).chain((parts) => {
  let next = 0
  const lines = parts.map(([from, count], seq) => {
    const line = lineOf(seq, next, {}, from as FeedLine["from"])
    next += count
    return line
  })
  const sources = fc.array(fc.option(fc.nat(Math.max(0, parts.length - 1)), { nil: undefined }), {
    minLength: next,
    maxLength: next
  })
  return sources.map((of) => ({
    lines,
    events: of.map((line, seq) => eventOf(seq, line))
  }))
})

describe("rowsOf", () => {
  it("has every line once and in order, every event once, and each beside the line it names", () => {
    fc.assert(
      fc.property(feeds, ({ events, lines }) => {
        const rows = rowsOf(lines, events)
        expect(rows.flatMap(({ line }) => (line === undefined ? [] : [line]))).toEqual(lines)
        expect(rows.flatMap((row) => row.events).toSorted((a, b) => a.seq - b.seq)).toEqual(events)
        for (const { events: own, line } of rows) for (const event of own) expect(event.line).toBe(line?.seq)
        expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
      })
    )
  })

  it("shows a question beside its request, although other lines and events came in between", () => {
    const lines = [lineOf(0, 0), lineOf(1, 1, { type: "control_request" }), lineOf(2, 1), lineOf(3, 2, {}, "host")]
    const events = [eventOf(0, 0), eventOf(1, 2), eventOf(2, 1), eventOf(3, undefined)]
    expect(shown(rowsOf(lines, events))).toEqual([
      [0, [0]],
      [1, [2]],
      [2, [1]],
      [3, []],
      [undefined, [3]]
    ])
  })

  it("has all events that one entry of the log became", () => {
    const parts = [eventOf(0, 0, 0), eventOf(0, 0, 1), eventOf(0, 0)]
    const [row] = rowsOf([lineOf(0, 0)], parts)
    expect(row?.events).toEqual(parts)
    expect(rowsOf([], parts).length).toBe(3)
  })

  it("lets events of no line stand alone, before the line that came after them, whatever came before", () => {
    const lines = [lineOf(0, 1), lineOf(1, 3), lineOf(2, 4)]
    const events = [undefined, 0, undefined, 1, undefined].map((line, seq) => eventOf(seq, line))
    expect(shown(rowsOf(lines, events))).toEqual([
      [undefined, [0]],
      [0, [1]],
      [undefined, [2]],
      [1, [3]],
      [2, []],
      [undefined, [4]]
    ])
  })

  it("shows lines whose events are forgotten, and events whose lines are", () => {
    expect(shown(rowsOf([lineOf(7, 3)], [eventOf(9, 2)]))).toEqual([
      [7, []],
      [undefined, [9]]
    ])
  })
})

describe("kindOf", () => {
  it.each([
    [{ type: "stream_event", event: { type: "message_stop" } }, "stream_event/message_stop"],
    [{ type: "system", subtype: "init" }, "system/init"],
    [{ type: "control_request", request: { subtype: "can_use_tool" } }, "control_request/can_use_tool"],
    [{ type: "control_response", response: { subtype: "success" } }, "control_response/success"],
    [{ type: "assistant", message: {} }, "assistant"],
    [{ method: "item/agentMessage/delta", params: {} }, "item/agentMessage/delta"],
    [{ id: 3, method: "turn/start", params: {} }, "turn/start"],
    [{ id: 3, result: {} }, "response"],
    [{ id: 3, error: { code: -32600, message: "No." } }, "response/error"],
    [[1], "not a message"]
  ])("names %j", (message, kind) => {
    expect(kindOf(lineOf(0, 0, message))).toBe(kind)
  })
})

describe("isWanted", () => {
  const [row] = rowsOf([lineOf(0, 0, { type: "system", subtype: "init", model: "Opus" })], [eventOf(0, 0)])
  const wants = (filter: object, found = false) =>
    row !== undefined && isWanted(row, { ...everything, ...filter }, () => found)

  it.each([
    [{}, true],
    [{ from: "agent" }, true],
    [{ from: "host" }, false],
    [{ type: "system/init" }, true],
    [{ type: "CUSTOM" }, true],
    [{ type: "RUN_STARTED" }, false],
    [{ text: "opus" }, true],
    [{ text: "N0" }, true],
    [{ text: "sonnet" }, false],
    [{ findingsOnly: true }, false]
  ])("with %j is %s", (filter, wanted) => {
    expect(wants(filter)).toBe(wanted)
  })

  it("keeps what breaks a rule", () => {
    expect(wants({ findingsOnly: true }, true)).toBe(true)
  })

  it("knows the types there are", () => {
    expect(typesOf(row === undefined ? [] : [row])).toEqual(["system/init", "CUSTOM"])
  })
})
