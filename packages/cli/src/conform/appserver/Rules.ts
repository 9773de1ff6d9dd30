/** What the scenarios ask of a server beyond the rules for its messages. */
import type { Conform } from "@agentwire/protocol"
import { appServerRules } from "@agentwire/protocol/appserverconform"

const row = (id: string, level: Conform.Level, requirement: string, spec: string): Conform.Rule => ({
  id,
  family: "run",
  level,
  requirement,
  spec,
  dialects: []
})

/** The rules of the scenarios. */
export const playRules = {
  goes: row("APP-PLAY-001", "error", "The conversation goes as the scenario says.", "Codex 0.166.0, measured"),
  starts: row("APP-PLAY-002", "error", "The server starts and takes connections.", "Codex 0.166.0, measured"),
  ends: row(
    "APP-PLAY-003",
    "error",
    "A server on stdio ends, with the exit code 0, when its input does.",
    "docs/wire/codex.md §3.22"
  )
} as const

/** Every rule for servers of the app-server protocol. */
export const appServerRuleList: ReadonlyArray<Conform.Rule> = [
  ...Object.values(appServerRules),
  ...Object.values(playRules)
]
