/** A thread as the wire tells it beside the thread as its rollouts tell it: what differs in what was said. */
import { isDeepStrictEqual } from "node:util"
import type { KeptRun } from "@agentwire/fixtures"
import {
  newestOf,
  type RolloutFile,
  type RolloutSession,
  readRollout,
  rolloutEvents,
  rolloutSession
} from "../../../src/codex/rollout/index.ts"
import type { Event } from "../../../src/model/Event.ts"
import { type TranscriptEntry, transcriptOf } from "../../../src/model/Transcript.ts"
import { tapeLines } from "../../../src/tape/index.ts"
import { folded, heardIn, type Line, threadsIn } from "../Sessions.ts"

/** What differs: an entry that only one side has, or that is another one on each. */
export interface Difference {
  readonly side: "wire" | "file" | "both"
  readonly wire: TranscriptEntry | undefined
  readonly file: TranscriptEntry | undefined
}

/** A thread of a scenario, from both sides. */
export interface Compared {
  readonly thread: string
  readonly session: RolloutSession | undefined
  /** It went back, so that it has more than one file. */
  readonly isReverted: boolean
  readonly wireEvents: ReadonlyArray<Event>
  readonly fileEvents: ReadonlyArray<Event>
  readonly differences: ReadonlyArray<Difference>
}

/** The rollouts of a run, read. */
export const rolloutsIn = ({ files }: Pick<KeptRun, "files">): ReadonlyArray<RolloutFile> =>
  files.filter(({ path }) => path.endsWith(".jsonl")).map(({ bytes }) => readRollout(bytes))

/** A thread by its id, from all files of a run. */
export const sessionIn = (files: ReadonlyArray<RolloutFile>, thread: string): RolloutSession | undefined => {
  const main = newestOf(files.filter(({ facts }) => facts.threadId === thread))
  return (
    main &&
    rolloutSession(
      main,
      files.filter((file) => file !== main)
    )
  )
}

/** Both sides of each thread that a client began or continued. */
export const compared = (run: KeptRun): ReadonlyArray<Compared> => {
  const tapes = run.tapes.map(({ frames }) =>
    tapeLines(frames).flatMap(
      ({ from, line }): ReadonlyArray<Line> =>
        line._tag === "Text" && line.text.trim() !== ""
          ? [{ from: from === "agent" ? "server" : "client", text: line.text }]
          : []
    )
  )
  const files = rolloutsIn(run)
  const threads = new Set(tapes.flatMap((lines) => threadsIn(lines)))
  return [...threads].map((thread) => {
    const wireEvents = tapes.flatMap((lines) => folded(heardIn(lines), thread).events)
    const session = sessionIn(files, thread)
    const fileEvents = session === undefined ? [] : rolloutEvents(session).map(({ event }) => event)
    const isReverted = files.filter(({ facts }) => facts.threadId === thread).length > 1
    return { thread, session, isReverted, wireEvents, fileEvents, differences: differencesOf(wireEvents, fileEvents) }
  })
}

const keyOf = ({ id, kind, lane }: TranscriptEntry): string => `${lane} ${kind} ${id}`

/** What differs, entry by entry; entries that both have in another order differ, too. */
export const differencesOf = (
  wireEvents: ReadonlyArray<Event>,
  fileEvents: ReadonlyArray<Event>
): ReadonlyArray<Difference> => {
  const [wire, file] = [wireEvents, fileEvents].map((events) => transcriptOf(events).entries)
  const inFile = new Map(file?.map((entry) => [keyOf(entry), entry]))
  const onWire = new Map(wire?.map((entry) => [keyOf(entry), entry]))
  const shared = (entries: ReadonlyArray<TranscriptEntry> = []): ReadonlyArray<string> =>
    entries.map(keyOf).filter((key) => inFile.has(key) && onWire.has(key))
  const [order, ownOrder] = [shared(wire), shared(file)]
  const moved = ownOrder.find((key, index) => order[index] !== key)
  return [
    ...(wire ?? []).flatMap((entry): ReadonlyArray<Difference> => {
      const own = inFile.get(keyOf(entry))
      if (own === undefined) return [{ side: "wire", wire: entry, file: undefined }]
      return isDeepStrictEqual(entry, own) ? [] : [{ side: "both", wire: entry, file: own }]
    }),
    ...(file ?? []).flatMap(
      (entry): ReadonlyArray<Difference> =>
        onWire.has(keyOf(entry)) ? [] : [{ side: "file", wire: undefined, file: entry }]
    ),
    ...(moved === undefined ? [] : [{ side: "both" as const, wire: onWire.get(moved), file: inFile.get(moved) }])
  ]
}

/** How the turns of some events ended. */
export const endsOf = (events: ReadonlyArray<Event>): ReadonlyArray<string> =>
  events.flatMap((event) =>
    event.type !== "turn_ended" ? [] : [event.outcome.type + ("code" in event.outcome ? `: ${event.outcome.code}` : "")]
  )
