import { execFileSync } from "node:child_process"
import { appendFileSync, mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { keptSessions, loadKeptSession } from "@agentwire/fixtures"
import { applyToSituation, emptySituation } from "@agentwire/protocol/model"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { findSession, listSessions, projectsFolder } from "../../../src/runtime/claude/SessionFolder.ts"
import { adoptSession, readSession } from "../../../src/runtime/claude/Transcripts.ts"
import type { TranscriptFailed } from "../../../src/runtime/kept/KeptFile.ts"
import { emptyFolder } from "../../Folder.ts"

/** The sessions of some scenarios as the CLI keeps them: a folder of projects. */
const projectsWith = Effect.fnUntraced(function* (...scenarios: ReadonlyArray<string>) {
  const projects = join(yield* emptyFolder, "projects")
  scenarios.forEach((scenario, age) => {
    for (const { bytes, path } of loadKeptSession({ scenario, version: "2.1.325" }).files) {
      mkdirSync(dirname(join(projects, path)), { recursive: true })
      writeFileSync(join(projects, path), bytes)
      // The first that is named is the newest.
      utimesSync(join(projects, path), 1_800_000_000 - age, 1_800_000_000 - age)
    }
  })
  return projects
})

const failureOf = (effect: Effect.Effect<unknown, TranscriptFailed>) => Effect.flip(effect)

describe("a list of sessions", () => {
  it.effect("has the newest first, in pages", () =>
    Effect.gen(function* () {
      const projects = yield* projectsWith("plain_text", "parallel_tools", "compact")
      const first = yield* listSessions({ projects, limit: 2 })
      assert.deepStrictEqual(
        first.sessions.map(({ facts }) => facts.title),
        ["Hi", "Three."]
      )
      assert.isTrue(first.more)
      const rest = yield* listSessions({ projects, limit: 2, before: first.sessions[1]?.sessionId ?? "" })
      assert.deepStrictEqual([rest.sessions.map(({ facts }) => facts.title), rest.more], [["1"], false])
    })
  )

  it.effect("may be of one folder", () =>
    Effect.gen(function* () {
      const projects = yield* projectsWith("plain_text", "parallel_tools")
      const [{ facts: { cwd = "" } = {} } = {}] = (yield* listSessions({ projects })).sessions
      const here = yield* listSessions({ projects, cwd })
      assert.deepStrictEqual(
        here.sessions.map(({ facts }) => facts.title),
        ["Hi"]
      )
      // Another folder whose name is written the same.
      assert.deepStrictEqual(
        (yield* listSessions({ projects, cwd: cwd.replaceAll("/project", "-project") })).sessions,
        []
      )
    })
  )

  it.effect("has neither sub-agents, nor what nobody said anything in, nor what is no file", () =>
    Effect.gen(function* () {
      const projects = yield* projectsWith("subagent")
      const folder = join(projects, "-x")
      mkdirSync(folder)
      const side = {
        type: "user",
        uuid: "u",
        parentUuid: null,
        isSidechain: true,
        message: { role: "user", content: "x" }
      }
      writeFileSync(join(folder, "agent-1.jsonl"), `${JSON.stringify(side)}\n`)
      writeFileSync(join(folder, "side.jsonl"), `${JSON.stringify(side)}\n`)
      writeFileSync(join(folder, "empty.jsonl"), '{"type":"mode","mode":"normal"}\n')
      execFileSync("mkfifo", [join(folder, "pipe.jsonl")])
      symlinkSync("/dev/zero", join(folder, "link.jsonl"))
      mkdirSync(join(folder, "folder.jsonl"))
      const { sessions } = yield* listSessions({ projects })
      assert.deepStrictEqual(
        sessions.map(({ facts }) => facts.title),
        ["Go."]
      )
    })
  )

  it.effect("reads no more than the ends of a long file", () =>
    Effect.gen(function* () {
      const projects = yield* projectsWith("plain_text")
      const [{ bytes = 0, file = "" } = {}] = (yield* listSessions({ projects })).sessions
      // A hole in the file: as long as it likes, and it takes no room.
      truncateSync(file, bytes + 2 ** 34)
      appendFileSync(file, '\n{"type":"custom-title","customTitle":"Mine"}\n')
      const { sessions } = yield* listSessions({ projects })
      assert.deepStrictEqual(
        sessions.map(({ facts }) => [facts.title, facts.firstPrompt]),
        [["Mine", "Hi"]]
      )
    })
  )

  it.effect("that there is no folder for fails with what to do", () =>
    Effect.gen(function* () {
      const failed = yield* failureOf(listSessions({ projects: "/nowhere/projects" }))
      assert.strictEqual(failed.code, "TRANSCRIPT_NOT_FOUND")
      const unknown = yield* failureOf(listSessions({ projects: yield* projectsWith("plain_text"), before: "none" }))
      assert.strictEqual(unknown.code, "TRANSCRIPT_NOT_FOUND")
    })
  )
})

describe("a session", () => {
  it.effect("is found by the beginning of its id, where only one begins so", () =>
    Effect.gen(function* () {
      const projects = yield* projectsWith("plain_text")
      const [{ sessionId = "" } = {}] = (yield* listSessions({ projects })).sessions
      assert.strictEqual((yield* findSession(projects, sessionId.slice(0, 4))).sessionId, sessionId)
      const folder = join(projects, "-x")
      mkdirSync(folder)
      writeFileSync(join(folder, `${sessionId.slice(0, 4)}.jsonl`), "")
      // A whole id is that session's, whatever others begin with it.
      assert.strictEqual((yield* findSession(projects, sessionId.slice(0, 4))).sessionId, sessionId.slice(0, 4))
      const several = yield* failureOf(findSession(projects, sessionId.slice(0, 3)))
      assert.deepInclude(several, { code: "TRANSCRIPT_AMBIGUOUS" })
      assert.include(several.message, sessionId)
      for (const id of ["", "..", "../x", "zz", "agent-"])
        assert.strictEqual((yield* failureOf(findSession(projects, id))).code, "TRANSCRIPT_NOT_FOUND", id)
    })
  )

  it.effect("that takes more than it may is refused, sub-agents counted", () =>
    Effect.gen(function* () {
      const projects = yield* projectsWith("subagent")
      const place = yield* findSession(projects, (yield* listSessions({ projects })).sessions[0]?.sessionId ?? "")
      const failed = yield* failureOf(readSession(place, { maxBytes: 10_000 }))
      assert.strictEqual(failed.code, "TRANSCRIPT_TOO_LARGE")
      const whole = yield* readSession(place)
      assert.strictEqual(whole.session.agents.length, 1)
    })
  )

  it.effect("that is no file is refused at once", () =>
    Effect.gen(function* () {
      for (const file of ["/dev/zero", "/tmp"]) {
        const failed = yield* failureOf(readSession({ sessionId: "s", file }))
        assert.strictEqual(failed.code, "TRANSCRIPT_UNREADABLE")
      }
    })
  )
})

describe("the folder of projects", () => {
  it("is where the CLI's settings are", () => {
    assert.strictEqual(projectsFolder({ CLAUDE_CONFIG_DIR: "/c", HOME: "/h" }), "/c/projects")
    assert.strictEqual(projectsFolder({ HOME: "/h" }), "/h/.claude/projects")
  })
})

describe("a session that is adopted", () => {
  it.effect("has what the bridge needs to go on with it", () =>
    Effect.gen(function* () {
      const projects = yield* projectsWith("compact")
      const [{ sessionId = "" } = {}] = (yield* listSessions({ projects })).sessions
      const adopted = yield* adoptSession(projects, sessionId.slice(0, 8))
      assert.deepInclude(adopted, {
        providerSessionId: sessionId,
        title: "1",
        titleBy: "prompt",
        mode: "default",
        version: "2.1.325",
        branches: 0
      })
      assert.match(adopted.cwd ?? "", /\/project$/)
      // Nothing before the compaction is dropped.
      assert.deepStrictEqual(
        adopted.entries.flatMap((entry) => (entry.kind === "prompt" ? [entry.content] : [])),
        ["1", "2", "3", "/compact keep the numbers", "4"]
      )
      const times = adopted.events.map(({ at }) => at)
      assert.deepStrictEqual(times, times.toSorted())
    })
  )

  it.effect("leaves nothing open, whatever was written last", () =>
    Effect.gen(function* () {
      for (const { scenario, version } of keptSessions) {
        if (version !== "2.1.325") continue
        const projects = yield* projectsWith(scenario)
        for (const { sessionId } of (yield* listSessions({ projects })).sessions) {
          const { events } = yield* adoptSession(projects, sessionId)
          const after = events.reduce((situation, { event }) => applyToSituation(situation, event), emptySituation)
          assert.deepStrictEqual(
            [scenario, after.turn, [...after.lanes], [...after.requests], [...after.items]],
            [scenario, undefined, [], [], []]
          )
        }
      }
    })
  )
})
