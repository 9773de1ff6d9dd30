/** `agentwire doctor`: what is installed, whether it works together, and what to do about what does not. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Command, Input } from "../Command.ts"
import type { Console } from "../Console.ts"
import { checks, runChecks } from "../doctor/Doctor.ts"
import { doctorText } from "../doctor/DoctorText.ts"
import type { DoctorReport } from "../doctor/Finding.ts"
import { machine } from "../doctor/Machine.ts"
import type { DoctorOptions } from "../doctor/Surroundings.ts"
import { Failure, UsageFailure } from "../Failure.ts"
import { oneOf } from "../OptionValue.ts"
import { progressBar } from "../ProgressBar.ts"
import { stopSignal } from "../serve/StopSignal.ts"

const transports = ["auto", "stdio", "ws"] as const

/** The command. */
export const doctor: Command = {
  name: "doctor",
  summary: "check what is installed and whether it works together, and say how to fix it",
  usage: "[--cli PATH] [--no-run] [--json]",
  details: `Looks at Node, the Claude Code CLI and its version, how it will be spoken to, whether it has
a login, whether a scripted prompt comes back as AG-UI that keeps the rules, and at what
serve needs: a place for its state and a port. Where Codex is in the PATH, also at its
version, at a scripted prompt to it, and at where it runs commands without asking. Changes
nothing.

The scripted prompt runs the CLI with a home folder of its own and a model on loopback:
nothing leaves the machine, nothing is paid, no account is needed, and nothing is left
behind. The values of keys and tokens are never shown.

With --json, one object: {"ok","problems","warnings","checks"}. Each of the checks is
{"check","status","found","advice"?,"facts"?}: check is its stable name, status is ok,
warning, problem or skipped, found and advice are for people, facts for programs.

Exit code 0 when nothing is a problem, 1 when something is.`,
  options: {
    cli: { type: "string", value: "PATH", summary: "the claude program (default: CLAUDE_PATH, else in the PATH)" },
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
    const report = await examined(options, console)
    await console.out(
      input.values["json"] === true ? JSON.stringify(report) : doctorText(report, checks, console.paint)
    )
    return report.ok ? 0 : 1
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
  return {
    cli: typeof cli === "string" ? cli : undefined,
    transport,
    run: values["no-run"] !== true,
    timeoutMs: seconds * 1000
  }
}

const examined = async (options: DoctorOptions, console: Console): Promise<DoctorReport> => {
  const stop = stopSignal((code) => process.exit(code))
  const bar = progressBar(checks.length, console.progress)
  try {
    const exit = await Effect.runPromiseExit(
      Effect.flatMap(machine(options, process.env), (here) =>
        runChecks(here, { onStart: ({ title }) => bar.start(title), onEnd: ({ title }) => bar.end(title) })
      ),
      { signal: stop.signal }
    )
    if (Exit.isSuccess(exit)) return exit.value
    if (stop.signal.aborted) throw new Failure("Stopped before everything was checked.")
    return await Effect.runPromise(exit)
  } finally {
    stop.forget()
  }
}
