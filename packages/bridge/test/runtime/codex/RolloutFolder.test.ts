/** The folder of Codex's threads: which there are, and all of one. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { loadKeptRollout } from "@agentwire/fixtures"
import { Rollout } from "@agentwire/protocol/codex"
import * as Effect from "effect/Effect"
import { afterAll, describe, expect, it } from "vitest"
import { findRollout, listRollouts, readRolloutOf, rolloutsFolder } from "../../../src/runtime/codex/RolloutFolder.ts"

const home = mkdtempSync(join(tmpdir(), "agentwire-rollouts-"))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const rollouts = join(home, "sessions")

/** Writes the files of scenarios, the first the newest; their names, by scenario. */
const files = Object.fromEntries(
  ["two_turns", "subagent", "thread_revert", "review", "compact"].map((scenario, age) => {
    const { files } = loadKeptRollout({ scenario, version: "0.166.0" })
    for (const { bytes, path } of files) {
      mkdirSync(dirname(join(home, path)), { recursive: true })
      writeFileSync(join(home, path), bytes)
      utimesSync(join(home, path), 1_900_000_000 - age, 1_900_000_000 - age)
    }
    return [scenario, files.map(({ path }) => join(home, path))]
  })
)
const [two = ""] = files["two_turns"] ?? []
const idOf = (file: string): string => /(?<id>[0-9a-f-]{36})(?:_[^/]*)?\.jsonl$/.exec(file)?.groups?.["id"] ?? ""

const run = <A, E>(effect: Effect.Effect<A, E>): Promise<A> => Effect.runPromise(effect)

describe("the folder of Codex's threads", () => {
  it("is below CODEX_HOME, or in the home", () => {
    expect(rolloutsFolder({ CODEX_HOME: "/c" })).toBe("/c/sessions")
    expect(rolloutsFolder({ HOME: "/h" })).toBe("/h/.codex/sessions")
  })

  it("lists each thread once, the newest first, without sub-agents and reviews", async () => {
    const { more, threads } = await run(listRollouts({ rollouts }))
    // Each by its own first words; of a thread that went back, by those since.
    const titles = ["First.", "Delegate.", "Otherwise.", "Look at notes.md.", "First."]
    expect([more, threads.map(({ facts }) => facts.title)]).toEqual([false, titles])
    const ids = threads.map(({ threadId }) => threadId)
    expect(ids[0]).toBe(idOf(two))
    expect(new Set(ids).size).toBe(ids.length)
    expect(threads.every(({ facts }) => facts.parent === undefined && facts.errand === undefined)).toBe(true)
  })

  it("is listed in pages, and by the folder that threads were started in", async () => {
    const first = await run(listRollouts({ rollouts, limit: 2 }))
    expect([first.more, first.threads.length]).toEqual([true, 2])
    const olderThan = first.threads.at(-1)?.modifiedAt ?? 0
    const all = await run(listRollouts({ rollouts }))
    expect((await run(listRollouts({ rollouts, olderThan }))).threads).toEqual(all.threads.slice(2))
    for (const [nth, { threadId }] of all.threads.entries())
      expect((await run(listRollouts({ rollouts, before: threadId }))).threads).toEqual(all.threads.slice(nth + 1))
    expect(await run(Effect.flip(listRollouts({ rollouts, before: "none" })))).toMatchObject({
      code: "TRANSCRIPT_NOT_FOUND"
    })
    expect((await run(listRollouts({ rollouts, cwd: "/elsewhere" }))).threads).toEqual([])
  })

  it("has the thread with an id, or the only one that begins so", async () => {
    expect((await run(findRollout(rollouts, idOf(two)))).file).toBe(two)
    expect(await run(Effect.flip(findRollout(rollouts, "ffff")))).toMatchObject({ code: "TRANSCRIPT_NOT_FOUND" })
    expect(await run(Effect.flip(findRollout(rollouts, "01a1")))).toMatchObject({ code: "TRANSCRIPT_AMBIGUOUS" })
    expect(await run(Effect.flip(findRollout(join(home, "none"), "01a1")))).toMatchObject({
      code: "TRANSCRIPT_NOT_FOUND",
      path: join(home, "none")
    })
  })

  it("gives all of a thread: its beginning from another file, and its sub-agents", async () => {
    const [reverted = ""] = (files["thread_revert"] ?? []).toReversed()
    const { session } = await run(readRolloutOf({ file: reverted }, rollouts))
    const said = Rollout.rolloutTranscript(session).entries.flatMap((each) => (each.kind === "text" ? [each.text] : []))
    expect([said, session.isHeadless]).toEqual([["One.", "Other."], false])
    const spawned = await Promise.all((files["subagent"] ?? []).map((file) => run(readRolloutOf({ file }, rollouts))))
    const lanes = spawned.map((one) => new Set(Rollout.rolloutTranscript(one.session).entries.map(({ lane }) => lane)))
    expect(lanes).toContainEqual(new Set([null, "call_0"]))
  })

  it("is read within limits, and nothing but regular files", async () => {
    expect(await run(Effect.flip(readRolloutOf({ file: two }, undefined, { maxBytes: 100 })))).toMatchObject({
      code: "TRANSCRIPT_TOO_LARGE"
    })
    const odd = join(home, "odd")
    const day = join(odd, "2026", "11", "18")
    mkdirSync(day, { recursive: true })
    const name = "rollout-2026-11-18T20-00-00-01a1f05f-0000-7000-8000-00000000000"
    symlinkSync(two, join(day, `${name}1.jsonl`))
    writeFileSync(join(day, `${name}2.jsonl`), "")
    mkdirSync(join(day, `${name}3.jsonl`))
    writeFileSync(join(day, `${name}4.jsonl`), "x")
    truncateSync(join(day, `${name}4.jsonl`), 50_000_000)
    expect((await run(listRollouts({ rollouts: odd }))).threads).toEqual([])
    expect(await run(Effect.flip(readRolloutOf({ file: join(day, `${name}2.jsonl`) }, odd)))).toMatchObject({
      code: "TRANSCRIPT_UNREADABLE"
    })
  })
})
