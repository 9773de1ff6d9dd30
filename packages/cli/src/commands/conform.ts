/** `agentwire conform`: judges recorded AG-UI events, a live server or a CLI by the rules, and reports. */
import type { Command } from "../Command.ts"
import { modeOf, options } from "../conform/Options.ts"

/** The command. */
export const conform: Command = {
  name: "conform",
  summary: "judge AG-UI events, a server or a CLI",
  usage: "FILE...|URL|--cli PATH|--app-server CMD|--merge REPORT...|--list [OPTIONS]",
  details: `FILE holds recorded AG-UI events: NDJSON, the bytes of an SSE response (as curl -N or
curl -iN shows them) or a JSON array, gzipped or not; "-" reads standard input. With --source,
a tape or the CLI's NDJSON, the events are also compared with the session they were made from.
NDJSON and SSE may be of any size. A JSON array, --source and the events that are compared
with it, and --merge are held in memory, up to --max-size.

URL is a live server: numbered scenarios are played to it. --cli PATH does the same with a
CLI, Claude Code or Codex by its files or its name or as --runtime says, and a scripted
model. --app-server CMD starts a server of Codex's app-server protocol for each scenario
("codex app-server"), in a home of its own and with a scripted model; at a ws:// URL, only
what needs no model is played. --merge puts reports that --json wrote side by side;
NAME=REPORT gives one a name.

IDS are ids of rules or scenarios, with * and ?, separated by commas. The file of expected
failures has one entry per line: a rule, a scenario or file, or one of those and a rule.

With --json, one object per line: findings {"rule","level","index","message","excerpt",
"prefix","line"?,"expected"?,"file" or "scenario"}, scenarios {"scenario","title","verdict",
"reason"?,"durationMs","wire"}, and last {"summary":{"verdict":"pass"|"warn"|"fail",
"errors","warnings","infos"},"expected"?,"agentwire","target" or "files"}.
With --merge, one object: {"runs":[NAME...],"subjects":[{"name","title"?,"verdicts"}],
"summary","agentwire"}: verdicts has one for each run, null where it has none.
With --list, one for each: {"rule","family","level","dialects","requirement","spec"} or
{"scenario","title","needs"?}.

Exit code 0 when it passes, 1 when it fails, 2 when it could not be determined.`,
  options,
  run: async (input, console) => {
    const mode = modeOf(input)
    const { runs } = await import("../conform/Runs.ts")
    return runs[mode](input, console)
  }
}
