/**
 * What the AG-UI face remembers of a thread between two requests: what it has read from its clients, and where each of
 * them was when its last run ended.
 *
 * AG-UI has no name for a client. But each request brings the messages that its client has, so the place of a client
 * is known by the last message it was sent.
 */
import * as Agui from "@agentwire/protocol/agui"
import type * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import { weightOf } from "../../eventloop/Weight.ts"
import type { LogFailed } from "../../log/BoundedLog.ts"
import type { Moment } from "../../log/EventLog.ts"
import type { Session, WaitingPrompt } from "../../session/Session.ts"
import { type ArrivedAnswers, arrivedAnswers } from "./ArrivedAnswers.ts"
import { afterDelivery, afterRequest, type ClientRequest, unknownClient } from "./SentToClient.ts"

/** How questions reach the person at a client: a run ends with an interrupt, an event tells of them, or not at all. */
export type ApprovalMode = "interrupt" | "event" | "deny"

/** A client's place in the log. */
export interface Place {
  readonly writer: Agui.Writer
  /** The number of the next event that it has not had. */
  readonly seq: number
  /** The last message that it has. */
  readonly last: string | undefined
  /** How many characters of that message it was sent; undefined where nobody counted. */
  readonly length?: number | undefined
  /** More is being sent to it, and nobody knows yet how much of that has arrived. */
  readonly unsure?: boolean
}

/** A client that was answered, or is. */
interface Seat {
  place: Place
  /** The last message that it had when it asked. */
  readonly brought: string | undefined
  /** It showed nothing of the conversation: what it has besides, nobody knows. */
  readonly isStranger: boolean
  client: Agui.SentTo
}

/** A client that is being answered. */
export interface Reader {
  /** Where it was when it came. */
  readonly from: Place
  /** Keeps where it is now. */
  readonly keepPlace: (place: Place) => void
}

/** What a client says that it has had. */
export interface SaidToHave {
  /** The newest of it; undefined when it does not say. */
  readonly mark: Agui.SeenMark | undefined
  /** It is not the newest there is. */
  readonly isBehind: boolean
  /** Where it does not say: one of those that it may be. */
  readonly sender?: Agui.SentTo | undefined
}

/** A request of a client, and what it says that it has had. */
export interface Comes extends SaidToHave, Omit<ClientRequest, "said"> {}

const comesWithNothing: Comes = { mark: undefined, isBehind: false, shows: undefined, continues: 0 }

/** What is remembered of a thread. */
export interface AguiThread {
  readonly options: Agui.WriteOptions
  readonly answers: ArrivedAnswers
  /** What the requests so far have said. Once the agent has forgotten it, it is told everything again. */
  readonly recall: () => Agui.Thread
  /** `goesBack`: the agent forgets everything else first. */
  readonly remember: (thread: Agui.Thread, goesBack?: boolean) => void
  /**
   * The reader for a client that comes with these messages. A client that was not here before begins after what anybody
   * has had: what happened while nobody listened is for the next one to come. One that was there when the bridge before
   * ended begins with what happened since.
   */
  readonly readerFor: (messages: ReadonlyArray<Agui.Message>, comes?: Comes) => Reader
  /** What is known of those who were here. */
  readonly clients: () => ReadonlyArray<Agui.SentTo>
  /** The newest that a client from before the start of the bridge can show; undefined where there can be none. */
  readonly fromBefore: Agui.SeenMark | undefined
  /** Whether these messages are those of a client that showed nothing before, and may show what was left then. */
  readonly hasHidden: (messages: ReadonlyArray<Agui.Message>) => boolean
  /** Keeps the place of a client that joins and is sent everything. `last`: the last message it has then. */
  readonly placeKeeperFor: (messages: ReadonlyArray<Agui.Message>, last: string | undefined) => Reader["keepPlace"]
}

/** How many places are kept; the oldest are dropped. */
const maxPlaces = 32

const threads = new WeakMap<Session["log"], Map<ApprovalMode, AguiThread>>()

/** How much of what was said is looked at to know which messages there were: some thousands of them. */
const maxKnownBytes = 1_000_000

/** What is remembered of a session's thread, for clients who are asked in one way. */
export const aguiThread = (session: Session, approvals: ApprovalMode): Effect.Effect<AguiThread, LogFailed> =>
  Effect.suspend(() => {
    const known = threads.get(session.log) ?? new Map<ApprovalMode, AguiThread>()
    threads.set(session.log, known)
    const remembered = known.get(approvals)
    if (remembered !== undefined) return Effect.succeed(remembered)
    const heard = Effect.all([session.prompts, session.log.moment({ maxBytes: maxKnownBytes })])
    return Effect.map(heard, ([prompts, moment]) => {
      // Another request may have come first.
      const found = known.get(approvals) ?? makeThread(session, approvals, moment, prompts)
      known.set(approvals, found)
      return found
    })
  })

const makeThread = (
  { log, threadId }: Session,
  approvals: ApprovalMode,
  { situation, transcript }: Moment,
  prompts: ReadonlyArray<WaitingPrompt>
): AguiThread => {
  const history = Agui.messagesOf(transcript)
  // Whatever was said before a restart was delivered then, or is delivered to those who come back in the middle of it.
  const said = prompts.flatMap((each) => each.said.map(({ id }) => id))
  const known = [...history.map(({ id }) => id), ...said].slice(-Agui.maxRemembered)
  let thread: Agui.Thread = { ...Agui.emptyThread, known }
  let resets = situation.resets
  // Who only reads along sends nothing back, and needs no marks.
  const options: Agui.WriteOptions = { ...writeOptions(threadId, approvals), marks: true }
  /** The places of clients, each in a seat of its own: two of them may have the same messages. */
  const seats: Array<Seat> = []
  const opened: Place = {
    writer: Agui.initialWriter(options, log.opened.situation),
    seq: log.opened.seq,
    last: undefined,
    // Who was here before in the middle of a turn may lack its beginning: it is shown all of it.
    ...(log.opened.situation.turn !== undefined && { unsure: true })
  }
  const { branch, newest: before } = log.opened.situation
  let furthest = opened
  const hasHistoryInPart = partlyHas(history)
  const isFromBefore = justHas(history)

  /** The place of a client that nobody here has seen. */
  const placeOfStranger = (messages: ReadonlyArray<Agui.Message>, isBehind: boolean): Place => {
    if (isBehind || hasHistoryInPart(messages)) return { ...furthest, unsure: true }
    return isFromBefore(messages) ? opened : furthest
  }

  /** Takes the seat of the client that has these messages; undefined when it was not here before. */
  const takeSeat = (
    messages: ReadonlyArray<Agui.Message>,
    { mark, sender }: Partial<SaidToHave> = {}
  ): Taken | undefined => {
    const marked = mark && surest(seats.filter(({ place }) => !isMidRun(place) && isAt(place, mark)))
    if (mark !== undefined && marked !== undefined) {
      const own = messages.find(({ id }) => id === marked.place.last)
      const isUnsure = lacksEnd(marked.place, own) || lacksResult(messages, mark.last)
      return leave(marked, isUnsure ? { ...marked.place, unsure: true } : marked.place)
    }
    const sending = sender && seats.find(({ client }) => client === sender)
    if (sending !== undefined) return leave(sending, { ...sending.place, unsure: true })
    const lasts = new Set(seats.map(({ place }) => place.last))
    // Its own words may stand before those of others, so the last message alone does not tell two clients apart. What is
    // looked for is near the end.
    const lacksNewest = ({ writer }: Place): boolean => {
      const { newest } = writer.situation
      return newest !== undefined && messages.findLast((each) => Agui.entryIds([each]).includes(newest)) === undefined
    }
    // A client that has an answer after the last message of a place was not there: somebody else has left it.
    const answered = messages.findLastIndex(({ role }) => role === "assistant" || role === "reasoning")
    const last = messages.slice(Math.max(0, answered)).findLast(({ id }) => lasts.has(id))
    const found = last === undefined ? [] : seats.filter(({ place }) => place.last === last.id && !lacksNewest(place))
    if (found.length === 0) return takeCutSeat(messages)
    // Of two that end with the same message, one may lack part of it. Both are told it again: nobody sees anything
    // twice.
    const place = (found.find((seat) => isMidRun(seat.place)) ?? found[0])?.place
    const leaving = surest(found.filter((seat) => !isMidRun(seat.place))) ?? found[0]
    if (place === undefined || leaving === undefined) return undefined
    return leave(leaving, lacksEnd(place, last) ? { ...place, unsure: true } : place)
  }

  const leave = (seat: Seat, place: Place): Taken => {
    seats.splice(seats.indexOf(seat), 1)
    return { place, client: seat.client }
  }

  /**
   * Takes the seat of a client that has what it asked last, and not what it was sent then: its connection broke, and what
   * was written into it since never came.
   */
  const takeCutSeat = (messages: ReadonlyArray<Agui.Message>): Taken | undefined => {
    const ids = new Set(messages.map(({ id }) => id))
    const seat = seats.findLast(({ brought }) => brought !== undefined && ids.has(brought))
    return seat && leave(seat, { ...seat.place, unsure: true })
  }

  const addSeat = (seat: Seat, said: string | undefined, hadNothing = false): Reader["keepPlace"] => {
    let isFirst = true
    seats.push(seat)
    if (seats.length > maxPlaces) seats.shift()
    return (now) => {
      const { branch, newest } = now.writer.situation
      seat.place = now
      const delivered = { branch, newest, said, isWhole: !isMidRun(now), isAll: hadNothing && isFirst }
      seat.client = afterDelivery(seat.client, delivered)
      isFirst = false
      if (now.seq >= furthest.seq) furthest = now
    }
  }

  return {
    options,
    answers: arrivedAnswers(),
    recall: () => {
      const now = log.situation().resets
      if (now !== resets) {
        thread = Agui.forgetTold(thread)
        resets = now
      }
      return thread
    },
    remember: (next, goesBack = false) => {
      thread = next
      // An agent that cannot go back has not been told: then this is wrong, and it is told everything again.
      if (goesBack) resets = log.situation().resets + 1
    },
    readerFor: (messages, comes = comesWithNothing) => {
      const taken = takeSeat(messages, comes)
      const place = taken?.place ?? placeOfStranger(messages, comes.isBehind)
      const writer = Agui.withHad(place.writer, saidIn(messages))
      const from = { ...place, writer, last: messages.at(-1)?.id, length: undefined }
      const said = messages.at(-1)?.role === "user" ? from.last : undefined
      const client = afterRequest(taken?.client ?? unknownClient, { ...comes, said })
      const isStranger = comes.shows === undefined && comes.continues !== undefined
      return {
        from,
        keepPlace: addSeat({ place: { ...from, unsure: true }, brought: from.last, isStranger, client }, said)
      }
    },
    placeKeeperFor: (messages, last) => {
      const { client, place: from } = takeSeat(messages) ?? { client: unknownClient, place: furthest }
      const brought = messages.at(-1)?.id
      const place = { ...from, last: brought ?? last, length: undefined, unsure: true }
      return addSeat({ place, brought, isStranger: false, client }, undefined, messages.length === 0)
    },
    clients: () => seats.map(({ client }) => client),
    fromBefore: before === undefined ? undefined : { branch, last: before },
    hasHidden: (messages) => {
      const hidden = new Set(seats.flatMap(({ brought, isStranger }) => (isStranger ? [brought] : [])))
      return hidden.size > 0 && messages.some(({ id }) => hidden.has(id))
    }
  }
}

/** The messages of persons that a client shows: those near the end, for older ones are not sent any more. */
const saidIn = (messages: ReadonlyArray<Agui.Message>): ReadonlyArray<string> =>
  messages.slice(-Agui.maxRemembered).flatMap(({ id, role }) => (role === "user" ? [id] : []))

/** What a client leaves behind that takes another seat. */
interface Taken {
  readonly place: Place
  readonly client: Agui.SentTo
}

/** How many of the newest messages a client from before must have, to have missed nothing. */
const recentMessages = 32

/** Whether a client has some of what was said, and not the end of it: it was there, and its bridge ended too early. */
const partlyHas = (history: ReadonlyArray<Agui.Message>) => {
  const last = history.at(-1)
  const known = new Set(history.map(({ id }) => id))
  const recent = history.slice(-recentMessages).filter(({ role }) => role === "user" || role === "assistant")
  return (messages: ReadonlyArray<Agui.Message>): boolean => {
    if (last === undefined || !messages.some(({ id }) => known.has(id))) return false
    const own = messages.find(({ id }) => id === last.id)
    if (own === undefined || isCut(own, last)) return true
    // The last may be its own words, which it has in any case: what others said before them it may never have been sent.
    const had = new Set(messages.map(({ id }) => id))
    return recent.some(({ id }) => !had.has(id))
  }
}

/**
 * Whether a client has what was said to its end, and nothing of the agent besides: it was there when the bridge before
 * ended, and has had nothing since. In which order it shows that says nothing: its own words may stand before older answers.
 */
const justHas = (history: ReadonlyArray<Agui.Message>) => {
  const last = history.at(-1)
  const known = new Set(history.map(({ id }) => id))
  return (messages: ReadonlyArray<Agui.Message>): boolean => {
    // What is older than the history that was read is not known either.
    const recent = messages.slice(messages.findIndex(({ id }) => known.has(id)))
    return (
      recent.some(({ id }) => id === last?.id) && recent.every(({ id, role }) => role !== "assistant" || known.has(id))
    )
  }
}

/** Whether a message is only the beginning of another. What was changed is not. */
const isCut = (own: Agui.Message, whole: Agui.Message): boolean => {
  // Written only where it may be, and where it is no text: both may have megabytes.
  if (typeof own.content === "string" && typeof whole.content === "string")
    return own.content.length < whole.content.length && whole.content.startsWith(own.content)
  if (weightOf(own.content) >= weightOf(whole.content)) return false
  const [begun, all] = [JSON.stringify(own.content ?? ""), JSON.stringify(whole.content ?? "")]
  return begun.length < all.length && all.startsWith(begun.slice(0, -1))
}

/** Whether a client has less of its last message than it was sent. */
const lacksEnd = ({ length = 0 }: Place, message: Agui.Message | undefined): boolean =>
  typeof message?.content === "string" && message.content.length < length

/** Whether a client has a call, and not its result. */
const lacksResult = (messages: ReadonlyArray<Agui.Message>, call: string): boolean =>
  messages.some((message) => message.role === "assistant" && message.toolCalls?.some(({ id }) => id === call)) &&
  !messages.some((message) => message.role === "tool" && message.toolCallId === call)

/** Whether the newest that a client at a place has had is that of a mark. */
const isAt = ({ writer: { situation } }: Place, { branch, last }: Agui.SeenMark): boolean =>
  situation.branch === branch && situation.newest === last

/** Of seats at one place, that of a client which surely has what it was sent: of whoever stays, less is known then. */
const surest = (seats: ReadonlyArray<Seat>): Seat | undefined =>
  seats.find(({ client, place }) => client.shown.some((mark) => isAt(place, mark))) ?? seats[0]

/** Whether a client left in the middle of a run. */
export const isMidRun = ({ unsure, writer }: Place): boolean => unsure === true || Agui.isRunOpen(writer)

/** How events are written for the clients of a thread. */
export const writeOptions = (threadId: string, approvals: ApprovalMode): Agui.WriteOptions => ({
  threadId,
  approvals: approvals === "deny" ? "hide" : approvals,
  runId: (_, turn, nth) => ownRunId(threadId, turn, nth)
})

/** The name of a run that nobody asked for: its turn, and which part of the turn it is. */
const ownRunId = (threadId: string, turn: number, nth: number): string =>
  nth === 1 ? `${threadId}:${turn}` : `${threadId}:${turn}.${nth}`

/** The name by which clients may know the run of the turn that is open. */
export const runIdOf = (threadId: string, { turn, turns }: Model.Situation): string | undefined =>
  turn === undefined ? undefined : (turn.ticket ?? ownRunId(threadId, turns, 1))
