/**
 * What was said in each thread, on disk: Claude Code resumes a conversation after a restart but does not repeat
 * it (docs/wire/claude-code.md §5.46), so the bridge keeps it.
 *
 * A folder with a file for each thread, which is read when the thread is opened. Changes are written some time
 * later (`SaveLater.ts`), whole or not at all (`AtomicFile.ts`). A file that cannot be read is kept as
 * `<name>.corrupt-<n>` and the thread begins empty. Whoever has the index has the folder: it has no lock of its own.
 */
import { createHash } from "node:crypto"
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import * as Agui from "@agentwire/protocol/agui"
import { decodePayload } from "@agentwire/protocol/codec"
import * as Model from "@agentwire/protocol/model"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { FileFailed, setAside, withFile, writeAtomic } from "./AtomicFile.ts"
import { makeSaveLater } from "./SaveLater.ts"

/** The folder cannot be used, or a conversation cannot be written. */
export class HistoryStoreFailed extends Schema.TaggedError<HistoryStoreFailed>()("HistoryStoreFailed", {
  code: Schema.Literals(["HISTORY_DISK_FULL", "HISTORY_UNREADABLE", "HISTORY_UNWRITABLE"]),
  message: Schema.String,
  path: Schema.String
}) {}

/** What may be chosen about kept conversations. */
export interface HistoryStoreOptions {
  /** The folder. It is made when there is none. */
  readonly path: string
  /** How big the conversation of a thread may be; its oldest messages go. Default 8 MB. */
  readonly maxBytes?: number
  /** How many threads are kept from one start to the next; those used longest ago go. Default 10,000. */
  readonly maxThreads?: number
  /** How long changes are gathered before they are written. Default 500 milliseconds. */
  readonly writeDelay?: Duration.Input
  /** How long after a failed write it is tried again. Default 30 seconds. */
  readonly retryDelay?: Duration.Input
  /** Writes a file. Default {@link writeAtomic}. */
  readonly write?: (path: string, text: string) => Effect.Effect<void, FileFailed>
}

/** The kept conversation of a thread, for the one session that has the thread. */
export interface ThreadHistory {
  /** What was said before. */
  readonly before: Model.Transcript
  /** Keeps the conversation. Does nothing once the thread is removed. */
  readonly keep: (history: Model.Transcript) => Effect.Effect<void>
}

/** What was said in each thread. */
export class HistoryStore extends Context.Service<
  HistoryStore,
  {
    /** The conversation of a thread, for as long as the scope is open. */
    readonly open: (threadId: string) => Effect.Effect<ThreadHistory, never, Scope.Scope>
    /** Forgets what was said, and whatever the session of the thread is still going to say. */
    readonly remove: (threadId: string) => Effect.Effect<void>
    /** Writes everything that is not written yet, at once. */
    readonly flush: Effect.Effect<void, HistoryStoreFailed>
  }
>()("@agentwire/bridge/HistoryStore") {
  /** Conversations in a folder. */
  static layer(options: HistoryStoreOptions): Layer.Layer<HistoryStore, HistoryStoreFailed> {
    return Layer.effect(HistoryStore, makeOnDisk(options))
  }

  /** Conversations that are forgotten with the bridge. Those used longest ago go when there are too many. */
  static layerMemory(options: Pick<HistoryStoreOptions, "maxBytes" | "maxThreads"> = {}): Layer.Layer<HistoryStore> {
    return Layer.sync(HistoryStore, () => makeInMemory(options))
  }
}

/** A page gets all of it in one event, and `@ag-ui/client` 1.0.0 takes none above 10 MB. */
const defaultMaxBytes = 8 * 1024 * 1024
const defaultMaxThreads = 10_000

/** The longest file that is read. Longer than any that is written, unless the limit was higher then. */
const maxFileBytes = 256 * 1024 * 1024

/** Where the conversation of a thread is kept. A thread's own name may not be a valid file name. */
export const historyFile = (folder: string, threadId: string): string =>
  join(folder, `${createHash("sha256").update(threadId).digest("hex").slice(0, 40)}.json`)

const isHistoryFile = (name: string): boolean => /^[0-9a-f]{40}\.json$/.test(name)

const HistoryFile = Schema.Union([
  /** The format before transcripts were kept: the messages as AG-UI has them. */
  Schema.Struct({ version: Schema.Literal(1), threadId: Schema.String, messages: Schema.Array(Agui.Message) }),
  Schema.Struct({ version: Schema.Literal(2), threadId: Schema.String, transcript: Model.Transcript })
])

/** Gives threads to sessions, and takes them back when they are removed. */
const makeHandles = () => {
  const handles = new Map<string, object>()
  return {
    give: (
      threadId: string,
      before: Model.Transcript,
      keep: (history: Model.Transcript) => void
    ): Effect.Effect<ThreadHistory, never, Scope.Scope> =>
      Effect.acquireRelease(
        Effect.sync(() => {
          let last = before
          const handle: ThreadHistory = {
            before,
            keep: (history) =>
              Effect.sync(() => {
                if (handles.get(threadId) !== handle || history === last) return
                last = history
                keep(history)
              })
          }
          handles.set(threadId, handle)
          return handle
        }),
        (handle) =>
          Effect.sync(() => {
            if (handles.get(threadId) === handle) handles.delete(threadId)
          })
      ),
    takeBack: (threadId: string): void => {
      handles.delete(threadId)
    }
  }
}

const makeInMemory = ({
  maxBytes = defaultMaxBytes,
  maxThreads = defaultMaxThreads
}: Pick<HistoryStoreOptions, "maxBytes" | "maxThreads">): HistoryStore["Service"] => {
  const { give, takeBack } = makeHandles()
  // The order of a map is that of insertion: the one used longest ago is first.
  const kept = new Map<string, Model.Transcript>()
  const keep = (threadId: string, history: Model.Transcript): void => {
    kept.delete(threadId)
    kept.set(threadId, history)
    const [oldest] = kept.keys()
    if (kept.size > maxThreads && oldest !== undefined) kept.delete(oldest)
  }
  return {
    open: (threadId) =>
      Effect.suspend(() =>
        give(threadId, Model.boundTranscript(kept.get(threadId) ?? Model.emptyTranscript, maxBytes), (history) =>
          keep(threadId, history)
        )
      ),
    remove: (threadId) =>
      Effect.sync(() => {
        takeBack(threadId)
        kept.delete(threadId)
      }),
    flush: Effect.void
  }
}

const makeOnDisk = Effect.fnUntraced(function* (
  options: HistoryStoreOptions
): Effect.fn.Return<HistoryStore["Service"], HistoryStoreFailed, Scope.Scope> {
  const folder = resolve(options.path)
  const { maxBytes = defaultMaxBytes, maxThreads = defaultMaxThreads, write = writeAtomic } = options
  const { retryDelay = "30 seconds", writeDelay = "500 millis" } = options
  yield* withFile(folder, () => mkdir(folder, { recursive: true, mode: 0o700 })).pipe(
    Effect.andThen(forgetOldest(folder, maxThreads)),
    Effect.mapError(
      ({ message }) =>
        new HistoryStoreFailed({
          code: "HISTORY_UNREADABLE",
          path: folder,
          message: `Conversations cannot be kept in ${folder}: ${message}.`
        })
    )
  )

  const { give, takeBack } = makeHandles()
  const unwritten = new Map<string, Model.Transcript>()
  // One file at a time is read, written or removed, so that none comes back after its removal.
  const oneAtATime = yield* Semaphore.make(1)

  const writeOne = (threadId: string): Effect.Effect<void, FileFailed> =>
    oneAtATime.withPermit(
      Effect.suspend(() => {
        const history = unwritten.get(threadId)
        if (history === undefined) return Effect.void
        return Effect.map(write(historyFile(folder, threadId), textOf(threadId, history, maxBytes)), () => {
          if (unwritten.get(threadId) === history) unwritten.delete(threadId)
        })
      })
    )

  const flush = Effect.gen(function* () {
    // All are tried, also after one that failed: a file may be at fault, not the disk.
    const failures = yield* Effect.forEach([...unwritten.keys()], (threadId) =>
      Effect.match(writeOne(threadId), { onFailure: (error) => error, onSuccess: () => undefined })
    )
    const failed = failures.find((failure) => failure !== undefined)
    if (failed !== undefined) return yield* writeFailure(failed)
  })

  const saveLater = yield* makeSaveLater({ subject: "Conversations", write: flush, writeDelay, retryDelay })

  return {
    open: (threadId) =>
      oneAtATime
        .withPermit(
          Effect.suspend(() => {
            const newer = unwritten.get(threadId)
            return newer === undefined ? load(folder, threadId) : Effect.succeed(newer)
          })
        )
        .pipe(
          Effect.flatMap((before) =>
            give(threadId, before, (history) => {
              unwritten.set(threadId, history)
              saveLater()
            })
          )
        ),
    remove: (threadId) =>
      Effect.suspend(() => {
        takeBack(threadId)
        unwritten.delete(threadId)
        const path = historyFile(folder, threadId)
        return oneAtATime.withPermit(withFile(path, () => rm(path, { force: true })))
      }).pipe(
        Effect.catch(({ message, path }) => Effect.logError(`What was said is still in ${path}: ${message}.`)),
        Effect.uninterruptible
      ),
    flush
  }
})

const textOf = (threadId: string, transcript: Model.Transcript, maxBytes: number): string =>
  `${JSON.stringify({ version: 2, threadId, transcript: Model.boundTranscript(transcript, maxBytes) })}\n`

const writeFailure = ({ code, message, path }: FileFailed): HistoryStoreFailed =>
  code === "ENOSPC" || code === "EDQUOT"
    ? new HistoryStoreFailed({ code: "HISTORY_DISK_FULL", path, message: `The disk of ${path} is full.` })
    : new HistoryStoreFailed({ code: "HISTORY_UNWRITABLE", path, message: `${path} cannot be written: ${message}.` })

/** The conversation in the file of a thread. An unusable one is set aside, because the next write takes its name. */
const load = (folder: string, threadId: string): Effect.Effect<Model.Transcript> => {
  const path = historyFile(folder, threadId)
  return read(path, threadId).pipe(
    Effect.catch(({ message }) =>
      setAside(path).pipe(
        Effect.matchEffect({
          onFailure: (error) =>
            Effect.logWarning(`${path} is unusable and could not be set aside: ${error.message}. (${message})`),
          onSuccess: (kept) =>
            Effect.logWarning(`A thread's history could not be read: ${message} It is kept as ${kept}.`)
        }),
        Effect.as(Model.emptyTranscript)
      )
    )
  )
}

const read = (path: string, threadId: string): Effect.Effect<Model.Transcript, FileFailed> =>
  Effect.gen(function* () {
    const useless = (message: string) => new FileFailed({ code: "EINVAL", message: `${path} ${message}.`, path })
    const stats = yield* withFile(path, () => stat(path))
    // A pipe or a device has no end.
    if (!stats.isFile()) return yield* useless("is not a file")
    if (stats.size > maxFileBytes) return yield* useless("is too long")
    const text = yield* withFile(path, () => readFile(path, "utf8"))
    const value = yield* Effect.try({
      try: (): unknown => JSON.parse(text),
      catch: () => useless("is not JSON")
    })
    const decoded = decodePayload(HistoryFile, value)
    if (decoded._tag === "Invalid")
      return yield* useless(`is not a kept conversation: at ${decoded.error.path}: ${decoded.error.message}`)
    if (decoded.value.threadId !== threadId) return yield* useless("is of another thread")
    return decoded.value.version === 1 ? Agui.transcriptFrom(decoded.value.messages) : decoded.value.transcript
  }).pipe(
    Effect.catchIf(
      ({ code }) => code === "ENOENT",
      () => Effect.succeed(Model.emptyTranscript)
    )
  )

/** Removes the files that were written longest ago, when there are too many. */
const forgetOldest = (folder: string, maxThreads: number): Effect.Effect<void, FileFailed> =>
  withFile(folder, async () => {
    const names = (await readdir(folder)).filter(isHistoryFile)
    if (names.length <= maxThreads) return
    const files = await Promise.all(
      names.map(async (name) => ({ name, writtenAt: (await stat(join(folder, name))).mtimeMs }))
    )
    files.sort((a, b) => b.writtenAt - a.writtenAt)
    for (const { name } of files.slice(maxThreads)) await rm(join(folder, name), { force: true })
  })
