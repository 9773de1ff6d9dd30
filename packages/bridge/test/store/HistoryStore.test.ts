import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { Agui, Model } from "@agentwire/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import { TestClock } from "effect/testing"
import fc from "fast-check"
import { draftOf, FileFailed } from "../../src/store/AtomicFile.ts"
import { HistoryStore, type HistoryStoreOptions, historyFile } from "../../src/store/HistoryStore.ts"
import { emptyFolder } from "../Folder.ts"

type Store = HistoryStore["Service"]

/** One life of a bridge. */
const life = <A, E>(
  options: HistoryStoreOptions,
  use: (store: Store) => Effect.Effect<A, E, Scope.Scope>
): Effect.Effect<A, E | Layer.Error<ReturnType<typeof HistoryStore.layer>>> =>
  Effect.flatMap(HistoryStore, (store) => Effect.scoped(use(store))).pipe(Effect.provide(HistoryStore.layer(options)))

const said = (...texts: ReadonlyArray<string>): Model.Transcript => ({
  entries: texts.map((content, n) => ({ id: `${n}`, lane: null, kind: "prompt", content })),
  omitted: 0
})

const keep = (store: Store, threadId: string, history: Model.Transcript) =>
  Effect.scoped(Effect.flatMap(store.open(threadId), (thread) => thread.keep(history)))

const before = (store: Store, threadId: string) =>
  Effect.scoped(Effect.map(store.open(threadId), (thread) => thread.before))

/** The messages that are logged. */
const logged = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<readonly [A, ReadonlyArray<string>], E, R> => {
  const messages: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => messages.push(`${logLevel} ${[message].flat().join(" ")}`))
  return effect.pipe(
    Effect.provide(Logger.layer([logger])),
    Effect.map((result) => [result, messages] as const)
  )
}

const fit = fc.string({ unit: "grapheme" })
const lane = fc.option(fc.constantFrom("call-1", "call-2"))
const value = fc.oneof(fit, fc.integer(), fc.boolean(), fc.constant(null))

/** Any conversation, of everything that may be said or done. */
const conversation: fc.Arbitrary<Model.Transcript> = fc.record({
  entries: fc.array(
    fc.oneof(
      fc.record(
        {
          id: fit,
          lane,
          kind: fc.constantFrom("text" as const, "thought" as const),
          text: fit,
          signature: fit,
          abandoned: fc.boolean()
        },
        { requiredKeys: ["id", "lane", "kind", "text"] }
      ),
      fc.record(
        {
          id: fit,
          lane,
          kind: fc.constant("call" as const),
          tool: fit,
          action: fc.constantFrom(...Model.Action.literals),
          parent: fit,
          arguments: fit,
          abandoned: fc.boolean()
        },
        { requiredKeys: ["id", "lane", "kind", "tool", "action", "parent", "arguments"] }
      ),
      fc.record(
        {
          id: fit,
          lane,
          kind: fc.constant("result" as const),
          content: fc.oneof(fit, fc.array(fc.record({ type: fc.constant("text" as const), text: fit }))),
          failed: fc.boolean(),
          exitCode: fc.nat(255)
        },
        { requiredKeys: ["id", "lane", "kind", "content", "failed"] }
      ),
      fc.record({ id: fit, lane, kind: fc.constant("prompt" as const), content: fit }),
      fc.record({ id: fit, lane, kind: fc.constant("task" as const), content: fc.dictionary(fit, value) })
    ),
    { maxLength: 20 }
  ),
  omitted: fc.nat(9)
})

describe("from one life to the next", () => {
  it.effect("each thread has what was said in it, whatever its name is", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const name = fc.oneof(
        fc.string({ unit: "grapheme", minLength: 1 }),
        fc.constantFrom("__proto__", "..", "a/../../b", "ü😀")
      )
      const threads = fc.uniqueArray(fc.tuple(name, conversation), { selector: ([threadId]) => threadId, maxLength: 5 })
      let n = 0
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(threads, async (all) => {
            const path = join(folder, `${n++}`)
            await Effect.runPromise(
              life({ path }, (store) => Effect.forEach(all, ([id, history]) => keep(store, id, history)))
            )
            const found = await Effect.runPromise(
              life({ path }, (store) => Effect.forEach(all, ([id]) => before(store, id)))
            )
            assert.deepStrictEqual(
              found,
              all.map(([, history]) => JSON.parse(JSON.stringify(history)))
            )
            assert.lengthOf(readdirSync(path), all.length)
          }),
          { numRuns: 25 }
        )
      )
    })
  )

  it.effect("only this user may read it", () =>
    Effect.gen(function* () {
      const path = join(yield* emptyFolder, "deep/er")
      yield* life({ path }, (store) => keep(store, "a", said("hi")))
      assert.strictEqual(statSync(path).mode & 0o777, 0o700)
      assert.strictEqual(statSync(historyFile(path, "a")).mode & 0o777, 0o600)
    })
  )

  it.effect("a thread in which nothing is said has no file", () =>
    Effect.gen(function* () {
      const path = yield* emptyFolder
      yield* life({ path }, (store) =>
        Effect.flatMap(store.open("a"), (thread) => Effect.andThen(thread.keep(thread.before), store.flush))
      )
      assert.deepStrictEqual(readdirSync(path), [])
    })
  )

  it.effect("a conversation that is too big has lost its beginning", () =>
    Effect.gen(function* () {
      const path = yield* emptyFolder
      const long = said(...Array.from({ length: 100 }, (_, n) => `${n} ${"x".repeat(100)}`))
      yield* life({ path, maxBytes: 2000 }, (store) => keep(store, "a", long))
      assert.isBelow(statSync(historyFile(path, "a")).size, 2500)
      const { entries, omitted } = yield* life({ path }, (store) => before(store, "a"))
      assert.isAbove(omitted, 0)
      assert.strictEqual(entries.length + omitted, 100)
      assert.strictEqual(entries.at(-1)?.id, "99")
    })
  )

  it.effect("of too many threads those written longest ago go, and nothing else", () =>
    Effect.gen(function* () {
      const path = yield* emptyFolder
      const names = ["a", "b", "c", "d"]
      yield* life({ path }, (store) => Effect.forEach(names, (id) => keep(store, id, said(id))))
      for (const [n, id] of names.entries()) utimesSync(historyFile(path, id), n, n)
      writeFileSync(join(path, "notes.txt"), "not ours")
      yield* life({ path, maxThreads: 2 }, () => Effect.void)
      assert.deepStrictEqual(
        names.map((id) => existsSync(historyFile(path, id))),
        [false, false, true, true]
      )
      assert.isTrue(existsSync(join(path, "notes.txt")))
    })
  )
})

describe("a file of version 1, which has messages of AG-UI", () => {
  const messages: ReadonlyArray<Agui.Message> = [
    { id: "u1", role: "user", content: "List" },
    { id: "r1", role: "reasoning", content: "Which?" },
    {
      id: "a1",
      role: "assistant",
      content: "Now.",
      toolCalls: [{ id: "c1", type: "function", function: { name: "Bash", arguments: '{"command":"ls"}' } }]
    },
    { id: "t1", role: "tool", toolCallId: "c1", content: "a.txt" },
    { id: "a2", role: "assistant", content: "One file." }
  ]

  it.effect("is read, and is of this version once something is kept", () =>
    Effect.gen(function* () {
      const path = yield* emptyFolder
      const file = historyFile(path, "a")
      writeFileSync(file, JSON.stringify({ version: 1, threadId: "a", messages, state: { agentwire: {} } }))
      const [found, logs] = yield* logged(life({ path }, (store) => before(store, "a")))
      assert.deepStrictEqual(logs, [])
      assert.deepStrictEqual(found, {
        entries: [
          { id: "u1", lane: null, kind: "prompt", content: "List" },
          { id: "r1", lane: null, kind: "thought", text: "Which?" },
          { id: "a1", lane: null, kind: "text", text: "Now." },
          {
            id: "c1",
            lane: null,
            kind: "call",
            tool: "Bash",
            action: "other",
            parent: "a1",
            arguments: '{"command":"ls"}'
          },
          { id: "c1", lane: null, kind: "result", content: "a.txt", failed: false },
          { id: "a2", lane: null, kind: "text", text: "One file." }
        ],
        omitted: 0
      })
      // To a client it is what it was; only the results have ids of their own.
      assert.deepStrictEqual(
        Agui.messagesOf(found).map(({ content, role }) => [role, content]),
        messages.map(({ content, role }) => [role, content])
      )
      yield* life({ path }, (store) => keep(store, "a", { ...found, omitted: 1 }))
      assert.strictEqual((JSON.parse(readFileSync(file, "utf8")) as { version: number }).version, 2)
      assert.deepStrictEqual(yield* life({ path }, (store) => before(store, "a")), { ...found, omitted: 1 })
    })
  )
})

describe("a thread that is removed", () => {
  it.effect("has no file, and what its session says afterwards is not kept", () =>
    Effect.gen(function* () {
      const path = yield* emptyFolder
      yield* life({ path }, (store) =>
        Effect.gen(function* () {
          const thread = yield* store.open("a")
          yield* thread.keep(said("one"))
          yield* store.flush
          yield* thread.keep(said("one", "two"))
          yield* store.remove("a")
          yield* thread.keep(said("one", "two", "three"))
          assert.deepStrictEqual(yield* before(store, "a"), Model.emptyTranscript)
        })
      )
      assert.deepStrictEqual(readdirSync(path), [])
    })
  )

  it.effect("does not come back by a write that was under way", () =>
    Effect.gen(function* () {
      const path = yield* emptyFolder
      const write = (file: string, text: string) =>
        Effect.andThen(
          Effect.sleep("1 second"),
          Effect.sync(() => writeFileSync(file, text))
        )
      yield* life({ path, write, writeDelay: "1 second" }, (store) =>
        Effect.gen(function* () {
          const thread = yield* store.open("a")
          yield* thread.keep(said("one"))
          yield* TestClock.adjust("1500 millis")
          const removing = yield* Effect.forkChild(store.remove("a"))
          yield* TestClock.adjust("10 seconds")
          yield* Fiber.join(removing)
        })
      )
      assert.deepStrictEqual(readdirSync(path), [])
    })
  )

  it.effect("can begin again", () =>
    Effect.gen(function* () {
      const path = yield* emptyFolder
      yield* life({ path }, (store) =>
        Effect.gen(function* () {
          yield* keep(store, "a", said("old"))
          yield* store.remove("a")
          yield* keep(store, "a", said("new"))
        })
      )
      assert.deepStrictEqual(yield* life({ path }, (store) => before(store, "a")), said("new"))
    })
  )
})

describe("writing", () => {
  it.effect("many changes are one write, some time later; what is left is written at the end", () =>
    Effect.gen(function* () {
      const written: Array<string> = []
      const write = (_: string, text: string) => Effect.asVoid(Effect.sync(() => written.push(text)))
      yield* life({ path: yield* emptyFolder, write, writeDelay: "1 second" }, (store) =>
        Effect.gen(function* () {
          const thread = yield* store.open("a")
          for (let n = 0; n < 100; n++) yield* thread.keep(said(`${n}`))
          yield* TestClock.adjust("999 millis")
          assert.lengthOf(written, 0)
          yield* TestClock.adjust("1 millis")
          assert.lengthOf(written, 1)
          yield* TestClock.adjust("1 hour")
          assert.lengthOf(written, 1)
          yield* thread.keep(said("last"))
        })
      )
      assert.lengthOf(written, 2)
      assert.include(written[1], '"last"')
    })
  )

  it.effect("what is not written yet is what the next session of the thread has", () =>
    Effect.gen(function* () {
      const write = () => Effect.void
      yield* life({ path: yield* emptyFolder, write }, (store) =>
        Effect.gen(function* () {
          yield* keep(store, "a", said("one"))
          assert.deepStrictEqual(yield* before(store, "a"), said("one"))
        })
      )
    })
  )

  it.effect("a full disk is told once, tried again, and stops nobody", () =>
    Effect.gen(function* () {
      let full = true
      const written: Array<string> = []
      const write = (path: string, text: string) =>
        full
          ? Effect.fail(new FileFailed({ code: "ENOSPC", message: "no space left on device", path }))
          : Effect.asVoid(Effect.sync(() => written.push(text)))
      const [, messages] = yield* logged(
        life({ path: yield* emptyFolder, write, writeDelay: "1 second", retryDelay: "1 minute" }, (store) =>
          Effect.gen(function* () {
            yield* keep(store, "a", said("one"))
            yield* keep(store, "b", said("two"))
            assert.strictEqual((yield* Effect.flip(store.flush)).code, "HISTORY_DISK_FULL")
            yield* TestClock.adjust("10 minutes")
            assert.deepStrictEqual(yield* before(store, "a"), said("one"))
            full = false
            yield* TestClock.adjust("1 minute")
            assert.lengthOf(written, 2)
          })
        )
      )
      assert.lengthOf(
        messages.filter((message) => message.includes("full")),
        1
      )
    })
  )
})

describe("a file that is of no use", () => {
  it.effect("cut at any byte, is whole or kept aside with a warning, and the thread begins empty", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      yield* life({ path: folder }, (store) => keep(store, "ü", said("grüß dich", "😀")))
      const bytes = readFileSync(historyFile(folder, "ü"))
      for (let cut = 0; cut < bytes.length; cut++) {
        const path = join(folder, `${cut}`)
        mkdirSync(path)
        const file = historyFile(path, "ü")
        writeFileSync(file, bytes.subarray(0, cut))
        // What a crash leaves of a write is not looked at.
        writeFileSync(draftOf(file), bytes)
        const [found, messages] = yield* logged(life({ path }, (store) => before(store, "ü")))
        if (found.entries.length > 0) {
          assert.deepStrictEqual(found, said("grüß dich", "😀"))
          continue
        }
        assert.isTrue(readFileSync(`${file}.corrupt-1`).equals(bytes.subarray(0, cut)))
        assert.lengthOf(messages, 1)
        assert.include(messages[0], `${file}.corrupt-1`)
      }
    })
  )

  const good = { version: 2, threadId: "a", transcript: Model.emptyTranscript }
  const older = { version: 1, threadId: "a", messages: [], state: {} }
  it.effect.each([
    ["of a later version", { ...good, version: 3 }],
    ["of another thread", { ...good, threadId: "b" }],
    ["with an entry that is none", { ...good, transcript: { entries: [{ id: "1", kind: "martian" }], omitted: 0 } }],
    ["of version 1 and of another thread", { ...older, threadId: "b" }],
    ["of version 1 with a message that is none", { ...older, messages: [{ id: "1", role: "martian" }] }],
    ["that is something else", [1, 2]]
  ] as const)("%s, is kept beside those from before", ([, value]) =>
    Effect.gen(function* () {
      const path = yield* emptyFolder
      const file = historyFile(path, "a")
      writeFileSync(`${file}.corrupt-1`, "older")
      writeFileSync(file, JSON.stringify(value))
      const [, messages] = yield* logged(life({ path }, (store) => keep(store, "a", said("new"))))
      assert.lengthOf(messages, 1)
      assert.strictEqual(readFileSync(`${file}.corrupt-1`, "utf8"), "older")
      assert.deepStrictEqual(JSON.parse(readFileSync(`${file}.corrupt-2`, "utf8")), value)
      assert.deepStrictEqual(yield* life({ path }, (store) => before(store, "a")), said("new"))
    })
  )

  it.effect("that is a device, is not read: it has no end", () =>
    Effect.gen(function* () {
      const path = yield* emptyFolder
      symlinkSync("/dev/zero", historyFile(path, "a"))
      const [found, messages] = yield* logged(life({ path }, (store) => before(store, "a")))
      assert.deepStrictEqual(found, Model.emptyTranscript)
      assert.include(messages[0], "not a file")
    })
  )

  it.effect("in place of the folder, is a failure at the start", () =>
    Effect.gen(function* () {
      const path = join(yield* emptyFolder, "file")
      writeFileSync(path, "")
      const error = yield* Effect.flip(life({ path }, () => Effect.void))
      assert.strictEqual(error.code, "HISTORY_UNREADABLE")
      assert.include(error.message, path)
    })
  )
})

it.effect("in memory it is the same without files, for so many threads", () =>
  Effect.gen(function* () {
    const store = yield* HistoryStore
    for (const id of ["a", "b", "c"]) yield* keep(store, id, said(id))
    assert.deepStrictEqual(yield* before(store, "a"), Model.emptyTranscript)
    assert.deepStrictEqual(yield* before(store, "b"), said("b"))
    const thread = yield* store.open("c")
    yield* store.remove("c")
    yield* thread.keep(said("late"))
    assert.deepStrictEqual(yield* before(store, "c"), Model.emptyTranscript)
  }).pipe(Effect.scoped, Effect.provide(HistoryStore.layerMemory({ maxThreads: 2 })))
)
