/** Recorded sessions as agents: they answer as the CLI on the tape did, without one and without an account. */

/** Agents that are tapes. */
export { type ReplayOptions, replayLauncher, startReplayAgent } from "./runtime/replay/ReplayAgent.ts"
/** The tapes of a folder. */
export { type NamedTape, readTapes } from "./runtime/replay/TapeFolder.ts"
