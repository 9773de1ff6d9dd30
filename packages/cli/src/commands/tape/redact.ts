/** `agentwire tape redact`: writes a tape without its secrets. */
import { lstatSync, statSync } from "node:fs"
import { writeTapeFile } from "@agentwire/fixtures"
import * as Tape from "@agentwire/protocol/tape"
import type { ExitCode, Input } from "../../Command.ts"
import type { Console } from "../../Console.ts"
import { Failure, writeFailure } from "../../Failure.ts"
import { limitsOf } from "../../Limits.ts"
import { privateMode, replaceFile } from "../../ReplaceFile.ts"
import { explained } from "../../record/Explained.ts"
import { patternsOf } from "../../record/Pattern.ts"
import { whoseTape } from "../../record/Redaction.ts"
import { load } from "./Load.ts"

/** Redacts a tape, in place or into another file. */
export const redact = async (file: string, input: Input, console: Console): Promise<ExitCode> => {
  const { lists, values } = input
  const patterns = await patternsOf(lists["redact"] ?? [], { onSlow: console.err })
  const { tape, wrong } = await load(file, limitsOf(input))
  if (wrong[0] !== undefined)
    throw new Failure(
      `${file} has lines that do not belong to a tape (line ${wrong[0].line}: ${wrong[0].message}), and they would be lost. Take them out first.`
    )
  const findings: Array<Tape.Finding> = []
  const redactor = Tape.makeRedactor({
    ...whoseTape(),
    patterns,
    taken: [...placeholders(tape)],
    onFound: (finding) => findings.push(finding)
  })
  const header = redactor.header(tape.header)
  const frames = [...tape.frames.flatMap((frame) => redactor.push(frame)), ...redactor.end()]
  const redacted = [...new Set([...tape.header.redacted, ...header.redacted])]
  const out = typeof values["output"] === "string" ? values["output"] : inPlace(file)
  write(out, { header: { ...header, redacted }, frames })
  const counts = new Map<string, number>()
  for (const { kind } of findings) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const isExplained = values["explain"] === true
  if (values["json"] === true) {
    const replaced = Object.fromEntries(counts)
    await console.out(JSON.stringify({ file, output: out, replaced, ...(isExplained && { explained: findings }) }))
    return 0
  }
  const found = [...counts].map(([kind, count]) => `${count} ${kind}`).join(", ")
  await console.out(`${out}: ${found === "" ? "no secret found" : `replaced ${found}`}`)
  if (isExplained) for (const line of explained(findings)) await console.out(line)
  return 0
}

/** Line by line: the text of a whole tape would take as much again as the tape. */
const placeholders = ({ frames, header }: Tape.Tape): ReadonlySet<string> => {
  const found = new Set<string>()
  const look = (line: string): void => {
    for (const [name] of line.matchAll(/REDACTED_[a-z-]+_\d+/g)) found.add(name)
  }
  look(Tape.encodeHeader(header))
  for (const frame of frames) look(Tape.encodeFrame(frame))
  return found
}

/** To replace a link would leave what it leads to as it is, with all its secrets. */
const inPlace = (file: string): string => {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return file
  throw new Failure(`${file} is a link. Name the file it leads to, or another one with -o.`)
}

/** A file is replaced whole or not at all. */
const write = (out: string, tape: Parameters<typeof writeTapeFile>[1]): void => {
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new Failure(`Cannot write ${out}: it is a folder, not a file.`)
  try {
    replaceFile(out, privateMode, (path) => writeTapeFile(path, tape))
  } catch (error) {
    throw writeFailure(out, error)
  }
}
