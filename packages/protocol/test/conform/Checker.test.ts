/** What a checker promises whatever it is fed. */
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { casesOf } from "../../../fixtures/test/Sweep.ts"
import { events } from "../../src/agui/Event.ts"
import { checkEvents, makeChecker, verdictOf } from "../../src/conform/Checker.ts"
import { checkFidelity } from "../../src/conform/Fidelity.ts"
import type { Finding } from "../../src/conform/Finding.ts"
import { makeSseChecker } from "../../src/conform/SseChecker.ts"
import { windowSize } from "../../src/conform/Window.ts"
import { mutate, mutation, samples } from "../agui/Mutation.ts"
import { asked, call, finished, result, run, started, text, textContent, textEnd, textStart } from "./fixtures/Build.ts"

const anyEvent = fc.constantFrom(...Object.values(events).flatMap((schema) => samples(schema, 20)))

/** Events, spoilt events, and things that are no events at all. */
const anything = fc.oneof(
  { weight: 3, arbitrary: anyEvent },
  {
    weight: 3,
    arbitrary: fc
      .tuple(anyEvent, fc.array(mutation, { minLength: 1, maxLength: 3 }))
      .map(([event, ways]) => ways.reduce(mutate, event))
  },
  { weight: 1, arbitrary: fc.anything({ withBigInt: true, withMap: true, withNullPrototype: true, withDate: true }) }
)

describe("a checker", () => {
  test("never throws, and its findings are well formed", () => {
    fc.assert(
      fc.property(
        fc.array(anything, { maxLength: 30 }),
        fc.constantFrom("1.0", "0.0"),
        anything,
        (list, dialect, input) => {
          const { findings } = checkEvents(list, { dialect, input })
          for (const { excerpt, index, message, prefix } of findings) {
            expect(index).toBeLessThan(list.length)
            expect(prefix).toBeLessThanOrEqual(list.length)
            expect(excerpt.length).toBeLessThanOrEqual(300)
            expect(message.length).toBeLessThan(1000)
          }
          checkFidelity([], list, { dialect })
        }
      ),
      { numRuns: casesOf(1500), seed: 1 }
    )
  })

  test("survives values no JSON has", () => {
    const cycle: Record<string, unknown> = { type: "CUSTOM", name: 1 }
    cycle["value"] = cycle
    const trap = Object.defineProperty({}, "type", {
      enumerable: true,
      get: () => {
        throw new Error("no")
      }
    })
    const deep = JSON.parse(`${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`) as unknown
    const nested = { type: "STATE_SNAPSHOT", snapshot: deep, rawEvent: null }
    const { findings } = checkEvents([started, cycle, trap, nested, 1n, Symbol("s"), finished])
    expect(findings.filter(({ level }) => level === "error").map(({ index }) => index)).toEqual(
      expect.arrayContaining([1, 2, 4, 5])
    )
  })

  test("finds the same whether fed at once or one by one", () => {
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 20 }), (list) => {
        const checker = makeChecker()
        const found: Array<Finding> = list.flatMap((event) => [...checker.push(event)])
        found.push(...checker.end())
        expect(found).toEqual(checkEvents(list).findings)
      }),
      { numRuns: casesOf(300), seed: 1 }
    )
  })

  test("does not change what it is given", () => {
    const list = run(
      { type: "STATE_SNAPSHOT", snapshot: { list: [1] } },
      {
        type: "STATE_DELTA",
        delta: [{ op: "add", path: "/list/0", value: 0 }]
      }
    )
    const before = JSON.stringify(list)
    checkEvents(list)
    expect(JSON.stringify(list)).toBe(before)
  })

  test("takes the dialect from the request when none is given", () => {
    const cancelled = [started, { ...finished, outcome: { type: "cancelled" } }]
    const { protocolVersion: _, ...old } = asked().input as Record<string, unknown>
    expect(checkEvents(cancelled, asked()).verdict).toBe("pass")
    expect(checkEvents(cancelled, { input: old }).verdict).toBe("fail")
    expect(checkEvents(cancelled, { input: old, dialect: "1.0" }).verdict).toBe("pass")
  })

  test("says once what is wrong with a message, not once for each piece of it", () => {
    const { findings } = checkEvents(run(...Array.from({ length: 50 }, () => textContent("m")), textEnd("m")))
    expect(findings.map(({ rule }) => rule)).toEqual(["AGUI-TEXT-002"])
  })

  test("goes on with the ids of a malformed event", () => {
    const broken = textStart("m", { role: "tool" })
    expect(checkEvents(run(broken, textContent("m"), textEnd("m"))).findings.map(({ rule }) => rule)).toEqual([
      "AGUI-SCHEMA-003"
    ])
  })

  test("takes a snapshot of what is being streamed for no history", () => {
    const shown = { id: "m", role: "assistant", content: "x" }
    const list = run(textStart("m"), textContent("m"), { type: "MESSAGES_SNAPSHOT", messages: [shown] }, textEnd("m"))
    expect(checkEvents(list).verdict).toBe("pass")
    expect(checkEvents([...list, ...list]).findings.map(({ rule }) => rule)).toEqual(["AGUI-MESSAGES-003"])
  })

  test("takes the person's answer in a resumed request for no result of the call", () => {
    const made = { id: "c", type: "function", function: { name: "bash", arguments: "{}" } }
    const messages = [
      { id: "a", role: "assistant", toolCalls: [made] },
      { id: "answer", role: "tool", toolCallId: "c", content: '{"ok":true}' }
    ]
    const resumed = asked({ messages, resume: [{ interruptId: "i", status: "resolved" }] })
    expect(checkEvents(run(result("c")), resumed).verdict).toBe("pass")
    expect(checkEvents(run(result("c")), asked({ messages, forwardedProps: { command: { resume: 1 } } })).verdict).toBe(
      "pass"
    )
    expect(checkEvents(run(result("c")), asked({ messages })).verdict).toBe("warn")
  })

  test("forgets what is long over, and never what is open", () => {
    const checker = makeChecker()
    const push = (list: ReadonlyArray<unknown>) => list.flatMap((event) => [...checker.push(event)])
    push([started, textStart("open"), ...call("kept")])
    for (let n = 0; n < windowSize * 3; n++) expect(push([...text(`m${n}`)])).toEqual([])
    expect(push([textContent("open"), textEnd("open"), result("kept")])).toEqual([])
    // Reopened as someone else: the first is forgotten, the last is not.
    expect(push([textStart("m0", { role: "user" }), textEnd("m0")])).toEqual([])
    expect(push([textStart(`m${windowSize * 3 - 1}`, { role: "user" })]).map(({ rule }) => rule)).toEqual([
      "AGUI-TEXT-005"
    ])
  })
})

test("a verdict is that of the worst finding", () => {
  const of = (...levels: ReadonlyArray<Finding["level"]>) =>
    verdictOf(levels.map((level) => ({ rule: "", level, index: 0, message: "", excerpt: "", prefix: 0 }))).verdict
  expect([of(), of("info"), of("info", "warning"), of("warning", "error")]).toEqual(["pass", "pass", "warn", "fail"])
})

test("an SSE checker never throws, and reads the same however the bytes are cut", () => {
  const piece = fc.oneof(
    fc.constantFrom("data: ", "data:", "\n", "\n\n", "\r\n", "\r", "{}", "null", ": x", "[DONE]", "\uFEFF", "é😀"),
    fc.string()
  )
  fc.assert(
    fc.property(
      fc.array(piece),
      fc.array(fc.nat(8), { minLength: 1 }),
      fc.uint8Array({ maxLength: 3 }),
      (list, cuts, junk) => {
        const bytes = new Uint8Array([...new TextEncoder().encode(list.join("")), ...junk])
        const whole = makeSseChecker()
        const expected = [...whole.push(bytes), ...whole.end()]
        const reader = makeSseChecker()
        const items = []
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const size = (cuts[i % cuts.length] ?? 0) + 1
          items.push(...reader.push(bytes.subarray(at, at + size)))
          at += size
        }
        items.push(...reader.end())
        expect(items).toEqual(expected)
      }
    ),
    { numRuns: casesOf(2000), seed: 1 }
  )
})
