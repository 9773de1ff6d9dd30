/** What `agentwire translate` does: reads files one after the other, and writes what becomes of each. */
import type { Translate } from "@agentwire/protocol"
import type { ExitCode } from "../Command.ts"
import { type Console, ReaderGone } from "../Console.ts"
import { describe, Failure } from "../Failure.ts"
import { chunksOf } from "../InputFile.ts"
import { Held, type Limits } from "../Limits.ts"
import type { WireOptions } from "../WireSource.ts"
import type { Format } from "./Fold.ts"
import { makeFolder, type Output, openOutput, outputNames, stemOf } from "./OutputFile.ts"
import { type Findings, translation } from "./Translation.ts"

/** What is read and written, and how. */
export interface TranslateJob {
  /** Where a file is written for each; standard output where it is undefined. */
  readonly folder: string | undefined
  readonly format: Format
  readonly limits: Limits & Pick<WireOptions, "runtime">
  readonly options: Omit<Translate.TranslateOptions, "threadId">
  /** The thread of all runs; the name of the file where it is undefined. */
  readonly threadId: string | undefined
  readonly isJson: boolean
  readonly debug: boolean
}

const extensions: Readonly<Record<Format, string>> = {
  ndjson: ".agui.ndjson",
  sse: ".agui.sse",
  messages: ".messages.ndjson"
}

/** Translates each file; one that cannot be read does not keep the others from being read. */
export const translateFiles = async (
  files: ReadonlyArray<string>,
  { debug, folder, format, isJson, limits, options, threadId }: TranslateJob,
  console: Console
): Promise<ExitCode> => {
  const names = folder === undefined ? undefined : outputNames(files, folder, extensions[format])
  if (folder !== undefined) await makeFolder(folder)
  let worst: ExitCode = 0
  for (const file of files) {
    try {
      const path = names?.get(file)
      const given = { ...options, threadId: threadId ?? stemOf(file) }
      const findings = await writeOne({ file, format, path, limits }, given, console)
      if (isJson) await console.out(JSON.stringify({ file, output: path, ...findings }))
      else for (const note of notes(file, findings)) console.err(note)
      if (findings.invalid > 0 && worst === 0) worst = 1
    } catch (error) {
      if (error instanceof ReaderGone) throw error
      const words = describe(error, debug)
      // What is wrong with a line does not know in which file it is.
      console.err(error instanceof Failure && words.startsWith("line ") ? `${file}: ${words}` : words)
      worst = 2
    }
  }
  return worst
}

interface Job {
  readonly file: string
  readonly format: Format
  /** Where it goes; standard output where it is undefined. */
  readonly path: string | undefined
  readonly limits: Limits & Pick<WireOptions, "runtime">
}

const writeOne = async (
  { file, format, limits, path }: Job,
  options: Translate.TranslateOptions,
  console: Console
): Promise<Findings> => {
  const { end, findings, push } = translation(format, options, { ...limits, file })
  const held = new Held(file, limits)
  const chunks = chunksOf(file, console.stdin)
  // Opened before the output is: what cannot be read leaves no empty file behind.
  let next = await chunks.next()
  const output = path === undefined ? consoleOutput(console) : await openOutput(path)
  try {
    let shown = Date.now()
    for (; next.done !== true; next = await chunks.next()) {
      // Events go out as they come; messages are known at the end.
      if (format === "messages") held.add(next.value.length)
      await output.write(await push(next.value))
      if (Date.now() - shown > 500) {
        shown = Date.now()
        if (path !== undefined) console.progress(`${file}: ${findings.lines} lines …`)
      }
    }
    await output.write(await end())
  } finally {
    await chunks.return()
    await output.close()
  }
  return findings
}

const consoleOutput = ({ out }: Console): Output => ({
  // The console ends what it writes with a line feed of its own.
  write: (text) => (text === "" ? Promise.resolve() : out(text.slice(0, -1))),
  close: () => Promise.resolve()
})

const notes = (file: string, { example, invalid, lines, unknown }: Findings): ReadonlyArray<string> => [
  ...(invalid === 0
    ? []
    : [
        `${file}: ${invalid} of ${lines} lines ${invalid === 1 ? "is" : "are"} no message; line ${example?.line}: ${example?.error}`
      ]),
  ...(unknown === 0
    ? []
    : [
        `${file}: ${unknown} of ${lines} lines ${unknown === 1 ? "has" : "have"} a type no schema knows. \`agentwire decode\` lists them.`
      ])
]
