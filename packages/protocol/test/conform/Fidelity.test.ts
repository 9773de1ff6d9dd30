/**
 * The fidelity rules on what real versions of the CLI said: bridges that lose nothing are found to lose nothing, and
 * what is taken from them, doubled or misstated is found.
 */
import { describe, expect, test } from "vitest"
import { loadTape, type TapeEntry } from "../../../fixtures/src/Tapes.ts"
import { chosenTapes, sweeping } from "../../../fixtures/test/Sweep.ts"
import { type Decoded, decodeValue } from "../../src/claude/Codec.ts"
import { checkEvents } from "../../src/conform/Checker.ts"
import { checkFidelity } from "../../src/conform/Fidelity.ts"
import { readSession } from "../../src/conform/fidelity/Session.ts"
import { Tape } from "../../src/index.ts"
import { bridge, decodeAll } from "./Bridge.ts"
import { type Json, run, text } from "./fixtures/Build.ts"
import { assistant, turnEnd } from "./fixtures/Fidelity.ts"

const sourceOf = (entry: TapeEntry): ReadonlyArray<Decoded> =>
  decodeAll(
    loadTape(entry)
      .frames.flatMap((frame) =>
        frame._tag === "Data" && frame.from === "agent" && frame.channel !== "stderr"
          ? [Buffer.from(Tape.bytesOf(frame.data)).toString("utf8")]
          : []
      )
      .join("")
  )

/** Each version for itself in a sweep; else all versions together, with a scenario of each. */
const versionOf = ({ transport, version }: TapeEntry): string => (sweeping ? `${version}-${transport}` : "all versions")
const versions = [...new Set(chosenTapes.map(versionOf))]
const tapesOf = (version: string) => chosenTapes.filter((entry) => versionOf(entry) === version)

test("what a later message replaced may be shown or not", () => {
  const first = assistant("m", { type: "text", text: "The first answer, which was cut" })
  const again = assistant("n", { type: "text", text: "The second answer." }, null, { supersedes: [first["uuid"]] })
  const source = [first, again, turnEnd()].map(decodeValue)
  expect(checkFidelity(source, run(...text("1", "The second answer.")))).toEqual([])
  expect(
    checkFidelity(source, run(...text("1", "The first answer, which was cut"), ...text("2", "The second answer.")))
  ).toEqual([])
})

describe.each(versions)("tapes of %s", (version) => {
  test.each(["streamed", "whole"] as const)("a bridge by what is %s is found faithful and legal", (style) => {
    const complaints = tapesOf(version).flatMap((entry) => {
      const source = sourceOf(entry)
      const events = bridge(source, style)
      const report = checkEvents(events)
      return [...checkFidelity(source, events), ...report.findings]
        .filter(({ level, rule }) => level !== "info" && rule !== "AGUI-RUN-006")
        .map(({ message, rule }) => `${entry.scenario} ${entry.run}: ${rule}: ${message}`)
    })
    expect(complaints).toEqual([])
  })

  const sessions = tapesOf(version).map((entry) => {
    const source = sourceOf(entry)
    return { entry, source, session: readSession(source), events: bridge(source, "whole") }
  })
  const rulesOf = (source: ReadonlyArray<Decoded>, events: ReadonlyArray<Json>): ReadonlyArray<string> =>
    checkFidelity(source, events).map(({ rule }) => rule)

  /** Spoils every session that has what is to be spoilt; each must then break one of the rules. */
  const spoil = (
    spoilt: (events: ReadonlyArray<Json>, found: (typeof sessions)[number]) => ReadonlyArray<Json> | undefined,
    broken: ReadonlyArray<string>
  ): number => {
    let count = 0
    for (const found of sessions) {
      const events = spoilt(found.events, found)
      if (events === undefined) continue
      count++
      const rules = rulesOf(found.source, events)
      expect({ scenario: found.entry.scenario, rules, found: rules.some((rule) => broken.includes(rule)) }).toEqual({
        scenario: found.entry.scenario,
        rules,
        found: true
      })
    }
    return count
  }

  test.each([
    ["text", "TEXT_MESSAGE_CONTENT", ["AGUI-FIDELITY-001", "AGUI-FIDELITY-011"]],
    ["thinking", "REASONING_MESSAGE_CONTENT", ["AGUI-FIDELITY-003", "AGUI-FIDELITY-011"]]
  ] as const)("lost %s is found", (kind, type, broken) => {
    const count = spoil((events, { session }) => {
      const lost = session.utterances.find(
        (utterance) => utterance.kind === kind && !utterance.optional && utterance.wordings[0]?.trim() !== ""
      )
      if (lost === undefined) return undefined
      return events.filter((event) => event["type"] !== type || !lost.wordings.includes(String(event["delta"])))
    }, broken)
    expect(count).toBeGreaterThan(kind === "text" ? 20 : 0)
  })

  test("doubled text is found", () => {
    const count = spoil(
      (events) => {
        const at = events.findIndex(
          ({ delta, type }) => type === "TEXT_MESSAGE_CONTENT" && String(delta).trim().length >= 12
        )
        return at < 0 ? undefined : events.toSpliced(at, 0, { ...events[at] })
      },
      ["AGUI-FIDELITY-002"]
    )
    expect(count).toBeGreaterThan(10)
  })

  test("changed arguments are found", () => {
    const count = spoil(
      (events) => {
        const at = events.findIndex(({ type }) => type === "TOOL_CALL_ARGS")
        return at < 0 ? undefined : events.with(at, { ...events[at], delta: '{"changed":true}' })
      },
      ["AGUI-FIDELITY-006"]
    )
    expect(count).toBeGreaterThan(10)
  })

  test("a lost call is found", () => {
    const count = spoil(
      (events, { session }) => {
        const lost = session.calls.find(({ optional }) => !optional)
        return lost && events.filter(({ toolCallId }) => toolCallId !== lost.id)
      },
      ["AGUI-FIDELITY-005", "AGUI-FIDELITY-011"]
    )
    expect(count).toBeGreaterThan(10)
  })

  // Results without text (references to tools, images) can be lost and doubled, and not emptied.
  const isAnswer = ({ toolCallId, type }: Json, { session }: (typeof sessions)[number]) =>
    type === "TOOL_CALL_RESULT" &&
    session.calls.some(({ id, optional }) => id === toolCallId && !optional) &&
    session.results.some(({ id, texts }) => id === toolCallId && texts.join("").trim() !== "")

  test("lost, doubled and emptied results are found", () => {
    const change =
      (edit: (events: ReadonlyArray<Json>, at: number) => ReadonlyArray<Json> | undefined) =>
      (events: ReadonlyArray<Json>, found: (typeof sessions)[number]) => {
        const at = events.findIndex((event) => isAnswer(event, found))
        return at < 0 ? undefined : edit(events, at)
      }
    const lost = spoil(
      change((events, at) => {
        const id = events[at]?.["toolCallId"]
        return events.filter(({ toolCallId, type }) => type !== "TOOL_CALL_RESULT" || toolCallId !== id)
      }),
      ["AGUI-FIDELITY-007", "AGUI-FIDELITY-011"]
    )
    const doubled = spoil(
      change((events, at) => events.toSpliced(at, 0, { ...events[at] })),
      ["AGUI-FIDELITY-008"]
    )
    const emptied = spoil(
      change((events, at) => events.with(at, { ...events[at], content: "" })),
      ["AGUI-FIDELITY-009"]
    )
    for (const count of [lost, doubled, emptied]) expect(count).toBeGreaterThan(10)
  })

  test("what is no longer attributed is found", () => {
    const count = spoil(
      (events) =>
        events.some(({ subagentRunId, type }) => subagentRunId !== undefined && type === "TOOL_CALL_START")
          ? events.map(({ subagentRunId: _, ...event }) => event)
          : undefined,
      ["AGUI-FIDELITY-012"]
    )
    expect(count).toBeGreaterThan(0)
  })

  test("ends that lie are found", () => {
    const count = spoil(
      (events, { session }) => {
        const at = events.findIndex(({ type }) => type === "RUN_FINISHED" || type === "RUN_ERROR")
        const end = events[at]
        if (end === undefined || session.endings.length !== 1 || session.endings[0]?.ending === "refused")
          return undefined
        const good = end["type"] === "RUN_FINISHED" && end["outcome"] === undefined
        return events.with(
          at,
          good ? { type: "RUN_ERROR", message: "x" } : { type: "RUN_FINISHED", threadId: "t", runId: "r" }
        )
      },
      ["AGUI-FIDELITY-013", "AGUI-FIDELITY-014"]
    )
    expect(count).toBeGreaterThan(10)
  })
})
