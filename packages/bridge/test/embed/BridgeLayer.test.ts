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
import { type BridgeOptions, layerBridgeSessions } from "../../src/embed/BridgeLayer.ts"
import { Sessions } from "../../src/session/Sessions.ts"
import { echo } from "../AgentLines.ts"
import { type FakeAgents, fakeAgents } from "../FakeAgent.ts"
import { emptyFolder } from "../Folder.ts"

let count = 0
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
