/**
 * Takes the threads of a bridge from before there was a store into it, once. The old files stay as they are.
 */
import { resolve } from "node:path"
import * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import { trunk } from "../Checkpoint.ts"
import { type Batch, Store } from "../Store.ts"
import type { StoredThread } from "../StoredThread.ts"
import type { StoreFailed } from "../StoreErrors.ts"
import {
  type OldConversation,
  OldFileFailed,
  type OldThread,
  oldHistoryFile,
  oldHistoryFiles,
  ownerOfOldIndex,
  readOldConversation,
  readOldIndex
} from "./OldFiles.ts"

/** Where the old files are. */
export interface OldFiles {
  /** The index of threads. */
  readonly index: string
  /** The folder of the conversations. Default: `<index>.history`. */
  readonly history?: string
  /** Where threads work of which nobody noted it. */
  readonly cwd: string
}

/** What came of it. */
export interface ImportReport {
  /** `before`: it was done at an earlier start. `in_use`: a bridge of before runs with the files; nothing was taken. */
  readonly outcome: "imported" | "before" | "in_use"
  /** The threads that are in the store now and were not before. */
  readonly threads: ReadonlyArray<string>
  /** What could not be read, and why. */
  readonly unreadable: ReadonlyArray<{ readonly path: string; readonly reason: string }>
}

/**
 * Takes the threads of old files into the store, with what was said in them. Done once for each index: what somebody
 * removes afterwards does not come back. Files that cannot be read at the moment are tried again at the next start;
 * what is damaged is told, and left where it is.
 */
export const importOldFiles = (files: OldFiles): Effect.Effect<ImportReport, StoreFailed, Store> =>
  Effect.gen(function* () {
    const store = yield* Store
    const index = resolve(files.index)
    const mark = `import ${index}`
    if (yield* store.isMarked(mark)) return { outcome: "before", threads: [], unreadable: [] }
    const failures: Array<OldFileFailed> = []
    const attempt = <A>(effect: Effect.Effect<A, OldFileFailed | StoreFailed>) =>
      effect.pipe(
        Effect.catchIf(
          (error) => error instanceof OldFileFailed,
          (failure) => Effect.sync(() => void failures.push(failure))
        )
      )
    if ((yield* attempt(ownerOfOldIndex(index))) !== undefined)
      return { outcome: "in_use", threads: [], unreadable: [] }

    const folder = resolve(files.history ?? `${index}.history`)
    const known = (yield* attempt(readOldIndex(index))) ?? []
    const threads: Array<string> = []
    const add = (thread: StoredThread, conversation: OldConversation | undefined) =>
      Effect.map(store.create(thread, conversation && beginningOf(conversation.transcript)), (isNew) => {
        if (isNew) threads.push(thread.threadId)
      })
    for (const old of known) {
      const conversation = yield* attempt(conversationOf(folder, old.threadId))
      yield* add(threadOf(old, conversation), conversation)
    }
    const read = new Set(known.map(({ threadId }) => oldHistoryFile(folder, threadId)))
    for (const path of (yield* attempt(oldHistoryFiles(folder))) ?? []) {
      if (read.has(path)) continue
      const conversation = yield* attempt(readOldConversation(path))
      if (conversation === undefined) continue
      const { threadId, writtenAt } = conversation
      yield* add(threadOf({ threadId, cwd: files.cwd, updatedAt: writtenAt }, conversation), conversation)
    }
    if (failures.every(({ isDamaged }) => isDamaged)) yield* store.mark(mark)
    return {
      outcome: "imported",
      threads,
      unreadable: failures.map(({ path, reason }) => ({ path, reason }))
    }
  })

/** What was said in a thread. A file of another thread is not that. */
const conversationOf = (
  folder: string,
  threadId: string
): Effect.Effect<OldConversation | undefined, OldFileFailed> => {
  const path = oldHistoryFile(folder, threadId)
  return Effect.flatMap(readOldConversation(path), (found) =>
    found === undefined || found.threadId === threadId
      ? Effect.succeed(found)
      : Effect.fail(new OldFileFailed({ path, isDamaged: true, reason: "of another thread" }))
  )
}

const threadOf = (old: OldThread, conversation: OldConversation | undefined): StoredThread => ({
  threadId: old.threadId,
  cwd: old.cwd,
  ...(old.providerSessionId !== undefined && { providerSessionId: old.providerSessionId }),
  ...(old.title !== undefined && { title: old.title, titleBy: "prompt" as const }),
  ...(old.mode !== undefined && { mode: old.mode }),
  options: { ...old.agent },
  ...(conversation?.state !== undefined && { state: conversation.state }),
  archived: false,
  // Nobody noted when it began.
  createdAt: old.updatedAt,
  activeAt: old.updatedAt
})

/** The transcript without branches, and a checkpoint of a thread in which nothing happens. */
const beginningOf = ({ entries, session }: Model.Transcript): Pick<Batch, "checkpoint" | "entries"> => ({
  entries: entries.map((entry, position) => ({ position, branch: 0, entry })),
  checkpoint: {
    seq: 0,
    situation: Model.situationToJson({ ...Model.emptySituation, session }),
    path: trunk,
    nextPosition: entries.length
  }
})
