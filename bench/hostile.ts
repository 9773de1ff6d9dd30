/**
 * Every command that reads a file, on every file that means harm, in full size: exit code, seconds, peak memory.
 * `npm run hostile`, or `npm run hostile -- --unit MB --only TEXT`. Ends with 1 when one of them hangs, takes too much
 * memory, ends otherwise than with 0, 1 or 2, or shows a stack trace.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { hostileCommands } from "../packages/cli/test/hostile/Commands.ts"
import { hostileInputs } from "../packages/cli/test/hostile/Inputs.ts"
import { measure } from "../packages/cli/test/hostile/Measure.ts"

const { values } = parseArgs({
  options: { unit: { type: "string" }, only: { type: "string" }, limit: { type: "string" } }
})
const unit = Number(values.unit ?? 100) * 1024 * 1024
const maxMegabytes = 600
const seconds = Number(values.limit ?? 300)

const folder = mkdtempSync(join(tmpdir(), "agentwire-hostile-"))
let isBad = false
try {
  for (const input of hostileInputs) {
    const file = input.make(folder, unit)
    for (const command of hostileCommands) {
      const name = `${command.name} < ${input.name}`
      if (values.only !== undefined && !name.includes(values.only)) continue
      const { code, megabytes, ms, stderr } = await measure(command.args(file, folder), { seconds })
      const faults = [
        ...(code === null || code > 2 ? ["ended badly"] : []),
        ...(megabytes > maxMegabytes ? ["memory"] : []),
        ...(/\n\s+at /.test(stderr) ? ["stack trace"] : []),
        ...(/did not expect/.test(stderr) ? ["unexpected"] : [])
      ]
      isBad ||= faults.length > 0
      const row = [input.name.padEnd(26), command.name.padEnd(24), String(code).padStart(4)]
      console.log(
        [
          ...row,
          `${(ms / 1000).toFixed(1)} s`.padStart(8),
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
process.exitCode = isBad ? 1 : 0
