/** The runtime against an app-server that misbehaves: what the real one does is in test/bridge/codex.test.ts. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Model } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { layerCodexRuntime } from "../../../src/runtime/codex/CodexRuntime.ts"
import { codexLauncher } from "../../../src/runtime/codex/Launcher.ts"
import { openThread } from "../../../src/session/OpenThread.ts"
import type { Session } from "../../../src/session/Session.ts"
import { makeSession } from "../../../src/session/SessionActor.ts"
import type { SessionOptions } from "../../../src/session/SessionOptions.ts"
import { layerMemoryStore } from "../../../src/store/memory/MemoryStore.ts"
import { Store } from "../../../src/store/Store.ts"
import type { StoredThread } from "../../../src/store/StoredThread.ts"
import { testThread } from "../../TestLog.ts"
import { eventsUntil, happened, until } from "../../WithSession.ts"

const program = fileURLToPath(new URL("FakeCodex.mjs", import.meta.url))

/** What a test chooses about its session. */
interface Chosen extends Partial<SessionOptions> {
  readonly fake?: string
  readonly thread?: Partial<StoredThread>
}

const withSession = <A, E>(
  { fake = "", thread, ...options }: Chosen,
  use: (session: Session) => Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    const cwd = yield* Effect.acquireRelease(
      Effect.sync(() => realpathSync(mkdtempSync(join(tmpdir(), "agentwire-")))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
    )
    const launcher = codexLauncher({ codexPath: program, inherit: { PATH: process.env["PATH"] }, env: { FAKE: fake } })
    const session = Effect.gen(function* () {
      const claim = yield* openThread(yield* Store, testThread("t", thread))
      return yield* makeSession({ claim, sessionKey: "t", cwd, canAsk: true, ...options })
    })
    return yield* session.pipe(
      Effect.orDie,
      Effect.flatMap(use),
      Effect.scoped,
      Effect.provide(Layer.merge(Layer.provide(layerCodexRuntime, launcher), layerMemoryStore()))
    )
  }).pipe(Effect.scoped)

const prompt = (session: Session, words = "Hi") =>
  session.submit(() =>
    Result.succeed({
      ticket: words,
      answers: [],
      results: [],
      tools: [],
      prompt: { type: "prompt" as const, said: [{ id: words, content: words }] }
    })
  )

const endOf = (events: ReadonlyArray<Model.Event>): unknown =>
  events.flatMap((event) => (event.type === "turn_ended" ? [event.outcome] : [])).at(-1)

describe("layerCodexRuntime", () => {
  it.live("every request is answered, also those that cannot be read", () =>
    withSession({}, (session) =>
      Effect.gen(function* () {
        yield* prompt(session)
        yield* until(session, "turn_ended")
        const events = yield* happened(session)
        const text = events.flatMap((event) => (event.type === "item_grew" ? [event.delta] : [])).join("")
        expect(JSON.parse(text)).toEqual([-32601, -32602, -32602, -32602])
        expect(endOf(events)).toEqual({ type: "completed" })
      })
    )
  )

  it.live("a server that does not answer in time is ended, and so is the turn", () =>
    withSession({ fake: "silent", startTimeout: "200 millis" }, (session) =>
      Effect.gen(function* () {
        yield* prompt(session)
        yield* until(session, "turn_ended")
        expect(endOf(yield* happened(session))).toMatchObject({ type: "failed", code: "TIMEOUT" })
        expect(yield* session.status).toBe("disconnected")
      })
    )
  )

  it.live("a server that ends as it starts tells why in its last words", () =>
    withSession({ fake: "dies" }, (session) =>
      Effect.gen(function* () {
        yield* prompt(session)
        yield* until(session, "turn_ended")
        expect(endOf(yield* happened(session))).toMatchObject({
          type: "failed",
          code: "process_exited",
          message: expect.stringContaining("no home for me")
        })
      })
    )
  )

  it.live("a thread that Codex has nothing of is begun anew, and that is told", () =>
    withSession({ thread: { providerSessionId: "gone" } }, (session) =>
      Effect.gen(function* () {
        yield* prompt(session)
        yield* until(session, "turn_ended")
        const events = yield* happened(session)
        expect(events.find(({ type }) => type === "context_reset")).toEqual({ type: "context_reset", how: "lost" })
        expect(endOf(events)).toEqual({ type: "completed" })
      })
    )
  )

  it.live("a stop ends a turn that says nothing, and one that is only being started", () =>
    withSession({ fake: "mute" }, (session) =>
      Effect.gen(function* () {
        yield* prompt(session, "first")
        yield* session.stop()
        yield* until(session, "turn_ended")
        const from = session.log.next()
        yield* prompt(session, "second")
        yield* session.start
        yield* session.stop()
        const events = yield* eventsUntil(session, ({ type }) => type === "turn_ended", from)
        expect(endOf(events)).toEqual({ type: "cancelled" })
      })
    )
  )

  it.live("an option that Codex has nothing for is refused by name", () =>
    withSession({ agent: { maxTurns: 3 } }, (session) =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(session.start)
        expect(failure).toMatchObject({ code: "OPTION_UNSUPPORTED", message: expect.stringContaining("maxTurns") })
      })
    )
  )

  it.live("the log of the wire has names of variables and not their values", () =>
    withSession({ agent: { mcpServers: { files: { command: "mcp", env: { KEY: "a-secret-value" } } } } }, (session) =>
      Effect.gen(function* () {
        yield* session.start
        const { next, read } = session.wire
        const lines = JSON.stringify(yield* Stream.runCollect(Stream.take(read(0), yield* next)))
        expect(lines).toContain("KEY")
        expect(lines).not.toContain("a-secret-value")
      })
    )
  )
})
