/** `@agentwire/bridge/claude`: Claude Code as the agent. */
import {
  AgentGone,
  AgentLauncher,
  type AgentTap,
  ControlFailed,
  claudeToolInputs,
  cliLauncher,
  findCli,
  LaunchFailed,
  layerClaudeRuntime,
  layerClaudeRuntimeWith
} from "@agentwire/bridge/claude"
import { Runtime } from "@agentwire/bridge/session"
import { Effect, Layer } from "effect"

// Where the CLI is and which version it has, or why there is none.
const missing = await Effect.runPromise(Effect.flip(findCli({ cliPath: "/nowhere/claude" })))
console.log(missing instanceof LaunchFailed, missing.code) // true CLI_NOT_FOUND

// Starts CLIs of this machine. A tap sees every byte, to record them.
const tap: AgentTap = { data: (from, channel, bytes) => console.log(from, channel, bytes.length), exit: console.log }
const launcher = cliLauncher({ transport: "stdio", inherit: { PATH: process.env["PATH"] }, tap: () => tap })

// The runtime speaks with what a launcher starts: for `makeSession`.
const kind = Effect.map(Runtime, ({ kind }) => kind)
console.log(await Effect.runPromise(kind.pipe(Effect.provide(Layer.provide(layerClaudeRuntime, launcher))))) // claude

// The same with hooks of the program: here one that sees every tool call before it runs, and says nothing.
const watching = layerClaudeRuntimeWith({
  hooks: { PreToolUse: [{ run: ({ tool_name }) => Effect.log(`about to use ${tool_name}`) }] }
})
console.log(await Effect.runPromise(kind.pipe(Effect.provide(Layer.provide(watching, launcher))))) // claude

// A launcher of your own, for CLIs that run elsewhere.
export const layerElsewhere = Layer.succeed(AgentLauncher, {
  launch: ({ sessionKey }) =>
    Effect.fail(new LaunchFailed({ code: "NO_PLACE", message: `No machine for ${sessionKey}.` }))
})

// What sending to an agent that ended fails with, and a control request that it refuses.
console.log(new AgentGone({ message: "It has ended." })._tag) // AgentGone
console.log(new ControlFailed({ code: "REFUSED", subtype: "set_model", message: "No such model." }).code) // REFUSED

// Which fields of its tools' inputs are paths and shell texts: for policies.
console.log(claudeToolInputs.shells["Bash"], claudeToolInputs.paths["Read"]?.field) // command file_path
