/** Codex as the agent: finding it, starting it, the runtimes that speak with it, what its requests mean. */

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
/** The lesser runtime: one `codex exec` for each prompt. */
export { layerCodexExecRuntime } from "./runtime/codexexec/CodexExecRuntime.ts"
/** Starts the `codex exec` of this machine, and the service that does: give your own to serve turns from elsewhere. */
export {
  ExecLauncher,
  type ExecProcess,
  type ExecRequest,
  type ExecTurnRequest,
  execLauncher
} from "./runtime/codexexec/ExecLauncher.ts"
export type { ExecImage, ExecPrompt } from "./runtime/codexexec/ExecPrompt.ts"
/** Why one of those cannot be had. */
export { TranscriptFailed } from "./runtime/kept/KeptFile.ts"
