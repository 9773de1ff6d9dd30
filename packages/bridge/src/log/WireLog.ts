/**
 * The lines between a session and its agent, both ways: for inspectors, for programs that want the agent's own
 * messages, and for making tapes. Events of the event log say which line they came from.
 *
 * Lines are written again from their messages, so they are equal as JSON and not byte by byte; a recorder beside the
 * process (`AgentTap.ts`) has the bytes.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { jsonInTurns } from "../eventloop/LongJson.ts"
import { weightOf } from "../eventloop/Weight.ts"
import { type LogGap, makeBoundedLog } from "./BoundedLog.ts"

/** A line. */
export interface WireEntry {
  readonly seq: number
  /** In milliseconds since 1970. */
  readonly at: number
  readonly from: "agent" | "host"
  /** The line as JSON, without its end. */
  readonly line: string
  /** The number in the event log that the next event had when the line came. */
  readonly events: number
  /** The kind of the message, where something about it is odd that nothing said depends on: the agent has changed. */
  readonly odd?: string
}

/** What a log of lines may hold. */
export interface WireLogLimits {
  /** How many lines are kept. Default 5,000. */
  readonly maxLines?: number
  /** About how many characters of lines are kept. Default 8,000,000. */
  readonly maxCharacters?: number
}

/** A line to note: its message, or what is left of a line that is not one. */
export interface WireLine extends Pick<WireEntry, "at" | "from" | "events"> {
  readonly message: unknown
  /** About how many characters it has, where whoever notes it knows without writing it. */
  readonly size?: number | undefined
  /** The kind of a message about which something is odd. */
  readonly odd?: string | undefined
}

/** The lines between a session and its agent. */
export interface WireLog {
  /** Notes a line, at once (there is one for every delta), and returns its number. */
  readonly note: (line: WireLine) => number
  /** The number the next line will have. */
  readonly next: Effect.Effect<number>
  /** The number of the oldest line that is kept. */
  readonly oldest: Effect.Effect<number>
  /** The lines from a number on, as they come. Does not end until the log is closed. */
  readonly read: (from: number) => Stream.Stream<WireEntry, LogGap>
  readonly close: () => void
}

/** An empty log. */
export const makeWireLog = ({ maxCharacters = 8_000_000, maxLines = 5000 }: WireLogLimits = {}): WireLog => {
  const entries = makeBoundedLog<WireLine & { readonly seq: number }>({ maxEntries: maxLines, maxCharacters })
  return {
    note: (line) => {
      const number = entries.next()
      entries.add(
        (seq) => ({ seq, at: line.at, from: line.from, events: line.events, message: line.message, odd: line.odd }),
        line.size ?? (typeof line.message === "string" ? line.message.length : weightOf(line.message))
      )
      entries.wake()
      return number
    },
    next: Effect.sync(entries.next),
    oldest: Effect.sync(entries.oldest),
    // Written only where somebody reads: nobody does most of the time.
    read: (from) =>
      Stream.mapEffect(entries.read(from), ({ message, odd, ...entry }) =>
        Effect.map(textOf(message), (line) => ({ ...entry, line, ...(odd !== undefined && { odd }) }))
      ),
    close: entries.close
  }
}

const textOf = (message: unknown): Effect.Effect<string> =>
  typeof message === "string" ? Effect.succeed(message) : Effect.map(jsonInTurns(message), (pieces) => pieces.join(""))
