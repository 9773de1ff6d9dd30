/** `agentwire history`: the sessions that Claude Code and Codex kept themselves, listed, shown and exported. */
import type { Command, ExitCode, Input } from "../Command.ts"
import type { Console } from "../Console.ts"
import { UsageFailure } from "../Failure.ts"
import { maxLineOption, maxSizeOption } from "../Limits.ts"
import { didYouMean } from "../Nearest.ts"
import { formats, keepers } from "./history/Words.ts"

interface Action {
  /** Whether it is about one session. */
  readonly one: boolean
  /** The options that are its own. */
  readonly options: ReadonlyArray<string>
  readonly run: (session: string, input: Input, console: Console) => Promise<ExitCode>
}

const reading = ["runtime", "projects", "rollouts", "branch", "max-line", "max-size"]

/** What it can do. Each loads only when it is asked for. */
const actions: Readonly<Record<string, Action>> = {
  list: {
    one: false,
    options: ["runtime", "projects", "rollouts", "cwd", "limit", "before", "json"],
    run: async (_, input, console) => (await import("./history/list.ts")).list(input, console)
  },
  show: {
    one: true,
    options: [...reading, "limit", "before", "json"],
    run: async (...given) => (await import("./history/show.ts")).show(...given)
  },
  export: {
    one: true,
    options: [...reading, "format", "output", "no-redact", "json"],
    run: async (...given) => (await import("./history/export.ts")).exportSession(...given)
  }
}

/** The command. */
export const history: Command = {
  name: "history",
  summary: "list, show and export the sessions that Claude Code and Codex kept themselves",
  usage: "[list | show SESSION | export SESSION --format FORMAT] [OPTIONS]",
  details: `list    the sessions of all folders, or of --cwd, those that were written to last first
show    what was said in one: the live conversation, sub-agents and all that was before a
        compaction included, and what it has spent, each message of the API counted once
export  the same as Markdown or JSON, or, of Claude Code, as a tape: that has whole messages, as
        on the wire, can be replayed and translated, and says in its header that it was made from a
        transcript; secrets are replaced on it

SESSION is the id of a session, the beginning of one that no other has, or the path of a
session file (NAME.jsonl, gzipped or not). Claude Code's are in ~/.claude/projects, or where
CLAUDE_CONFIG_DIR or --projects says; Codex's in ~/.codex/sessions, or where CODEX_HOME or
--rollouts says. Both are looked at unless --runtime or one of the folders is named.

list and show give the newest, up to --limit; --before goes on from there: with list, behind
a session; with show, before an entry by its number. Where somebody went back and said
something else, show names the other branches, and --branch shows one.

With --json
list    {"runtime","sessionId","title","titleBy","cwd","gitBranch","model","version","createdAt",
        "activeAt","modifiedAt","bytes","file"} for each session, then {"more"}
show    {"runtime","sessionId","title","titleBy","cwd","gitBranch","model","version","createdAt",
        "activeAt","file","usage","models","branches","entries","unread","torn","more"},
        then {"position","at","entry"} for each entry
export  {"output","format","entries"}, where it is written to a file

Times are ISO 8601; what is not known is null. A file is read up to --max-line and
--max-size; a line that is longer, or cannot be read, is left out and counted.

Exit code 0 when all is well, 2 when there is no such session or it cannot be read.`,
  options: {
    projects: {
      type: "string",
      value: "DIR",
      summary: "where Claude Code's sessions are (default ~/.claude/projects)"
    },
    rollouts: { type: "string", value: "DIR", summary: "where Codex's threads are (default ~/.codex/sessions)" },
    runtime: { type: "string", value: keepers.join("|"), summary: "only the sessions of one agent" },
    cwd: { type: "string", value: "DIR", summary: "list: only those that were started in this folder" },
    limit: { type: "string", value: "N", summary: "list, show: the most there are (default 50)" },
    before: { type: "string", value: "ID|N", summary: "list: older than a session; show: before an entry" },
    branch: { type: "string", value: "UUID", summary: "show, export: another branch, by its last message" },
    format: { type: "string", value: formats.join("|"), summary: "export: what to write (default markdown)" },
    output: {
      type: "string",
      short: "o",
      value: "OUT",
      summary: "export: the file to write (default: standard output)"
    },
    "no-redact": { type: "boolean", summary: "export: keep everything on a tape, secrets included" },
    json: { type: "boolean", summary: "write JSON, one object a line" },
    "max-line": maxLineOption,
    "max-size": {
      ...maxSizeOption,
      summary: "show, export: the most that is held, such as 1G (default 256M)"
    }
  },
  choices: Object.keys(actions),
  run: async (input, console) => {
    const [name = "list", ...sessions] = input.positionals
    const known = Object.keys(actions)
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (action === undefined)
      throw new UsageFailure(`history cannot ${name}. There are: ${known.join(", ")}.${didYouMean(name, known)}`)
    if (sessions.length !== (action.one ? 1 : 0))
      throw new UsageFailure(
        action.one
          ? `history ${name} takes one SESSION, not ${sessions.length}.`
          : `history ${name} takes no SESSION; to see one there is history show.`
      )
    const given = [...Object.keys(input.values), ...Object.keys(input.lists)]
    const foreign = given.find((option) => Object.hasOwn(history.options, option) && !action.options.includes(option))
    if (foreign !== undefined) throw new UsageFailure(`history ${name} has no option --${foreign}.`)
    return action.run(sessions[0] ?? "", input, console)
  }
}
