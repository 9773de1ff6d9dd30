/** `@agentwire/bridge/agui`: sessions as AG-UI clients see them, without HTTP. */
import { layerBridgeSessions } from "@agentwire/bridge"
import { aguiFeed } from "@agentwire/bridge/agui"
import { layerClaudeRuntime } from "@agentwire/bridge/claude"
import { replayLauncher } from "@agentwire/bridge/replay"
import { Sessions } from "@agentwire/bridge/session"
import { findTape } from "@agentwire/fixtures"
import { Effect, Layer, Result, Stream } from "effect"

const tapes = findTape({ scenario: "plain_text", version: "2.1.325" })?.file ?? ""
const sessions = layerBridgeSessions({ session: { cwd: process.cwd() } }).pipe(
  Layer.provide(layerClaudeRuntime),
  Layer.provide(replayLauncher({ tapes }))
)

// The events of a session from the first on, until its run has ended.
const types = Effect.gen(function* () {
  const session = yield* Effect.flatMap(Sessions, ({ open }) => open("morning"))
  const prompt = { type: "prompt", said: [{ id: "1", content: "Hello!" }] } as const
  yield* session.submit(() => Result.succeed({ ticket: "r", answers: [], results: [], tools: [], prompt }))
  return yield* aguiFeed(session, 0, "event").pipe(
    Stream.flatMap(({ events }) => Stream.fromIterable(events.map(({ type }) => type))),
    Stream.takeUntil((type) => type === "RUN_FINISHED"),
    Stream.runCollect
  )
})
console.log((await Effect.runPromise(types.pipe(Effect.provide(sessions)))).includes("TEXT_MESSAGE_CONTENT")) // true
