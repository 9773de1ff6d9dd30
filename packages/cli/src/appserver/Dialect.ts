/** The dialects that `agentwire app-server` speaks. */

/** The dialects that clients of app-servers speak. */
export const dialects = ["codex", "claude-app-server"] as const
