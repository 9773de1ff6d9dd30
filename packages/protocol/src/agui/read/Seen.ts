/**
 * What a client has had: as it says so itself, or as the server knows it.
 *
 * AG-UI has no name for a client and no cursor, but every request brings the shared state back. So the session's part of
 * the state names the newest entry that the client was sent: when a turn begins, when its answer begins, and when a run
 * ends. A client has had what leads to that entry, and nothing else.
 *
 * An application that replaces the whole state takes the mark away. Then the server can only know a client by what it was
 * sent and what it has shown. Several clients may show the same: what is said of one whom nobody can name must hold for
 * each of those it may be.
 */
import { type EntryPlace, isOnPath, type Origins, pathOf, pathThrough } from "../../model/Branch.ts"
import { isRecord } from "../../wire/Json.ts"
import { sessionStateKey } from "../SessionState.ts"
import type { KnownEntry } from "./Divergence.ts"

/** The newest entry that a client has had. */
export interface SeenMark {
  readonly last: string
  readonly branch: number
}

/** The mark in a client's state. */
export const seenMarkIn = (state: unknown): SeenMark | undefined => {
  const session = isRecord(state) ? state[sessionStateKey] : undefined
  const mark = isRecord(session) ? session["conversation"] : undefined
  if (!isRecord(mark)) return undefined
  const { branch, last } = mark
  return typeof last === "string" && typeof branch === "number" ? { last, branch } : undefined
}

/**
 * Whether a client with a mark has had an entry: nothing, for all that is known, where there is no mark. `entries`: those
 * by the id of the mark, of all branches, and whatever others.
 */
export const hasSeen = (
  mark: SeenMark | undefined,
  entries: ReadonlyArray<KnownEntry>,
  origins: Origins
): ((entry: EntryPlace) => boolean) => {
  const newest = mark && entryAt(mark, entries)
  if (newest === undefined) return () => false
  const path = pathThrough(origins, newest)
  return (entry) => isOnPath(path, entry)
}

const entryAt = ({ branch, last }: SeenMark, entries: ReadonlyArray<KnownEntry>): KnownEntry | undefined =>
  entries.find(({ branch: on, entry }) => entry.kind !== "result" && entry.id === last && on === branch)

/** For each message of a request, the entries by its id, on whatever branches. */
export type ShownEntries = ReadonlyArray<ReadonlyArray<KnownEntry>>

/**
 * Whether a client with a mark has taken something away from what it has had: words that its list lacks, and that follow
 * all that the list has, in order. So it means to go back, wherever the conversation has gone since without its knowing.
 */
export const hasTakenAway = (
  mark: SeenMark,
  shown: ShownEntries,
  entries: ReadonlyArray<KnownEntry>,
  origins: Origins
): boolean => {
  const newest = entryAt(mark, entries)
  // Clients may leave out calls and thoughts, and take nothing away with that.
  if (newest === undefined || !(newest.entry.kind === "prompt" || newest.entry.kind === "text")) return false
  const path = pathThrough(origins, newest)
  let before = -1
  for (const entries of shown) {
    if (entries.length === 0) continue
    const at = Math.max(-1, ...entries.filter((entry) => isOnPath(path, entry)).map(({ position }) => position))
    // What stands in an order of its own tells nothing about the end of the list.
    if (at <= before || at === newest.position) return false
    before = at
  }
  return before !== -1
}

/** What the server knows of a client that was answered, or is. */
export interface SentTo {
  /** The newest entry that it has shown, by branch. */
  readonly shown: ReadonlyArray<SeenMark>
  /** The last thing it said itself. */
  readonly said: SeenMark | undefined
  /** The newest entry that was sent to it, by branch. That does not mean that it came: a connection may have broken. */
  readonly sent: ReadonlyArray<SeenMark>
  /** The branch of which it may have been sent more. */
  readonly unsure: number | undefined
}

/** The clients that a request may come from. */
export interface Senders<C extends SentTo> {
  readonly clients: ReadonlyArray<C>
  /**
   * Whether each of them lacks an entry on purpose: it has shown it or said it, or has taken away something else in its
   * place. Of nobody nothing is known.
   */
  readonly haveLeft: (entry: KnownEntry) => boolean
  /** Whether each of them has had an entry, or was sent it at least. */
  readonly wereSent: (entry: KnownEntry) => boolean
}

/**
 * Which clients may have sent a request: those that have had all of it that is known. `marked`: the entries by the ids of
 * what the clients have had.
 */
export const sendersOf = <C extends SentTo>(
  clients: ReadonlyArray<C>,
  shown: ShownEntries,
  marked: ReadonlyArray<KnownEntry>,
  origins: Origins
): Senders<C> => {
  const hasSeenAny = (marks: ReadonlyArray<SeenMark>): ((entry: EntryPlace) => boolean) => {
    const seen = marks.map((mark) => hasSeen(mark, marked, origins))
    return (entry) => seen.some((has) => has(entry))
  }
  const all = clients.map((client) => {
    const hasShown = hasSeenAny(client.shown)
    const hasSent = hasSeenAny(client.sent)
    const path = client.unsure === undefined ? [] : pathOf(origins, client.unsure)
    const hasHad = (each: KnownEntry): boolean =>
      hasShown(each) || (each.entry.id === client.said?.last && each.branch === client.said.branch)
    const wasSent = (each: KnownEntry): boolean => hasHad(each) || hasSent(each)
    const own = client.said === undefined ? client.shown : [...client.shown, client.said]
    const isGoingBack = own.some((mark) => hasTakenAway(mark, shown, marked, origins))
    const hasLeft = (each: KnownEntry): boolean => isGoingBack || hasHad(each)
    return { client, hasLeft, wasSent, mayHave: (each: KnownEntry) => wasSent(each) || isOnPath(path, each) }
  })
  const senders = all.filter(({ mayHave }) => shown.every((entries) => entries.length === 0 || entries.some(mayHave)))
  return {
    clients: senders.map(({ client }) => client),
    haveLeft: (entry) => senders.length > 0 && senders.every(({ hasLeft }) => hasLeft(entry)),
    wereSent: (entry) => senders.length > 0 && senders.every(({ wasSent }) => wasSent(entry))
  }
}
