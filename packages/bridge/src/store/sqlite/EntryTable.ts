/**
 * Transcripts, in a table: by position, and along the branches of a conversation. What writes is called within a
 * transaction.
 */
import * as Model from "@agentwire/protocol/model"
import type { Steps } from "../../eventloop/Turns.ts"
import type { Segment } from "../Checkpoint.ts"
import { messageOf } from "../MessageOf.ts"
import {
  defaultMaxBytes,
  defaultMaxEntries,
  type EntryPage,
  type EntryQuery,
  nowhere,
  type PlacedEntry,
  type Span
} from "../Store.ts"
import type { Connection } from "./Connection.ts"
import type { Row } from "./Database.ts"
import { type PieceTable, pointers, rangeOf } from "./PieceTable.ts"
import { jsonReader, key, maxNumber, numberIn, numberOfKey, numbers, textIn, texts } from "./Rows.ts"

const readEntry = jsonReader(Model.TranscriptEntry)

/** An entry that a page may have. */
interface Candidate {
  readonly segment: number
  readonly position: number
  readonly bytes: number
}

/** Transcripts. */
export class EntryTable {
  readonly #connection: Connection
  readonly #pieces: PieceTable

  constructor(connection: Connection, pieces: PieceTable) {
    this.#connection = connection
    this.#pieces = pieces
  }

  /** Adds an entry, as JSON or where that is, or replaces the one of the same position. */
  put(thread: number, { branch, entry, position }: PlacedEntry, text: string): void {
    this.#connection
      .sql(
        `REPLACE INTO entries (key, thread, branch, id, message, entry) VALUES (${key("?1", "?2")}, ?1, ?3, ?4, ?5, ?6)`
      )
      .run(thread, position, branch, entry.id, messageOf(entry) ?? null, text)
  }

  /** Deletes the pieces of the entry of a position, which is to be replaced. */
  free(thread: number, position: number): void {
    const row = this.#connection
      .sql(`SELECT ${pointers("entry")} FROM entries WHERE key = ${key("?1", "?2")}`)
      .get(thread, position)
    this.#pieces.deletePointed(thread, row?.["pointer"])
  }

  /** The newest entries of a path that fit. First their sizes: what does not fit is not read. */
  *page(thread: number, query: EntryQuery): Steps<EntryPage> {
    const { maxBytes = defaultMaxBytes, maxEntries = defaultMaxEntries, path } = query
    const limit = Math.min(maxEntries, 1_000_000)
    const candidates: Array<Candidate> = []
    for (let n = path.length - 1; n >= 0 && candidates.length <= limit; n--)
      for (const row of this.#sizes(thread, path[n], query.before, limit + 1 - candidates.length))
        candidates.push({ segment: n, position: numberIn(row, "position"), bytes: sizeIn(row) })
    let taken = 0
    for (let bytes = 0; taken < Math.min(limit, candidates.length); taken++) {
      bytes += candidates[taken]?.bytes ?? 0
      if (bytes > maxBytes && taken > 0) break
    }
    const chosen = candidates.slice(0, taken)
    const rows = path.flatMap(({ branch }, n) => {
      const own = chosen.filter(({ segment }) => segment === n)
      const [newest, oldest] = [own[0]?.position, own.at(-1)?.position]
      return newest === undefined || oldest === undefined ? [] : this.#between(thread, branch, oldest, newest)
    })
    return { entries: yield* this.#entries(thread, rows), more: candidates.length > taken }
  }

  /** How many entries a path has. */
  count(thread: number, { before, path }: Pick<EntryQuery, "path" | "before">): number {
    return path.reduce((sum, segment) => {
      const row = this.#connection
        .sql(`SELECT count(*) AS count FROM entries WHERE thread = ?1 AND branch = ?2 AND key < ${key("?1", "?3")}`)
        .get(thread, segment.branch, endOf(segment, before))
      return sum + (row === undefined ? 0 : numberIn(row, "count"))
    }, 0)
  }

  /** How many messages a path has. */
  countMessages(thread: number, query: Pick<EntryQuery, "path" | "before">): number {
    if (query.path.length === 0) return 0
    const onPath = query.path
      .map((_, n) => `(branch = ?${2 * n + 2} AND key < ${key("?1", `?${2 * n + 3}`)})`)
      .join(" OR ")
    const row = this.#connection
      .sql(
        `SELECT total(parts) AS parts, count(*) AS messages FROM (
           SELECT count(*) AS parts FROM entries INDEXED BY entries_message
           WHERE thread = ?1 AND message IS NOT NULL AND (${onPath}) GROUP BY message
         )`
      )
      .get(thread, ...query.path.flatMap((segment) => [segment.branch, endOf(segment, query.before)]))
    const [parts, messages] = row === undefined ? [0, 0] : [numberIn(row, "parts"), numberIn(row, "messages")]
    return this.count(thread, query) - parts + messages
  }

  /** All entries of these ids that somebody does not have yet. */
  byId(thread: number, ids: ReadonlyArray<string>, except?: Span): Steps<ReadonlyArray<PlacedEntry>> {
    return this.#named(thread, ids, except, "id", ({ id }) => id)
  }

  /** All texts and calls of these messages that somebody does not have yet. */
  byMessage(thread: number, ids: ReadonlyArray<string>, except?: Span): Steps<ReadonlyArray<PlacedEntry>> {
    return this.#named(thread, ids, except, "message", messageOf)
  }

  *#named(
    thread: number,
    names: ReadonlyArray<string>,
    { from, until }: Span = nowhere,
    column: "id" | "message",
    nameOf: (entry: Model.TranscriptEntry) => string | undefined
  ): Steps<ReadonlyArray<PlacedEntry>> {
    const wanted = new Set<string | undefined>(names)
    const rows = inGroups([...new Set(names)]).flatMap((group) =>
      this.#connection
        .sql(
          `SELECT ${numberOfKey} AS position, ${numbers("branch")}, ${texts("entry")} FROM entries
           WHERE thread = ?1 AND ${column} IN (${group.map((_, n) => `?${n + 4}`).join()})
           AND (key < ${key("?1", "?2")} OR key >= ${key("?1", "?3")})`
        )
        .all(thread, Math.min(from, maxNumber), Math.min(until, maxNumber), ...group)
    )
    return (
      (yield* this.#entries(thread, rows))
        // Names that are no valid Unicode are found by what SQLite makes of them.
        .filter(({ entry }) => wanted.has(nameOf(entry)))
        .sort((one, other) => one.position - other.position)
    )
  }

  #sizes(thread: number, segment: Segment | undefined, before: number | undefined, limit: number): ReadonlyArray<Row> {
    if (segment === undefined) return []
    return this.#connection
      .sql(
        `SELECT ${numberOfKey} AS position, octet_length(entry) AS bytes, ${pointers("entry")} FROM entries
         WHERE thread = ?1 AND branch = ?2 AND key < ${key("?1", "?3")} ORDER BY key DESC LIMIT ?4`
      )
      .all(thread, segment.branch, endOf(segment, before), limit)
  }

  #between(thread: number, branch: number, oldest: number, newest: number): ReadonlyArray<Row> {
    return this.#connection
      .sql(
        `SELECT ${numberOfKey} AS position, ${numbers("branch")}, ${texts("entry")} FROM entries
         WHERE thread = ?1 AND branch = ?2 AND key BETWEEN ${key("?1", "?3")} AND ${key("?1", "?4")} ORDER BY key`
      )
      .all(thread, branch, oldest, newest)
  }

  /** The entries of rows. Nothing else is read between the rows and here: those who come meanwhile may replace them. */
  *#entries(thread: number, rows: ReadonlyArray<Row>): Steps<ReadonlyArray<PlacedEntry>> {
    const entries: Array<PlacedEntry> = []
    for (const row of rows) entries.push(yield* this.#entry(thread, row))
    return entries
  }

  *#entry(thread: number, row: Row): Steps<PlacedEntry> {
    const position = numberIn(row, "position")
    const place = {
      path: this.#connection.path,
      subject: `Entry ${position} of the transcript of thread number ${thread}`
    }
    const text = yield* this.#pieces.read(thread, textIn(row, "entry", place), place)
    return { position, branch: numberIn(row, "branch"), entry: readEntry(text, place) }
  }
}

/** How long an entry is, wherever its text is. */
const sizeIn = (row: Row): number => rangeOf(row["pointer"])?.bytes ?? numberIn(row, "bytes")

/** How many names are asked for at once: one by itself, or many. A statement is prepared for each. */
const groupSizes = [1, 100] as const

/** Names in groups of these sizes; the last is filled with one of its own. */
const inGroups = (names: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const size = names.length === 1 ? groupSizes[0] : groupSizes[1]
  return Array.from({ length: Math.ceil(names.length / size) }, (_, n) => {
    const group = names.slice(n * size, (n + 1) * size)
    return [...group, ...Array<string>(size - group.length).fill(group[0] ?? "")]
  })
}

/** The position after the last one that counts. */
const endOf = ({ through = maxNumber }: Segment, before = maxNumber): number => Math.min(through + 1, before, maxNumber)
