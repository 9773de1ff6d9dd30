/** `@agentwire/bridge/session`: conversations with agents, and the port that a runtime fills. */
import { layerBridgeSessions } from "@agentwire/bridge"
import { layerClaudeRuntime } from "@agentwire/bridge/claude"
import { replayLauncher } from "@agentwire/bridge/replay"
import {
  BadOption,
  decodeAgentOptions,
  encodeAgentOptions,
  makeSession,
  makeWorkingFolders,
  mergeAgentOptions,
  NativeFailed,
  NothingPending,
  Runtime,
  SessionRefused,
  Sessions,
  StartFailed,
  sessionOptionNames,
  ThreadBusy,
  ToolCallFailed,
  WorkingFolderRefused
} from "@agentwire/bridge/session"
import { Effect, Layer, Result } from "effect"

// The sessions of a bridge, by their threads. What is refused has a stable code.
const refused = Effect.gen(function* () {
  const { create, list } = yield* Sessions
  yield* create("morning", { mode: "planner" })
  const again = yield* Effect.flip(create("morning", {}))
  return [again instanceof SessionRefused, again.code, (yield* list).length]
})
const agents = layerClaudeRuntime.pipe(Layer.provide(replayLauncher({ tapes: [] })))
const sessions = layerBridgeSessions({ session: { cwd: process.cwd() } }).pipe(Layer.provide(agents))
console.log(await Effect.runPromise(refused.pipe(Effect.provide(sessions)))) // [ true, 'THREAD_EXISTS', 1 ]

// A runtime of your own: here one whose agents never start, and do nothing.
const gone = new StartFailed({ code: "GONE", message: "There is no agent." })
const silent = Layer.succeed(Runtime, {
  kind: "silent",
  name: "The Silent",
  open: ({ cwd }) =>
    Effect.succeed({
      send: () => Effect.void,
      interrupt: Effect.void,
      start: Effect.void,
      whenReady: Effect.fail(gone),
      disconnect: Effect.void,
      isRunning: () => false,
      cwd: () => cwd,
      native: {
        request: (method) => Effect.fail(new NativeFailed({ code: "UNSUPPORTED", method, message: "It has nothing." })),
        send: () => Effect.fail(gone),
        facts: () => ({})
      }
    })
})

// A session without a bridge, with that runtime.
const failures = Effect.gen(function* () {
  const session = yield* makeSession({ threadId: "t", sessionKey: "t", cwd: process.cwd() })
  const answer = yield* Effect.flip(session.answer("nothing", { type: "allow" }))
  const call = yield* Effect.flip(session.callTool("show_map", {}))
  return [answer instanceof NothingPending, call instanceof ToolCallFailed && call.code]
})
console.log(await Effect.runPromise(failures.pipe(Effect.scoped, Effect.provide(silent)))) // [ true, 'NO_SUCH_TOOL' ]

// What a session says that takes one thing at a time.
console.log(new ThreadBusy({ threadId: "t", message: "A run is going on." }).threadId) // t

// The folders that agents may work in.
const outside = makeWorkingFolders([process.cwd()]).pipe(
  Effect.flatMap(({ resolve }) => resolve("/")),
  Effect.flip
)
const failure = await Effect.runPromise(outside)
console.log(failure instanceof WorkingFolderRefused, failure.code) // true CWD_OUTSIDE_ROOTS

// What may be chosen about an agent, checked: what does not fit is named with its place, without its value.
const wrong = decodeAgentOptions({ mcpServers: { files: { command: 7 } } })
console.log(Result.isFailure(wrong) && wrong.failure instanceof BadOption && wrong.failure.path) // mcpServers.files.command

// Options as JSON, to be kept, and read again.
const kept = encodeAgentOptions({ model: "sonnet", env: { FRUIT: "pear" } })
console.log(Result.getOrThrow(decodeAgentOptions(kept)).env) // { FRUIT: 'pear' }

// A session may be stricter than its bridge, and not laxer.
console.log(mergeAgentOptions({ maxTurns: 5, model: "opus" }, { maxTurns: 50, model: "haiku" })) // { model: 'haiku', maxTurns: 5 }

// What the owner of a bridge may let callers choose, by name.
console.log(sessionOptionNames.includes("env"), sessionOptionNames.includes("mcpCommands")) // true true
