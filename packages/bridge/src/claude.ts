/** Claude Code as the agent: finding its CLI, starting it, the runtime that speaks with it. */

/** Why a CLI could not be started, and how it ended. */
export { type AgentExit, LaunchFailed } from "./process/AgentLife.ts"
/** Sees every byte between the bridge and a CLI: recording. */
export type { AgentTap, TappedProcess } from "./process/AgentTap.ts"
/** A running CLI, and the service that starts one: give your own to serve agents from elsewhere. */
export { type Agent, AgentGone, AgentLauncher, type LaunchRequest } from "./runtime/claude/Agent.ts"
/** The runtime, for sessions that are made without a bridge, and with hooks of the program. */
export {
  type ClaudeRuntimeOptions,
  layerClaudeRuntime,
  layerClaudeRuntimeWith
} from "./runtime/claude/ClaudeRuntime.ts"
/** Where the CLI is and which version it has. */
export { type CliFinderOptions, type FoundCli, findCli } from "./runtime/claude/CliFinder.ts"
/** Starts CLIs of this machine. */
export { type CliLauncherOptions, cliLauncher } from "./runtime/claude/CliLauncher.ts"
/** Hooks of the program, as effects. */
export type {
  BlockableEvent,
  Hook,
  HookCallbacks,
  HookContext,
  HookFailed,
  HookFailure
} from "./runtime/claude/HookCallbacks.ts"
/** A control request that the CLI refused or left unanswered. */
export { ControlFailed } from "./runtime/claude/HostRequests.ts"
/** The sessions that the CLI kept itself: which there are, and all of one, to show it or to go on with it. */
export {
  findSession,
  type ListedSession,
  type ListSessions,
  listSessions,
  projectsFolder,
  type SessionPage,
  type SessionPlace
} from "./runtime/claude/SessionFolder.ts"
/** What the inputs of the CLI's tools mean, for policies. */
export { claudeToolInputs } from "./runtime/claude/ToolInputs.ts"
export {
  type AdoptableSession,
  adoptSession,
  type ReadSession,
  readSession,
  type TranscriptLimits
} from "./runtime/claude/Transcripts.ts"
export { TranscriptFailed } from "./runtime/kept/KeptFile.ts"
