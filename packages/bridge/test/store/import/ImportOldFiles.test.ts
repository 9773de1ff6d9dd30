/**
 * The files in `files` were written by the bridges of their time: the index and two conversations by the last version
 * without a store, and the conversation of `from AG-UI` by the last one that kept messages of AG-UI.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Model } from "@agentwire/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { trunk } from "../../../src/store/Checkpoint.ts"
import { importOldFiles } from "../../../src/store/import/ImportOldFiles.ts"
import { oldHistoryFile } from "../../../src/store/import/OldFiles.ts"
import { makeMemoryStore } from "../../../src/store/memory/MemoryStore.ts"
import { Store } from "../../../src/store/Store.ts"
import { makeSqliteStore } from "../../../src/store/sqlite/SqliteStore.ts"
import { emptyFolder } from "../../Folder.ts"
import { batch, deltas, grew } from "../Samples.ts"

/** A copy of the files, in a folder of its own. */
const oldFiles = Effect.map(emptyFolder, (folder) => {
  cpSync(fileURLToPath(new URL("files", import.meta.url)), folder, { recursive: true })
  return { index: join(folder, "sessions.json"), cwd: "/nowhere" }
})

/** All files in a folder, with what they hold. */
const contents = (folder: string): ReadonlyArray<readonly [string, string]> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name), "utf8")] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))

const imported = (store: Store["Service"], files: Parameters<typeof importOldFiles>[0]) =>
  Effect.provideService(importOldFiles(files), Store, store)

const entriesOf = (store: Store["Service"], threadId: string) =>
  Effect.map(store.entries(threadId, { path: trunk }), ({ entries }) => entries.map(({ entry }) => entry))

const fromAgui: ReadonlyArray<Model.TranscriptEntry> = [
  { id: "u1", lane: null, kind: "prompt", content: "What is here?" },
  { id: "r1", lane: null, kind: "thought", text: "Hm." },
  { id: "a1", lane: null, kind: "text", text: "I look at it. ü😀" },
  {
    id: "toolu_1",
    lane: null,
    kind: "call",
    tool: "Bash",
    action: "other",
    parent: "a1",
    arguments: '{"command":"ls"}'
  },
  { id: "toolu_1", lane: null, kind: "result", content: "a.txt\n", failed: false }
]

describe("old files", () => {
  it.effect("become threads with what was said in them, and stay as they are", () =>
    Effect.gen(function* () {
      const files = yield* oldFiles
      const before = contents(join(files.index, ".."))
      const store = yield* makeMemoryStore({})
      const report = yield* imported(store, files)
      assert.deepStrictEqual(report, {
        outcome: "imported",
        threads: ["from AG-UI", "said nothing", "__proto__", "not in the index"],
        unreadable: []
      })
      const listed = (yield* store.threads()).threads.map(({ threadId }) => threadId)
      assert.deepStrictEqual(listed.slice(1), ["__proto__", "said nothing", "from AG-UI"])
      assert.deepStrictEqual(yield* store.thread("__proto__"), {
        threadId: "__proto__",
        cwd: "/project",
        providerSessionId: "22222222-2222-4222-8222-222222222222",
        title: "Fix the thing",
        titleBy: "prompt",
        mode: "coder",
        options: { model: "opus", permissionMode: "acceptEdits" },
        archived: false,
        createdAt: 1794968495785,
        activeAt: 1794968495785
      })
      assert.deepStrictEqual((yield* store.thread("from AG-UI"))?.state, { board: ["x", null, "o"] })
      assert.deepInclude(yield* store.thread("not in the index"), { cwd: "/nowhere", options: {} })
      assert.deepStrictEqual(yield* entriesOf(store, "from AG-UI"), fromAgui)
      const [, text = ""] = before.find(([name]) => name === "30e2af384186b57fda019524ade9f9afe48e8154.json") ?? []
      const { transcript } = JSON.parse(text)
      assert.deepStrictEqual(yield* entriesOf(store, "__proto__"), transcript.entries)
      assert.deepStrictEqual(yield* entriesOf(store, "said nothing"), [])
      // Opened, it goes on where it was.
      const claim = yield* store.claim("__proto__")
      assert.deepInclude(claim, { next: 0 })
      assert.deepInclude(claim.checkpoint, { seq: 0, nextPosition: transcript.entries.length, path: trunk })
      assert.deepStrictEqual(claim.checkpoint?.situation.session, transcript.session)
      yield* store.append(claim, batch(0, grew("m", "more")))
      assert.deepStrictEqual(deltas(yield* store.events("__proto__", 0, 10)), ["more"])
      assert.deepStrictEqual(contents(join(files.index, "..")), before)
    })
  )

  it.effect("are taken once: what was removed or changed afterwards is not undone by the next start", () =>
    Effect.gen(function* () {
      const files = yield* oldFiles
      const folder = yield* emptyFolder
      yield* Effect.scoped(
        Effect.gen(function* () {
          const store = yield* makeSqliteStore({ folder })
          assert.strictEqual((yield* imported(store, files)).threads.length, 4)
          yield* store.remove("said nothing")
          yield* store.change("from AG-UI", { title: "Mine" })
        })
      )
      const store = yield* makeSqliteStore({ folder })
      assert.deepStrictEqual(yield* imported(store, files), { outcome: "before", threads: [], unreadable: [] })
      assert.isUndefined(yield* store.thread("said nothing"))
      assert.deepStrictEqual(yield* entriesOf(store, "from AG-UI"), fromAgui)
      // Those of another bridge are others.
      assert.deepStrictEqual((yield* imported(store, yield* oldFiles)).threads, ["said nothing"])
      assert.strictEqual((yield* store.thread("from AG-UI"))?.title, "Mine")
    })
  )

  it.effect("that are not there are nothing to take", () =>
    Effect.gen(function* () {
      const store = yield* makeMemoryStore({})
      const index = join(yield* emptyFolder, "none/sessions.json")
      assert.deepStrictEqual(yield* imported(store, { index, cwd: "/" }), {
        outcome: "imported",
        threads: [],
        unreadable: []
      })
    })
  )

  it.effect("that a bridge still uses are left until it has ended", () =>
    Effect.gen(function* () {
      const files = yield* oldFiles
      const store = yield* makeMemoryStore({})
      writeFileSync(`${files.index}.lock`, JSON.stringify({ pid: process.pid, began: null, token: "x" }))
      assert.strictEqual((yield* imported(store, files)).outcome, "in_use")
      assert.deepStrictEqual((yield* store.threads()).threads, [])
      writeFileSync(`${files.index}.lock`, JSON.stringify({ pid: 2 ** 30, began: null, token: "x" }))
      assert.lengthOf((yield* imported(store, files)).threads, 4)
    })
  )

  it.effect("that are damaged are told, and the others are taken", () =>
    Effect.gen(function* () {
      const files = yield* oldFiles
      const folder = `${files.index}.history`
      const broken = oldHistoryFile(folder, "from AG-UI")
      writeFileSync(broken, readFileSync(broken, "utf8").slice(0, 200))
      const swapped = oldHistoryFile(folder, "said nothing")
      writeFileSync(swapped, readFileSync(oldHistoryFile(folder, "__proto__")))
      const odd = oldHistoryFile(folder, "odd")
      writeFileSync(odd, JSON.stringify({ version: 3, threadId: "odd" }))
      const store = yield* makeMemoryStore({})
      const report = yield* imported(store, files)
      assert.lengthOf(report.threads, 4)
      assert.deepStrictEqual(
        report.unreadable.map(({ path, reason }) => [path, reason.split(":")[0]]),
        [
          [broken, "not JSON"],
          [swapped, "of another thread"],
          [odd, report.unreadable[2]?.reason.split(":")[0]]
        ]
      )
      // The thread is there, without what cannot be read.
      assert.deepStrictEqual(yield* entriesOf(store, "from AG-UI"), [])
      assert.strictEqual((yield* imported(store, files)).outcome, "before")
    })
  )

  it.effect("that cannot be read now are tried again at the next start", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const index = join(folder, "sessions.json")
      // A name that is too long for the system is an error that is not about the file.
      const history = join(folder, "x".repeat(300))
      const store = yield* makeMemoryStore({})
      const report = yield* imported(store, { index, history, cwd: "/" })
      assert.deepStrictEqual(report.unreadable, [{ path: history, reason: "ENAMETOOLONG" }])
      const again = yield* imported(store, { index, cwd: "/" })
      assert.strictEqual(again.outcome, "imported")
      assert.strictEqual((yield* imported(store, { index, cwd: "/" })).outcome, "before")
    })
  )

  it.effect("an index that is none is told, and the conversations are taken", () =>
    Effect.gen(function* () {
      const files = yield* oldFiles
      writeFileSync(files.index, '{"version":1,"sessions":[{"threadId":1}]}')
      mkdirSync(join(files.index, "../other"))
      const store = yield* makeMemoryStore({})
      const report = yield* imported(store, files)
      assert.deepStrictEqual(
        report.unreadable.map(({ path }) => path),
        [files.index]
      )
      assert.sameMembers([...report.threads], ["__proto__", "from AG-UI", "not in the index"])
    })
  )
})
