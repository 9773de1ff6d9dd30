/** Starts a tape: where it is kept, what its header says, what is kept off it, and who is told when it fails. */
import { statSync } from "node:fs"
import { join } from "node:path"
import type { Tape as TapeFormat } from "@agentwire/protocol"
import { version } from "../Version.ts"
import type { RedactionChoice } from "./Redaction.ts"
import { type LateTap, lateTap, type TapeWriter } from "./TapEvent.ts"

/** Options of {@link startTape}. */
export interface StartTapeOptions {
  /** The file of the tape; see {@link tapePath}. */
  readonly path: string
  readonly header: Pick<TapeFormat.TapeHeader, "argv" | "runtime" | "transport">
  readonly redaction: RedactionChoice
  /** Told once when the tape ends before the session, with a sentence for people. */
  readonly onStop: (message: string) => void
}

/** The file of a tape: what was asked for, or in a folder (`folder/` need not exist) a name from time and process. */
export const tapePath = (output: string): string => {
  return output.endsWith("/") || isFolder(output)
    ? join(output, `${new Date().toISOString().replaceAll(":", "-")}-${process.pid}.tape`)
    : output
}

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false // whatever is wrong with it is said when it is opened
  }
}

/** Starts a tape that takes events at once; what writes it is loaded meanwhile. */
export const startTape = (options: StartTapeOptions): LateTap => {
  const startedAt = performance.now()
  const stop = (reason: string) =>
    options.onStop(`The tape ${options.path} is cut here: ${reason}. The session continues without it.`)
  return lateTap(load(options, startedAt, stop), (error) =>
    stop(error instanceof Error ? error.message : String(error))
  )
}

// The protocol package takes longer to load than a session may be kept waiting.
const load = async (
  { header, path, redaction }: StartTapeOptions,
  startedAt: number,
  onStop: (reason: string) => void
): Promise<TapeWriter> => {
  const [{ Tape }, { Taper }, { fileTarget, gzipTarget, TapeSink }, { redactorFor }] = await Promise.all([
    import("@agentwire/protocol"),
    import("./Taper.ts"),
    import("./TapeSink.ts"),
    import("./Redaction.ts")
  ])
  const target = fileTarget(path)
  const sink = new TapeSink({
    open: path.endsWith(".gz") ? gzipTarget(target) : target,
    onStop,
    stopLine: (reason) => Tape.encodeFrame({ _tag: "Marker", wait: 0, text: `the tape stops here: ${reason}` }),
    endLine: Tape.encodeEnd
  })
  return new Taper({ header: { agentwire: version(), ...header }, startedAt, redactor: redactorFor(redaction), sink })
}
