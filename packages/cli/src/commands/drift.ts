/** `agentwire drift`: records a CLI release and says what it changed, against the schemas and the library. */
import type { Command } from "../Command.ts"
import { UsageFailure } from "../Failure.ts"
import { oneOf } from "../OptionValue.ts"
import { runtimeKinds } from "../runtime/Runtimes.ts"

/** The command. */
export const drift: Command = {
  name: "drift",
  summary: "record a CLI release and say what it changed",
  usage: "--cli PATH|VERSION [--runtime RUNTIME] [--json] [SCENARIO...]",
  details: `Plays a representative set of scenarios to that CLI, with a scripted model API on loopback and
a home folder of its own, and reads what it says with the schemas: types that no schema
knows, lines that cannot be read, keys and values the schemas do not name, and odd keys:
missing or of another type. Then compares types and keys with those that the newest
version of the library of tapes has in the same scenarios. A VERSION that is not there is
installed into the cache. No account is needed; it takes less than two minutes. With
SCENARIO, plays those only. A CLI is Claude Code or Codex by its files, its name or its
version (0.x is Codex), or as --runtime says.

With --json, one object:
{"cli","version","library","scenarios","unknown","invalid","drift","new","gone","problems"}

Exit code 0 when nothing changed, 1 when something did, 2 when it could not be determined.`,
  options: {
    cli: { type: "string", value: "PATH|VERSION", summary: "the CLI, as a program or as a version" },
    runtime: {
      type: "string",
      value: runtimeKinds.join("|"),
      summary: "what the CLI is (default: what its files, its name or its version say)"
    },
    json: { type: "boolean", summary: "write one JSON object" }
  },
  run: async ({ positionals, values }, console) => {
    const which = values["cli"]
    if (typeof which !== "string") throw new UsageFailure("drift needs --cli PATH or --cli VERSION.")
    const kind = oneOf("runtime", runtimeKinds, values["runtime"])
    const { findDrift } = await import("../drift/Drift.ts")
    return findDrift({ which, kind, names: positionals, isJson: values["json"] === true }, console)
  }
}
