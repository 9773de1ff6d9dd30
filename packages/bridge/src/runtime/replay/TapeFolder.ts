/** Tapes from disk: one file, or all files of a folder; plain or gzipped. */
import { createReadStream } from "node:fs"
import { readdir, realpath, stat } from "node:fs/promises"
import { basename, dirname, join } from "node:path"
import { constants, createGunzip } from "node:zlib"
import * as Tape from "@agentwire/protocol/tape"
import * as Effect from "effect/Effect"
import { LaunchFailed } from "../../process/AgentLife.ts"

/** A tape and what it is called. */
export interface NamedTape {
  readonly name: string
  readonly tape: Tape.Tape
}

/** The runtime that a tape is of. Names nobody knows are read as Claude Code's, as all tapes were once. */
export const tapeRuntime = ({ header }: Tape.Tape): "claude-code" | "codex" =>
  header.runtime.name === "codex" ? "codex" : "claude-code"

const tapeFile = /\.tape(\.gz)?$/

/** 64 MiB: far more than a session of a day. */
const defaultMaxBytes = 64 * 1024 * 1024

/**
 * The tape of a file, or those of a folder by name; the name is the file's without `.tape` or `.tape.gz`. All of them
 * are held, within the limits. Of a folder, only its own files are read: neither pipes nor links that lead out of it.
 */
export const readTapes = (
  path: string,
  { maxBytes = defaultMaxBytes, ...limits }: Tape.TapeLimits = {}
): Effect.Effect<ReadonlyArray<NamedTape>, LaunchFailed> =>
  Effect.gen(function* () {
    const files = yield* attempt(`Cannot read ${path}`, () => filesOf(path))
    if (files.length === 0) return yield* noTape(`There is no tape (*.tape, *.tape.gz) in ${path}.`)
    let left = maxBytes
    return yield* Effect.forEach(files, (file) =>
      Effect.gen(function* () {
        const { held, tape } = yield* readTape(file, { ...limits, maxBytes: left })
        left -= held
        return tape
      })
    )
  })

const filesOf = async (path: string): Promise<ReadonlyArray<string>> => {
  if (!(await stat(path)).isDirectory()) return [path]
  const folder = await realpath(path)
  const names = (await readdir(path))
    .filter((name) => tapeFile.test(name))
    .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
  const files: Array<string> = []
  for (const name of names) if (await isOwnFile(folder, name)) files.push(join(path, name))
  return files
}

/** Whether a name in a folder is a file of that folder: whoever put a link there could have others read for him. */
const isOwnFile = async (folder: string, name: string): Promise<boolean> => {
  const real = await realpath(join(folder, name)).catch(() => undefined)
  return real !== undefined && dirname(real) === folder && (await stat(real)).isFile()
}

const readTape = (
  file: string,
  limits: Tape.TapeLimits
): Effect.Effect<{ readonly tape: NamedTape; readonly held: number }, LaunchFailed> =>
  Effect.gen(function* () {
    const { held, parsed } = yield* attempt(`Cannot read ${file}`, () => parsedOf(file, limits))
    const { tape, wrong } = parsed
    if (tape === undefined) return yield* noTape(`${file} ${whyNone(wrong[0])}.`)
    return { tape: { name: basename(file).replace(tapeFile, ""), tape }, held }
  })

const whyNone = (first: Tape.WrongLine | undefined): string =>
  first?.code === undefined ? `is not a tape: ${first?.message ?? "it is empty"}` : first.message

interface Parsed {
  readonly parsed: Tape.ParsedTape
  /** How many bytes its text has. */
  readonly held: number
}

/** A gzipped tape that was cut is read up to the cut. */
const parsedOf = async (file: string, limits: Tape.TapeLimits): Promise<Parsed> => {
  if (!(await stat(file)).isFile()) throw new Error("it is not a file")
  const builder = new Tape.TapeBuilder(limits)
  let held = 0
  for await (const chunk of bytesOf(file)) {
    builder.push(chunk)
    held += chunk.length
    if (builder.isHopeless) break
  }
  return { parsed: builder.end(), held }
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array, void> {
  const isGzip = await startsLikeGzip(file)
  const bytes = createReadStream(file, { highWaterMark: 1 << 16 })
  if (!isGzip) yield* bytes
  else {
    const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH })
    bytes.on("error", (error) => gunzip.destroy(error)).pipe(gunzip)
    try {
      yield* gunzip
    } finally {
      bytes.destroy()
    }
  }
}

const startsLikeGzip = async (file: string): Promise<boolean> => {
  for await (const chunk of createReadStream(file, { end: 1 })) {
    const [first, second] = chunk as Uint8Array
    return first === 0x1f && second === 0x8b
  }
  return false
}

const noTape = (message: string): LaunchFailed => new LaunchFailed({ code: "NO_TAPE", message })

const attempt = <A>(what: string, run: () => Promise<A>): Effect.Effect<A, LaunchFailed> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      cause instanceof Tape.TapeTooLarge
        ? new LaunchFailed({ code: "TAPE_TOO_LARGE", message: `${what}: ${cause.message}, with those before it.` })
        : noTape(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`)
  })
