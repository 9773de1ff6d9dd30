/**
 * A session as its wire tells it beside the session as its files tell it: what differs in what was said, and why.
 */
import {
  type SessionFiles,
  sessionBranches,
  sessionEvents,
  sessionOf,
  type TranscriptSession
} from "../../../src/claude/transcript/index.ts"
import { readTranscriptFile } from "../../../src/claude/transcript/Reader.ts"
import type { Event } from "../../../src/model/Event.ts"
import { type TranscriptEntry, transcriptOf } from "../../../src/model/Transcript.ts"
import type { Tape } from "../../../src/tape/Tape.ts"
import { type Difference, differencesOf } from "./Alignment.ts"
import { reasons } from "./Reasons.ts"
import { wireEvents } from "./WireSide.ts"

/** A file that the CLI wrote, with its path below `projects`. */
export interface KeptFile {
  readonly path: string
  readonly bytes: Uint8Array
}

/** What is known of both sides. */
export interface Comparison {
  readonly wire: ReadonlyArray<TranscriptEntry>
  readonly file: ReadonlyArray<TranscriptEntry>
  readonly wireEvents: ReadonlyArray<Event>
  readonly fileEvents: ReadonlyArray<Event>
  /** What the wire tells in whole lines, without what was only streamed. */
  readonly whole: ReadonlySet<string>
  /** What the files tell in other branches than the live one. */
  readonly elsewhere: ReadonlySet<string>
}

/** The sessions in some files, in the order they began. */
export const sessionsIn = (files: ReadonlyArray<KeptFile>): ReadonlyArray<TranscriptSession> =>
  files
    .flatMap(({ bytes, path }) => {
      const { folder, id } = /^(?<folder>[^/]+)\/(?<id>[^/]+)\.jsonl$/.exec(path)?.groups ?? {}
      return id === undefined ? [] : [{ sessionId: id, main: readTranscriptFile(bytes), folder: `${folder}/${id}/` }]
    })
    .map(({ folder, main, sessionId }) => sessionOf({ sessionId, main, agents: agentsIn(files, folder) }))
    .sort((a, b) => (a.facts.createdAt ?? 0) - (b.facts.createdAt ?? 0))

const agentsIn = (files: ReadonlyArray<KeptFile>, folder: string): NonNullable<SessionFiles["agents"]> =>
  files.flatMap(({ bytes, path }) => {
    const id = path.startsWith(folder) ? /\/agent-(?<id>[^/]+)\.jsonl$/.exec(path)?.groups?.["id"] : undefined
    if (id === undefined) return []
    const beside = files.find((file) => file.path === path.replace(/\.jsonl$/, ".meta.json"))
    const meta: unknown = beside === undefined ? undefined : JSON.parse(new TextDecoder().decode(beside.bytes))
    return [{ id, file: readTranscriptFile(bytes), ...(meta !== undefined && { meta }) }]
  })

/** Both sides of a scenario. */
export const compared = (tapes: ReadonlyArray<Tape>, files: ReadonlyArray<KeptFile>): Comparison => {
  const sessions = sessionsIn(files)
  // A fork has all that was said before it.
  const apart = sessions.filter((one, index) => !sessions.slice(index + 1).some((other) => isPartOf(one, other)))
  const onWire = wireEvents(tapes)
  const inFiles = apart.flatMap((session) => sessionEvents(session).map(({ event }) => event))
  const others = apart.flatMap((session) =>
    sessionBranches(session).flatMap(({ leaf }) => {
      const uuid = session.tree.nodes[leaf]?.uuid
      return uuid === undefined ? [] : sessionEvents(session, { leaf: uuid }).map(({ event }) => event)
    })
  )
  return {
    wire: entriesOf(onWire),
    file: entriesOf(inFiles),
    wireEvents: onWire,
    fileEvents: inFiles,
    whole: new Set(entriesOf(wireEvents(tapes, { streams: false })).map(nameOf)),
    elsewhere: new Set(entriesOf(others).map(nameOf))
  }
}

/** No file has the tasks that the wire tells of: what became of them is in the notices of the CLI. */
const entriesOf = (events: ReadonlyArray<Event>): ReadonlyArray<TranscriptEntry> =>
  transcriptOf(events)
    .entries.filter(({ kind }) => kind !== "task")
    .map(unanchored)

/** An entry without the name of its point, which says which session it is in: a copy of a session has names of its own. */
export const unanchored = ({ anchor: _, ...entry }: TranscriptEntry): TranscriptEntry => entry as TranscriptEntry

const isPartOf = (one: TranscriptSession, other: TranscriptSession): boolean =>
  one.tree.nodes.every(({ type, uuid }) => type === "attachment" || other.tree.places.has(uuid))

/** What an entry goes by on both sides: its words where its id is not the API's. */
export const nameOf = (entry: TranscriptEntry): string =>
  entry.kind === "prompt" ? `prompt ${JSON.stringify(entry.content)}` : `${entry.kind} ${entry.id}`

/** What differs and for which reasons; `unexplained`: for none that is known. */
export const explained = (
  comparison: Comparison
): { readonly reasons: ReadonlyArray<string>; readonly unexplained: ReadonlyArray<Difference> } => {
  const found = new Set<string>()
  const unexplained = differencesOf(comparison.wire, comparison.file).filter((difference) => {
    const reason = reasons.find(({ explains }) => explains(difference, comparison))
    if (reason !== undefined) found.add(reason.name)
    return reason === undefined
  })
  return { reasons: [...found].sort(), unexplained }
}

/** How the turns of some events ended. */
export const endsOf = (events: ReadonlyArray<Event>): ReadonlyArray<string> =>
  events.flatMap((event) =>
    event.type !== "turn_ended" ? [] : [event.outcome.type + ("code" in event.outcome ? `: ${event.outcome.code}` : "")]
  )
