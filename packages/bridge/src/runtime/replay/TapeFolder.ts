/** Tapes from disk: one file, or all files of a folder; plain or gzipped. */
import { readdir, readFile, stat } from "node:fs/promises"
import { basename, join } from "node:path"
import { promisify } from "node:util"
import { constants, gunzip } from "node:zlib"
import * as Tape from "@agentwire/protocol/tape"
import * as Effect from "effect/Effect"
import { LaunchFailed } from "../claude/Agent.ts"

/** A tape and what it is called. */
export interface NamedTape {
  readonly name: string
  readonly tape: Tape.Tape
}

const tapeFile = /\.tape(\.gz)?$/

/** The tape of a file, or those of a folder by name; the name is the file's without `.tape` or `.tape.gz`. */
export const readTapes = (path: string): Effect.Effect<ReadonlyArray<NamedTape>, LaunchFailed> =>
  Effect.gen(function* () {
    const files = yield* attempt(`Cannot read ${path}`, () => filesOf(path))
    if (files.length === 0) return yield* noTape(`There is no tape (*.tape, *.tape.gz) in ${path}.`)
    return yield* Effect.forEach(files, readTape)
  })

const filesOf = async (path: string): Promise<ReadonlyArray<string>> => {
  if (!(await stat(path)).isDirectory()) return [path]
  const names = await readdir(path)
  return names
    .filter((name) => tapeFile.test(name))
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .map((name) => join(path, name))
}

const readTape = (file: string): Effect.Effect<NamedTape, LaunchFailed> =>
  Effect.gen(function* () {
    const { tape, wrong } = Tape.parseTape(yield* attempt(`Cannot read ${file}`, () => bytesOf(file)))
    if (tape === undefined)
      return yield* noTape(`${file} is not a tape: ${wrong[0] === undefined ? "it is empty" : wrong[0].message}.`)
    return { name: basename(file).replace(tapeFile, ""), tape }
  })

/** A gzipped tape that was cut is read up to the cut. */
const bytesOf = async (file: string): Promise<Uint8Array> => {
  const bytes = await readFile(file)
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  return isGzip ? promisify(gunzip)(bytes, { finishFlush: constants.Z_SYNC_FLUSH }) : bytes
}

const noTape = (message: string): LaunchFailed => new LaunchFailed({ code: "NO_TAPE", message })

const attempt = <A>(what: string, run: () => Promise<A>): Effect.Effect<A, LaunchFailed> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) => noTape(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`)
  })
