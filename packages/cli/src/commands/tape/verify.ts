/** `agentwire tape verify`: whether a tape is whole and gives nothing away. */
import { Tape } from "@agentwire/protocol"
import { columns, type ExitCode, type Input } from "../../Command.ts"
import type { Console } from "../../Console.ts"
import { explained, placeOf } from "../../record/Explained.ts"
import { patternsOf } from "../../record/Pattern.ts"
import { whoseTape } from "../../record/Redaction.ts"
import { load } from "./Load.ts"

interface Fault {
  readonly where: string
  readonly fault: string
}

const shown = 20

/** Checks structure, hash and secrets. */
export const verify = async (file: string, { lists, values }: Input, console: Console): Promise<ExitCode> => {
  const sources = lists["redact"] ?? []
  const patterns = await patternsOf(sources, { onSlow: console.err })
  const { cut, hash, tape, wrong } = await load(file)
  const faults: Array<Fault> = wrong.map(({ line, message }) => ({ where: `line ${line}`, fault: message }))
  if (cut) faults.push({ where: "end", fault: "the recording was cut: there is no end line" })
  if (hash === "wrong")
    faults.push({ where: "end", fault: "the hash or the number of frames is wrong: the tape was changed" })
  // Whatever would be taken out is a secret: this also finds those that are cut over several frames.
  const findings: Array<Tape.Finding> = []
  const redactor = Tape.makeRedactor({ ...whoseTape(), patterns, onFound: (finding) => findings.push(finding) })
  redactor.header(tape.header)
  for (const frame of tape.frames) redactor.push(frame)
  redactor.end()
  for (const finding of findings)
    faults.push({ where: placeOf(finding), fault: `a secret (${finding.kind}) begins here` })
  const lookedFor = { kinds: redactor.kinds, rules: Tape.secretRules.length, patterns: sources }
  const isExplained = values["explain"] === true
  if (values["json"] === true) {
    const more = isExplained ? { explained: findings } : {}
    await console.out(JSON.stringify({ file, frames: tape.frames.length, faults, lookedFor, ...more }))
    return faults.length === 0 ? 0 : 1
  }
  if (faults.length === 0)
    await console.out(`${file}: ${tape.frames.length} frames, structure and hash right, no known secret`)
  else {
    const more = faults.length - shown
    const rows = faults.slice(0, shown).map(({ fault, where }): readonly [string, string] => [where, fault])
    await console.out(
      `${file}: ${faults.length} ${faults.length === 1 ? "fault" : "faults"}\n${columns(rows)}${more > 0 ? `\n  … and ${more} more` : ""}`
    )
  }
  if (isExplained) for (const line of explained(findings)) await console.out(line)
  const given = sources.map((source) => `"${source}"`).join(", ")
  await console.out(
    `  looked for ${redactor.kinds.join(", ")}, by ${Tape.secretRules.length} rules${given === "" ? "" : ` and ${given}`}`
  )
  return faults.length === 0 ? 0 : 1
}
