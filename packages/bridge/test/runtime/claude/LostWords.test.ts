/** What was said and the CLI has not kept: found by what stands in its own file, behind the last that does. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { keptSessions, loadKeptSession } from "@agentwire/fixtures"
import { readAnchor } from "@agentwire/protocol/claude"
import { type TranscriptEntry, transcriptOf } from "@agentwire/protocol/model"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { wireEvents } from "../../../../protocol/test/claude/transcript/WireSide.ts"
import { findLostWords, type KeptEnd, lostWords } from "../../../src/runtime/claude/LostWords.ts"
import { scratch } from "../../FakeCli.ts"

const session = "11111111-2222-3333-4444-555555555555"
const main = { lane: null } as const
const at = (uuid: string, sessionId = session) => ({ anchor: `${sessionId}/${uuid}` })

const asked: TranscriptEntry = { ...main, ...at("u1"), kind: "prompt", id: "m1", content: "Once" }
const answer: TranscriptEntry = { ...main, ...at("a1"), kind: "text", id: "t1", text: "Done." }
const askedAgain: TranscriptEntry = { ...main, ...at("u2"), kind: "prompt", id: "m2", content: "Twice" }
const begun: TranscriptEntry = { ...main, kind: "text", id: "t2", text: 'A "moment"\nplease', abandoned: true }
const thought: TranscriptEntry = { ...main, kind: "thought", id: "t2a", text: "Hm" }
const call: TranscriptEntry = {
  ...main,
  ...at("a2"),
  kind: "call",
  id: "toolu_1",
  tool: "Bash",
  action: "command",
  parent: "t2",
  arguments: "{}"
}
const result: TranscriptEntry = { ...main, kind: "result", id: "toolu_1", content: "gone", failed: true }

/** A file of the CLI, with a line for each of these. */
const kept = (...lines: ReadonlyArray<readonly [uuid: string, words: string]>): KeptEnd => ({
  lines: lines.map(([uuid, words]) =>
    JSON.stringify({ parentUuid: "u0", type: "user", message: { role: "user", content: words }, uuid })
  ),
  more: false
})
const both = [["u1", "Once"] as const, ["a1", "Done."] as const]

const idsOf = (entries: ReadonlyArray<TranscriptEntry>) => entries.map(({ id }) => id)
const lost = (entries: ReadonlyArray<TranscriptEntry>, end: KeptEnd, more = false, isInTurn = true) =>
  idsOf(lostWords({ entries, more, isInTurn }, session, end))

describe("what was lost", () => {
  it("is what was said behind the last that is kept", () => {
    expect(lost([asked, answer, askedAgain, begun, call, result], kept(...both, ["u2", "Twice"]))).toEqual([
      "t2",
      "toolu_1",
      "toolu_1"
    ])
    expect(lost([asked, answer, askedAgain], kept(...both))).toEqual(["m2"])
  })

  it("is nothing where all is kept, or only the end of a call is not", () => {
    const whole = [...both, ["u2", "Twice"] as const, ["a2", "call"] as const]
    expect(lost([asked, answer, askedAgain, call], kept(...whole))).toEqual([])
    expect(lost([asked, answer, askedAgain, call, result], kept(...whole))).toEqual([])
  })

  it("behind the end of a turn is what was answered, and no prompt that nobody has answered", () => {
    const behind = (...entries: ReadonlyArray<TranscriptEntry>) =>
      lost([asked, answer, ...entries], kept(...both), false, false)
    expect(behind(askedAgain, begun)).toEqual(["m2", "t2"])
    expect(behind(askedAgain, call, result)).toEqual(["m2", "toolu_1", "toolu_1"])
    expect(behind(askedAgain)).toEqual([])
    expect(behind(askedAgain, thought)).toEqual([])
  })

  it("is no thought, no task and nothing of a sub-agent", () => {
    const side: TranscriptEntry = { kind: "text", lane: "toolu_0", id: "s", text: "aside" }
    const task: TranscriptEntry = { ...main, kind: "task", id: "k", content: {} }
    expect(lost([asked, answer, askedAgain, thought, side, task, begun], kept(...both))).toEqual(["m2", "t2"])
  })

  it("knows what has no name yet by its words, behind what has one", () => {
    const unnamed: TranscriptEntry = { ...main, kind: "prompt", id: "m2", content: "Once" }
    expect(lost([asked, answer, unnamed], kept(...both))).toEqual(["m2"])
    expect(lost([asked, answer, unnamed], kept(...both, ["other", "Once"]))).toEqual([])
    expect(lost([asked, answer, askedAgain], kept(...both, ["other", "Twice"]))).toEqual([])
    // The CLI has written all of it, and the bridge had read only its beginning.
    expect(lost([asked, answer, askedAgain, begun], kept(...both, ["x", 'A "moment"\nplease wait']))).toEqual([])
  })

  it("is nothing where what was looked at is all unknown, and there is more of it", () => {
    expect(lost([askedAgain, begun], kept(...both), true)).toEqual([])
    expect(lost([askedAgain, begun], { ...kept(...both), more: true })).toEqual([])
    expect(lost([askedAgain, begun], kept(...both))).toEqual(["m2", "t2"])
  })

  it("is not what was said before a copy of the session was made", () => {
    const before: TranscriptEntry = { ...answer, ...at("a0", "another-session") }
    expect(lost([before, askedAgain], kept())).toEqual(["m2"])
  })
})

describe("the file of a session", () => {
  const said = { entries: [asked, answer, askedAgain], more: false, isInTurn: true }
  const findIn = (projects: string, sessionId: string | undefined = session) =>
    Effect.map(findLostWords({ projects, sessionId }, said), idsOf)

  it.live("is read at its end", () =>
    Effect.gen(function* () {
      const projects = yield* scratch
      mkdirSync(join(projects, "-home"))
      const long = `${JSON.stringify({ uuid: "u0", message: "x".repeat(5_000_000) })}\n`
      const file = join(projects, "-home", `${session}.jsonl`)
      writeFileSync(file, `${long}${kept(...both).lines.join("\n")}\n`)
      expect(yield* findIn(projects)).toEqual(["m2"])
      // A line that was being written when the CLI was killed.
      writeFileSync(file, `${kept(...both).lines.join("\n")}\n{"parentUuid":"a1","type":"us`)
      expect(yield* findIn(projects)).toEqual(["m2"])
    })
  )

  it.live("is not there when the agent was killed before it kept anything: then it knows nothing", () =>
    Effect.gen(function* () {
      const projects = yield* scratch
      expect(yield* findIn(projects)).toEqual(["m1", "t1", "m2"])
      expect(yield* Effect.map(findLostWords({ projects, sessionId: undefined }, said), idsOf)).toEqual([
        "m1",
        "t1",
        "m2"
      ])
    })
  )

  it.live("tells nothing when it cannot be read", () =>
    Effect.gen(function* () {
      // A name that no file system takes.
      expect(yield* findIn(join(yield* scratch, "x".repeat(300)))).toEqual([])
    })
  )
})

describe("sessions that ended in order", () => {
  it.each(keptSessions)("have lost nothing: $scenario of $version", (entry) => {
    const { files, tapes } = loadKeptSession(entry)
    const { entries } = transcriptOf(wireEvents(tapes))
    const last = entries.findLast(({ anchor }) => anchor !== undefined)?.anchor ?? ""
    const own = readAnchor(last)?.sessionId ?? ""
    const file = files.find(({ path }) => path.endsWith(`/${own}.jsonl`))
    const lines = new TextDecoder().decode(file?.bytes).split("\n")
    expect(lines.length).toBeGreaterThan(1)
    expect(lostWords({ entries, more: false, isInTurn: true }, own, { lines, more: false })).toEqual([])
  })
})
