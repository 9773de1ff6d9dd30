/**
 * The files in which bridges kept their threads before there was a store, as they are read for ever: an index of threads
 * (version 1), and beside it a folder with a file for each conversation (version 1: messages of AG-UI and the
 * application's state; version 2: the transcript). Nothing here changes them.
 */
import { createHash } from "node:crypto"
import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import * as Agui from "@agentwire/protocol/agui"
import { decodePayload } from "@agentwire/protocol/codec"
import * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { isRunning } from "../Processes.ts"

/** A file that could not be read. */
export class OldFileFailed extends Schema.TaggedError<OldFileFailed>()("OldFileFailed", {
  path: Schema.String,
  reason: Schema.String,
  /** It is there and will stay as it is: another try would fail, too. */
  isDamaged: Schema.Boolean
}) {}

/** What was known of a thread. */
export type OldThread = typeof OldThread.Type
const OldThread = Schema.Struct({
  threadId: Schema.String,
  providerSessionId: Schema.optionalKey(Schema.String),
  cwd: Schema.String,
  mode: Schema.optionalKey(Schema.String),
  title: Schema.optionalKey(Schema.String),
  agent: Schema.optionalKey(
    Schema.Struct({ model: Schema.optionalKey(Schema.String), permissionMode: Schema.optionalKey(Schema.String) })
  ),
  updatedAt: Schema.Finite
})

const OldIndex = Schema.Struct({ version: Schema.Literal(1), sessions: Schema.Array(OldThread) })

const OldHistory = Schema.Union([
  Schema.Struct({
    version: Schema.Literal(1),
    threadId: Schema.String,
    messages: Schema.Array(Agui.Message),
    state: Schema.optionalKey(Schema.Unknown)
  }),
  Schema.Struct({ version: Schema.Literal(2), threadId: Schema.String, transcript: Model.Transcript })
])

/** What was said in a thread. */
export interface OldConversation {
  readonly threadId: string
  readonly transcript: Model.Transcript
  /** The application's state, where it was kept. */
  readonly state: unknown
  /** When it was written, in milliseconds since 1970. */
  readonly writtenAt: number
}

/** The longest file that is read: no bridge wrote a longer one. */
const maxBytes = 256 * 1024 * 1024

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error)

/** The JSON in a file; undefined when there is no file. */
const readJson = (path: string): Effect.Effect<{ value: unknown; writtenAt: number } | undefined, OldFileFailed> =>
  Effect.gen(function* () {
    const failed = (reason: string, isDamaged: boolean) => new OldFileFailed({ path, reason, isDamaged })
    const found = yield* Effect.tryPromise({
      try: async () => {
        const stats = await stat(path)
        // A pipe or a device has no end.
        if (!stats.isFile() || stats.size > maxBytes) return "no file that a bridge wrote"
        return { text: await readFile(path, "utf8"), writtenAt: stats.mtimeMs }
      },
      catch: (error) => failed(codeOf(error), false)
    }).pipe(
      Effect.catchIf(
        ({ reason }) => reason === "ENOENT" || reason === "ENOTDIR",
        () => Effect.undefined
      )
    )
    if (found === undefined) return undefined
    if (typeof found === "string") return yield* failed(found, true)
    const { text, writtenAt } = found
    return yield* Effect.try({
      try: () => ({ value: JSON.parse(text) as unknown, writtenAt }),
      catch: () => failed("not JSON", true)
    })
  })

const decoded = <A>(path: string, schema: Schema.Codec<A>, value: unknown): Effect.Effect<A, OldFileFailed> => {
  const found = decodePayload(schema, value)
  return found._tag === "Invalid"
    ? Effect.fail(
        new OldFileFailed({ path, isDamaged: true, reason: `at ${found.error.path}: ${found.error.message}` })
      )
    : Effect.succeed(found.value)
}

/** The threads of an index; undefined when there is none. */
export const readOldIndex = (path: string): Effect.Effect<ReadonlyArray<OldThread> | undefined, OldFileFailed> =>
  Effect.gen(function* () {
    const found = yield* readJson(path)
    return found && (yield* decoded(path, OldIndex, found.value)).sessions
  })

/** What was said, by the file of it; undefined when there is no such file. */
export const readOldConversation = (path: string): Effect.Effect<OldConversation | undefined, OldFileFailed> =>
  Effect.gen(function* () {
    const found = yield* readJson(path)
    if (found === undefined) return undefined
    const history = yield* decoded(path, OldHistory, found.value)
    return {
      threadId: history.threadId,
      writtenAt: found.writtenAt,
      ...(history.version === 1
        ? { transcript: Agui.transcriptFrom(history.messages), state: history.state }
        : { transcript: history.transcript, state: undefined })
    }
  })

/** The file of a thread's conversation. */
export const oldHistoryFile = (folder: string, threadId: string): string =>
  join(folder, `${createHash("sha256").update(threadId).digest("hex").slice(0, 40)}.json`)

/** All files of conversations in a folder. */
export const oldHistoryFiles = (folder: string): Effect.Effect<ReadonlyArray<string>, OldFileFailed> =>
  Effect.tryPromise({
    try: () => readdir(folder),
    catch: (error) => new OldFileFailed({ path: folder, reason: codeOf(error), isDamaged: false })
  }).pipe(
    Effect.catchIf(
      ({ reason }) => reason === "ENOENT" || reason === "ENOTDIR",
      () => Effect.succeed([])
    ),
    Effect.map((names) => names.filter((name) => /^[0-9a-f]{40}\.json$/.test(name)).map((name) => join(folder, name)))
  )

const OldLock = Schema.Struct({ pid: Schema.Finite, began: Schema.NullOr(Schema.String) })

/** The process that has an index and runs, where one has. */
export const ownerOfOldIndex = (path: string): Effect.Effect<number | undefined, OldFileFailed> =>
  readJson(`${path}.lock`).pipe(
    Effect.flatMap((found) => (found === undefined ? Effect.undefined : decoded(path, OldLock, found.value))),
    Effect.map((owner) => (owner !== undefined && isRunning(owner) ? owner.pid : undefined)),
    // A lock that nobody can read is nobody's.
    Effect.catchIf(
      ({ isDamaged }) => isDamaged,
      () => Effect.undefined
    )
  )
