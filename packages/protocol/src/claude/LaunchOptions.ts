/**
 * What a session can be started with, and which versions of the CLI know it: one row for each option and for each
 * hook event, measured. `Versions.ts` looks them up.
 *
 * Each option was given to a real CLI in front of a scripted model, and counts as known where it was seen to take
 * effect: in the request to the model, in `init`, or in what a tool did (docs/wire/claude-code.md §11).
 */

/** Whether a version knows something. */
export type Knowledge = "known" | "unknown"

/** What each version that was tried knows. */
export type KnowledgeRow = Readonly<Record<string, Knowledge>>

/** An option of a session: how the CLI is given it, how it shows, and who knows it. */
export interface LaunchOption {
  /** The flag, the variable or the request that carries it. */
  readonly how: string
  /** What was looked at to see that it works. */
  readonly seen: string
  readonly versions: KnowledgeRow
}

/** The versions whose options were tried, oldest first. */
const tried = ["2.1.37", "2.1.120", "2.1.197", "2.1.325"] as const

type Tried = (typeof tried)[number]

/** No version was seen to forget anything, so a row is given by the first that knew it. */
const since = (first: Tried): KnowledgeRow =>
  Object.fromEntries(tried.map((version, i) => [version, i >= tried.indexOf(first) ? "known" : "unknown"]))

const always = since("2.1.37")

const option = (how: string, seen: string, versions: KnowledgeRow = always): LaunchOption => ({ how, seen, versions })

/** Every option, by the name it has in a session. */
export const launchOptions = {
  runtime: option("not at all: it says whether there is a CLI", "which program is started"),
  model: option("`--model`", "`model` of the request, and of `init`"),
  permissionMode: option("`--permission-mode`", "`permissionMode` of `init`"),
  effort: option(
    "`--effort`",
    "`output_config.effort` of the request, for models that have efforts",
    // "unknown option" before, and the process ends; the versions that were not tried by what `--help` lists.
    { "2.0.45": "unknown", "2.1.14": "unknown", "2.1.62": "known", "2.1.92": "known", ...since("2.1.120") }
  ),
  systemPrompt: option("`--system-prompt`", "`system` of the request is this text, after the CLI's own first line"),
  appendSystemPrompt: option("`--append-system-prompt`", "`system` of the request ends with this text"),
  allowedTools: option("`--allowedTools`", "the call runs and nobody is asked"),
  disallowedTools: option("`--disallowedTools`", "`tools` of the request and of `init` lack the tool"),
  addDirs: option("`--add-dir`", "a file there is read and nobody is asked"),
  env: option("the environment", "the shell of the Bash tool has the variable"),
  mcpServers: option(
    "`mcp_set_servers`, after `initialize`",
    "`mcp_status` has the server, the request its tools",
    // No answer at all before (§9).
    { "2.0.45": "unknown", "2.1.14": "known", ...always }
  ),
  mcpConfig: option("`--mcp-config`", "`mcp_status` has the server"),
  agents: option("`--agents`", "`agents` of `init`, and the description of the tool that starts them"),
  jsonSchema: option("`--json-schema`", "`tools` of the request has StructuredOutput, `result` its input"),
  maxTurns: option("`--max-turns`", "the result is `error_max_turns`"),
  maxBudgetUsd: option("`--max-budget-usd`", "the result is `error_max_budget_usd`", {
    // By what `--help` lists.
    "2.0.45": "unknown",
    "2.1.14": "known",
    ...always
  }),
  checkpointing: option(
    "`CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING=1`",
    "`rewind_files` puts a file back, also in a later process",
    { "2.0.45": "unknown", "2.1.14": "known", ...always }
  ),
  hooks: option("`hooks` of `--settings`", "the command ran"),
  extraArgs: option("the command line", "as the flags themselves do")
} as const satisfies Readonly<Record<string, LaunchOption>>

/** The name of an option. */
export type LaunchOptionName = keyof typeof launchOptions

const since120 = since("2.1.120")
const since197 = since("2.1.197")
const since325 = since("2.1.325")

/**
 * Which versions call hooks at an event: the list in each program, which is what `hooks` of its settings are checked
 * against. An event that a version does not know is never called; in settings, 2.1.37 drops all hooks because of it.
 */
export const hookEventVersions = {
  PreToolUse: always,
  PostToolUse: always,
  PostToolUseFailure: always,
  PostToolBatch: since120,
  PermissionDenied: since120,
  Notification: always,
  UserPromptSubmit: always,
  UserPromptExpansion: since120,
  SessionStart: always,
  SessionEnd: always,
  Stop: always,
  StopFailure: since120,
  SubagentStart: always,
  SubagentStop: always,
  PreCompact: always,
  PostCompact: since120,
  PreModelSwitch: since325,
  PostModelSwitch: since325,
  PermissionRequest: always,
  Setup: always,
  TeammateIdle: always,
  TaskCreated: since120,
  TaskCompleted: always,
  Elicitation: since120,
  ElicitationResult: since120,
  ConfigChange: since120,
  InstructionsLoaded: since120,
  WorktreeCreate: since120,
  WorktreeRemove: since120,
  CwdChanged: since120,
  FileChanged: since120,
  DirectoryAdded: since325,
  MessageDisplay: since197
} as const satisfies Readonly<Record<string, KnowledgeRow>>

/** An event that none of the versions has. A newer one may. */
export const noHookEvent: KnowledgeRow = Object.fromEntries(tried.map((version) => [version, "unknown"]))
