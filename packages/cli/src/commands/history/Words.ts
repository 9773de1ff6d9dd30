/** The words that options of `agentwire history` take. */

/** Whose sessions are kept. */
export const keepers = ["claude", "codex"] as const

/** What a session is exported as. */
export const formats = ["tape", "markdown", "json"] as const
