/**
 * Every command that reads a file, on every file that means harm, in full size: exit code, seconds of processor time,
 * peak memory. Ends with 1 when one of them hangs, takes too much memory, ends otherwise than with 0, 1 or 2, or shows a
 * stack trace.
 *
 * `npm run hostile` runs all of them, which takes hours. `--only TEXT`, as often as needed, runs those whose
 * `command < input` has one of the texts: `--only "decode < newlines"`, `--only "tape diff <"`, `--only "< one-line"`.
 * `--list` names them, `--unit MB` makes the files smaller (100 is full size), `--limit SECONDS` is how long one may take.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { hostileCommands, hostileHistory } from "../packages/cli/test/hostile/Commands.ts"
import { hostileInputs } from "../packages/cli/test/hostile/Inputs.ts"
import { measure } from "../packages/cli/test/hostile/Measure.ts"
import { hostileProjects } from "../packages/cli/test/hostile/Projects.ts"

const { values } = parseArgs({
  options: {
    unit: { type: "string", default: "100" },
    only: { type: "string", multiple: true },
    limit: { type: "string", default: "300" },
    list: { type: "boolean", default: false }
  }
})
const unit = Number(values.unit) * 1024 * 1024
const seconds = Number(values.limit)
if (!(unit > 0 && seconds > 0)) throw new Error("--unit and --limit are numbers above 0.")
const maxMegabytes = 600

const tables = [
  { inputs: hostileInputs, commands: hostileCommands },
  { inputs: hostileProjects, commands: hostileHistory }
]
const nameOf = (command: { readonly name: string }, input: { readonly name: string }): string =>
  `${command.name} < ${input.name}`
const jobs = tables.flatMap(({ commands, inputs }) =>
  inputs.flatMap((input) => {
    const chosen = commands.filter(
      (command) => values.only === undefined || values.only.some((text) => nameOf(command, input).includes(text))
    )
    return chosen.length === 0 ? [] : [{ input, commands: chosen }]
  })
)
const count = jobs.reduce((sum, { commands }) => sum + commands.length, 0)

const run = async (): Promise<boolean> => {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-hostile-"))
  let isBad = false
  let done = 0
  try {
    for (const { commands, input } of jobs) {
      process.stderr.write(`making ${input.name}\n`)
      const file = input.make(folder, unit)
      for (const command of commands) {
        process.stderr.write(`${++done}/${count} ${nameOf(command, input)}\n`)
        const { code, cpuMs, megabytes, stderr } = await measure(command.args(file, folder), { seconds })
        const faults = [
          ...(code === null || code > 2 ? ["ended badly"] : []),
          ...(megabytes > maxMegabytes ? ["memory"] : []),
          ...(/\n\s+at /.test(stderr) ? ["stack trace"] : []),
          ...(/did not expect/.test(stderr) ? ["unexpected"] : [])
        ]
        isBad ||= faults.length > 0
        console.log(
          [
            input.name.padEnd(26),
            command.name.padEnd(24),
            String(code).padStart(4),
            `${(cpuMs / 1000).toFixed(1)} s`.padStart(8),
            `${megabytes} MB`.padStart(8),
            faults.join(", "),
            stderr.split("\n")[0]?.slice(0, 150)
          ].join("  ")
        )
      }
      rmSync(file.startsWith(folder) ? file : join(folder, "none"), { recursive: true, force: true })
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return isBad
}

if (count === 0) {
  console.error("No command and input has that in `command < input`. --list names them.")
  process.exitCode = 2
} else if (values.list) {
  for (const { commands, input } of jobs) for (const command of commands) console.log(nameOf(command, input))
} else process.exitCode = (await run()) ? 1 : 0
