/**
 * Which control requests a CLI answers, measured (docs/wire/claude-code.md §6f; rows marked * from runs of
 * the same kind, without 2.1.120).
 *
 * A row is what each of {@link measuredVersions} did: `ok` knows the request, even if the answer to ours
 * was an error about its contents; `unsupported` answers "Unsupported control request subtype";
 * `silent` never answers, so the host needs a timeout; `null` was not tried.
 */

/** What a CLI does with a control request. */
export type Answer = "ok" | "unsupported" | "silent"

/** The versions whose behaviour was measured, oldest first. 2.1.120 only over WebSocket. */
export const measuredVersions = ["2.1.37", "2.1.113", "2.1.120", "2.1.197", "2.1.325"] as const

/** What each of {@link measuredVersions} did with a request, in their order. */
export type AnswerRow = readonly [Answer | null, Answer | null, Answer | null, Answer | null, Answer | null]

const always: AnswerRow = ["ok", "ok", "ok", "ok", "ok"]
const since113: AnswerRow = ["silent", "ok", "ok", "ok", "ok"]
const since120: AnswerRow = ["silent", "unsupported", "ok", "ok", "ok"]
const since197: AnswerRow = ["silent", "unsupported", "unsupported", "ok", "ok"]
const since325: AnswerRow = ["silent", "unsupported", "unsupported", "unsupported", "ok"]
const never: AnswerRow = ["silent", "unsupported", "unsupported", "unsupported", "unsupported"]

// The same, where 2.1.120 was not tried.
const untried = ([a, b, , d, e]: AnswerRow): AnswerRow => [a, b, null, d, e]

/** The rows by subtype; requests the CLI makes itself are not among them. */
export const controlAnswers: Readonly<Record<string, AnswerRow>> = {
  initialize: always,
  interrupt: always,
  mcp_message: untried(always), // *
  mcp_reconnect: always,
  mcp_set_servers: always,
  mcp_status: always,
  mcp_toggle: always,
  rewind_files: always,
  set_max_thinking_tokens: always,
  set_model: always,
  set_permission_mode: always,

  apply_flag_settings: since113,
  cancel_async_message: since113,
  end_session: since113,
  generate_session_title: since113,
  get_context_usage: since113,
  get_settings: since113,
  mcp_clear_auth: untried(since113), // *
  reload_plugins: since113,
  seed_read_state: since113,
  side_question: since113,
  stop_task: since113,

  get_binary_version: since120,
  get_session_cost: since120,
  mcp_call: since120,
  read_file: since120,

  background_tasks: since197,
  file_suggestions: since197,
  get_usage: since197,
  message_rated: untried(since197), // *
  register_repo_root: untried(since197), // *
  reload_skills: since197,
  rename_session: since197,
  rewind_conversation: untried(since197), // *
  set_mcp_permission_mode_override: untried(since197), // *

  export_conversation: untried(since325), // *
  fork_conversation: untried(since325), // * answers that it cannot
  get_chrome_dialog: untried(since325), // *
  get_hooks_listing: since325,
  get_memory_dialog: untried(since325), // *
  get_plan: untried(since325), // *
  get_sandbox_dialog: untried(since325), // *
  get_skills_dialog: untried(since325), // *
  get_status: untried(since325), // *
  get_task_output: since325,
  get_workspace_diff: untried(since325), // *
  list_cloud_sessions: untried(since325), // * answers that it cannot
  list_models: since325,
  list_permission_rules: since325,
  mcp_read_resource: since325,
  mcp_tasks_changed: untried(since325), // *
  reload_output_styles: since325,
  set_cwd: untried(since325), // *
  set_has_subscribers: since325,
  set_proactivity_level: untried(since325), // * an error outside CLAUDE_CODE_REMOTE=1
  set_prompt_suggestions_paused: untried(since325), // *
  submit_feedback: [null, null, null, null, "ok"], // *
  ui_panes: untried(since325), // *
  update_settings: untried(since325), // *

  list_directory: untried(never), // * ok on 2.1.325 with CLAUDE_CODE_REMOTE=1
  set_color: never
}
