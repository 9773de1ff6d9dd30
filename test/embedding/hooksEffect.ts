import { layerBridgeSessions } from "@agentwire/bridge"
import { cliLauncher, layerClaudeRuntimeWith } from "@agentwire/bridge/claude"
import { Sessions } from "@agentwire/bridge/session"
import { Effect, Layer } from "effect"

const runtime = layerClaudeRuntimeWith({
  hooks: {
    PostToolUse: [
      {
        timeout: "5 seconds",
        run: ({ tool_name }, { threadId }) => Effect.log(`${threadId} has used ${tool_name}`)
      }
    ]
  }
})

const sessions = layerBridgeSessions({ session: { cwd: process.cwd() } }).pipe(
  Layer.provide(runtime),
  Layer.provide(cliLauncher())
)

const program = Effect.gen(function* () {
  const { create } = yield* Sessions
  const session = yield* create("morning", { agent: { model: "sonnet", checkpointing: true } })
  yield* session.start
  console.log(`The agent of ${session.threadId} is ${yield* session.status}.`)
})

await Effect.runPromise(program.pipe(Effect.provide(sessions)))
