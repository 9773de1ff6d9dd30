/**
 * The lines between a session and its agent, both ways, each with the AG-UI events it became: for inspectors, for
 * programs that want the agent's own messages, and to make a tape of.
 *
 * Lines are written again from their messages, so they are equal as JSON and not byte by byte; a recorder beside the
 * process (`AgentTap.ts`) has the bytes.
 */
import type { Decoded } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
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

/** A line to note: the message it says, or what is left of one that says nothing. */
export interface WireLine extends Pick<WireEntry, "at" | "from" | "events"> {
  readonly message: unknown
}

/** The lines between a session and its agent. */
export interface WireLog {
  /** Notes a line, at once: there is one for every delta. */
  readonly noteUnsafe: (line: WireLine) => void
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
  const entries = makeBoundedLog<WireLine & { readonly seq: number }>({ maxEntries: maxLines, maxCharacters })
  return {
    noteUnsafe: (line) => {
      entries.add((seq) => ({ seq, ...line }), sizeOf(line.message))
      entries.wake()
    },
    next: Effect.sync(entries.next),
    oldest: Effect.sync(entries.oldest),
    // Written only where somebody reads: nobody does most of the time.
    read: (from) => Stream.map(entries.read(from), ({ message, ...entry }) => ({ ...entry, line: textOf(message) })),
    close: Effect.sync(entries.close)
  }
}

const textOf = (message: unknown): string => (typeof message === "string" ? message : (JSON.stringify(message) ?? ""))

/** About how many characters a line has. Deltas are many, short and much the same. */
const sizeOf = (message: unknown): number => {
  if (typeof message === "object" && message !== null && "event" in message) {
    const { event } = message as { readonly event: { readonly delta?: Readonly<Record<string, unknown>> } }
    const { partial_json, text, thinking } = event.delta ?? {}
    const said = text ?? thinking ?? partial_json
    if (typeof said === "string") return 300 + said.length
  }
  return textOf(message).length
}

/** Notes what is said, and what it becomes in the event log. */
export interface WireNotes {
  /** Notes a line of the host. */
  readonly sent: (message: object) => Effect.Effect<void>
  /** Does what a line of the agent leads to, and notes the line with it. */
  readonly hearing: (decoded: Decoded, act: Effect.Effect<void>) => Effect.Effect<void>
  /** Notes a line of the agent that became the events from a number on. */
  readonly heardUnsafe: (decoded: Decoded, from: number) => void
}

/** Notes in a log of lines. */
export const makeWireNotes = (wire: WireLog, log: Pick<EventLog, "nextUnsafe">, now: () => number): WireNotes => {
  /** What is said to the agent while one of its lines is heard: in the log it comes after that line. */
  let replies: Array<object> | undefined

  const note = (message: object): void => {
    const at = log.nextUnsafe()
    wire.noteUnsafe({ at: now(), from: "host", message, events: [at, at] })
  }

  const heard: WireNotes["heardUnsafe"] = (decoded, from) => {
    // As it came: what is read of an odd message is a copy without what is odd.
    const message: unknown = decoded._tag === "Known" ? (decoded.raw ?? decoded.message) : decoded.raw
    wire.noteUnsafe({ at: now(), from: "agent", message, events: [from, log.nextUnsafe()] })
  }

  return {
    sent: (message) => Effect.sync(() => (replies === undefined ? note(message) : void replies.push(message))),
    heardUnsafe: heard,
    hearing: (decoded, act) =>
      Effect.suspend(() => {
        const from = log.nextUnsafe()
        const said: Array<object> = []
        replies = said
        return Effect.andThen(
          act,
          Effect.sync(() => {
            heard(decoded, from)
            replies = undefined
            for (const message of said) note(message)
          })
        )
      })
  }
}
