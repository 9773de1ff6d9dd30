/**
 * The points that a conversation can go back to are the same in the file of a session and on its wire: whoever adopts the
 * file goes back as whoever heard it.
 *
 * What differs, and why: a fork's file has what was said before the fork under the name of its own session, where the wire had
 * it in the old one (both are found, docs/wire/claude-code.md §10); the wire of a tape has no names of prompts, because it is
 * the host that gives them.
 */
import { describe, expect, it } from "vitest"
import { readAnchor } from "../../../src/claude/Anchor.ts"
import { sessionEvents } from "../../../src/claude/transcript/index.ts"
import { type TranscriptEntry, transcriptOf } from "../../../src/model/Transcript.ts"
import { type KeptFile, nameOf, sessionsIn } from "./Comparison.ts"
import { filesOf, kept, tapesOf } from "./Kept.ts"
import { wireEvents } from "./WireSide.ts"

const isMain = ({ kind, lane }: TranscriptEntry): boolean => lane === null && kind !== "task"

const inFiles = (files: ReadonlyArray<KeptFile>): ReadonlyArray<TranscriptEntry> =>
  sessionsIn(files).flatMap((session) =>
    transcriptOf(sessionEvents(session).map(({ event }) => event)).entries.filter(isMain)
  )

/** The lines of all session files, by uuid. */
const typesOf = (files: ReadonlyArray<KeptFile>): ReadonlyMap<unknown, unknown> =>
  new Map(
    files.flatMap(({ bytes, path }) =>
      path.endsWith(".jsonl")
        ? new TextDecoder()
            .decode(bytes)
            .split("\n")
            .flatMap((line): ReadonlyArray<readonly [unknown, unknown]> => {
              if (line === "") return []
              const { type, uuid } = JSON.parse(line)
              return [[uuid, type]]
            })
        : []
    )
  )

describe("the point after what was said", () => {
  it.each(kept)("has the same name in the file of $name as on its wire", ({ scenario, version }) => {
    const files = filesOf(scenario, version)
    const named = inFiles(files)
    const wire = transcriptOf(wireEvents(tapesOf(scenario, version))).entries.filter(isMain)
    for (const entry of wire.filter(({ kind }) => kind !== "prompt")) {
      const there = named.filter((each) => nameOf(each) === nameOf(entry))
      if (there.length === 0) continue
      const point = readAnchor(entry.anchor ?? "")
      const points = there.map(({ anchor }) => readAnchor(anchor ?? ""))
      expect(
        points.map((each) => each?.uuid),
        nameOf(entry)
      ).toEqual(points.map(() => point?.uuid))
      if (scenario !== "fork") expect(points[0]?.sessionId, nameOf(entry)).toBe(point?.sessionId)
    }
  })

  it("is that of a line of the file that the CLI finds, for prompts, too", () => {
    let prompts = 0
    for (const { scenario, version } of kept) {
      const files = filesOf(scenario, version)
      const types = typesOf(files)
      for (const { anchor, kind } of inFiles(files)) {
        if (anchor === undefined) continue
        if (kind === "prompt") prompts++
        // What a slash command printed is an `assistant` or `user` line on the wire, which the CLI finds under that uuid (§10).
        const lines =
          kind === "prompt" ? ["user"] : kind === "text" ? ["assistant", "user", "system"] : ["assistant", "user"]
        expect(lines).toContain(types.get(readAnchor(anchor)?.uuid))
      }
    }
    expect(prompts).toBeGreaterThan(100)
  })
})
