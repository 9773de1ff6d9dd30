/**
 * The lines between a session and its agent, both ways, each with the AG-UI events it became: for inspectors, for
 * programs that want the agent's own messages, and to make a tape of.
 *
 * Lines are written again from their messages, so they are equal as JSON and not byte by byte; a recorder beside the
 * process (`AgentTap.ts`) has the bytes.
 */
import type { Decoded } from "@agentwire/protocol"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import { type LogGap, makeBoundedLog } from "./BoundedLog.ts"
import type { EventLog } from "./EventLog.ts"

/** A line, and what it became. */
export interface WireEntry {
  readonly seq: number
  /** In milliseconds since 1970. */
  readonly at: number
  readonly from: "agent" | "host"
  /** The line as JSON, without its end. */
  readonly line: string
  /** The numbers in the event log of the events it became: from the first up to, but not with, the second. */
  readonly events: readonly [from: number, to: number]
}

/** What a log of lines may hold. */
export interface WireLogLimits {
  /** How many lines are kept. Default 5,000. */
  readonly maxLines?: number
  /** About how many characters of lines are kept. Default 8,000,000. */
  readonly maxCharacters?: number
}

/** The lines between a session and its agent. */
export interface WireLog {
  /** Notes a line. */
  readonly note: (entry: Pick<WireEntry, "from" | "events"> & { readonly message: unknown }) => Effect.Effect<void>
  /** The number the next line will have. */
  readonly next: Effect.Effect<number>
  /** The number of the oldest line that is kept. */
  readonly oldest: Effect.Effect<number>
  /** The lines from a number on, as they come. Does not end until the log is closed. */
  readonly read: (from: number) => Stream.Stream<WireEntry, LogGap>
  readonly close: Effect.Effect<void>
}

/** An empty log. */
export const makeWireLog = ({ maxCharacters = 8_000_000, maxLines = 5000 }: WireLogLimits = {}): WireLog => {
  const entries = makeBoundedLog<WireEntry>({ maxEntries: maxLines, maxCharacters })
  return {
    note: ({ events, from, message }) =>
      Effect.map(Clock.currentTimeMillis, (at) => {
        // What is no message is a line already, or what is left of one.
        const line = typeof message === "string" ? message : (JSON.stringify(message) ?? "")
        entries.add((seq) => ({ seq, at, from, line, events }), line.length + 100)
        entries.wake()
      }),
    next: Effect.sync(entries.next),
    oldest: Effect.sync(entries.oldest),
    read: entries.read,
    close: Effect.sync(entries.close)
  }
}

/** Notes what is said, and what it becomes in the event log. */
export interface WireNotes {
  /** Notes a line of the host. */
  readonly sent: (message: object) => Effect.Effect<void>
  /** Does what a line of the agent leads to, and notes the line with it. */
  readonly hearing: (decoded: Decoded, act: Effect.Effect<void>) => Effect.Effect<void>
}

/** Notes in a log of lines. */
export const makeWireNotes = (wire: WireLog, log: Pick<EventLog, "next">): WireNotes => {
  /** What is said to the agent while one of its lines is heard: in the log it comes after that line. */
  let replies: Array<object> | undefined

  const sent: WireNotes["sent"] = (message) =>
    Effect.gen(function* () {
      if (replies !== undefined) return void replies.push(message)
      const at = yield* log.next
      yield* wire.note({ from: "host", message, events: [at, at] })
    })

  return {
    sent,
    hearing: (decoded, act) =>
      Effect.gen(function* () {
        const from = yield* log.next
        replies = []
        yield* act
        const message: unknown = decoded._tag === "Known" ? decoded.message : decoded.raw
        yield* wire.note({ from: "agent", message, events: [from, yield* log.next] })
        const said = replies
        replies = undefined
        yield* Effect.forEach(said, sent, { discard: true })
      })
  }
}
