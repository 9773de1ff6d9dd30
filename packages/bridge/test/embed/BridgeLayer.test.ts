/**
 * The sessions of a bridge from one life to the next, with an agent that repeats what it is told.
 */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type BridgeOptions, layerBridgeSessions } from "../../src/embed/BridgeLayer.ts"
import { layerClaudeRuntime } from "../../src/runtime/claude/ClaudeRuntime.ts"
import { type SessionChoices, Sessions } from "../../src/session/Sessions.ts"
import { echo } from "../AgentLines.ts"
import { aguiClient } from "../AguiClient.ts"
import { type Behaviour, type FakeAgents, fakeAgents, type Line } from "../FakeAgent.ts"
import { emptyFolder } from "../Folder.ts"
import { everything } from "../Options.ts"

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

let count = 0
/** One life of a bridge. */
const life = <A, E>(
  options: Partial<Pick<BridgeOptions, "indexPath" | "session" | "sessions">>,
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
    return session.log
      .moment()
      .transcript.entries.map((entry) =>
        entry.kind === "prompt" ? entry.content : entry.kind === "text" ? entry.text : entry
      )
  })

it.effect("the sessions of a bridge have the name of their agent, for people", () =>
  Effect.gen(function* () {
    assert.strictEqual(yield* life({}, ({ agentName }) => Effect.succeed(agentName)), "Claude Code")
  })
)

describe("a thread", () => {
  it.live("has in the next life what was said in all before, and goes on with the same conversation", () =>
    Effect.gen(function* () {
      const indexPath = join(yield* emptyFolder, "index.json")
      yield* life({ indexPath }, (sessions) => ask(sessions, "a", "one"))
      yield* life({ indexPath }, (sessions, agents) =>
        Effect.gen(function* () {
          yield* ask(sessions, "a", "two")
          assert.strictEqual(agents.launched[0]?.resume, "provider-1")
        })
      )
      const [a, b] = yield* life({ indexPath }, (sessions) =>
        Effect.all([saidIn(sessions, "a"), saidIn(sessions, "b")])
      )
      assert.deepStrictEqual(a, ["one", "You said: one", "two", "You said: two"])
      assert.deepStrictEqual(b, [])
    })
  )

  it.live("has what was said when it lost its place and is opened again, with and without an index", () =>
    Effect.gen(function* () {
      const indexPath = join(yield* emptyFolder, "index.json")
      for (const options of [{ indexPath }, {}])
        yield* life({ ...options, sessions: { maxSessions: 1, grace: 0 } }, (sessions) =>
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
      const indexPath = join(yield* emptyFolder, "index.json")
      const cwd = yield* emptyFolder
      const agent = { model: "m", permissionMode: "plan" }
      yield* life({ indexPath }, (sessions) =>
        Effect.gen(function* () {
          yield* sessions.create("silent", { cwd, mode: "planner", agent })
          yield* sessions.create("spoken", { cwd, mode: "planner", agent })
          yield* ask(sessions, "spoken", "one")
        })
      )
      yield* life({ indexPath }, (sessions, agents) =>
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
      const indexPath = join(yield* emptyFolder, "index.json")
      yield* life({ indexPath }, (sessions, agents) =>
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
      yield* life({ indexPath }, (sessions, agents) =>
        Effect.gen(function* () {
          yield* ask(sessions, "a", "three")
          assert.deepStrictEqual(agents.launched[0]?.options, { model: "m", permissionMode: "plan" })
        })
      )
    })
  )

  it.live(
    "has after a restart every option it was made with, beside those of the bridge, and the MCP servers set later",
    () =>
      Effect.gen(function* () {
        const indexPath = join(yield* emptyFolder, "index.json")
        const session = { cwd: "/", agent: { disallowedTools: ["Bash"], maxTurns: 2 } }
        const merged = { ...everything, disallowedTools: ["Bash", "WebFetch"], maxTurns: 2 }
        yield* life({ indexPath, session }, (sessions, agents) =>
          Effect.gen(function* () {
            yield* sessions.create("a", { agent: everything })
            yield* ask(sessions, "a", "one")
            assert.deepStrictEqual(agents.launched[0]?.options, merged)
          })
        )
        const later = { other: { command: "other" } }
        yield* life({ indexPath, session }, (sessions, agents) =>
          Effect.gen(function* () {
            yield* ask(sessions, "a", "two")
            assert.deepStrictEqual(agents.launched[0]?.options, merged)
            const opened = yield* sessions.open("a")
            assert.deepStrictEqual(yield* opened.options, everything)
            yield* opened.native.request("mcp_set_servers", { servers: later })
          })
        )
        yield* life({ indexPath, session }, (sessions, agents) =>
          Effect.gen(function* () {
            yield* ask(sessions, "a", "three")
            assert.deepStrictEqual(agents.launched[0]?.options, { ...merged, mcpServers: later })
          })
        )
      })
  )

  it.live("whose kept options cannot be read does not start as something else", () =>
    Effect.gen(function* () {
      const indexPath = join(yield* emptyFolder, "index.json")
      yield* life({ indexPath }, (sessions) => sessions.create("a", { agent: { disallowedTools: ["Bash"] } }))
      writeFileSync(indexPath, readFileSync(indexPath, "utf8").replace('["Bash"]', '"Bash"'))
      yield* life({ indexPath }, (sessions, agents) =>
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
          const opened = yield* Effect.flip(sessions.open("a", { agent: { addDirs: [other] } }))
          assert.strictEqual(opened.code, "CWD_OUTSIDE_ROOTS")
          const session = yield* sessions.open("a", { agent: { addDirs: [root], model: "m" } })
          assert.deepStrictEqual(yield* session.options, { addDirs: [root], model: "m" })
          const again = yield* sessions.open("a", { agent: { model: "other" } })
          assert.strictEqual((yield* again.options).model, "m")
        })
      )
    })
  )

  it.effect("of a bridge whose own options do not fit is not made at all", () =>
    Effect.gen(function* () {
      const failed = yield* Effect.flip(life({ session: { cwd: "/", agent: { model: "" } } }, () => Effect.void))
      assert.deepInclude(failed, { code: "BAD_OPTION", path: "model" })
    })
  )

  it.live("that was made is in the index at once: a bridge may be killed", () =>
    Effect.gen(function* () {
      const indexPath = join(yield* emptyFolder, "index.json")
      yield* life({ indexPath }, (sessions) =>
        Effect.gen(function* () {
          yield* sessions.create("a", { mode: "planner" })
          assert.include(readFileSync(indexPath, "utf8"), '"planner"')
        })
      )
    })
  )

  it.live("that is removed leaves nothing", () =>
    Effect.gen(function* () {
      const indexPath = join(yield* emptyFolder, "index.json")
      yield* life({ indexPath }, (sessions) =>
        Effect.gen(function* () {
          yield* ask(sessions, "a", "one")
          assert.isTrue(yield* sessions.remove("a"))
          assert.isFalse(yield* sessions.remove("a"))
          assert.deepStrictEqual(yield* saidIn(sessions, "a"), [])
        })
      )
      assert.isTrue(existsSync(indexPath))
      assert.deepStrictEqual(readdirSync(`${indexPath}.history`), [])
    })
  )
})
