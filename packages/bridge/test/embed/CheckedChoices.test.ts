/**
 * What is chosen for a session: checked when it is made, and kept from one life of a bridge to the next.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { type BridgeOptions, layerBridgeSessions } from "../../src/embed/BridgeLayer.ts"
import { layerClaudeRuntime } from "../../src/runtime/claude/ClaudeRuntime.ts"
import { type SessionChoices, Sessions } from "../../src/session/Sessions.ts"
import { makeMemory } from "../../src/store/memory/Memory.ts"
import { layerMemoryStore } from "../../src/store/memory/MemoryStore.ts"
import { Store } from "../../src/store/Store.ts"
import { layerSqliteStore } from "../../src/store/sqlite/SqliteStore.ts"
import { echo } from "../AgentLines.ts"
import { type Behaviour, type FakeAgents, fakeAgents, type Line } from "../FakeAgent.ts"
import { emptyFolder } from "../Folder.ts"
import { everything } from "../Options.ts"
import { controls } from "../WithSession.ts"

/** An agent that repeats what it is told, and takes the MCP servers that it is given. */
const taking: Behaviour = (line, say) =>
  (line["request"] as Line | undefined)?.["subtype"] === "mcp_set_servers"
    ? say({
        type: "control_response",
        response: {
          subtype: "success",
          request_id: line["request_id"],
          response: { added: [], removed: [], errors: {} }
        }
      })
    : echo(line, say)

/** One life of a bridge. */
const life = <A, E>(
  options: Partial<Pick<BridgeOptions, "session" | "store">>,
  use: (sessions: Sessions["Service"], agents: FakeAgents) => Effect.Effect<A, E>
) => {
  const { agents, layer } = fakeAgents(taking)
  return Effect.flatMap(Sessions, (sessions) => use(sessions, agents)).pipe(
    Effect.provide(
      layerBridgeSessions({ session: { cwd: "/" }, ...options }).pipe(
        Layer.provide(layerClaudeRuntime),
        Layer.provide(layer)
      )
    )
  )
}

const start = (sessions: Sessions["Service"], threadId: string) =>
  Effect.tap(sessions.open(threadId), ({ start }) => start)

const serversGiven = (agents: FakeAgents) =>
  controls(agents, "mcp_set_servers").map((line) =>
    Object.keys((line["request"] as Line)["servers"] as object).filter((name) => name !== "frontend")
  )

/** The stores that a thread may be in from one life to the next. */
const stores: ReadonlyArray<readonly [string, Effect.Effect<NonNullable<BridgeOptions["store"]>, never, Scope.Scope>]> =
  [
    ["in memory", Effect.sync(() => layerMemoryStore({ memory: makeMemory() }))],
    ["in SQLite", Effect.map(emptyFolder, (folder) => layerSqliteStore({ folder }))]
  ]

describe.each(stores)("the options of a thread %s", (_, storeOf) => {
  it.live("are after a restart what it was made with, beside those of the bridge, with the MCP servers set later", () =>
    Effect.gen(function* () {
      const store = yield* storeOf
      const session = { cwd: "/", agent: { disallowedTools: ["Bash"], maxTurns: 2 } }
      const merged = { ...everything, disallowedTools: ["Bash", "WebFetch"], maxTurns: 2 }
      yield* life({ store, session }, (sessions) => sessions.create("a", { agent: everything }))
      yield* life({ store, session }, (sessions, agents) =>
        Effect.gen(function* () {
          const opened = yield* start(sessions, "a")
          assert.deepStrictEqual(agents.launched[0]?.options, merged)
          assert.deepStrictEqual(serversGiven(agents), [["web", "files"]])
          assert.deepStrictEqual(yield* opened.options, everything)
          yield* opened.native.request("mcp_set_servers", { servers: { other: { command: "other" } } })
          assert.deepStrictEqual((yield* opened.options).mcpServers, { other: { command: "other" } })
        })
      )
      yield* life({ store, session }, (sessions, agents) =>
        Effect.gen(function* () {
          const opened = yield* start(sessions, "a")
          assert.deepStrictEqual(serversGiven(agents), [["other"]])
          yield* opened.native.request("mcp_set_servers", { servers: {} })
        })
      )
      yield* life({ store, session }, (sessions, agents) =>
        Effect.gen(function* () {
          yield* start(sessions, "a")
          assert.deepStrictEqual(agents.launched[0]?.options, merged)
          assert.deepStrictEqual(serversGiven(agents), [])
        })
      )
    })
  )

  it.live("that cannot be read keep its agent from starting as something else", () =>
    Effect.gen(function* () {
      const store = yield* storeOf
      yield* life({ store }, (sessions) => sessions.create("a", { agent: { disallowedTools: ["Bash"] } }))
      yield* Effect.flatMap(Store, ({ change }) => change("a", { options: { disallowedTools: "Bash" } })).pipe(
        Effect.provide(store)
      )
      yield* life({ store }, (sessions, agents) =>
        Effect.gen(function* () {
          const session = yield* sessions.open("a")
          const failed = yield* Effect.flip(session.start)
          assert.strictEqual(failed.code, "BAD_OPTION")
          assert.include(failed.message, "disallowedTools")
          assert.deepStrictEqual(agents.launched, [])
        })
      )
    })
  )
})

describe("a session", () => {
  it.live("is not made with options that do not fit, nor with folders that are not below a root", () =>
    Effect.gen(function* () {
      const [root, other] = [yield* emptyFolder, yield* emptyFolder]
      yield* life({ session: { cwd: root } }, (sessions) =>
        Effect.gen(function* () {
          const codeOf = (choices: SessionChoices) =>
            Effect.map(Effect.flip(sessions.create("a", choices)), ({ code }) => code)
          assert.strictEqual(yield* codeOf({ agent: { maxTurns: 0 } }), "BAD_OPTION")
          assert.strictEqual(yield* codeOf({ agent: { addDirs: [root, other] } }), "CWD_OUTSIDE_ROOTS")
          assert.strictEqual(yield* codeOf({ agent: { addDirs: ["."] } }), "CWD_NOT_ABSOLUTE")
          assert.strictEqual(yield* codeOf({ cwd: other }), "CWD_OUTSIDE_ROOTS")
          const opened = yield* Effect.flip(sessions.open("a", { agent: { addDirs: [other] } }))
          assert.strictEqual(opened.code, "CWD_OUTSIDE_ROOTS")
        })
      )
    })
  )

  it.live("that is opened with choices has them if it is new, and stays as it is if it is not", () =>
    life({}, (sessions) =>
      Effect.gen(function* () {
        const session = yield* sessions.open("a", { mode: "planner", agent: { model: "m" } })
        assert.deepStrictEqual([session.mode, yield* session.options], ["planner", { model: "m" }])
        const again = yield* sessions.open("a", { mode: "other", agent: { model: "other" } })
        assert.deepStrictEqual([again.mode, yield* again.options], ["planner", { model: "m" }])
      })
    )
  )

  it.effect("of a bridge whose own options do not fit is not made at all", () =>
    Effect.gen(function* () {
      const failed = yield* Effect.flip(life({ session: { cwd: "/", agent: { model: "" } } }, () => Effect.void))
      assert.deepInclude(failed, { code: "BAD_OPTION", path: "model" })
    })
  )
})
