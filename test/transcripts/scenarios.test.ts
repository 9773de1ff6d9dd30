/**
 * Scenarios played with real CLIs: what a CLI kept of its session is what it said on its wire, but for the reasons of the
 * table, and our reader has what the Agent SDK's has. Some scenarios here, all of them in a sweep, which also holds the
 * table to what is seen.
 */
import { installCli, recordAll, scenarios } from "@agentwire/fixtures"
import { Claude } from "@agentwire/protocol"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { appliesTo } from "../../packages/fixtures/src/Scenario.ts"
import { keptScenarios } from "../../packages/fixtures/src/scenarios/kept.ts"
import { sweeping } from "../../packages/fixtures/test/Sweep.ts"
import { compared, endsOf, explained } from "../../packages/protocol/test/claude/transcript/Comparison.ts"
import { endReasons, type Reason, reasons } from "../../packages/protocol/test/claude/transcript/Reasons.ts"
import { readByBoth } from "./AgentSdk.ts"

const versions = ["2.1.197", "2.1.325"] as const
type Version = (typeof versions)[number]

/** A few that show most of it. */
const few = ["parallel_tools", "subagent", "resume_at"]

/** Of a conversation that was gone back behind, without another word, the SDK still has all: `--resume` has not. */
const rewound = new Set(["control_conversation"])

const chosen = (version: Version) =>
  [...scenarios, ...keptScenarios].filter(
    (scenario) => appliesTo(scenario, version) && (sweeping || few.includes(scenario.name))
  )

type Played = Awaited<ReturnType<typeof recordAll>>

describe.each(versions)("with %s", (version) => {
  let played: Played = []
  beforeAll(async () => {
    played = await recordAll({ cli: await installCli(version), version, scenarios: chosen(version) })
  }, 3_000_000)
  afterAll(() => {
    played = []
  })

  /** What the files of a scenario are compared with; a scenario in which the CLI did not start keeps nothing. */
  const kept = () => played.filter(({ played: { kept: files } }) => files.some(({ path }) => path.endsWith(".jsonl")))

  it("every scenario is played", () => {
    expect(played.map(({ scenario }) => scenario.name).sort()).toEqual(
      chosen(version)
        .map(({ name }) => name)
        .sort()
    )
    expect(kept().length).toBeGreaterThan(played.length * 0.9)
  })

  it("each says the same in its files as on its wire, but for known reasons", () => {
    const seen = new Map<string, Array<string>>()
    const unexplained = kept().flatMap(({ played: one, scenario }) => {
      const comparison = explained(compared(one.tapes, one.kept))
      for (const name of comparison.reasons) seen.set(name, [...(seen.get(name) ?? []), scenario.name])
      return comparison.unexplained.map((difference) => ({ scenario: scenario.name, ...difference }))
    })
    expect(unexplained).toEqual([])
    expect(tabled(reasons, version, seen)).toEqual([])
  })

  it("the turns of each end alike, but for known reasons", () => {
    const seen = kept().flatMap(({ played: one, scenario }) => {
      const { fileEvents, wireEvents } = compared(one.tapes, one.kept)
      return JSON.stringify(endsOf(fileEvents)) === JSON.stringify(endsOf(wireEvents)) ? [] : [scenario.name]
    })
    const known = endReasons.flatMap((reason) => reason.seen[version])
    expect(seen.filter((name) => !known.includes(name))).toEqual([])
    if (sweeping) expect(known.filter((name) => !seen.includes(name) && !fickle.has(name))).toEqual([])
  })

  it("each is read as the Agent SDK reads it", async () => {
    for (const { played: one, scenario } of kept()) {
      if (rewound.has(scenario.name)) continue
      for (const { sdk, session } of await readByBoth(one.kept)) {
        const ours = Claude.Transcript.sessionContext(session).map(({ message, type, uuid }) => ({
          type,
          uuid,
          message
        }))
        expect({ scenario: scenario.name, messages: ours }).toEqual({ scenario: scenario.name, messages: sdk.messages })
      }
    }
  })

  it("every line of each is known, and nothing drifts", () => {
    const strange = kept().flatMap(({ played: one, scenario }) =>
      one.kept
        .filter(({ path }) => path.endsWith(".jsonl") && !path.endsWith("journal.jsonl"))
        .flatMap(({ bytes }) => new TextDecoder().decode(bytes).split("\n"))
        .filter((line) => line !== "")
        .flatMap((line): ReadonlyArray<object> => {
          const decoded = Claude.Transcript.decodeTranscriptLine(line)
          if (decoded._tag !== "Known") return [{ scenario: scenario.name, line: line.slice(0, 300) }]
          return Claude.Transcript.transcriptCodec
            .drift(decoded.message)
            .map((drift) => ({ scenario: scenario.name, ...drift }))
        })
    )
    expect(strange).toEqual([])
  })
})

/** Scenarios in which it is a matter of time what the CLI has written when it is ended, or told when it is asked. */
const fickle = new Set([
  "killed_midturn",
  "sigint_midturn",
  "sigterm_midturn",
  "resume_interrupted",
  "interrupt_queued",
  "subagent_output_tool"
])

/** What is in the table and was not seen, and what was seen and is not in the table. */
const tabled = (
  table: ReadonlyArray<Pick<Reason, "name" | "seen">>,
  version: Version,
  seen: ReadonlyMap<string, ReadonlyArray<string>>
): ReadonlyArray<string> =>
  table.flatMap(({ name, seen: { [version]: known } }) => {
    const found = seen.get(name) ?? []
    const isSure = (scenario: string): boolean => !fickle.has(scenario)
    return [
      ...found
        .filter((scenario) => isSure(scenario) && !known.includes(scenario))
        .map((scenario) => `${name}: ${scenario} is new`),
      ...(sweeping ? known.filter((scenario) => isSure(scenario) && !found.includes(scenario)) : []).map(
        (scenario) => `${name}: ${scenario} is gone`
      )
    ]
  })
