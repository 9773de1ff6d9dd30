/** `@agentwire/bridge/replay`: recorded sessions as agents, without a CLI and without an account. */
import { AgentLauncher } from "@agentwire/bridge/claude"
import { CodexLauncher } from "@agentwire/bridge/codex"
import {
  readTapes,
  replayCodexLauncher,
  replayLauncher,
  startReplayAgent,
  startReplayServer,
  tapeRuntime
} from "@agentwire/bridge/replay"
import { findTape, loadCodexTape, loadTape } from "@agentwire/fixtures"
import { Effect } from "effect"

const name = { scenario: "plain_text", version: "2.1.325" }

// The tapes of a file or of a folder, by their names.
const tapes = await Effect.runPromise(readTapes(findTape(name)?.file ?? ""))
console.log(tapes.map(({ name }) => name)) // [ 'plain_text' ]

// A launcher for a bridge: each session gets the tape of its name, else the next in turn.
const request = { sessionKey: "plain_text", cwd: process.cwd(), options: {}, frontendServer: "frontend" }
const launched = Effect.flatMap(AgentLauncher, ({ launch }) => launch(request)).pipe(
  Effect.map(({ transport, version }) => `${version} over ${transport}`),
  Effect.scoped,
  Effect.provide(replayLauncher({ tapes, speed: "instant" }))
)
console.log(await Effect.runPromise(launched)) // 2.1.325 over replay

// One agent, from one tape, ten times as fast as it was.
const agent = startReplayAgent(loadTape(name), 10)
console.log((await Effect.runPromise(Effect.scoped(agent))).version) // 2.1.325

// A tape of Codex is an app-server: for itself, and as the launcher of a bridge's Codex.
const codexTape = loadCodexTape({ scenario: "hello", version: "0.166.0" })
console.log(tapeRuntime(codexTape)) // codex
const server = Effect.map(startReplayServer(codexTape), ({ version }) => version)
console.log(await Effect.runPromise(Effect.scoped(server))) // 0.166.0
const servers = replayCodexLauncher({ tapes: [{ name: "hello", tape: codexTape }] })
const launchedServer = Effect.flatMap(CodexLauncher, ({ launch }) =>
  launch({ sessionKey: "hello", cwd: process.cwd(), options: {} })
).pipe(
  Effect.map(({ version }) => version),
  Effect.scoped,
  Effect.provide(servers)
)
console.log(await Effect.runPromise(launchedServer)) // 0.166.0
