/**
 * Where a request differs from the conversation of its thread, and the point that the conversation goes back to then.
 *
 * Nearly all requests end with the newest answer and something new: that is known without reading anything. Of others the
 * end of the list is looked up, and the part of the conversation around the last answer in it. Neither grows with the
 * length of the thread or of the list.
 */
import { isDeepStrictEqual } from "node:util"
import * as Agui from "@agentwire/protocol/agui"
import * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import type { LogFailed } from "../../log/BoundedLog.ts"
import type { EntryView, EventLog } from "../../log/EventLog.ts"
import type { BranchPoint, PlacedEntry } from "../../session/BranchPoint.ts"
import { findPoint } from "../../session/FindPoint.ts"
import type { AguiThread, SaidToHave } from "./AguiThread.ts"

/** How a request relates to the conversation. */
export interface Relation extends SaidToHave {
  /** The branch that the conversation was on when it was looked at. */
  readonly on: number
  /** Its client shows something that the conversation has left, and has not heard of that. */
  readonly showsLeft: boolean
  /** The newest entry of the conversation that it shows, as far as it was looked at; that after which it differs. */
  readonly shows: Agui.SeenMark | undefined
  /** Where the request differs; undefined when it continues the conversation. */
  readonly differs?: {
    readonly divergence: Agui.Divergence
    /** Undefined: nobody can go back there. */
    readonly point: BranchPoint | undefined
  }
}

type Log = Pick<EventLog, "look" | "situation">
type Asked = Pick<Agui.RunAgentInput, "messages" | "state" | "forwardedProps" | "runId">

/** What is remembered of the clients of a thread: asked for those that do not say it themselves. */
type Remembered = Pick<AguiThread, "answers" | "clients" | "fromBefore" | "hasHidden">

/** How a request relates to the conversation of a log. */
export const findDivergence = (log: Log, input: Asked, thread: Remembered): Effect.Effect<Relation, LogFailed> =>
  Effect.suspend(() => {
    const { branch, newest } = log.situation()
    const isNew = newest === undefined && branch === 0
    const isEnd = endsWith(input.messages, newest) && !(branch > 0 && thread.hasHidden(input.messages))
    if (isNew || isEnd) {
      const shows = newest === undefined ? undefined : { branch, last: newest }
      return Effect.succeed({ on: branch, showsLeft: false, shows, ...saidToHave(log.situation(), input) })
    }
    return log.look((view) =>
      Effect.gen(function* () {
        const { divergence, ...rest } = yield* compare(view, input, thread)
        const relation = { on: view.situation.branch, ...saidToHave(view.situation, input), ...rest }
        if (divergence === undefined) return relation
        return { ...relation, differs: { divergence, point: yield* findPoint(view, divergence.after ?? null) } }
      })
    )
  })

const saidToHave = ({ branch, newest }: Model.Situation, { state }: Asked): SaidToHave => {
  const mark = Agui.seenMarkIn(state)
  return { mark, isBehind: mark !== undefined && (mark.branch !== branch || mark.last !== newest) }
}

/** Whether an entry is the last that the agent said in some messages. */
const endsWith = (messages: ReadonlyArray<Agui.Message>, id: string | undefined): boolean => {
  const last = messages.findLast(isOfAgent)
  return last !== undefined && id !== undefined && Agui.entryIds([last]).includes(id)
}

const isOfAgent = ({ role }: Agui.Message): boolean => role === "assistant" || role === "reasoning" || role === "tool"

interface Compared extends Pick<Relation, "showsLeft" | "shows" | "sender"> {
  readonly divergence: Agui.Divergence | undefined
}

const compare = <E>(view: EntryView<E>, input: Asked, thread: Remembered): Effect.Effect<Compared, E> =>
  Effect.gen(function* () {
    const path = Model.pathIn(view.situation)
    const sendsAll = Agui.sendsAll(input.forwardedProps)
    const end = yield* readEnd(view, path, input.messages, thread.hasHidden(input.messages))
    if (end === undefined) return { divergence: undefined, showsLeft: false, shows: undefined }
    const shows = newestShown(end, path)
    const showsLeft = hasLeft(end, path)
    const from = positionIn(end, view.situation, sendsAll)
    if (from === undefined) return { divergence: undefined, showsLeft, shows }
    const { entries, more } = yield* pageAround(view, from)
    const { sender, ...had } = yield* whatItHas(view, input, end, thread)
    const divergence = Agui.divergenceOf(input.messages, {
      path: entries,
      isWhole: !more,
      // What sub-agents said is no place to go back to, wherever it is.
      elsewhere: end.found.filter((each) => each.entry.lane !== null || !Model.isOnPath(path, each)),
      origins: view.situation.origins,
      ...had,
      sendsAll
    })
    if (divergence === undefined) return { divergence, showsLeft, shows }
    return { divergence, showsLeft, shows: divergence.after && markOf(divergence.after), sender }
  })

interface ItHas extends Pick<Agui.KnownConversation, "hasHad" | "hasAnswerOf"> {
  readonly sender?: Agui.SentTo | undefined
}

/** What the client of a request has had: as it says, or as it is known of each of those that it may be. */
const whatItHas = <E>(
  view: EntryView<E>,
  input: Asked,
  end: ListEnd,
  { answers, clients, fromBefore }: Remembered
): Effect.Effect<ItHas, E> =>
  Effect.gen(function* () {
    const { origins } = view.situation
    const mark = Agui.seenMarkIn(input.state)
    const shown = end.messages.map((message) => entriesOf(end, message))
    if (mark !== undefined) {
      const marked = yield* view.find([mark.last])
      const hasSeen = Agui.hasSeen(mark, marked, origins)
      const isGoingBack = Agui.hasTakenAway(mark, shown, marked, origins)
      return { hasHad: (entry) => isGoingBack || hasSeen(entry) }
    }
    // The same request once more is for its answer.
    if (answers.isRepeated(input)) return { hasHad: () => false }
    const known = clients()
    const marks = known.flatMap(({ said, sent, shown }) => [...shown, ...sent, ...(said === undefined ? [] : [said])])
    const named = fromBefore === undefined ? marks : [...marks, fromBefore]
    const marked = named.length === 0 ? [] : yield* view.find([...new Set(named.map(({ last }) => last))])
    const { clients: senders, haveLeft, wereSent } = Agui.sendersOf(known, shown, marked, origins)
    // A page from before the start of the bridge may come back at any time, and nobody knows any more what it was sent: its
    // connection broke with the bridge, and it may have been idle long before. What it lacks it never took away.
    const isFromBefore = Agui.hasSeen(fromBefore, marked, origins)
    const mayBeFromBefore =
      fromBefore !== undefined && shown.every((entries) => entries.length === 0 || entries.some(isFromBefore))
    return {
      hasHad: (entry) => !mayBeFromBefore && haveLeft(entry),
      hasAnswerOf: ({ entry }, answer) => answers.has(entry.id, input.runId) || (!mayBeFromBefore && wereSent(answer)),
      sender: senders.at(-1)
    }
  })

/** The end of a list, and what is known by the ids in it. */
interface ListEnd {
  readonly messages: ReadonlyArray<Agui.Message>
  readonly found: ReadonlyArray<PlacedEntry>
}

/** How many messages are looked up at first, and at most. */
const [fewMessages, manyMessages] = [16, 1024]

/**
 * The end of a list, from the last answer on that the conversation has; all of it when it has none, or when it is asked
 * for. Undefined when that would be too far to look.
 */
const readEnd = <E>(
  view: EntryView<E>,
  path: ReadonlyArray<Model.Segment>,
  messages: ReadonlyArray<Agui.Message>,
  isWhole: boolean
): Effect.Effect<ListEnd | undefined, E> =>
  Effect.gen(function* () {
    let end: ListEnd = { messages: [], found: [] }
    let isAnswered = false
    for (let count = fewMessages; end.messages.length < messages.length; count *= 4) {
      if (count > manyMessages) return isAnswered ? end : undefined
      const more = messages.slice(-count, messages.length - end.messages.length)
      const found = yield* view.find(Agui.entryIds(more))
      end = { messages: [...more, ...end.messages], found: [...found, ...end.found] }
      isAnswered = lastAnswer(end, (place) => Model.isOnPath(path, place)) !== -1
      if (isAnswered && !isWhole) return end
    }
    return end
  })

/** The entries of a message on the main thread. */
const entriesOf = ({ found }: ListEnd, message: Agui.Message): ReadonlyArray<PlacedEntry> => {
  const ids = new Set(Agui.entryIds([message]))
  return found.filter(({ entry }) => entry.lane === null && ids.has(entry.id))
}

/** The newest entry of the conversation that a list shows. */
const newestShown = (end: ListEnd, path: ReadonlyArray<Model.Segment>): Agui.SeenMark | undefined => {
  let newest: PlacedEntry | undefined
  for (const message of end.messages)
    for (const each of entriesOf(end, message))
      if (Model.isOnPath(path, each) && each.position > (newest?.position ?? -1)) newest = each
  return newest && markOf(newest)
}

const markOf = ({ branch, entry }: PlacedEntry): Agui.SeenMark => ({ branch, last: entry.id })

/** Whether there is a message that is on other branches only, or has the words that it has there. */
const hasLeft = (end: ListEnd, path: ReadonlyArray<Model.Segment>): boolean =>
  end.messages.some((message) => {
    const all = entriesOf(end, message)
    const same = all.filter(({ entry }) => entry.kind !== "prompt" || isDeepStrictEqual(entry.content, message.content))
    const entries = same.length === 0 ? all : same
    return entries.length > 0 && !entries.some((entry) => Model.isOnPath(path, entry))
  })

const lastAnswer = (end: ListEnd, isMeant: (place: Model.EntryPlace) => boolean): number =>
  end.messages.findLastIndex((message) => isOfAgent(message) && entriesOf(end, message).some(isMeant))

/** The position around which the conversation has to be known; -1: its beginning. */
const positionIn = (end: ListEnd, situation: Model.Situation, sendsAll: boolean): number | undefined => {
  const { messages } = end
  const path = Model.pathIn(situation)
  const isHere = (place: Model.EntryPlace): boolean => Model.isOnPath(path, place)
  const entriesAt = (message: Agui.Message | undefined): ReadonlyArray<PlacedEntry> =>
    message === undefined ? [] : entriesOf(end, message)
  const last = (entries: ReadonlyArray<Model.EntryPlace>): number => Math.max(-1, ...entries.map((at) => at.position))
  const here = lastAnswer(end, isHere)
  const elsewhere = lastAnswer(end, (place) => !isHere(place))
  if (elsewhere > here) {
    const [left] = entriesAt(messages[elsewhere]).filter((each) => !isHere(each))
    return Model.forkOf(Model.pathThrough(situation.origins, left ?? null), path)?.position ?? -1
  }
  if (here !== -1) return last(entriesAt(messages[here]).filter(isHere))
  const said = messages.filter(({ role }) => role === "user").flatMap((message) => entriesAt(message).filter(isHere))
  if (said.length === 0) return sendsAll ? -1 : undefined
  return Math.min(...said.map(({ position }) => position))
}

/** The conversation around a position, as far as the next text after it. */
const pageAround = <E>(view: EntryView<E>, position: number): ReturnType<EntryView<E>["page"]> =>
  Effect.gen(function* () {
    for (let count = 16; ; count *= 4) {
      const before = position + 1 + count
      const page = yield* view.page({ before, maxEntries: 2 * count, maxBytes: Number.MAX_SAFE_INTEGER })
      const hasText = page.entries.some(
        ({ entry, position: at }) => at > position && entry.lane === null && entry.kind === "text" && entry.text !== ""
      )
      if (hasText || before >= view.nextPosition) return page
    }
  })
