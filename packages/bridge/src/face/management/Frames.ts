/**
 * The streams of a session as server-sent events: its AG-UI events, and the lines of its wire.
 *
 * A reader that comes back continues after what it had. Where that is no longer kept, events continue from a
 * snapshot of the conversation, and lines from the oldest there is.
 */
import * as Agui from "@agentwire/protocol/agui"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { LogFailed, LogGap, ReadFailed } from "../../log/BoundedLog.ts"
import type { WireEntry } from "../../log/WireLog.ts"
import type { Session } from "../../session/Session.ts"
import { aguiFeed, type FedEntry } from "../agui/AguiFeed.ts"
import { type Epoch, eventEpoch, idOf, lineEpoch, type Start } from "../http/Cursor.ts"
import { sseFrame as frame } from "../http/SseFrame.ts"
import type { Frame } from "../http/StreamWriter.ts"

/** Frames until the log is closed, then the one that says so, and why where it ended before its time. */
const untilClosed = (
  epoch: Epoch,
  next: Effect.Effect<number>,
  frames: Stream.Stream<Frame, LogFailed>
): Stream.Stream<Frame> => {
  const closed = (why: object) =>
    Stream.unwrap(Effect.map(next, (seq) => Stream.make(frame(idOf(epoch, seq - 1), "closed", why))))
  return Stream.concat(frames, closed({})).pipe(
    Stream.catchTag("LogFailed", ({ code, message }) => closed({ error: { code, message } }))
  )
}

/** The events of a session. `lines`: each with the number of the line of the wire that it came from. */
export const eventFrames = (session: Session, start: Start, lines = false): Stream.Stream<Frame> => {
  const { log } = session
  const epoch = eventEpoch(session)
  const messages = ({ events, line, seq }: FedEntry, had: number): ReadonlyArray<Frame> =>
    events
      .map((event, part) => {
        const id = idOf(epoch, seq, part === events.length - 1 ? undefined : part)
        return frame(id, "message", lines ? { event, line } : event)
      })
      .slice(had)
  /** The last number that the reader was sent. */
  let sent = start._tag === "At" ? start.from - 1 : -1
  const follow = (from: number, had = 0): Stream.Stream<Frame, ReadFailed> =>
    Stream.flatMap(aguiFeed(session, from), (entry) => {
      sent = entry.seq
      return Stream.fromIterable(messages(entry, entry.seq === from ? had : 0))
    })
  const anew: Stream.Stream<Frame, LogFailed> = Stream.unwrap(
    Effect.map(log.moment(), ({ before, seq, situation, transcript }) => {
      sent = seq - 1
      const state = Agui.stateOf(situation.session, situation.state)
      const messages = Agui.messagesOf(transcript, before)
      const snapshot = { messages, ...(before !== undefined && { before }), state, next: seq }
      // What is gone now was removed with its thread.
      const rest = Stream.catchTag(follow(seq), "LogGap", () => Stream.empty)
      return Stream.concat(Stream.make(frame(idOf(epoch, seq - 1), "snapshot", snapshot)), rest)
    })
  )
  const frames = Stream.suspend(() =>
    start._tag === "At" && start.from <= log.next()
      ? Stream.catchTag(follow(start.from, start.had), "LogGap", () => anew)
      : anew
  )
  return untilClosed(
    epoch,
    Effect.sync(() => sent + 1),
    frames
  )
}

/** The lines between a session and its agent. */
export const wireFrames = (session: Session, start: Start): Stream.Stream<Frame> => {
  const { wire } = session
  const epoch = lineEpoch(session)
  const message = (entry: WireEntry): Frame => frame(idOf(epoch, entry.seq), "message", entry)
  const follow = (from: number): Stream.Stream<Frame> =>
    wire.read(from).pipe(
      Stream.map(message),
      Stream.catch(({ wanted }: LogGap) => anew(wanted))
    )
  const anew = (wanted: number): Stream.Stream<Frame> =>
    Stream.unwrap(
      Effect.map(wire.oldest, (oldest) =>
        Stream.concat(Stream.make(frame(idOf(epoch, oldest - 1), "gap", { wanted, oldest })), follow(oldest))
      )
    )
  const frames = Stream.unwrap(
    Effect.gen(function* () {
      if (start._tag === "Fresh") return follow(yield* wire.oldest)
      return start._tag === "At" && start.from <= (yield* wire.next) ? follow(start.from) : anew(start.from)
    })
  )
  return untilClosed(epoch, wire.next, frames)
}
