/** `agentwire policy`: checks a policy file, and says what it says about a tool call and why. */

import type { Command } from "../Command.ts"
import { UsageFailure } from "../Failure.ts"
import { didYouMean } from "../Nearest.ts"

const verbs = ["check", "test"] as const

/** The command. */
export const policy: Command = {
  name: "policy",
  summary: "check a policy file, and explain what it says about a tool call",
  usage: `check FILE [--json]
       agentwire policy test FILE --command TEXT [--mode M] [--cwd DIR] [--json]
       agentwire policy test FILE --tool NAME --input JSON [--mode M] [--cwd DIR] [--json]`,
  details: `check  whether the file is a policy, and if not, what is wrong and where
test   whether the policy allows, denies or asks about one tool call, the rules that fit,
       and for Bash every command that was found in the text

--command TEXT is short for --tool Bash --input '{"command": TEXT}'. Nothing is run.

With --json, one object. For check: {"file","ok","problems":[{"place","message"}]}, and when
it is fine "rules", their number, and "modes". For test: {"decision","reason","parts",
"doubts","fallback","use"}.

Exit code of check: 0 when the file is fine, 1 when something is wrong in it. Of test: 0
when the call is allowed, 1 when it is denied or asked about. Of both: 2 when they could
not do it.`,
  options: {
    tool: { type: "string", value: "NAME", summary: "test: the tool, such as Write" },
    input: { type: "string", value: "JSON", summary: "test: the tool's input" },
    command: { type: "string", value: "TEXT", summary: "test: a shell text for Bash" },
    mode: { type: "string", value: "M", summary: "test: the mode of the session" },
    cwd: { type: "string", value: "DIR", summary: "test: the folder the agent works in (default: here)" },
    json: { type: "boolean", summary: "write JSON" }
  },
  choices: verbs,
  run: async (input, console) => {
    const [name = "", file, ...more] = input.positionals
    const verb = verbs.find((known) => known === name)
    if (verb === undefined)
      throw new UsageFailure(
        name === ""
          ? `policy needs ${verbs.join(" or ")}.`
          : `policy cannot ${name}. Use ${verbs.join(" or ")}.${didYouMean(name, verbs)}`
      )
    if (file === undefined || more.length > 0) throw new UsageFailure(`policy ${name} takes one FILE.`)
    return (await import("../policy/Actions.ts"))[verb](file, input, console)
  }
}
