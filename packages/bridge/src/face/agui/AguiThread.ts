/**
 * What the AG-UI face remembers of a thread between two requests: what it has read of its clients, and where each of
 * them was when its last run ended.
 *
 * AG-UI has no name for a client. But each request brings the messages that its client has, so the place of a client
 * is known by the last message it was sent.
 */
import { Agui, type Model } from "@agentwire/protocol"
import type { Session } from "../../session/Session.ts"

/** How questions reach a person: the run ends with an interrupt, or an event tells of them. */
export type ApprovalMode = "interrupt" | "event" | "deny"

/** A client's place in the log. */
export interface Place {
  readonly writer: Agui.Writer
  /** The number of the next event that it has not had. */
  readonly seq: number
  /** The last message that it has. */
  readonly last: string | undefined
}

/** What is remembered of a thread. */
export interface AguiThread {
  readonly options: Agui.WriteOptions
  /** What the requests so far have said. After the agent has forgotten, it is told everything again. */
  readonly read: () => Agui.Thread
  readonly remember: (thread: Agui.Thread) => void
  /** Keeps the place of a client. */
  readonly park: (place: Place) => void
  /** The place of the client that has these messages; undefined when it was not here before. It is not kept any more. */
  readonly resume: (messages: ReadonlyArray<Agui.Message>) => Place | undefined
}

/** How many places are kept: the oldest go. */
const maxPlaces = 32

const threads = new WeakMap<Session["log"], Map<ApprovalMode, AguiThread>>()

/** What is remembered of a session's thread, for clients who are asked in one way. */
export const aguiThread = (session: Session, approvals: ApprovalMode): AguiThread => {
  const known = threads.get(session.log) ?? new Map<ApprovalMode, AguiThread>()
  threads.set(session.log, known)
  const found = known.get(approvals) ?? makeThread(session, approvals)
  known.set(approvals, found)
  return found
}

const makeThread = ({ log, threadId }: Session, approvals: ApprovalMode): AguiThread => {
  const { situation, transcript } = log.moment()
  // What was said before a restart was told in its time.
  const known = Agui.messagesOf(transcript)
    .map(({ id }) => id)
    .slice(-Agui.maxRemembered)
  let thread: Agui.Thread = { ...Agui.emptyThread, known }
  let resets = situation.resets
  const places: Array<Place> = []
  return {
    options: writeOptions(threadId, approvals),
    read: () => {
      const now = log.situation().resets
      if (now !== resets) {
        thread = Agui.forgetTold(thread)
        resets = now
      }
      return thread
    },
    remember: (next) => {
      thread = next
    },
    park: (place) => {
      const at = places.findIndex(({ last }) => last === place.last)
      if (at !== -1) places.splice(at, 1)
      places.push(place)
      if (places.length > maxPlaces) places.shift()
    },
    resume: (messages) => {
      const ids = new Set(messages.map(({ id }) => id))
      const at = places.findLastIndex(({ last }) => last !== undefined && ids.has(last))
      return at === -1 ? undefined : places.splice(at, 1)[0]
    }
  }
}

/** How events are written for the clients of a thread. */
export const writeOptions = (threadId: string, approvals: ApprovalMode): Agui.WriteOptions => ({
  threadId,
  approvals: approvals === "interrupt" ? "interrupt" : "event",
  runId: (_, turn, nth) => ownRunId(threadId, turn, nth)
})

/** The name of a run that nobody asked for: its turn, and which part of the turn it is. */
const ownRunId = (threadId: string, turn: number, nth: number): string =>
  nth === 1 ? `${threadId}:${turn}` : `${threadId}:${turn}.${nth}`

/** The name by which clients may know the run of the turn that is open. */
export const runIdOf = (threadId: string, { turn, turns }: Model.Situation): string | undefined =>
  turn === undefined ? undefined : (turn.ticket ?? ownRunId(threadId, turns, 1))
