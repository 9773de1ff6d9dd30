/** Which of the recorder's scenarios say much about a CLI in little time. */

/** A set that shows most messages in little time: names of scenarios. */
export const representativeScenarios: ReadonlyArray<string> = [
  "plain_text",
  "thinking_text",
  "redacted_interleaved",
  "unicode_split",
  "server_tool_blocks",
  "stop_max_tokens",
  "stop_refusal",
  "tool_approved",
  "tool_denied",
  "tool_error_exit",
  "parallel_tools",
  "file_tools",
  "ask_user_question",
  "exit_plan_mode",
  "todo_write",
  "subagent_foreground",
  "background_bash",
  "interrupt_midstream",
  "interrupt_during_tool",
  "api_400",
  "api_529_retry",
  "hooks",
  "mcp_sdk",
  "mcp_http",
  "multi_turn_3",
  "compact",
  "resume",
  "set_model"
]
