/** Recorded sessions as agents: they answer as the CLI on the tape did, without one and without an account. */

/** Agents that are tapes of Claude Code. */
export { replayLauncher, startReplayAgent } from "./runtime/replay/ReplayAgent.ts"
/** App-servers that are tapes of Codex. */
export { replayCodexLauncher, startReplayServer } from "./runtime/replay/ReplayServer.ts"
/** The tapes of a folder. */
export { type NamedTape, readTapes, tapeRuntime } from "./runtime/replay/TapeFolder.ts"
/** How tapes are played. */
export type { ReplayOptions } from "./runtime/replay/TapePlayer.ts"
