/** Files that agents keep of their sessions, as far as it does not matter which agent: reading one, and what may be wrong. */
import { constants } from "node:fs"
import { open } from "node:fs/promises"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** A session that an agent kept and that cannot be had. */
export class TranscriptFailed extends Schema.TaggedError<TranscriptFailed>()("TranscriptFailed", {
  code: Schema.Literals([
    "TRANSCRIPT_NOT_FOUND",
    /** Several sessions begin with what was given. */
    "TRANSCRIPT_AMBIGUOUS",
    "TRANSCRIPT_TOO_LARGE",
    "TRANSCRIPT_UNREADABLE"
  ]),
  message: Schema.String,
  /** The id, the file or the folder that it is about. */
  path: Schema.String,
  cause: Schema.optionalKey(Schema.Unknown)
}) {}

const chunkBytes = 1 << 18

/** The bytes of a regular file, up to where it ended when it was opened: one that grows has an end. */
export async function* bytesOf(file: string): AsyncGenerator<Uint8Array, void> {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw new Error("it is not a file")
    for (let at = 0; at < stats.size; ) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

/** Does something with a file or a folder, and says what is wrong when it cannot. */
export const attempt = <A>(path: string, work: () => Promise<A>): Effect.Effect<A, TranscriptFailed> =>
  Effect.tryPromise({
    try: work,
    catch: (cause) => (cause instanceof TranscriptFailed ? cause : unreadable(path, cause))
  })

/** What takes the bytes of a file, and says about how many bytes of memory it holds. */
interface FileReader<A> {
  readonly held: number
  readonly push: (chunk: Uint8Array) => void
  readonly end: () => A
}

/** How much may be held of files that are read one after the other. */
export interface FileBudget {
  readonly maxBytes: number
  left: number
}

/** Reads a file, unless more of it would have to be held than is left of the budget. */
export const readKeptFile = <A>(
  file: string,
  makeReader: () => FileReader<A>,
  budget: FileBudget,
  read: (file: string) => AsyncIterable<Uint8Array> = bytesOf
): Effect.Effect<A, TranscriptFailed> =>
  attempt(file, async () => {
    const reader = makeReader()
    for await (const chunk of read(file)) {
      reader.push(chunk)
      if (reader.held > budget.left)
        throw new TranscriptFailed({
          code: "TRANSCRIPT_TOO_LARGE",
          message: `${file} is more than may be held in memory: over ${budget.maxBytes} bytes.`,
          path: file
        })
    }
    budget.left -= reader.held
    return reader.end()
  })

const unreadable = (path: string, cause: unknown): TranscriptFailed => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  const isMissing = code === "ENOENT" || code === "ENOTDIR"
  return new TranscriptFailed({
    code: isMissing ? "TRANSCRIPT_NOT_FOUND" : "TRANSCRIPT_UNREADABLE",
    message: isMissing
      ? `There is nothing at ${path}.`
      : `${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
    path,
    cause
  })
}
