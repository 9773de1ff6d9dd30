/** Codex as the agent: finding it, starting its app-server, the runtime that speaks with it, what its requests mean. */

/** Where Codex is and which version it has. */
export { type CodexFinderOptions, findCodex } from "./runtime/codex/CodexFinder.ts"
/** The runtime: one process for each thread. */
export { layerCodexRuntime } from "./runtime/codex/CodexRuntime.ts"
/** Starts the Codex of this machine. */
export { type CodexLauncherOptions, codexLauncher } from "./runtime/codex/Launcher.ts"
/** The threads that Codex kept itself: which there are, and all of one. */
export {
  findRollout,
  type ListedRollout,
  type ListRollouts,
  listRollouts,
  type ReadRollout,
  type RolloutLimits,
  type RolloutPlace,
  readRolloutOf,
  rolloutsFolder
} from "./runtime/codex/RolloutFolder.ts"
/** A running app-server, and the service that starts one: give your own to serve agents from elsewhere. */
export { CodexLauncher, type CodexServer, type ServerRequest } from "./runtime/codex/Server.ts"
/** What the inputs of Codex's tools mean, for policies. */
export { codexToolInputs } from "./runtime/codex/ToolInputs.ts"
/** Why one of those cannot be had. */
export { TranscriptFailed } from "./runtime/kept/KeptFile.ts"
