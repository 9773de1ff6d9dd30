/**
 * The sessions of a bridge from one life to the next, with an agent that repeats what it is told.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { type BridgeOptions, layerBridgeSessions, type PreparedSession } from "../../src/embed/BridgeLayer.ts"
import { layerClaudeRuntime } from "../../src/runtime/claude/ClaudeRuntime.ts"
import { Sessions } from "../../src/session/Sessions.ts"
import { makeMemory } from "../../src/store/memory/Memory.ts"
import { layerMemoryStore } from "../../src/store/memory/MemoryStore.ts"
import { layerSqliteStore } from "../../src/store/sqlite/SqliteStore.ts"
import { echo } from "../AgentLines.ts"
import { aguiClient } from "../AguiClient.ts"
import { type FakeAgents, fakeAgents } from "../FakeAgent.ts"
import { emptyFolder } from "../Folder.ts"

let count = 0
/** One life of a bridge. */
const life = <A, E>(
  {
    prepare,
    ...options
  }: Pick<BridgeOptions, "roots" | "store" | "sessions"> & Pick<BridgeOptions["session"], "prepare">,
  use: (sessions: Sessions["Service"], agents: FakeAgents) => Effect.Effect<A, E>
) => {
  const { agents, layer } = fakeAgents(echo)
  return Effect.flatMap(Sessions, (sessions) => use(sessions, agents)).pipe(
    Effect.provide(
      layerBridgeSessions({ session: { cwd: "/", ...(prepare && { prepare }) }, ...options }).pipe(
        Layer.provide(layerClaudeRuntime),
        Layer.provide(layer)
      )
    )
  )
}

const ask = (sessions: Sessions["Service"], threadId: string, content: string) =>
  Effect.gen(function* () {
    const session = yield* sessions.open(threadId)
    yield* aguiClient(session).run(`run-${++count}`, { prompt: content })
    // The end of the run is in the log a moment before the session is free.
    yield* session.status.pipe(
      Effect.tap(() => Effect.yieldNow),
      Effect.repeat({ until: (status) => status === "idle" })
    )
  })

const saidIn = (sessions: Sessions["Service"], threadId: string) =>
  Effect.gen(function* () {
    const session = yield* sessions.open(threadId)
    const { transcript } = yield* session.log.moment()
    return transcript.entries.map((entry) =>
      entry.kind === "prompt" ? entry.content : entry.kind === "text" ? entry.text : entry
    )
  })

it.effect("the folder of a session is made ready before its agent starts, each time", () =>
  Effect.gen(function* () {
    const prepared: Array<PreparedSession> = []
    const prepare = (session: PreparedSession) => Effect.sync(() => void prepared.push(session))
    yield* life({ prepare }, (sessions) =>
      Effect.gen(function* () {
        yield* ask(sessions, "t", "One")
        yield* (yield* sessions.open("t")).disconnect
        assert.strictEqual(prepared.length, 1)
        yield* ask(sessions, "t", "Two")
        assert.deepStrictEqual(yield* saidIn(sessions, "t"), ["One", "You said: One", "Two", "You said: Two"])
      })
    )
    const session = { threadId: "t", folder: "/", runtime: "claude", mode: undefined }
    assert.deepStrictEqual(prepared, [session, session])
  })
)

it.effect("an agent whose folder cannot be made ready does not start, and says why", () =>
  Effect.gen(function* () {
    const failed = { code: "WORKSPACE_MISSING", message: "There are no templates." }
    yield* life({ prepare: () => Effect.fail(failed) }, (sessions, agents) =>
      Effect.gen(function* () {
        const session = yield* sessions.open("t")
        assert.deepInclude(yield* Effect.flip(session.start), failed)
        assert.strictEqual(agents.launched.length, 0)
      })
    )
  })
)

it.effect("the sessions of a bridge have the name of their agent, for people", () =>
  Effect.gen(function* () {
    assert.strictEqual(yield* life({}, ({ agentName }) => Effect.succeed(agentName)), "Claude Code")
  })
)

/** The stores that a thread may be in from one life to the next. */
const stores: ReadonlyArray<readonly [string, Effect.Effect<NonNullable<BridgeOptions["store"]>, never, Scope.Scope>]> =
  [
    ["in memory", Effect.sync(() => layerMemoryStore({ memory: makeMemory() }))],
    ["in SQLite", Effect.map(emptyFolder, (folder) => layerSqliteStore({ folder }))]
  ]

describe.each(stores)("a thread %s", (_, storeOf) => {
  it.live("has in the next life what was said in all before, and goes on with the same conversation", () =>
    Effect.gen(function* () {
      const store = yield* storeOf
      yield* life({ store }, (sessions) => ask(sessions, "a", "one"))
      yield* life({ store }, (sessions, agents) =>
        Effect.gen(function* () {
          yield* ask(sessions, "a", "two")
          assert.strictEqual(agents.launched[0]?.resume, "provider-1")
        })
      )
      const [a, b] = yield* life({ store }, (sessions) => Effect.all([saidIn(sessions, "a"), saidIn(sessions, "b")]))
      assert.deepStrictEqual(a, ["one", "You said: one", "two", "You said: two"])
      assert.deepStrictEqual(b, [])
    })
  )

  it.live("has what was said when it lost its place and is opened again", () =>
    Effect.gen(function* () {
      yield* life({ store: yield* storeOf, sessions: { maxSessions: 1, grace: 0 } }, (sessions) =>
        Effect.gen(function* () {
          yield* ask(sessions, "a", "one")
          yield* ask(sessions, "b", "two")
          assert.deepStrictEqual(yield* saidIn(sessions, "a"), ["one", "You said: one"])
        })
      )
    })
  )

  it.live("is after a restart what it was made as, also when nobody has spoken to it", () =>
    Effect.gen(function* () {
      const store = yield* storeOf
      const cwd = yield* emptyFolder
      const agent = { model: "m", permissionMode: "plan" }
      yield* life({ store }, (sessions) =>
        Effect.gen(function* () {
          yield* sessions.create("silent", { cwd, mode: "planner", agent })
          yield* sessions.create("spoken", { cwd, mode: "planner", agent })
          yield* ask(sessions, "spoken", "one")
        })
      )
      yield* life({ store }, (sessions, agents) =>
        Effect.gen(function* () {
          for (const [n, threadId] of ["silent", "spoken"].entries()) {
            const session = yield* sessions.open(threadId)
            assert.deepStrictEqual([session.cwd, session.mode], [cwd, "planner"])
            yield* ask(sessions, threadId, "two")
            assert.deepInclude(agents.launched[n], { cwd, options: agent })
          }
          assert.strictEqual(yield* (yield* sessions.open("spoken")).title, "one")
          assert.strictEqual(agents.launched[1]?.resume, "provider-1")
        })
      )
    })
  )

  it.live("keeps what was chosen for it while its agent ran, for the next process and for the next life", () =>
    Effect.gen(function* () {
      const store = yield* storeOf
      yield* life({ store }, (sessions, agents) =>
        Effect.gen(function* () {
          yield* sessions.create("a", { agent: { model: "m", permissionMode: "acceptEdits" } })
          yield* ask(sessions, "a", "one")
          const session = yield* sessions.open("a")
          yield* session.native.request("set_permission_mode", { mode: "plan" })
          yield* session.disconnect
          yield* ask(sessions, "a", "two")
          assert.deepStrictEqual(agents.launched[1]?.options, { model: "m", permissionMode: "plan" })
        })
      )
      yield* life({ store }, (sessions, agents) =>
        Effect.gen(function* () {
          yield* ask(sessions, "a", "three")
          assert.deepStrictEqual(agents.launched[0]?.options, { model: "m", permissionMode: "plan" })
        })
      )
    })
  )

  it.live("that is removed leaves nothing", () =>
    Effect.gen(function* () {
      const store = yield* storeOf
      yield* life({ store }, (sessions) =>
        Effect.gen(function* () {
          yield* ask(sessions, "a", "one")
          assert.isTrue(yield* sessions.remove("a"))
          assert.isFalse(yield* sessions.remove("a"))
          assert.deepStrictEqual(yield* saidIn(sessions, "a"), [])
        })
      )
    })
  )

  it.live("is listed by the bridges of its folder, with what it is called and when somebody spoke last", () =>
    Effect.gen(function* () {
      const store = yield* storeOf
      const [mine, theirs] = [yield* emptyFolder, yield* emptyFolder]
      yield* life({ store, roots: [mine, theirs] }, (sessions) =>
        Effect.gen(function* () {
          yield* sessions.create("mine", { cwd: mine })
          yield* sessions.create("theirs", { cwd: theirs })
          yield* ask(sessions, "mine", "Words of mine")
        })
      )
      const listed = (roots: ReadonlyArray<string>) =>
        life({ store, roots }, ({ list }) =>
          Effect.map(list, (all) => all.map(({ threadId, title }) => [threadId, title]))
        )
      assert.deepStrictEqual(yield* listed([mine]), [["mine", "Words of mine"]])
      assert.deepStrictEqual(yield* listed([theirs]), [["theirs", undefined]])
    })
  )
})
