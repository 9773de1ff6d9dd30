import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { FeedEvent, FeedLine } from "../../page/Feed.ts"
import { everything, isWanted, kindOf, rowsOf, typesOf } from "../../page/WireRows.ts"

const lineOf = (
  seq: number,
  events: readonly [number, number],
  message: object = { type: "keep_alive" }
): FeedLine => ({
  seq,
  at: 0,
  from: "agent",
  line: JSON.stringify(message),
  events
})

const eventOf = (seq: number): FeedEvent => ({ seq, event: { type: "CUSTOM", name: `n${seq}` } })

/** Lines, each of which became some events after a gap of others. */
const feeds = fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { maxLength: 20 }).map((parts) => {
  let next = 0
  const lines = parts.map(([gap, count], seq) => {
    const from = next + gap
    next = from + count
    return lineOf(seq, [from, next])
  })
  return { lines, events: Array.from({ length: next + 2 }, (_, seq) => eventOf(seq)) }
})

describe("rowsOf", () => {
  it("has every line and every event once, in order, and each event beside the line it came from", () => {
    fc.assert(
      fc.property(feeds, ({ events, lines }) => {
        const rows = rowsOf(lines, events)
        expect(rows.flatMap((row) => row.events)).toEqual(events)
        expect(rows.flatMap(({ line }) => (line === undefined ? [] : [line]))).toEqual(lines)
        for (const { events: own, line } of rows)
          if (line !== undefined) expect([line.events[0] + own.length]).toEqual([line.events[1]])
      })
    )
  })

  it("shows lines whose events are forgotten, and events whose lines are", () => {
    const rows = rowsOf([lineOf(7, [3, 5])], [eventOf(9)])
    expect(rows.map(({ events, line }) => [line?.seq, events.map(({ seq }) => seq)])).toEqual([
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
    [[1], "not a message"]
  ])("names %j", (message, kind) => {
    expect(kindOf(lineOf(0, [0, 0], message))).toBe(kind)
  })
})

describe("isWanted", () => {
  const [row] = rowsOf([lineOf(0, [0, 1], { type: "system", subtype: "init", model: "Opus" })], [eventOf(0)])
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
