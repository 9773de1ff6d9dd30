/** `agentwire doctor`: what is installed, whether it works together, and what to do about what does not. */
import type { Command, Input } from "../Command.ts"
import type { DoctorOptions } from "../doctor/Surroundings.ts"
import { UsageFailure } from "../Failure.ts"
import { oneOf } from "../OptionValue.ts"
import { findRuntime } from "../record/RuntimeVersion.ts"
import { runtimeKinds } from "../runtime/Runtimes.ts"

const transports = ["auto", "stdio", "ws"] as const

/** The command. */
export const doctor: Command = {
  name: "doctor",
  summary: "check what is installed and whether it works together, and say how to fix it",
  usage: "[--runtime RUNTIME] [--cli PATH] [--no-run] [--json]",
  details: `Looks at Node, the Claude Code CLI and its version, how it will be spoken to, whether it has
a login, whether a scripted prompt comes back as AG-UI that keeps the rules, and at what
serve needs: a place for its state and a port. Where there is a Codex, also at its version
and its login, at a scripted prompt to it, whether its sandbox holds, and at where it runs
commands without asking. Changes nothing.

With --runtime codex (or a --cli that is Codex by its files or its name), Codex is what has
to work: that it is missing is a problem then, and that Claude Code is missing is none.

The scripted prompt runs the CLI with a home folder of its own and a model on loopback:
nothing leaves the machine, nothing is paid, no account is needed, and nothing is left
behind. The values of keys and tokens are never shown.

With --json, one object: {"ok","problems","warnings","checks"}. Each of the checks is
{"check","status","found","advice"?,"facts"?}: check is its stable name, status is ok,
warning, problem or skipped, found and advice are for people, facts for programs.

Exit code 0 when nothing is a problem, 1 when something is.`,
  options: {
    runtime: {
      type: "string",
      value: runtimeKinds.join("|"),
      summary: "the agent that has to work (default: what --cli is, else claude)"
    },
    cli: {
      type: "string",
      value: "PATH",
      summary: "its program (default: CLAUDE_PATH or CODEX_PATH, else in the PATH)"
    },
    transport: {
      type: "string",
      value: transports.join("|"),
      summary: "auto is the default; ws is for 2.1.120 and before"
    },
    "no-run": { type: "boolean", summary: "do not try the scripted prompt" },
    timeout: { type: "string", value: "SECONDS", summary: "how long the CLI may take to answer (default 60)" },
    json: { type: "boolean", summary: "write one JSON object" }
  },
  run: async (input, console) => {
    const options = optionsOf(input)
    const { examine } = await import("../doctor/Examine.ts")
    return examine(options, input.values["json"] === true, console)
  }
}

const optionsOf = ({ positionals, values }: Input): DoctorOptions => {
  if (positionals.length > 0) throw new UsageFailure(`doctor takes no "${positionals[0]}".`)
  const { cli, timeout = "60" } = values
  if (cli === "") throw new UsageFailure("--cli is empty.")
  const transport = oneOf("transport", transports, values["transport"]) ?? "auto"
  const seconds = Number(timeout)
  if (!(seconds > 0 && seconds <= 3600))
    throw new UsageFailure(`--timeout takes a number of seconds above 0, up to 3600, not "${timeout}".`)
  const named = typeof cli === "string" ? cli : undefined
  const kind = oneOf("runtime", runtimeKinds, values["runtime"])
  return {
    runtime: kind ?? (named === undefined ? "claude" : findRuntime([named]).runtime.kind),
    cli: named,
    transport,
    run: values["no-run"] !== true,
    timeoutMs: seconds * 1000
  }
}
