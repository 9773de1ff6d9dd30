/**
 * Normalised events as server-sent events, each under the name of its type and with an id to come back with.
 */
import * as Normalised from "@agentwire/protocol/normalised"
import * as Stream from "effect/Stream"
import type { LogGap } from "../../log/BoundedLog.ts"
import type { Session } from "../../session/Session.ts"
import { eventEpoch, idOf, type Start } from "../http/Cursor.ts"
import { sseFrame } from "../http/SseFrame.ts"
import type { Frame } from "../http/StreamWriter.ts"
import { type NormalisedEntry, normalisedFeed } from "./NormalisedFeed.ts"

/** The number of what comes before the log: that the session is there. */
const beforeAll = -1

/**
 * The events of a session. A reader that has nothing, or whose numbers are those of another session of the same name,
 * gets everything there is, beginning with `session_ready`.
 */
export const normalisedFrames = (session: Session, runtime: string, start: Start): Stream.Stream<Frame, LogGap> => {
  const epoch = eventEpoch(session)
  const options = { sessionId: session.threadId, runtime }
  const framesOf = ({ events, seq }: NormalisedEntry, had: number): ReadonlyArray<Frame> =>
    events
      .map((event, part) =>
        sseFrame(idOf(epoch, seq, part === events.length - 1 ? undefined : part), event.type, event)
      )
      .slice(had)
  const follow = (from: number, had: number): Stream.Stream<Frame, LogGap> =>
    normalisedFeed(session, options, from).pipe(
      Stream.flatMap((entry) => Stream.fromIterable(framesOf(entry, entry.seq === from ? had : 0))),
      // The thread is taken away, or its store is: who comes back is told why.
      Stream.catchTag("LogFailed", () => Stream.empty)
    )
  if (start._tag === "At" && start.from <= session.log.next()) return follow(start.from, start.had)
  const ready = Normalised.greeting(Normalised.initialNormalised(options), session.createdAt)
  return Stream.concat(Stream.make(sseFrame(idOf(epoch, beforeAll), ready.type, ready)), follow(0, 0))
}
