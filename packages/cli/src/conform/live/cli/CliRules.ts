/** What is asked of a CLI of any runtime: that the schemas know all it says, and that it does what its version does. */
import type { Conform } from "@agentwire/protocol"

const row = (level: Conform.Level, requirement: string, spec: string) => ({ level, requirement, spec })

const table = {
  "CLI-SCHEMA-001": row(
    "error",
    "Every message is of a type that the schemas know.",
    "packages/protocol claude, codex"
  ),
  "CLI-SCHEMA-002": row("error", "Every message fits its schema.", "packages/protocol claude, codex"),
  "CLI-SCHEMA-003": row(
    "warning",
    "Every key and value is one that the schemas name.",
    "packages/protocol claude, codex"
  ),
  "CLI-FACT-001": row(
    "error",
    "A version does what was measured on it, or on both its neighbours.",
    "packages/protocol claude/VersionTable, codex/VersionTable"
  ),
  "CLI-FACT-002": row(
    "warning",
    "A version of which that is not known does what the nearest older one does.",
    "packages/protocol claude/VersionTable, codex/VersionTable"
  ),
  "CLI-ANSWER-001": row(
    "error",
    "A version answers the requests that it, or both its neighbours, were seen to answer.",
    "packages/protocol claude/ControlAnswers, codex/VersionTable"
  ),
  "CLI-ANSWER-002": row(
    "warning",
    "A version of which that is not known answers the requests that the nearest older one does.",
    "packages/protocol claude/ControlAnswers, codex/VersionTable"
  ),
  "CLI-PLAY-001": row("error", "The conversation goes as the scenario says.", "packages/fixtures scenarios")
} as const

/** The id of a rule for CLIs. */
export type CliRuleId = keyof typeof table

/** The rules for CLIs, by id. */
export const cliRules: Readonly<Record<CliRuleId, Conform.Rule>> = Object.fromEntries(
  Object.entries(table).map(([id, text]): [string, Conform.Rule] => [
    id,
    { id, family: id.startsWith("CLI-SCHEMA") ? "schema" : "version", dialects: [], ...text }
  ])
) as Record<CliRuleId, Conform.Rule>
