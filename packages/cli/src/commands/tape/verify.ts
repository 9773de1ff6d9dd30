/** `agentwire tape verify`: whether a tape is whole and gives nothing away. */
import * as Tape from "@agentwire/protocol/tape"
import { columns, type ExitCode, type Input } from "../../Command.ts"
import type { Console } from "../../Console.ts"
import { limitsOf } from "../../Limits.ts"
import { explained, placeOf } from "../../record/Explained.ts"
import { patternsOf } from "../../record/Pattern.ts"
import { whoseTape } from "../../record/Redaction.ts"
import { visit } from "./Load.ts"

interface Fault {
  readonly where: string
  readonly fault: string
}

const shown = 20

/** How many faults are kept: a tape can be nothing but faults. */
const listed = 10_000

/** Checks structure, hash and secrets. */
export const verify = async (file: string, input: Input, console: Console): Promise<ExitCode> => {
  const { lists, values } = input
  const sources = lists["redact"] ?? []
  const patterns = await patternsOf(sources, { onSlow: console.err })
  const faults: Array<Fault> = []
  let count = 0
  const add = (fault: Fault): void => {
    if (count++ < listed) faults.push(fault)
  }
  // Whatever would be taken out is a secret: this also finds those that are cut over several frames.
  const findings: Array<Tape.Finding> = []
  const redactor = Tape.makeRedactor({
    ...whoseTape(),
    patterns,
    onFound: (finding) => {
      add({ where: placeOf(finding), fault: `a secret (${finding.kind}) begins here` })
      if (findings.length < listed) findings.push(finding)
    }
  })
  let frames = 0
  const { cut, hash } = await visit(file, limitsOf(input), {
    header: (header) => {
      redactor.header(header)
      return undefined
    },
    frame: (frame) => {
      frames++
      redactor.push(frame)
      return undefined
    },
    wrong: ({ line, message }) => add({ where: `line ${line}`, fault: message })
  })
  redactor.end()
  if (cut) add({ where: "end", fault: "the recording was cut: there is no end line" })
  if (hash === "wrong") add({ where: "end", fault: "the hash or the number of frames is wrong: the tape was changed" })
  const lookedFor = { kinds: redactor.kinds, rules: Tape.secretRules.length, patterns: sources }
  const isExplained = values["explain"] === true
  if (values["json"] === true) {
    const more = count > listed ? { more: count - listed } : {}
    await console.out(
      JSON.stringify({ file, frames, faults, ...more, lookedFor, ...(isExplained && { explained: findings }) })
    )
    return count === 0 ? 0 : 1
  }
  if (count === 0) await console.out(`${file}: ${frames} frames, structure and hash right, no known secret`)
  else {
    const more = count - shown
    const rows = faults.slice(0, shown).map(({ fault, where }): readonly [string, string] => [where, fault])
    await console.out(
      `${file}: ${count} ${count === 1 ? "fault" : "faults"}\n${columns(rows)}${more > 0 ? `\n  … and ${more} more` : ""}`
    )
  }
  if (isExplained) for (const line of explained(findings)) await console.out(line)
  const given = sources.map((source) => `"${source}"`).join(", ")
  await console.out(
    `  looked for ${redactor.kinds.join(", ")}, by ${Tape.secretRules.length} rules${given === "" ? "" : ` and ${given}`}`
  )
  return count === 0 ? 0 : 1
}
