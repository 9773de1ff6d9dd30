/**
 * The folder in which Codex keeps its threads: which there are, and all of one, with the files that its beginning and its
 * sub-agents are in.
 *
 * `CODEX_HOME/sessions/<year>/<month>/<day>/rollout-<time>-<thread>.jsonl`. A list is made from the times of the files; of
 * those on a page the beginning is read, so that its cost does not grow with what was said.
 */
import type { Dirent } from "node:fs"
import { lstat, readdir } from "node:fs/promises"
import { homedir } from "node:os"
import { join } from "node:path"
import { Rollout } from "@agentwire/protocol/codex"
import { defaultMaxLineBytes } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import { attempt, bytesOf, type FileBudget, readKeptFile, TranscriptFailed } from "../kept/KeptFile.ts"

/** The folder of all threads: below CODEX_HOME, or `~/.codex`. */
export const rolloutsFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  join(env["CODEX_HOME"] || join(env["HOME"] || homedir(), ".codex"), "sessions")

/** A file of a thread. A thread that went back has several. */
export interface RolloutPlace {
  readonly threadId: string
  readonly file: string
  readonly bytes: number
  /** When it was written to last, in milliseconds since 1970. */
  readonly modifiedAt: number
}

/** A thread of a list, with what the beginning of its file says about it. */
export interface ListedRollout extends RolloutPlace {
  readonly facts: Rollout.RolloutFacts
}

/** Which threads are listed. */
export interface ListRollouts {
  /** The folder of all threads. */
  readonly rollouts: string
  /** Only those that were started in this folder. */
  readonly cwd?: string
  /** The most there are on a page; 50 unless it says otherwise. */
  readonly limit?: number
  /** Only those that were written to before this thread was. */
  readonly before?: string
  /** Only those that were written to before this, in milliseconds since 1970. */
  readonly olderThan?: number
}

/** How much of a thread is read. */
export interface RolloutLimits {
  /** The longest line, in bytes; a longer one is left out. 64 MiB unless it says otherwise. */
  readonly maxLineBytes?: number
  /** About the most that is held in memory, in bytes. 256 MiB unless it says otherwise. */
  readonly maxBytes?: number
  /** The bytes of a file: from the disk, unless somebody reads it otherwise. */
  readonly read?: (file: string) => AsyncIterable<Uint8Array>
}

/** A thread, and what could not be read of it. */
export interface ReadRollout {
  readonly session: Rollout.RolloutSession
  /** The file that has its end. */
  readonly main: Rollout.RolloutFile
}

const defaultLimit = 50
const defaultMaxBytes = 256 * 1024 * 1024

/** The threads that were written to last, the newest first. Sub-agents and what Codex does by itself are left out. */
export const listRollouts = Effect.fn("listRollouts")(function* ({
  before,
  cwd,
  limit = defaultLimit,
  olderThan = Number.POSITIVE_INFINITY,
  rollouts
}: ListRollouts): Effect.fn.Return<
  { readonly threads: ReadonlyArray<ListedRollout>; readonly more: boolean },
  TranscriptFailed
> {
  const all = (yield* placesIn(rollouts)).filter(({ modifiedAt }) => modifiedAt < olderThan)
  const from = before === undefined ? 0 : all.findIndex(({ threadId }) => threadId === before) + 1
  if (before !== undefined && from === 0)
    return yield* new TranscriptFailed({
      code: "TRANSCRIPT_NOT_FOUND",
      message: `There is no thread ${before} to list the threads before.`,
      path: before
    })
  const threads: Array<ListedRollout> = []
  // Of a thread that went back the newest file says it all.
  const seen = new Set(all.slice(0, from).map(({ threadId }) => threadId))
  for (const place of all.slice(from)) {
    if (seen.has(place.threadId)) continue
    seen.add(place.threadId)
    // One that cannot be read must not hide the others.
    const facts = yield* factsOf(place).pipe(Effect.catch(() => Effect.succeed(undefined)))
    if (facts === undefined || facts.parent !== undefined || facts.errand !== undefined) continue
    if ((facts.title === undefined && facts.base === undefined) || (cwd !== undefined && facts.cwd !== cwd)) continue
    if (threads.length === limit) return { threads, more: true }
    threads.push({ ...place, facts })
  }
  return { threads, more: false }
})

/** The newest file of the thread with an id, or of the only one whose id begins so. */
export const findRollout = Effect.fn("findRollout")(function* (
  rollouts: string,
  id: string
): Effect.fn.Return<RolloutPlace, TranscriptFailed> {
  const all = (yield* placesIn(rollouts)).filter(({ threadId }) => id !== "" && threadId.startsWith(id))
  const exact = all.filter(({ threadId }) => threadId === id)
  const [first, ...others] = exact.length > 0 ? exact : all
  if (first === undefined)
    return yield* new TranscriptFailed({
      code: "TRANSCRIPT_NOT_FOUND",
      message: `There is no thread ${id} in ${rollouts}.`,
      path: id
    })
  const named = new Set([first, ...others].map(({ threadId }) => threadId))
  if (named.size === 1) return first
  return yield* new TranscriptFailed({
    code: "TRANSCRIPT_AMBIGUOUS",
    message: `${named.size} threads begin with ${id}. Give more of the id.`,
    path: id
  })
})

/** How many further files of a thread are read at most. */
const maxFurther = 1000

/** Reads a thread. `rollouts`: where the files may be that its beginning and its sub-agents are in. */
export const readRolloutOf = Effect.fn("readRolloutOf")(function* (
  { file }: Pick<RolloutPlace, "file">,
  rollouts: string | undefined,
  limits: RolloutLimits = {}
): Effect.fn.Return<ReadRollout, TranscriptFailed> {
  const maxBytes = limits.maxBytes ?? defaultMaxBytes
  const budget = { maxBytes, left: maxBytes }
  const main = yield* readFileOf(file, limits, budget)
  const places = rollouts === undefined ? [] : yield* placesIn(rollouts).pipe(Effect.catch(() => Effect.succeed([])))
  const others: Array<Rollout.RolloutFile> = []
  const done = new Set([file])
  const wanted = [...threadsIn(main)]
  for (let next = wanted.shift(); next !== undefined && done.size < maxFurther; next = wanted.shift())
    for (const place of places) {
      if (place.threadId !== next || done.has(place.file)) continue
      done.add(place.file)
      const other = yield* readFileOf(place.file, limits, budget)
      others.push(other)
      wanted.push(...threadsIn(other))
    }
  const session = Rollout.rolloutSession(main, others)
  if (session !== undefined) return { session, main }
  return yield* new TranscriptFailed({
    code: "TRANSCRIPT_UNREADABLE",
    message: `${file} is no rollout of Codex: no line of it says which thread it is of.`,
    path: file
  })
})

/** The threads whose files a file needs: that of its beginning, and its sub-agents'. */
const threadsIn = ({ facts, lines }: Rollout.RolloutFile): ReadonlySet<string> =>
  new Set([
    ...(facts.base === undefined ? [] : [facts.base.threadId]),
    ...lines.flatMap(({ said }) => {
      const item = said.name === "event_msg/item_completed" ? said.message.payload.item : undefined
      const receivers: unknown =
        item?.type === "CollabAgentToolCall" && "receiver_thread_ids" in item ? item.receiver_thread_ids : undefined
      return Array.isArray(receivers) ? receivers.filter((id) => typeof id === "string") : []
    })
  ])

const readFileOf = (
  file: string,
  { maxLineBytes = defaultMaxLineBytes, read }: RolloutLimits,
  budget: FileBudget
): Effect.Effect<Rollout.RolloutFile, TranscriptFailed> =>
  readKeptFile(file, () => new Rollout.RolloutReader({ maxLineBytes }), budget, read)

/** Instructions and skills come before the first prompt. */
const headBytes = 1 << 20

const factsOf = (place: RolloutPlace): Effect.Effect<Rollout.RolloutFacts, TranscriptFailed> =>
  attempt(place.file, async () => {
    const reader = new Rollout.RolloutReader()
    let read = 0
    for await (const chunk of bytesOf(place.file)) {
      reader.push(chunk)
      read += chunk.length
      if (read >= headBytes) break
    }
    // Of a longer file the last words are not known, but when they were written.
    return { ...reader.facts, ...(read < place.bytes && { activeAt: place.modifiedAt }) }
  })

/** After the time comes the thread, and after that what tells its files apart. */
const rolloutFile =
  /^rollout-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:_[\w-]+)?\.jsonl$/

/** Years, months and days. */
const deepest = 3

/** Every file of a thread in a folder, that which was written to last first. */
const placesIn = (rollouts: string): Effect.Effect<ReadonlyArray<RolloutPlace>, TranscriptFailed> =>
  attempt(rollouts, async () => {
    const places: Array<RolloutPlace> = []
    const look = async (folder: string, entries: ReadonlyArray<Dirent>, depth: number): Promise<void> => {
      for (const entry of entries) {
        const path = join(folder, entry.name)
        const threadId = entry.isFile() ? rolloutFile.exec(entry.name)?.groups?.["id"] : undefined
        // It may have been removed meanwhile.
        const stats = threadId === undefined ? undefined : await lstat(path).catch(() => undefined)
        if (threadId !== undefined && stats !== undefined)
          places.push({ threadId, file: path, bytes: stats.size, modifiedAt: stats.mtimeMs })
        else if (entry.isDirectory() && depth > 0)
          await look(path, await readdir(path, { withFileTypes: true }).catch(() => []), depth - 1)
      }
    }
    await look(rollouts, await readdir(rollouts, { withFileTypes: true }), deepest)
    return places.sort((a, b) => b.modifiedAt - a.modifiedAt || (a.file < b.file ? 1 : -1))
  })
