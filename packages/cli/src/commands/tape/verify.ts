/** `agentwire tape verify`: whether a tape is whole and gives nothing away. */
import { Tape } from "@agentwire/protocol"
import { columns, type ExitCode, type Input } from "../../Command.ts"
import type { Console } from "../../Console.ts"
import { load } from "./Load.ts"

interface Fault {
  readonly where: string
  readonly fault: string
}

const shown = 20

/** Checks structure, hash and secrets. */
export const verify = async (file: string, { values }: Input, console: Console): Promise<ExitCode> => {
  const { cut, hash, tape, wrong } = await load(file)
  const faults: Array<Fault> = wrong.map(({ line, message }) => ({ where: `line ${line}`, fault: message }))
  if (cut) faults.push({ where: "end", fault: "the recording was cut: there is no end line" })
  if (hash === "wrong")
    faults.push({ where: "end", fault: "the hash or the number of frames is wrong: the tape was changed" })
  // Whatever would be taken out is a secret: this also finds those that are cut over several frames.
  const redactor = Tape.makeRedactor({
    onFound: ({ frame, kind }) =>
      faults.push({
        where: frame === 0 ? "header" : `frame ${frame}`,
        fault: `a secret (${kind}) ends here or shortly before`
      })
  })
  redactor.header(tape.header)
  for (const frame of tape.frames) redactor.push(frame)
  redactor.end()
  if (values["json"] === true) await console.out(JSON.stringify({ file, frames: tape.frames.length, faults }))
  else if (faults.length === 0)
    await console.out(`${file}: ${tape.frames.length} frames, structure and hash right, no known secret`)
  else {
    const more = faults.length - shown
    const rows = faults.slice(0, shown).map(({ fault, where }): readonly [string, string] => [where, fault])
    await console.out(
      `${file}: ${faults.length} ${faults.length === 1 ? "fault" : "faults"}\n${columns(rows)}${more > 0 ? `\n  … and ${more} more` : ""}`
    )
  }
  return faults.length === 0 ? 0 : 1
}
