/**
 * The folder in which Claude Code keeps its sessions: which there are, and where the file of one is.
 *
 * `<config>/projects/<folder>/<session>.jsonl`, where the name of a folder is made from the path that the CLI was started
 * in. Only regular files are looked at. A list is made from the times of the files; of those on a page the first and the
 * last bytes are read, so that its cost does not grow with what was said.
 */
import { constants } from "node:fs"
import { lstat, open, readdir } from "node:fs/promises"
import { homedir } from "node:os"
import { join } from "node:path"
import { Transcript } from "@agentwire/protocol/claude"
import * as Effect from "effect/Effect"
import { attempt, TranscriptFailed } from "../kept/KeptFile.ts"

/** The folder of all projects: below CLAUDE_CONFIG_DIR, or `~/.claude`. */
export const projectsFolder = (env: NodeJS.ProcessEnv = process.env): string =>
  join(env["CLAUDE_CONFIG_DIR"] || join(env["HOME"] || homedir(), ".claude"), "projects")

/** Where a session is kept. */
export interface SessionPlace {
  readonly sessionId: string
  /** The path of its file. */
  readonly file: string
  readonly bytes: number
  /** When its file was written to last, in milliseconds since 1970. */
  readonly modifiedAt: number
}

/** A session of a list, with what the ends of its file say about it. */
export interface ListedSession extends SessionPlace {
  readonly facts: Transcript.TranscriptFacts
}

/** A part of a list. */
export interface SessionPage {
  readonly sessions: ReadonlyArray<ListedSession>
  /** There are older ones. */
  readonly more: boolean
}

/** Which sessions are listed. */
export interface ListSessions {
  /** The folder of all projects. */
  readonly projects: string
  /** Only those that were started in this folder. */
  readonly cwd?: string
  /** The most there are on a page; 50 unless it says otherwise. */
  readonly limit?: number
  /** Only those that were written to before this session was. */
  readonly before?: string
  /** Only those that were written to before this, in milliseconds since 1970. */
  readonly olderThan?: number
}

const defaultLimit = 50

/** The sessions that were written to last, the newest first. */
export const listSessions = Effect.fn("listSessions")(function* ({
  before,
  cwd,
  limit = defaultLimit,
  olderThan = Number.POSITIVE_INFINITY,
  projects
}: ListSessions): Effect.fn.Return<SessionPage, TranscriptFailed> {
  const all = (yield* placesIn(projects, cwd)).toSorted(newestFirst)
  const from = before === undefined ? 0 : all.findIndex(({ sessionId }) => sessionId === before) + 1
  if (before !== undefined && from === 0)
    return yield* new TranscriptFailed({
      code: "TRANSCRIPT_NOT_FOUND",
      message: `There is no session ${before} to list the sessions before.`,
      path: before
    })
  const sessions: Array<ListedSession> = []
  for (const place of all.slice(from)) {
    if (place.modifiedAt >= olderThan) continue
    // One that cannot be read must not hide the others.
    const facts = yield* factsOf(place).pipe(Effect.catch(() => Effect.succeed(undefined)))
    // Nothing was said in it, it is a sub-agent's, or another folder has the same name.
    if (facts?.title === undefined || facts.isSidechain || !isOf(facts, cwd)) continue
    if (sessions.length === limit) return { sessions, more: true }
    sessions.push({ ...place, facts })
  }
  return { sessions, more: false }
})

const newestFirst = (a: SessionPlace, b: SessionPlace): number =>
  b.modifiedAt - a.modifiedAt || (a.sessionId < b.sessionId ? -1 : 1)

const isOf = (facts: Transcript.TranscriptFacts, cwd: string | undefined): boolean =>
  cwd === undefined || facts.cwd === undefined || facts.cwd === cwd

/** The session with an id, or the only one whose id begins so. */
export const findSession = Effect.fn("findSession")(function* (
  projects: string,
  id: string
): Effect.fn.Return<SessionPlace, TranscriptFailed> {
  const all = (yield* placesIn(projects)).filter(({ sessionId }) => id !== "" && sessionId.startsWith(id))
  const exact = all.filter(({ sessionId }) => sessionId === id)
  // A session that moved to another folder has a file in each.
  const [first, ...others] = (exact.length > 0 ? exact : all).toSorted(newestFirst)
  if (first === undefined)
    return yield* new TranscriptFailed({
      code: "TRANSCRIPT_NOT_FOUND",
      message: `There is no session ${id} in ${projects}.`,
      path: id
    })
  const named = [...new Set([first, ...others].map(({ sessionId }) => sessionId))]
  if (named.length === 1) return first
  return yield* new TranscriptFailed({
    code: "TRANSCRIPT_AMBIGUOUS",
    message: `${named.length} sessions begin with ${id}: ${named.slice(0, 3).join(", ")}${named.length > 3 ? ", …" : ""}. Give more of the id.`,
    path: id
  })
})

/** The name that the CLI gives the folder of a path: long ones are cut, and end with a hash. */
const folderNameOf = (cwd: string): string => cwd.replaceAll(/[^a-zA-Z0-9]/g, "-")
const longestName = 200

const isFolderOf = (name: string, cwd: string): boolean => {
  const whole = folderNameOf(cwd)
  return whole.length <= longestName ? name === whole : name.startsWith(`${whole.slice(0, longestName)}-`)
}

const sessionFile = /^(?<id>[A-Za-z0-9][\w-]*)\.jsonl$/

/** Every session file of some projects. */
const placesIn = (projects: string, cwd?: string): Effect.Effect<ReadonlyArray<SessionPlace>, TranscriptFailed> =>
  attempt(projects, async () => {
    const folders = (await readdir(projects, { withFileTypes: true })).filter(
      (entry) => entry.isDirectory() && (cwd === undefined || isFolderOf(entry.name, cwd))
    )
    const places: Array<SessionPlace> = []
    for (const { name: folder } of folders) {
      const names = await readdir(join(projects, folder), { withFileTypes: true }).catch(() => [])
      const found = names.flatMap((entry) => {
        const id = entry.isFile() ? sessionFile.exec(entry.name)?.groups?.["id"] : undefined
        return id === undefined || id.startsWith("agent-") ? [] : [{ id, file: join(projects, folder, entry.name) }]
      })
      for (let at = 0; at < found.length; at += atOnce) {
        const some = found.slice(at, at + atOnce)
        places.push(...(await Promise.all(some.map(({ file, id }) => placeOf(id, file)))).flat())
      }
    }
    return places
  })

/** How many files are asked for at the same time. */
const atOnce = 64

const placeOf = async (sessionId: string, file: string): Promise<ReadonlyArray<SessionPlace>> => {
  try {
    const stats = await lstat(file)
    return [{ sessionId, file, bytes: stats.size, modifiedAt: stats.mtimeMs }]
  } catch {
    // Removed meanwhile.
    return []
  }
}

const endBytes = 1 << 16

/** What a long first line may take: a prompt with pictures. */
const longHeadBytes = 1 << 22

/** What the ends of a file say about its session. */
const factsOf = (place: SessionPlace): Effect.Effect<Transcript.TranscriptFacts, TranscriptFailed> =>
  attempt(place.file, async () => {
    const short = await factsWithin(place, endBytes)
    return short.firstPrompt === undefined && place.bytes > endBytes ? factsWithin(place, longHeadBytes) : short
  })

const factsWithin = async ({ bytes, file }: SessionPlace, headBytes: number): Promise<Transcript.TranscriptFacts> => {
  const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
  try {
    const read = async (from: number, length: number): Promise<Uint8Array> => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from)
      return buffer.subarray(0, bytesRead)
    }
    if (bytes <= headBytes) return Transcript.factsOfEnds(await read(0, bytes))
    return Transcript.factsOfEnds(await read(0, headBytes), await read(Math.max(0, bytes - endBytes), endBytes))
  } finally {
    await handle.close()
  }
}
