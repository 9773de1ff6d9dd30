/**
 * `attachment` lines of a session file: what the CLI adds to the conversation for the model. They are links of its
 * chain. One kind is what a person said: a prompt that was sent while a turn was in progress, and that the model got
 * with the results of tools (`queued_command`). The others are reminders, files and what hooks said.
 */
import * as Schema from "effect/Schema"
import { JsonObject, open, optional } from "../../wire/Open.ts"
import { MessageContent } from "../ApiMessage.ts"
import { MessageOrigin } from "../Envelope.ts"
import { link } from "./Line.ts"

const attachment = <const Kind extends string, const F extends Schema.Struct.Fields>(
  name: string,
  kind: Kind,
  fields: F
) =>
  open(`Transcript${name}Line`, {
    type: Schema.Literal("attachment"),
    attachment: open({ type: Schema.Literal(kind), ...fields }),
    ...link,
    /** What the model got of it, and in whose name (2.1.325). */
    rendered: optional(Schema.Array(Schema.Unknown)),
    renderedRole: optional(Schema.String),
    renderedInHumanTurn: optional(Schema.Array(Schema.Unknown)),
    renderedBesideToolResult: optional(Schema.Boolean)
  })

const texts = optional(Schema.Array(Schema.String))
const text = optional(Schema.String)
const flag = optional(Schema.Boolean)
const count = optional(Schema.Finite)

/** Which hook said something, and about which call. */
const hook = { hookName: text, hookEvent: text, toolUseID: text } as const

/** How a command of a hook ended. */
const ran = { content: text, stdout: text, stderr: text, exitCode: count, command: text, durationMs: count } as const

/** A prompt, or the end of a task, that came while a turn was in progress and was taken up in it. */
export const QueuedCommandLine = attachment("QueuedCommand", "queued_command", {
  prompt: MessageContent,
  /** The uuid that the host gave the prompt. */
  source_uuid: text,
  delivery_id: text,
  /** Recorded: `prompt`, `task-notification`. */
  commandMode: text,
  origin: optional(MessageOrigin),
  isMeta: flag,
  runId: text,
  timestamp: text,
  usage: optional(JsonObject),
  toolsUsedDelta: texts
})

/** A prompt, or the end of a task, that came while a turn was in progress. */
export type QueuedCommandLine = typeof QueuedCommandLine.Type

/** The `attachment` lines by the type of what is attached. */
export const attachmentLines = {
  queued_command: QueuedCommandLine,
  agent_listing_delta: attachment("AgentListing", "agent_listing_delta", {
    addedTypes: texts,
    addedLines: texts,
    builtInTypes: texts,
    builtInPluginTypes: texts,
    removedTypes: texts,
    isInitial: flag,
    showConcurrencyNote: flag
  }),
  auto_mode: attachment("AutoMode", "auto_mode", {
    autoModeConsentFlow: flag,
    finishExposedWork: flag,
    bashFirst: flag,
    bashFirstSteer: text,
    steerOnly: flag,
    bypass: flag
  }),
  budget_usd: attachment("Budget", "budget_usd", { used: count, total: count, remaining: count }),
  command_permissions: attachment("CommandPermissions", "command_permissions", { allowedTools: texts, model: text }),
  date: attachment("Date", "date", { date: text }),
  deferred_tools_delta: attachment("DeferredTools", "deferred_tools_delta", {
    addedNames: texts,
    addedLines: texts,
    removedNames: texts,
    readdedNames: texts,
    wireHiddenNames: texts,
    pendingMcpServers: texts,
    needsAuthMcpServers: texts,
    failedMcpServers: optional(Schema.Array(JsonObject))
  }),
  deferred_tools_record: attachment("DeferredToolsRecord", "deferred_tools_record", {
    entries: optional(Schema.Array(JsonObject))
  }),
  directory: attachment("Directory", "directory", { path: text, content: text, displayPath: text }),
  environment: attachment("Environment", "environment", {
    snapshot: optional(JsonObject),
    changes: optional(Schema.Array(JsonObject))
  }),
  file: attachment("File", "file", {
    filename: text,
    content: optional(Schema.Unknown),
    displayPath: text,
    savedCopyFraming: optional(JsonObject)
  }),
  goal_status: attachment("GoalStatus", "goal_status", {
    met: flag,
    sentinel: flag,
    condition: text,
    reason: text,
    iterations: count,
    durationMs: count,
    tokens: count
  }),
  hook_additional_context: attachment("HookContext", "hook_additional_context", { content: texts, ...hook }),
  hook_blocking_error: attachment("HookBlocked", "hook_blocking_error", {
    blockingError: optional(JsonObject),
    ...hook
  }),
  hook_deferred_tool: attachment("HookDeferred", "hook_deferred_tool", {
    toolName: text,
    toolInput: optional(JsonObject),
    permissionMode: text,
    ...hook
  }),
  hook_non_blocking_error: attachment("HookFailed", "hook_non_blocking_error", { ...hook, ...ran }),
  hook_permission_decision: attachment("HookDecision", "hook_permission_decision", { decision: text, ...hook }),
  hook_stopped_continuation: attachment("HookStopped", "hook_stopped_continuation", { message: text, ...hook }),
  hook_success: attachment("HookSucceeded", "hook_success", { ...hook, ...ran }),
  hook_system_message: attachment("HookSystemMessage", "hook_system_message", { content: text, ...hook }),
  instructions: attachment("Instructions", "instructions", { files: optional(Schema.Array(JsonObject)) }),
  max_turns_reached: attachment("MaxTurns", "max_turns_reached", {
    maxTurns: count,
    turnCount: count,
    exitCommitted: flag
  }),
  mcp_instructions_delta: attachment("McpInstructions", "mcp_instructions_delta", {
    addedNames: texts,
    addedBlocks: texts,
    removedNames: texts
  }),
  model: attachment("Model", "model", { identity: optional(JsonObject), text }),
  nested_memory: attachment("NestedMemory", "nested_memory", {
    path: text,
    content: optional(Schema.Unknown),
    displayPath: text
  }),
  output_style: attachment("OutputStyle", "output_style", { style: text }),
  output_style_instructions: attachment("OutputStyleText", "output_style_instructions", {
    style: optional(Schema.NullOr(JsonObject))
  }),
  plan_mode: attachment("PlanMode", "plan_mode", {
    reminderType: text,
    isSubAgent: flag,
    planFilePath: text,
    planExists: flag
  }),
  plan_mode_exit: attachment("PlanModeExit", "plan_mode_exit", { planFilePath: text, planExists: flag }),
  /** The whole system prompt and the tools, after each answer: most of the bytes of a 2.1.325 file. */
  prompt_snapshot: attachment("PromptSnapshot", "prompt_snapshot", {
    systemPrompt: texts,
    tools: optional(Schema.Array(JsonObject)),
    cliPrefix: text,
    contextRendering: text,
    reminderFold: flag,
    echoWireToolInputs: flag,
    systemTurns: flag,
    toolChangeHeader: flag,
    inlineTools: flag,
    keptReminders: flag
  }),
  remote_session_change: attachment("RemoteSession", "remote_session_change", {
    url: optional(Schema.NullOr(Schema.String)),
    commit: text,
    pr: text,
    sendUserFileHint: flag,
    managedCommit: flag,
    managedPr: flag
  }),
  session_context: attachment("SessionContext", "session_context", { context: optional(JsonObject) }),
  silent_turn_reminder: attachment("SilentTurn", "silent_turn_reminder", { text }),
  skill_listing: attachment("SkillListing", "skill_listing", {
    content: text,
    skillCount: count,
    isInitial: flag,
    names: texts,
    digests: texts
  }),
  structured_output: attachment("StructuredOutput", "structured_output", {
    data: optional(Schema.Unknown),
    toolUseID: text
  }),
  total_tokens_reminder: attachment("TokensReminder", "total_tokens_reminder", { text }),
  unknown_command_fallback: attachment("UnknownCommand", "unknown_command_fallback", {
    commandName: text,
    availableCommandNames: texts,
    availableCommandCount: count
  })
} as const
