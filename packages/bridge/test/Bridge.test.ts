/**
 * The sessions of a bridge from one life to the next, with an agent that repeats what it is told.
 */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import type { Agui } from "@agentwire/protocol"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { type BridgeOptions, layerBridgeSessions } from "../src/Bridge.ts"
import { Sessions } from "../src/Sessions.ts"
import { type Behaviour, type FakeAgents, fakeAgents } from "./FakeAgent.ts"
import { emptyFolder } from "./Folder.ts"

let count = 0
const envelope = () => ({
  session_id: "provider-1",
  uuid: `00000000-0000-4000-8000-${String(++count).padStart(12, "0")}`
})
const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }

const echo: Behaviour = (message, say) => {
  if (message["type"] !== "user") return Effect.void
  const { content } = message["message"] as { readonly content: ReadonlyArray<{ readonly text: string }> | string }
  const words = typeof content === "string" ? content : content.map(({ text }) => text).join("")
  return say(
    {
      type: "system",
      subtype: "init",
      cwd: "/",
      tools: [],
      mcp_servers: [],
      model: "m",
      permissionMode: "default",
      slash_commands: [],
      apiKeySource: "none",
      claude_code_version: "2.1.325",
      output_style: "default",
      skills: [],
      plugins: [],
      ...envelope()
    },
    {
      type: "assistant",
      message: {
        id: `msg_${++count}`,
        type: "message",
        role: "assistant",
        model: "m",
        content: [{ type: "text", text: `You said: ${words}` }],
        stop_reason: null,
        stop_sequence: null,
        usage
      },
      parent_tool_use_id: null,
      ...envelope()
    },
    {
      type: "result",
      subtype: "success",
      is_error: false,
      duration_ms: 1,
      duration_api_ms: 1,
      num_turns: 1,
      result: "done",
      stop_reason: "end_turn",
      total_cost_usd: 0,
      usage,
      modelUsage: {},
      permission_denials: [],
      ...envelope()
    }
  )
}

/** One life of a bridge. */
const life = <A, E>(
  options: Pick<BridgeOptions, "indexPath" | "sessions">,
  use: (sessions: Sessions["Service"], agents: FakeAgents) => Effect.Effect<A, E>
) => {
  const { agents, layer } = fakeAgents(echo)
  return Effect.flatMap(Sessions, (sessions) => use(sessions, agents)).pipe(
    Effect.provide(layerBridgeSessions({ session: { cwd: "/" }, ...options }).pipe(Layer.provide(layer)))
  )
}

const input = (threadId: string, content: string): Agui.RunAgentInput => ({
  threadId,
  runId: `run-${++count}`,
  messages: [{ id: `message-${++count}`, role: "user", content }],
  tools: [],
  context: []
})

const ask = (sessions: Sessions["Service"], threadId: string, content: string) =>
  Effect.gen(function* () {
    const session = yield* sessions.open(threadId)
    const { from } = yield* session.run(input(threadId, content))
    yield* session.log.read(from).pipe(
      Stream.takeUntil(({ event }) => event.type === "RUN_FINISHED" || event.type === "RUN_ERROR"),
      Stream.runDrain
    )
    // The end of the run is in the log a moment before the session is free.
    yield* session.status.pipe(
      Effect.tap(() => Effect.yieldNow),
      Effect.repeat({ until: (status) => status === "idle" })
    )
  })

const saidIn = (sessions: Sessions["Service"], threadId: string) =>
  Effect.gen(function* () {
    const session = yield* sessions.open(threadId)
    const { history } = yield* session.log.history
    return history.messages.map(({ content }) => content)
  })

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
