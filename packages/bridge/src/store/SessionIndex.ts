/**
 * Which conversation of the provider a thread is, on disk, so that a thread continues after a restart of the bridge.
 *
 * One JSON file. It is read once; changes are written some time later (`SaveLater.ts`), whole or not at all
 * (`AtomicFile.ts`). A file that cannot be read is kept as `<name>.corrupt-<n>` beside a fresh one. One bridge at a
 * time has it (`LockFile.ts`).
 */
import { mkdir, readFile, stat } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { FileFailed, setAside, withFile, writeAtomic } from "./AtomicFile.ts"
import { lockFile } from "./LockFile.ts"
import { makeSaveLater } from "./SaveLater.ts"

/** What is kept of a thread. */
export const StoredSession: Schema.Struct<{
  readonly providerSessionId: Schema.optionalKey<Schema.String>
  readonly cwd: Schema.String
  readonly mode: Schema.optionalKey<Schema.String>
  readonly title: Schema.optionalKey<Schema.String>
  readonly agent: Schema.optionalKey<
    Schema.Struct<{
      readonly model: Schema.optionalKey<Schema.String>
      readonly permissionMode: Schema.optionalKey<Schema.String>
    }>
  >
  readonly updatedAt: Schema.Finite
}> = Schema.Struct({
  /** Absent until the provider has named it. */
  providerSessionId: Schema.optionalKey(Schema.String),
  /** The folder the agent works in: the provider finds a conversation only from there. */
  cwd: Schema.String,
  /** What the session is for, to the policy: it must not become another one by a restart. */
  mode: Schema.optionalKey(Schema.String),
  /** The beginning of the first prompt. */
  title: Schema.optionalKey(Schema.String),
  agent: Schema.optionalKey(
    Schema.Struct({ model: Schema.optionalKey(Schema.String), permissionMode: Schema.optionalKey(Schema.String) })
  ),
  /** In milliseconds since 1970. */
  updatedAt: Schema.Finite
})
/** What is kept of a thread. */
export type StoredSession = typeof StoredSession.Type

/** The file. A list, not an object: a thread may be called `__proto__`. */
const IndexFile = Schema.Struct({
  version: Schema.Literal(1),
  sessions: Schema.Array(Schema.Struct({ threadId: Schema.String, ...StoredSession.fields }))
})
const decodeFile = Schema.decodeUnknownResult(Schema.fromJsonString(IndexFile))

/** The index cannot be used, or cannot be written. */
export class SessionIndexFailed extends Schema.TaggedError<SessionIndexFailed>()("SessionIndexFailed", {
  code: Schema.Literals([
    /** Another bridge that runs has it. */
    "INDEX_LOCKED",
    "INDEX_DISK_FULL",
    /** The system does not let it be read, or its folder be made. */
    "INDEX_UNREADABLE",
    "INDEX_UNWRITABLE"
  ]),
  message: Schema.String,
  path: Schema.String
}) {}

/** What may be chosen about an index. */
export interface SessionIndexOptions {
  /** The file. Its folder is made when there is none. */
  readonly path: string
  /** How many threads are kept; the oldest go. Default 10,000. */
  readonly maxEntries?: number
  /** How long changes are gathered before they are written. Default 200 milliseconds. */
  readonly writeDelay?: Duration.Input
  /** How long after a failed write it is tried again. Default 30 seconds. */
  readonly retryDelay?: Duration.Input
  /** Writes the file. Default {@link writeAtomic}. */
  readonly write?: (path: string, text: string) => Effect.Effect<void, FileFailed>
}

/** Which conversation of the provider a thread is. */
export class SessionIndex extends Context.Service<
  SessionIndex,
  {
    readonly get: (threadId: string) => Effect.Effect<StoredSession | undefined>
    /** Notes a thread as used now. */
    readonly set: (threadId: string, session: Omit<StoredSession, "updatedAt">) => Effect.Effect<void>
    /** Forgets a thread. True when it was known. */
    readonly remove: (threadId: string) => Effect.Effect<boolean>
    /** All threads, the one used longest ago first. */
    readonly entries: Effect.Effect<ReadonlyArray<readonly [threadId: string, session: StoredSession]>>
    /** Writes everything that is not written yet, at once. */
    readonly flush: Effect.Effect<void, SessionIndexFailed>
  }
>()("@agentwire/bridge/SessionIndex") {
  /** The index in a file. */
  static layer(options: SessionIndexOptions): Layer.Layer<SessionIndex, SessionIndexFailed> {
    return Layer.effect(SessionIndex, makeOnDisk(options))
  }

  /** An index that is forgotten with the bridge. */
  static layerMemory(maxEntries?: number): Layer.Layer<SessionIndex> {
    return Layer.sync(SessionIndex, () => ({ ...makeTable([], maxEntries), flush: Effect.void }))
  }
}

const defaultMaxEntries = 10_000

/** Read whole into memory, so bounded: some 100 times what the default number of threads needs. */
const maxBytes = 256 * 1024 * 1024

type Entry = readonly [threadId: string, session: StoredSession]

const makeTable = (
  before: ReadonlyArray<Entry>,
  maxEntries: number = defaultMaxEntries,
  changed: () => void = () => undefined
) => {
  // The order of a map is that of insertion: the one used longest ago is first.
  const table = new Map([...before].sort(([, a], [, b]) => a.updatedAt - b.updatedAt))
  const trim = (): void => {
    for (const threadId of table.keys()) {
      if (table.size <= maxEntries) return
      table.delete(threadId)
    }
  }
  trim()
  return {
    get: (threadId: string) => Effect.sync(() => table.get(threadId)),
    set: (threadId: string, session: Omit<StoredSession, "updatedAt">) =>
      Effect.map(Clock.currentTimeMillis, (updatedAt) => {
        table.delete(threadId)
        table.set(threadId, { ...session, updatedAt })
        trim()
        changed()
      }),
    remove: (threadId: string) =>
      Effect.sync(() => {
        const known = table.delete(threadId)
        if (known) changed()
        return known
      }),
    entries: Effect.sync((): ReadonlyArray<Entry> => [...table])
  }
}

const makeOnDisk = Effect.fnUntraced(function* (
  options: SessionIndexOptions
): Effect.fn.Return<SessionIndex["Service"], SessionIndexFailed, Scope.Scope> {
  const path = resolve(options.path)
  const { retryDelay = "30 seconds", write = writeAtomic, writeDelay = "200 millis" } = options

  yield* withFile(path, () => mkdir(dirname(path), { recursive: true, mode: 0o700 })).pipe(
    Effect.andThen(lockFile(`${path}.lock`)),
    Effect.catchTags({
      LockHeld: ({ message }) =>
        new SessionIndexFailed({ code: "INDEX_LOCKED", path, message: `Another bridge is using ${path}. ${message}` }),
      FileFailed: ({ message }) => new SessionIndexFailed({ code: "INDEX_UNREADABLE", path, message })
    })
  )

  let dirty = false
  const table = makeTable(yield* load(path), options.maxEntries, () => {
    dirty = true
    saveLater()
  })

  const oneAtATime = yield* Semaphore.make(1)
  const flush = oneAtATime.withPermit(
    Effect.gen(function* () {
      if (!dirty) return
      dirty = false
      const text = textOf(yield* table.entries)
      yield* write(path, text).pipe(
        Effect.mapError(writeFailure(path)),
        Effect.onError(() => Effect.sync(() => (dirty = true)))
      )
    })
  )

  const saveLater = yield* makeSaveLater({ subject: "Threads", write: flush, writeDelay, retryDelay })
  return { ...table, flush }
})

const textOf = (entries: ReadonlyArray<Entry>): string =>
  `${JSON.stringify({
    version: 1,
    sessions: entries.map(([threadId, session]) => ({ threadId, ...session }))
  })}\n`

const writeFailure =
  (path: string) =>
  ({ code, message }: FileFailed): SessionIndexFailed =>
    code === "ENOSPC" || code === "EDQUOT"
      ? new SessionIndexFailed({ code: "INDEX_DISK_FULL", path, message: `The disk of ${path} is full.` })
      : new SessionIndexFailed({ code: "INDEX_UNWRITABLE", path, message: `${path} cannot be written: ${message}.` })

const load = Effect.fnUntraced(function* (path: string): Effect.fn.Return<ReadonlyArray<Entry>, SessionIndexFailed> {
  const unreadable = ({ message }: FileFailed) =>
    new SessionIndexFailed({ code: "INDEX_UNREADABLE", path, message: `${path} cannot be read: ${message}.` })
  const text = yield* readText(path).pipe(Effect.mapError(unreadable))
  if (text === undefined) return []
  const found = decodeFile(text)
  if (Result.isSuccess(found)) return found.success.sessions.map(({ threadId, ...session }) => [threadId, session])
  const kept = yield* setAside(path).pipe(Effect.mapError(unreadable))
  yield* Effect.logWarning(
    `${path} is not an index of sessions, so earlier threads are not known. It is kept as ${kept}.`
  ).pipe(Effect.annotateLogs({ problem: found.failure.message }))
  return []
})

/** The text of the file; undefined when there is none. What is too long for an index is as good as empty. */
const readText = (path: string): Effect.Effect<string | undefined, FileFailed> =>
  Effect.gen(function* () {
    const stats = yield* withFile(path, () => stat(path))
    // A pipe or a device has no end.
    if (!stats.isFile()) return yield* new FileFailed({ code: "EINVAL", message: "it is not a file", path })
    return stats.size > maxBytes ? "" : yield* withFile(path, () => readFile(path, "utf8"))
  }).pipe(
    Effect.catchIf(
      ({ code }) => code === "ENOENT",
      () => Effect.undefined
    )
  )
