/**
 * What differs between versions of the CLI, as data: one row per fact and range of versions. `Versions.ts`
 * looks facts up; nothing else should compare versions.
 *
 * Only some versions were measured. `from` and `until` are measured versions; where a fact changed between
 * two of them, the change happened somewhere in the gap, and what holds there is only assumed.
 */

import { measuredVersions } from "./ControlAnswers.ts"

/** The facts and the values they can have. */
export interface Facts {
  // Transport

  /** `--sdk-url ws://127.0.0.1…` is accepted; without it stdio is the only way on loopback. */
  readonly sdkUrl: boolean
  /**
   * What comes again after a reconnect of the WebSocket: nothing (what was written meanwhile is lost), or the
   * whole session (dedupe by `uuid`).
   */
  readonly sdkUrlReplay: "none" | "all"
  /** The CLI exits (code 0, after about 5 s) when the WebSocket server stays away; else it keeps trying. */
  readonly sdkUrlGivesUp: boolean
  /**
   * What the CLI posts with `CLAUDE_CODE_POST_FOR_SESSION_INGRESS_V2`: nothing, for it does not know the variable; each
   * line by itself; or many lines at once.
   */
  readonly sdkUrlPosts: "no" | "one_line" | "many_lines"
  /** The WebSocket close codes that end the process instead of making it reconnect. */
  readonly sdkUrlFatalCloseCodes: ReadonlyArray<number>
  /**
   * SIGINT in mid-turn, on stdio, acts like an interrupt and sends a `result`. Over WebSocket none comes, on
   * 2.1.120 neither.
   */
  readonly sigintResult: boolean
  /** A stdin line with an unknown `type` kills the process. */
  readonly unknownTypeKills: boolean
  /** An empty stdin line kills the process. */
  readonly emptyLineKills: boolean
  /** A stdin line of spaces kills the process. */
  readonly blankLineKills: boolean
  /** U+2028 and U+2029 are written as escapes, so that readers that split on them do no harm. */
  readonly lineSeparatorsEscaped: boolean
  /** A `result` line starts with `{"type":`. Never sniff: from 2.1.218 on it does not. */
  readonly resultStartsWithType: boolean
  // Streaming

  /**
   * Where the whole `assistant` line of a block comes: before that block's `content_block_stop`, or after the stops of
   * all blocks of the message, so that blocks can only be told apart by what is in them.
   */
  readonly wholeMessage: "before_its_block_stop" | "after_all_block_stops"
  /** `can_use_tool` and `tool_result` can come before the `message_stop` of the message that calls the tool. */
  readonly toolsStartBeforeMessageStop: boolean
  /** A sub-agent's `can_use_tool` can come before any message that announces its tool use. */
  readonly subagentAskBeforeToolUse: boolean
  /** The `can_use_tool` of the next parallel tool can come before the result of the one before. */
  readonly nextAskBeforeToolResult: boolean
  /** `system/status` `requesting` comes before every API call, in the middle of open messages. */
  readonly statusRequesting: boolean
  /** `system/thinking_tokens` comes between thinking deltas. */
  readonly thinkingTokens: boolean
  /**
   * An interrupted message gets its `content_block_stop` and `message_stop`, made up by the CLI; else it stays
   * open.
   */
  readonly interruptClosesStream: boolean
  /** An interrupted text also comes as an `assistant` message; else it is in the deltas only. */
  readonly interruptPartialAssistant: boolean
  /** How the text of a cut API stream comes again: as one message that was never streamed, or streamed again. */
  readonly streamCutRecovery: "whole_message" | "second_stream"
  /** With a JSON schema the turn ends at the StructuredOutput tool; else a last text follows. */
  readonly structuredOutputEndsTurn: boolean
  /**
   * `tool_progress` for Bash with `CLAUDE_CODE_REMOTE=1`: its `tool_use_id` is invented, real, or no such
   * message comes.
   */
  readonly bashToolProgressId: "invented" | "real" | "none"
  // Results

  /** `is_error` is true on the results of interrupts, deny with interrupt, max_turns and max_budget. */
  readonly errorResultIsError: boolean
  /** `result` has the model's `stop_reason`. */
  readonly resultStopReason: boolean
  /** Each model's entry in `result.modelUsage` has `maxOutputTokens`. */
  readonly modelMaxOutputTokens: boolean
  /** `result` says why the turn ended in `terminal_reason`. */
  readonly terminalReason: boolean
  /** The `terminal_reason` of a turn that an API error ended. */
  readonly apiErrorTerminalReason: "absent" | "completed" | "api_error"
  /** Results of max_budget and of failed structured output have a `terminal_reason`. */
  readonly budgetTerminalReason: boolean
  /** `result` has `api_error_status`. */
  readonly apiErrorStatus: boolean
  /** Retries of the API are told with `system/api_retry`; else they are silence. */
  readonly apiRetry: boolean
  /** The CLI continues by itself after `model_context_window_exceeded`. */
  readonly continuesAfterContextWindow: boolean
  /** The CLI continues by itself after an empty answer. */
  readonly continuesAfterEmptyAnswer: boolean
  /** The CLI continues by itself after a refusal. */
  readonly continuesAfterRefusal: boolean
  /** How a refusal is told. */
  readonly refusalNotice: "error_text" | "model_refusal_no_fallback" | "informational"
  /** `result` has `model_usage_since_last_result`; the other totals cumulate over the process. */
  readonly modelUsageSinceLastResult: boolean
  // Turns

  /** Prompts that wait become one turn with one `result`; else one turn each. */
  readonly queuedPromptsMerged: boolean
  /** `user_message_uuids` and `command_lifecycle` tell which prompts a turn answers. */
  readonly userMessageUuids: boolean
  /** A background Bash that ends starts a turn nobody asked for. */
  readonly backgroundBashStartsTurn: boolean
  /** A background agent that ends starts a turn nobody asked for. */
  readonly backgroundAgentStartsTurn: boolean
  /** The `result` of such a turn says so in `origin.kind`. */
  readonly resultOrigin: boolean
  /**
   * Where `--replay-user-messages` puts a prompt: after the answer's first block has started, or before the
   * answer.
   */
  readonly replayedPrompt: "inside_answer" | "before_answer"
  /** `set_model` sends a `user` line with `isReplay` before its answer. */
  readonly setModelEcho: boolean
  /** The summary of a compaction has `isSynthetic`. */
  readonly compactSummarySynthetic: boolean
  /** What carries the output of a slash command. */
  readonly slashCommandOutput: "replayed_user" | "assistant"
  /** What becomes of a slash command nobody knows. */
  readonly unknownSlashCommand: "unknown_skill" | "unknown_command" | "sent_to_model"
  /** `/clear` sends `conversation_reset` and a new `session_id`. */
  readonly clearResetsConversation: boolean
  /**
   * How a CLI says that it does not know the message of `--resume-session-at`: with a `result` and nothing else, or on
   * stderr alone, and perhaps only after it has answered `initialize`.
   */
  readonly resumeRefusal: "stderr" | "result"
  /** A resumed session has all calls that were made in parallel; else only the last of them. */
  readonly resumeKeepsParallelCalls: boolean
  /** What `rewind_conversation` can take back: nothing, or the newest prompt and its answer. */
  readonly rewindConversation: "nothing" | "newest_prompt"
  // Tools and permissions

  /** `behavior: "allow"` without `updatedInput` becomes a tool error. */
  readonly allowNeedsUpdatedInput: boolean
  /** A deny with `interrupt` keeps the host's message in the tool result. */
  readonly denyInterruptKeepsMessage: boolean
  /** The `input` of ExitPlanMode's `can_use_tool` is `{}`; the plan is in the tool use. */
  readonly exitPlanModeInputEmpty: boolean
  /** `can_use_tool` of AskUserQuestion has `requires_user_interaction`. */
  readonly requiresUserInteraction: boolean
  /** The name of the tool that starts sub-agents, as the model calls it. `init` lists `Task` in all versions. */
  readonly subagentTool: "Task" | "Agent"
  /** The tool the model keeps its list with. */
  readonly todoTool: "TodoWrite" | "TaskCreate" | "none"
  /** There are the tools Glob and Grep. */
  readonly globAndGrep: boolean
  /** Sub-agents run in the background by default: their messages come after the `result` of the turn. */
  readonly agentRunsInBackground: boolean
  /** `initialize.forwardSubagentText` gives a sub-agent's text and thinking; else only its tools. */
  readonly forwardSubagentText: boolean
  /** Text and thinking of background agents come unasked. */
  readonly backgroundAgentText: boolean
  /** `task_started` and `task_notification` report sub-agents and Bash calls longer than about 3 s. */
  readonly taskMessages: boolean
  // Control

  /** What an unknown control subtype gets: nothing, an error, an error with `error_code`. */
  readonly unknownControlSubtype: "silent" | "error" | "error_code"
  /** What a second `initialize` gets. Both carry `pending_permission_requests`. */
  readonly initializeTwice: "error" | "success"
  /** The answer to `interrupt` lists the prompts that still wait. */
  readonly interruptStillQueued: boolean
  /** The answer to `set_model` names the model that holds now. */
  readonly setModelAnswersModel: boolean
  /** `set_permission_mode` refuses `bypassPermissions` unless the process was started for it. */
  readonly bypassNeedsLaunchFlag: boolean
  /** `set_permission_mode` refuses modes it does not know; else it takes any word and repeats it. */
  readonly unknownModeRefused: boolean
  /** MCP servers can ask the person: control request `elicitation`. */
  readonly elicitation: boolean
  /** `mcp_toggle` and `mcp_reconnect` work for servers added at run time. */
  readonly dynamicServersToggle: boolean
  /** In-band MCP servers must be in `--mcp-config`, too, not only in `initialize.sdkMcpServers`. */
  readonly sdkServersNeedMcpConfig: boolean
  /**
   * How to make the CLI ask an in-band MCP server for its tools again: take it away and set it again, give it a
   * new name, or send `notifications/tools/list_changed`. `new_name` works wherever `mcp_set_servers` is answered; the
   * others keep the names that the model knows. `none` works on 2.0.45, which must be started again.
   */
  readonly toolListChange: "none" | "set_servers_twice" | "new_name" | "list_changed"
  /** `init` lists feature flags in `capabilities`. */
  readonly initCapabilities: boolean
  // Hooks

  /** `hook_response` has `hook_id`. */
  readonly hookResponseId: boolean
  /** `hook_response` has `output`, and the input of a hook callback of a sub-agent has `agent_type`. */
  readonly hookResponseOutput: boolean
  /** When a PermissionRequest hook is called: before `can_use_tool`, or beside it, just after. */
  readonly permissionRequestHook: "before" | "beside"
  /** A SessionEnd hook of the host fails, for stdin is shut: "Stream closed" on stderr. */
  readonly sessionEndHookFails: boolean
  /** `--include-hook-events` shows all hooks; else SessionStart only. */
  readonly includeHookEvents: boolean
  /** `hook_started` of SessionStart comes before the answer to `initialize`. */
  readonly sessionStartHookBeforeInitialize: boolean
}

/** A fact's name. */
export type FactName = keyof Facts

/** One fact over one range of versions. */
export interface FactRow<N extends FactName> {
  readonly fact: N
  /** The first version measured with this value. */
  readonly from: string
  /** The last version measured with this value, when a later one has another. */
  readonly until?: string
  readonly value: Facts[N]
  /** The versions `source` reports with this value, or excludes by naming the others; oldest first. */
  readonly measured: ReadonlyArray<string>
  /** Where it is from: a section of docs/wire/claude-code.md. */
  readonly source: string
}

/** A row, whichever its fact. */
export type VersionRow = { readonly [N in FactName]: FactRow<N> }[FactName]

const [v37, v113, v120, v197, v325] = measuredVersions

/** Versions on which only some facts were measured (§9). */
const [v45, v14, v59, v92, v150, v231, v270, v312] = [
  "2.0.45",
  "2.1.14",
  "2.1.59",
  "2.1.92",
  "2.1.150",
  "2.1.231",
  "2.1.270",
  "2.1.312"
] as const

// The rows of one fact: each value with the versions it was measured on, oldest first.
const history = <N extends FactName>(
  fact: N,
  source: string,
  ...spans: ReadonlyArray<readonly [value: Facts[N], from: string, ...later: ReadonlyArray<string>]>
): ReadonlyArray<FactRow<N>> =>
  spans.map(([value, from, ...later], i) => {
    const row = { fact, from, value, measured: [from, ...later], source }
    return i === spans.length - 1 ? row : { ...row, until: later.at(-1) ?? from }
  })

/** Every fact that depends on the version, oldest range of a fact first. */
export const versionTable: ReadonlyArray<VersionRow> = [
  ...history(
    "sdkUrl",
    "§2, bisected",
    [true, v37, "2.1.118", v120],
    [false, "2.1.121", "2.1.123", "2.1.138", v197, v270, v325]
  ),
  ...history("sdkUrlReplay", "§2", ["none", v37], ["all", v120]),
  ...history(
    "sdkUrlPosts",
    "§2, bisected",
    ["no", v45, v14],
    ["one_line", v37, v59, "2.1.62"],
    ["many_lines", "2.1.63", "2.1.70", v92, "2.1.112", v113, "2.1.118", v120]
  ),
  ...history("sdkUrlGivesUp", "§2", [true, v37], [false, v120]),
  ...history("sdkUrlFatalCloseCodes", "§2", [[], v37], [[1002, 4001], v120]),
  ...history("sigintResult", "§5.19", [false, v37], [true, v113, v197, v325]),
  ...history("unknownTypeKills", "§5.42", [true, v37], [false, v113, v120, v197, v325]),
  ...history("emptyLineKills", "§5.42", [true, v37], [false, v113, v120, v197, v325]),
  ...history("blankLineKills", "§5.42", [true, v113, v120, v197], [false, v325]),
  ...history("lineSeparatorsEscaped", "§5.45", [false, v37], [true, v113, v197, v325]),
  ...history(
    "resultStartsWithType",
    "§5.8, §9",
    [true, v37, v59, v92, v113, v120, v150, v197, "2.1.217"],
    [false, "2.1.218", v325]
  ),
  ...history(
    "wholeMessage",
    "§5.2, §9",
    ["after_all_block_stops", v45],
    ["before_its_block_stop", v14, v37, v113, v120, v197, v325]
  ),
  ...history("toolsStartBeforeMessageStop", "§5.4", [false, v37, v113, v120], [true, v197, v325]),
  ...history("subagentAskBeforeToolUse", "§5.5", [false, v37, v113, v120], [true, v197], [false, v325]),
  ...history("nextAskBeforeToolResult", "§5.6", [false, v37, v113, v120], [true, v197], [false, v325]),
  ...history("statusRequesting", "§5.7", [false, v37], [true, v113, v120, v197, v325]),
  ...history("thinkingTokens", "§5.7", [false, v37, v113, v120], [true, v197, v325]),
  ...history("interruptClosesStream", "§5.10", [false, v37, v113, v120, v197], [true, v325]),
  ...history("interruptPartialAssistant", "§5.10", [false, v37], [true, v113, v197, v325]),
  ...history("streamCutRecovery", "§5.12, §9", ["whole_message", v37, v113, v197], ["second_stream", v231, v325]),
  ...history("structuredOutputEndsTurn", "§5.43", [false, v37, v113, v120], [true, v197, v325]),
  ...history("bashToolProgressId", "§5.44", ["invented", v37], ["real", v113, v197], ["none", v325]),
  ...history("errorResultIsError", "§5.15, §6d", [false, v37], [true, v113, v197, v325]),
  ...history(
    "resultStopReason",
    "§6e, §9",
    [false, v45, v14, "2.1.30"],
    [true, "2.1.31", v37, v59, v92, v113, v120, v150, v197, v231, v270, v312, v325]
  ),
  ...history("modelMaxOutputTokens", "§9", [false, v45], [true, v14, v37, v113, v120, v197, v325]),
  ...history("terminalReason", "§6e", [false, v37], [true, v113, v120, v197, v325]),
  ...history(
    "apiErrorTerminalReason",
    "§5.14, §9",
    ["absent", v37],
    ["completed", v113, v197],
    ["api_error", v231, v325]
  ),
  ...history("budgetTerminalReason", "§6d", [false, v197], [true, v325]),
  ...history("apiErrorStatus", "§5.14", [false, v37], [true, v113, v120, v197, v325]),
  ...history("apiRetry", "§5.16", [false, v37], [true, v113, v120, v197, v325]),
  ...history("continuesAfterContextWindow", "§5.17", [false, v37], [true, v113, v197, v325]),
  ...history("continuesAfterEmptyAnswer", "§5.17", [false, v37, v113], [true, v197, v325]),
  ...history("continuesAfterRefusal", "§5.17", [false, v37, v113, v197], [true, v325]),
  ...history(
    "refusalNotice",
    "§5.17",
    ["error_text", v37, v113],
    ["model_refusal_no_fallback", v197],
    ["informational", v325]
  ),
  ...history("modelUsageSinceLastResult", "§5.24", [false, v37, v113, v197], [true, v325]),
  ...history("queuedPromptsMerged", "§5.23", [false, v37], [true, v113, v197, v325]),
  ...history("userMessageUuids", "§5.23, §9", [false, v37, v113, v197], [true, v231, v325]),
  ...history("backgroundBashStartsTurn", "§5.21", [false, v37], [true, v113, v197, v325]),
  ...history("backgroundAgentStartsTurn", "§5.21", [false, v37, v113], [true, v197, v325]),
  ...history("resultOrigin", "§5.21", [false, v37, v113], [true, v197, v325]),
  ...history("replayedPrompt", "§5.25, §9", ["inside_answer", v37, v113, v197], ["before_answer", v231, v325]),
  ...history("setModelEcho", "§5.26", [false, v37], [true, v113, v197, v325]),
  ...history("compactSummarySynthetic", "§5.28", [false, v37], [true, v113, v197, v325]),
  ...history("slashCommandOutput", "§5.29", ["replayed_user", v37], ["assistant", v113, v197, v325]),
  ...history(
    "unknownSlashCommand",
    "§5.29",
    ["unknown_skill", v37],
    ["unknown_command", v113, v197],
    ["sent_to_model", v325]
  ),
  ...history("clearResetsConversation", "§5.29, §9", [false, v37, v113, v197], [true, v231, v325]),
  ...history("resumeRefusal", "§10", ["stderr", v45], ["result", v14, v37, v120, v197, v325]),
  ...history("resumeKeepsParallelCalls", "§10", [false, v37], [true, v120, v197, v325]),
  ...history("rewindConversation", "§10", ["nothing", v37, v120], ["newest_prompt", v197, v325]),
  ...history("allowNeedsUpdatedInput", "§5.32", [true, v37, v113, v120, v197], [false, v325]),
  ...history("denyInterruptKeepsMessage", "§5.31", [true, v37, v113, v120], [false, v197, v325]),
  ...history("exitPlanModeInputEmpty", "§5.33", [false, v37, v113, v197], [true, v325]),
  ...history("requiresUserInteraction", "§5.34, §9", [false, v37, v113, v197], [true, v231, v325]),
  ...history("subagentTool", "§5.35", ["Task", v37], ["Agent", v113, v120, v197, v325]),
  ...history("todoTool", "§5.35", ["TodoWrite", v37, v113], ["TaskCreate", v197], ["none", v325]),
  ...history("globAndGrep", "§5.35", [true, v37, v113], [false, v197, v325]),
  ...history("agentRunsInBackground", "§5.22, §9", [false, v37, v113, v197], [true, v231, v325]),
  ...history("forwardSubagentText", "§5.36", [false, v37, v113], [true, v120, v197, v325]),
  ...history("backgroundAgentText", "§5.36", [false, v37, v113], [true, v197, v325]),
  ...history("taskMessages", "§5.36, §5.37", [false, v37], [true, v113, v120, v197, v325]),
  ...history(
    "unknownControlSubtype",
    "§5.41, §9",
    ["silent", v45, v14, v37],
    ["error", "2.1.62", "2.1.63", "2.1.85", v113, v120, v197],
    ["error_code", v325]
  ),
  ...history("initializeTwice", "§5.41, §2", ["error", v37, v113, v120], ["success", v197, v325]),
  ...history("interruptStillQueued", "§5.48", [false, v37, v113, v120, v197], [true, v325]),
  ...history("setModelAnswersModel", "own runs, beside §6f", [false, v37, v113, v197], [true, v325]),
  ...history("bypassNeedsLaunchFlag", "§5b set_permission_mode, own runs", [false, v37], [true, v113, v197, v325]),
  ...history("unknownModeRefused", "recorded set_permission_mode, beside §5b", [false, v113, v197], [true, v325]),
  ...history("elicitation", "§5b mcp_elicitation", [false, v37], [true, v113, v197, v325]),
  ...history("dynamicServersToggle", "§5b mcp_http, §6f", [false, v37], [true, v113, v120, v197, v325]),
  ...history("sdkServersNeedMcpConfig", "§7, §9", [true, v37], [false, "2.1.45", v59, v92, v113, v150, v197, v325]),
  ...history(
    "toolListChange",
    "§7, §9",
    ["none", v45],
    ["set_servers_twice", v14, v37, "2.1.45", v59, "2.1.62"],
    ["new_name", "2.1.63", v92, "2.1.112", v113, "2.1.114", "2.1.118", v150],
    ["set_servers_twice", v197, v231],
    ["list_changed", v270, v312, v325]
  ),
  ...history("initCapabilities", "§5.48, §9", [false, v37, v113, v120, v197, "2.1.204"], [true, "2.1.205", v325]),
  ...history("hookResponseId", "§9", [false, v45, v14], [true, v37, v113, v120, v197, v325]),
  ...history("hookResponseOutput", "§9", [false, v45], [true, v14, v37, v113, v120, v197, v325]),
  ...history("permissionRequestHook", "§5.39", ["before", v37], ["beside", v113, v197, v325]),
  ...history("sessionEndHookFails", "§5.39", [true, v37, v113, v197], [false, v325]),
  ...history("includeHookEvents", "§5.40", [false, v37], [true, v113, v197, v325]),
  ...history("sessionStartHookBeforeInitialize", "§5.40", [true, v37, v113], [false, v197], [true, v325])
]
