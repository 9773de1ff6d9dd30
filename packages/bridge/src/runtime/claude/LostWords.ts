/**
 * What was said and the CLI has not kept, because it was killed with its bridge.
 *
 * It writes whole blocks, a tenth of a second after it has said them, up to 2.1.197 also after the end of a turn, and a prompt
 * may not have reached it at all (docs/wire/claude-code.md §12e). A session that it resumes lacks all of that, and people see it on their pages. So what is
 * known of the end of the conversation is looked for in the CLI's own file.
 */
import { constants } from "node:fs"
import { open } from "node:fs/promises"
import { readAnchor } from "@agentwire/protocol/claude"
import type { TranscriptEntry } from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import type { CutWords } from "../../session/Runtime.ts"
import { attempt, type TranscriptFailed } from "../kept/KeptFile.ts"
import { findSession } from "./SessionFolder.ts"

/** Where the CLI keeps its sessions, and the one that it resumes; undefined: it begins a new one. */
export interface KeptPlace {
  readonly projects: string
  readonly sessionId: string | undefined
}

/** What the CLI does not know of the end of a conversation, in order. Nothing where that cannot be found out. */
export const findLostWords = (
  { projects, sessionId }: KeptPlace,
  said: CutWords
): Effect.Effect<ReadonlyArray<TranscriptEntry>> =>
  sessionId === undefined
    ? Effect.succeed(lostWords(said, sessionId, nothingKept))
    : Effect.flatMap(findSession(projects, sessionId), ({ file }) => readEnd(file)).pipe(
        Effect.map((kept) => lostWords(said, sessionId, kept)),
        Effect.catch(({ code }) =>
          Effect.succeed(code === "TRANSCRIPT_NOT_FOUND" ? lostWords(said, sessionId, nothingKept) : [])
        )
      )

/** The end of a session's file. */
export interface KeptEnd {
  readonly lines: ReadonlyArray<string>
  /** The file has more before it. */
  readonly more: boolean
}

const nothingKept: KeptEnd = { lines: [], more: false }

/**
 * The words behind the last that is kept. Where none is found among those that were looked at, the agent has nothing at
 * all, or it is too far back: nobody knows then what it lacks.
 */
export const lostWords = (
  { entries, isInTurn, more }: CutWords,
  sessionId: string | undefined,
  kept: KeptEnd
): ReadonlyArray<TranscriptEntry> => {
  const at = placesIn(kept.lines)
  const main = entries.filter(({ kind, lane }) => lane === null && kind !== "task")
  const last = main.findLastIndex((entry, index) => isKept(entry, main.slice(0, index), sessionId, kept.lines, at))
  if (last === -1 && (more || kept.more)) return []
  const lost = main.slice(last + 1).filter(({ kind }) => kind !== "thought")
  return lost.some(({ kind }) => isWorthTelling(kind, isInTurn)) ? lost : []
}

/**
 * Whether what was lost is told for the sake of such an entry. The CLI itself says of a call what became of it. A prompt whose
 * turn is over and had no answer was not meant for the agent any more: it was stopped, or a hook has blocked it.
 */
const isWorthTelling = (kind: TranscriptEntry["kind"], isInTurn: boolean): boolean =>
  kind !== "result" && (isInTurn || kind !== "prompt")

const isKept = (
  entry: TranscriptEntry,
  before: ReadonlyArray<TranscriptEntry>,
  sessionId: string | undefined,
  lines: ReadonlyArray<string>,
  at: ReadonlyMap<string, number>
): boolean => {
  const place = placeOf(entry)
  // A copy has what was said before it was made.
  if (place !== undefined && sessionId !== undefined && (place.sessionId !== sessionId || at.has(place.uuid)))
    return true
  // A prompt may have another uuid there than it was sent with.
  if (place !== undefined && entry.kind !== "prompt") return false
  const words = wordsOf(entry)
  if (words === "") return false
  // The same may have been said before.
  const known = before.findLast((each) => at.has(placeOf(each)?.uuid ?? ""))
  const from = (at.get((known && placeOf(known)?.uuid) ?? "") ?? -1) + 1
  return lines.some((line, index) => index >= from && line.includes(words))
}

const placeOf = ({ anchor }: TranscriptEntry) => (anchor === undefined ? undefined : readAnchor(anchor))

/** By which of its words an entry is known in a line of JSON. */
const wordsOf = (entry: TranscriptEntry): string => {
  switch (entry.kind) {
    case "call":
      return `"id":${JSON.stringify(entry.id)}`
    case "result":
      return `"tool_use_id":${JSON.stringify(entry.id)}`
    case "prompt": {
      const { content } = entry
      const text = typeof content === "string" ? content : content.find((part) => part.type === "text")?.text
      return inJson(text ?? "")
    }
    case "text":
      return inJson(entry.text)
    default:
      return ""
  }
}

const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/** The number of each line, by its uuid. */
const placesIn = (lines: ReadonlyArray<string>): ReadonlyMap<string, number> =>
  new Map(
    lines.flatMap((line, index) => {
      const uuid = /"uuid":"([\w-]+)"/.exec(line)?.[1]
      return uuid === undefined ? [] : [[uuid, index] as const]
    })
  )

/** How much of a file is read: what was said last is at its end. */
const maxBytes = 4 * 1024 * 1024

const readEnd = (file: string): Effect.Effect<KeptEnd, TranscriptFailed> =>
  attempt(file, async () => {
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const stats = await handle.stat()
      if (!stats.isFile()) throw new Error("it is not a file")
      const from = Math.max(0, stats.size - maxBytes)
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(stats.size - from), 0, stats.size - from, from)
      return { lines: buffer.toString("utf8", 0, bytesRead).split("\n"), more: from > 0 }
    } finally {
      await handle.close()
    }
  })
