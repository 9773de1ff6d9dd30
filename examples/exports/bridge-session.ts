/** `@agentwire/bridge/session`: conversations with agents, and the port that a runtime fills. */
import { layerBridgeSessions } from "@agentwire/bridge"
import { layerClaudeRuntime } from "@agentwire/bridge/claude"
import { replayLauncher } from "@agentwire/bridge/replay"
import {
  AgentKind,
  askedKinds,
  BadOption,
  Capabilities,
  decodeAgentOptions,
  encodeAgentOptions,
  LogFailed,
  LogGap,
  layerRuntimes,
  makeSession,
  makeWorkingFolders,
  mergeAgentOptions,
  NativeFailed,
  NothingPending,
  openThread,
  Runtime,
  SessionRefused,
  Sessions,
  SettingFailed,
  StartFailed,
  SteerRefused,
  sessionOptionNames,
  settingNames,
  ThreadBusy,
  ToolCallFailed,
  WorkingFolderRefused
} from "@agentwire/bridge/session"
import { layerMemoryStore, Store } from "@agentwire/bridge/store"
import { Effect, Layer, Result, Schema, Stream } from "effect"

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

// What of an agent may be others while it runs: capabilities say which of these a kind takes.
console.log(settingNames.join(" ")) // model permissionMode effort

// A runtime of your own: here one whose agents never start, and do nothing.
const gone = new StartFailed({ code: "GONE", message: "There is no agent." })
const nothing = Capabilities.make({
  resume: false,
  fork: false,
  goBack: "none",
  steer: false,
  interrupt: false,
  compact: false,
  review: false,
  plan: false,
  pageTools: "none",
  approvals: [],
  changedInput: false,
  remember: false,
  images: false,
  documents: false,
  thinking: false,
  subAgents: false,
  unsupportedOptions: [],
  mcpServersLater: false,
  settingsLater: [],
  hooks: false,
  rewindFiles: false,
  adopt: false
})
console.log(askedKinds.length, Schema.is(AgentKind)({ kind: "silent", name: "The Silent", capabilities: nothing })) // 9 true

const silent = Layer.succeed(Runtime, {
  kind: "silent",
  name: "The Silent",
  agents: [{ kind: "silent", name: "The Silent", capabilities: nothing }],
  open: ({ cwd }) =>
    Effect.succeed({
      send: () => Effect.void,
      interrupt: Effect.void,
      start: Effect.void,
      whenReady: Effect.fail(gone),
      goBack: () => Effect.fail(gone),
      disconnect: Effect.void,
      isRunning: () => false,
      canSteer: () => false,
      cwd: () => cwd,
      set: ({ model }) =>
        Effect.fail(new SettingFailed({ code: "UNSUPPORTED", setting: "model", message: `It is no ${model}.` })),
      native: {
        request: (method) => Effect.fail(new NativeFailed({ code: "UNSUPPORTED", method, message: "It has nothing." })),
        send: () => Effect.fail(gone),
        facts: Effect.succeed({})
      }
    })
})

// Several kinds side by side: the option `runtime` of a session names one of them, else it is the first.
const table = Effect.map(Runtime, ({ kinds }) => kinds)
console.log(await Effect.runPromise(table.pipe(Effect.provide(layerRuntimes(agents, silent))))) // [ 'claude', 'silent' ]

// A session without a bridge, with that runtime, on a thread of a store.
const thread = { threadId: "t", cwd: process.cwd(), options: {}, archived: false, createdAt: 0, activeAt: 0 }
const failures = Effect.gen(function* () {
  const claim = yield* openThread(yield* Store, thread)
  const session = yield* makeSession({ claim, sessionKey: "t", cwd: process.cwd() })
  const answer = yield* Effect.flip(session.answer("nothing", { type: "allow" }))
  const call = yield* Effect.flip(session.callTool("show_map", {}))
  // Nothing can be said to a turn that is not open.
  const steer = yield* Effect.flip(session.steer({ ticket: "s", said: [{ id: "1", content: "To the left" }] }))
  // Its log can be read from any number on, also what happened before a restart.
  const events = yield* Stream.runCollect(Stream.take(session.log.read(0), session.log.next()))
  return [
    answer instanceof NothingPending,
    call instanceof ToolCallFailed && call.code,
    steer instanceof SteerRefused && steer.code,
    events.length
  ]
})
const alone = failures.pipe(Effect.scoped, Effect.provide(Layer.merge(silent, layerMemoryStore())))
console.log(await Effect.runPromise(alone)) // [ true, 'NO_SUCH_TOOL', 'NOTHING_TO_STEER', 0 ]

// Why a log has nothing more to say: it cannot be kept any more, or what is wanted is gone.
export const whyNot = (failure: LogFailed | LogGap): string =>
  failure instanceof LogFailed ? `${failure.code}: ${failure.message}` : `gone: ${failure.wanted}`
console.log(whyNot(new LogFailed({ code: "STORE_DISK_FULL", message: "Make room." }))) // STORE_DISK_FULL: Make room.
console.log(whyNot(new LogGap({ message: "Too slow.", wanted: 3, oldest: 7 }))) // gone: 3

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
