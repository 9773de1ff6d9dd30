/** `@agentwire/bridge/replay`: recorded sessions as agents, without a CLI and without an account. */
import { AgentLauncher } from "@agentwire/bridge/claude"
import { readTapes, replayLauncher, startReplayAgent } from "@agentwire/bridge/replay"
import { findTape, loadTape } from "@agentwire/fixtures"
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
