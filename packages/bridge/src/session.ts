/**
 * Conversations with agents, whatever the agent and whoever is watching: the sessions of a bridge, one session by itself,
 * its log, and the port that a runtime fills.
 */

/** Why a log ends, and why a reader does not get what it wants. */
export { LogFailed, LogGap, type ReadFailed } from "./log/BoundedLog.ts"
/** The numbered events of a session. */
export type { EventLog, EventLogLimits, LogEntry, Moment, OpenAt, TurnStart } from "./log/EventLog.ts"
/** The folders that agents may work in. */
export { makeWorkingFolders, WorkingFolderRefused, type WorkingFolders } from "./process/WorkingFolder.ts"
/** What may be chosen about an agent: checked, kept, and read again. */
export {
  type AgentDefinition,
  AgentOptions,
  BadOption,
  decodeAgentOptions,
  encodeAgentOptions,
  type HookCommands,
  type McpAddress,
  type McpCommand,
  type McpServer
} from "./session/AgentOptions.ts"
/** What kinds of agents can do. */
export { AgentKind, askedKinds, Capabilities } from "./session/Capabilities.ts"
/** A session without a bridge around it, on a thread of a store. */
export { openThread } from "./session/OpenThread.ts"
/** Whose options hold, and what callers may choose. */
export { mergeAgentOptions, type SessionOptionName, sessionOptionNames } from "./session/OptionRules.ts"
/** A question that nobody has answered yet. */
export type { WaitingRequest } from "./session/Requests.ts"
/** The port of a runtime: how one kind of agent is opened, told and ended. */
export {
  type Conversation,
  type ConversationHost,
  type ConversationOptions,
  type CutWords,
  NativeFailed,
  type NativePort,
  Runtime,
  StartFailed
} from "./session/Runtime.ts"
/** Several kinds of agents side by side. */
export { layerRuntimes } from "./session/Runtimes.ts"
/** One conversation, and why it refuses something. */
export {
  type Accepted,
  NothingPending,
  type Session,
  type SessionStatus,
  type Steered,
  type Steering,
  SteerRefused,
  type Submission,
  ThreadBusy,
  ToolCallFailed,
  type Waiting
} from "./session/Session.ts"
export { makeSession } from "./session/SessionActor.ts"
export type { BusyMode, SessionOptions } from "./session/SessionOptions.ts"
/** All sessions of a bridge, by their threads. */
export { type SessionChoices, SessionRefused, type SessionSummary, Sessions, type Titled } from "./session/Sessions.ts"
/** What of an agent may be others while it runs. */
export { SettingFailed, type SettingName, type Settings, settingNames } from "./session/Settings.ts"
