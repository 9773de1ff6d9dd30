/**
 * Which control requests a CLI answers, measured (docs/wire/claude-code.md §6f and §9; rows marked * from runs of the
 * same kind, without 2.1.120).
 *
 * A row is what each version that was tried did: `ok` knows the request, even if the answer to ours was an error about
 * its contents; `unsupported` answers "Unsupported control request subtype"; `silent` never answers, so the host needs
 * a timeout. No version was seen to forget a request, so a row is given by the first version that knew it.
 */

/** What a CLI does with a control request. */
export type Answer = "ok" | "unsupported" | "silent"

/** The versions whose whole behaviour was recorded, oldest first. 2.1.120 only over WebSocket. */
export const measuredVersions = ["2.1.37", "2.1.113", "2.1.120", "2.1.197", "2.1.325"] as const

/** What the versions that were tried did with a request. */
export type AnswerRow = Readonly<Record<string, Answer>>

/** The versions whose answers were measured, oldest first. */
const tried = [
  "2.0.45",
  "2.1.14",
  "2.1.37",
  "2.1.59",
  "2.1.85",
  "2.1.86",
  "2.1.92",
  "2.1.112",
  "2.1.113",
  "2.1.120",
  "2.1.150",
  "2.1.197",
  "2.1.231",
  "2.1.270",
  "2.1.312",
  "2.1.325"
] as const

type Tried = (typeof tried)[number]

/** The last version that was tried and says nothing about a request it does not know (§5.41). */
const lastSilent = tried.indexOf("2.1.37")

/** The row of a request that these versions know: from the first on, all. */
const since = (first: Tried): AnswerRow => answeredFrom(tried.indexOf(first))

const answeredFrom = (first: number): AnswerRow =>
  Object.fromEntries(
    tried.map((version, i) => [version, i >= first ? "ok" : i <= lastSilent ? "silent" : "unsupported"])
  )

const never = answeredFrom(tried.length)

// The same, where 2.1.120 was not tried.
const untried = ({ "2.1.120": _, ...row }: AnswerRow): AnswerRow => row

const always = since("2.0.45")
const since59 = since("2.1.59")
const since85 = since("2.1.85")
const since120 = since("2.1.120")
const since150 = since("2.1.150")
const since197 = since("2.1.197")
const since231 = since("2.1.231")
const since270 = since("2.1.270")
const since312 = since("2.1.312")

/** The rows by subtype; requests the CLI makes itself are not among them. */
export const controlAnswers: Readonly<Record<string, AnswerRow>> = {
  initialize: always,
  interrupt: always,
  mcp_message: untried(always), // *
  mcp_status: always,
  set_max_thinking_tokens: always,
  set_model: always,
  set_permission_mode: always,

  mcp_set_servers: since("2.1.14"),
  rewind_files: since("2.1.14"),
  mcp_reconnect: since("2.1.37"),
  mcp_toggle: since("2.1.37"),

  apply_flag_settings: since59,
  mcp_clear_auth: untried(since59), // *
  stop_task: since59,

  cancel_async_message: since85,
  end_session: since85,
  generate_session_title: since85,
  get_settings: since85,
  reload_plugins: since85,
  seed_read_state: since85,
  side_question: since85,
  get_context_usage: since("2.1.86"),

  get_binary_version: since120,
  get_session_cost: since120,
  mcp_call: since120,
  read_file: since120,

  background_tasks: since150,
  file_suggestions: since150,
  message_rated: untried(since150), // *
  rename_session: since150,

  get_usage: since197,
  register_repo_root: untried(since197), // *
  reload_skills: since197,
  rewind_conversation: untried(since197), // *
  set_mcp_permission_mode_override: untried(since197), // *

  get_plan: untried(since231), // *
  get_workspace_diff: untried(since231), // *
  list_models: { ...since231, "2.1.198": "ok" },
  set_cwd: untried(since231), // *

  fork_conversation: untried(since270), // * answers that it cannot
  get_hooks_listing: { ...since270, "2.1.268": "unsupported", "2.1.269": "ok" },
  get_memory_dialog: untried(since270), // *
  list_permission_rules: since270,
  reload_output_styles: since270,
  update_settings: untried(since270), // *

  export_conversation: untried(since312), // *
  get_chrome_dialog: untried(since312), // *
  get_sandbox_dialog: untried(since312), // *
  get_skills_dialog: untried(since312), // *
  get_status: untried(since312), // *
  get_task_output: since312,
  list_cloud_sessions: untried(since312), // * answers that it cannot
  mcp_read_resource: since312,
  mcp_tasks_changed: untried(since312), // *
  set_proactivity_level: untried(since312), // * an error outside CLAUDE_CODE_REMOTE=1
  set_prompt_suggestions_paused: untried(since312), // *
  ui_panes: untried(since312), // *

  set_has_subscribers: since("2.1.325"),
  submit_feedback: { "2.1.325": "ok" }, // *

  list_directory: untried(never), // * ok on 2.1.325 with CLAUDE_CODE_REMOTE=1
  set_color: never
}
