/**
 * No false alarms: whatever a producer does that the specification allows, in whatever order, passes.
 */
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { checkEvents } from "../../src/conform/Checker.ts"
import {
  activity,
  activityDelta,
  asked,
  call,
  callArgs,
  callEnd,
  callStart,
  finished,
  type Json,
  result,
  snapshot,
  started,
  step,
  subagentEnd,
  subagentStart,
  text,
  textContent,
  textEnd,
  textStart,
  thought
} from "./fixtures/Build.ts"

/** Things a run is made of, each with ids of its own. */
const pieces: ReadonlyArray<(n: number) => ReadonlyArray<Json>> = [
  (n) => text(`m${n}`),
  (n) => [textStart(`m${n}`, { role: "user", name: "Ada" }), textContent(`m${n}`, ""), textEnd(`m${n}`)],
  (n) => [...text(`m${n}`), ...call(`c${n}`, { parentMessageId: `m${n}` }), result(`c${n}`)],
  // A call the model did not finish, and one the application executes.
  (n) => [callStart(`c${n}`), callArgs(`c${n}`, '{"pa'), callEnd(`c${n}`)],
  (n) => call(`c${n}`, { toolCallName: "paint" }),
  (n) => [...text(`m${n}`), ...text(`m${n}`, "more")],
  (n) => thought(`q${n}`),
  (n) => [
    ...thought(`q${n}`),
    { type: "REASONING_ENCRYPTED_VALUE", subtype: "message", entityId: `q${n}`, encryptedValue: "v" }
  ],
  (n) => [step("STARTED", `s${n}`), step("FINISHED", `s${n}`)],
  (n) => [
    subagentStart(`a${n}`),
    ...text(`m${n}`, "x", `a${n}`),
    step("STARTED", "same", `a${n}`),
    ...call(`c${n}`, { parentMessageId: `m${n}` }),
    step("FINISHED", "same", `a${n}`),
    { ...result(`c${n}`), subagentRunId: `a${n}` },
    subagentStart(`b${n}`, { parentSubagentRunId: `a${n}` }),
    { type: "SUBAGENT_ERROR", subagentRunId: `b${n}`, message: "broke" },
    subagentEnd(`a${n}`)
  ],
  (n) => [
    subagentStart(`a${n}`),
    { type: "TEXT_MESSAGE_CHUNK", messageId: `m${n}`, delta: "x", subagentRunId: `a${n}` },
    { type: "TEXT_MESSAGE_CHUNK", delta: "y", subagentRunId: `a${n}` },
    subagentEnd(`a${n}`)
  ],
  (n) => [
    { type: "TEXT_MESSAGE_CHUNK", messageId: `m${n}`, role: "assistant", delta: "x" },
    { type: "TEXT_MESSAGE_CHUNK", messageId: `m${n}`, delta: "y" }
  ],
  (n) => [{ type: "TOOL_CALL_CHUNK", toolCallId: `c${n}`, toolCallName: "bash", delta: "{}" }, result(`c${n}`)],
  (n) => [activity(`v${n}`), activityDelta(`v${n}`, { op: "add", path: "/x", value: n }), activity(`v${n}`)],
  (n) => [
    { type: "STATE_DELTA", delta: [{ op: "add", path: `/k${n}`, value: [n] }] },
    {
      type: "STATE_DELTA",
      delta: [
        { op: "test", path: `/k${n}/0`, value: n },
        { op: "remove", path: `/k${n}` }
      ]
    }
  ],
  () => [{ type: "CUSTOM", name: "n", value: null, timestamp: 1, metadata: { any: null } }],
  () => [{ type: "RAW", event: { any: 1 }, source: "s" }]
]

const endings: ReadonlyArray<Json> = [
  finished,
  { ...finished, outcome: { type: "success" }, result: { any: null } },
  {
    ...finished,
    outcome: {
      type: "interrupt",
      interrupts: [
        { id: "i", reason: "x" },
        { id: "j", reason: "x" }
      ]
    }
  },
  {
    ...finished,
    usage: [{ inputTokens: 3, outputTokens: 2, totalTokens: 5, cachedInputTokens: 1, reasoningTokens: 2 }]
  },
  { type: "RUN_ERROR", message: "broke", code: "any", usage: [{ outputTokens: 1 }] }
]

const runs = fc.array(
  fc.record({
    pieces: fc.array(fc.nat(pieces.length - 1), { maxLength: 6 }),
    order: fc.array(fc.nat(5), { minLength: 1, maxLength: 20 }),
    ending: fc.constantFrom(...endings),
    cut: fc.boolean(),
    restated: fc.boolean()
  }),
  { minLength: 1, maxLength: 3 }
)

const streamOf = (list: typeof runs extends fc.Arbitrary<infer T> ? T : never): ReadonlyArray<Json> => {
  let made = 0
  return list.flatMap(({ cut, ending, order, pieces: chosen, restated }) => {
    const left = chosen.map((index) => [...(pieces[index]?.(made++) ?? [])])
    const inside: Array<Json> = []
    for (let i = 0; left.some((events) => events.length > 0); i++) {
      const open = left.filter((events) => events.length > 0)
      const next = open[(order[i % order.length] ?? 0) % open.length]?.shift()
      if (next !== undefined) inside.push(next)
    }
    // An error may come while anything is open; a snapshot when nothing is.
    if (ending["type"] === "RUN_ERROR" && cut) inside.splice(Math.floor(inside.length / 2))
    else if (restated) inside.push(snapshot({ id: `u${made++}`, role: "user", content: "and?" }))
    return [started, ...inside, ending]
  })
}

test.each(["1.0", "0.0"] as const)("legal streams pass in %s", (dialect) => {
  fc.assert(
    fc.property(runs, fc.boolean(), (list, known) => {
      const options = known ? { ...asked({ state: {} }), dialect } : { dialect }
      const { findings } = checkEvents(streamOf(list), options)
      expect(findings.filter(({ level }) => level !== "info")).toEqual([])
    }),
    { numRuns: 2000, seed: 1 }
  )
})
