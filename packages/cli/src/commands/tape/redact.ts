/** `agentwire tape redact`: writes a tape without its secrets. */
import { renameSync, rmSync, statSync } from "node:fs"
import { homedir, userInfo } from "node:os"
import { writeTapeFile } from "@agentwire/fixtures"
import { Tape } from "@agentwire/protocol"
import type { ExitCode, Input } from "../../Command.ts"
import type { Console } from "../../Console.ts"
import { Failure, UsageFailure, writeFailure } from "../../Failure.ts"
import { load } from "./Load.ts"

/** Redacts a tape, in place or into another file. */
export const redact = async (file: string, { lists, values }: Input, console: Console): Promise<ExitCode> => {
  const patterns = (lists["redact"] ?? []).map(patternOf)
  const { tape, wrong } = await load(file)
  if (wrong[0] !== undefined)
    throw new Failure(
      `${file} has lines that do not belong to a tape (line ${wrong[0].line}: ${wrong[0].message}), and they would be lost. Take them out first.`
    )
  const counts = new Map<string, number>()
  const redactor = Tape.makeRedactor({
    home: homedir(),
    user: userName(),
    patterns,
    taken: Tape.encodeTape(tape).match(/REDACTED_[a-z-]+_\d+/g) ?? [],
    onFound: ({ kind }) => counts.set(kind, (counts.get(kind) ?? 0) + 1)
  })
  const header = redactor.header(tape.header)
  const frames = [...tape.frames.flatMap((frame) => redactor.push(frame)), ...redactor.end()]
  const redacted = [...new Set([...tape.header.redacted, ...header.redacted])]
  const out = typeof values["output"] === "string" ? values["output"] : file
  write(out, { header: { ...header, redacted }, frames })
  if (values["json"] === true) {
    await console.out(JSON.stringify({ file, output: out, replaced: Object.fromEntries(counts) }))
    return 0
  }
  const found = [...counts].map(([kind, count]) => `${count} ${kind}`).join(", ")
  await console.out(`${out}: ${found === "" ? "no secret found" : `replaced ${found}`}`)
  return 0
}

/** A file is replaced whole or not at all. */
const write = (out: string, tape: Parameters<typeof writeTapeFile>[1]): void => {
  if (statSync(out, { throwIfNoEntry: false })?.isDirectory() === true)
    throw new Failure(`Cannot write ${out}: it is a folder, not a file.`)
  const beside = `${out}.${process.pid}.part${out.endsWith(".gz") ? ".gz" : ""}`
  try {
    writeTapeFile(beside, tape)
    renameSync(beside, out)
  } catch (error) {
    rmSync(beside, { force: true })
    throw writeFailure(out, error)
  }
}

const patternOf = (source: string): RegExp => {
  try {
    return new RegExp(source)
  } catch (error) {
    throw new UsageFailure(
      `--redact takes a regular expression, and "${source}" is not one: ${error instanceof Error ? error.message : String(error)}.`
    )
  }
}

/** Containers run under user ids that no user has; there is no name to hide then. */
const userName = (): string | undefined => {
  try {
    return userInfo().username
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined
    throw error
  }
}
