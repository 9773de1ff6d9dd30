/** `@agentwire/bridge/claude`: Claude Code as the agent. */
import {
  AgentGone,
  AgentLauncher,
  type AgentTap,
  adoptSession,
  ControlFailed,
  claudeToolInputs,
  cliLauncher,
  findCli,
  findSession,
  LaunchFailed,
  layerClaudeRuntime,
  layerClaudeRuntimeWith,
  listSessions,
  projectsFolder,
  readSession,
  TranscriptFailed
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

// The sessions that the CLI kept itself: those of a folder, one by the beginning of its id, and all that was said in it.
console.log(projectsFolder({ HOME: "/home/ada" })) // /home/ada/.claude/projects
const unknown = await Effect.runPromise(Effect.flip(listSessions({ projects: "/nowhere", cwd: "/home/ada/app" })))
console.log(unknown instanceof TranscriptFailed, unknown.code) // true TRANSCRIPT_NOT_FOUND
export const wholeSession = findSession(projectsFolder(), "3f2a").pipe(Effect.flatMap((place) => readSession(place)))

// One that was started in a terminal, with what a program needs to go on with it.
export const fromTerminal = adoptSession(projectsFolder(), "3f2a").pipe(
  Effect.map(
    ({ cwd, entries, providerSessionId }) => `${entries.length} entries, claude --resume ${providerSessionId} in ${cwd}`
  )
)
