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
import type { SaidToHave } from "./AguiThread.ts"

/** How a request relates to the conversation. */
export interface Relation extends SaidToHave {
  /** The branch that the conversation was on when it was looked at. */
  readonly on: number
  /** Its client shows something that the conversation has left, and has not heard of that. */
  readonly showsLeft: boolean
  /** Where the request differs; undefined when it continues the conversation. */
  readonly differs?: {
    readonly divergence: Agui.Divergence
    /** Undefined: nobody can go back there. */
    readonly point: BranchPoint | undefined
  }
}

type Log = Pick<EventLog, "look" | "situation">
type Asked = Pick<Agui.RunAgentInput, "messages" | "state" | "forwardedProps">

/** Whether the answer to a prompt has arrived where it is shown: asked for clients that do not say it themselves. */
type HasArrived = (prompt: string) => boolean

/** How a request relates to the conversation of a log. */
export const findDivergence = (
  log: Log,
  input: Asked,
  hasArrived: HasArrived = () => false
): Effect.Effect<Relation, LogFailed> =>
  Effect.suspend(() => {
    const { branch, newest } = log.situation()
    if ((newest === undefined && branch === 0) || endsWith(input.messages, newest))
      return Effect.succeed({ on: branch, showsLeft: false, ...saidToHave(log.situation(), input) })
    return log.look((view) =>
      Effect.gen(function* () {
        const { divergence, showsLeft } = yield* compare(view, input, hasArrived)
        const relation = { on: view.situation.branch, showsLeft, ...saidToHave(view.situation, input) }
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

interface Compared {
  readonly divergence: Agui.Divergence | undefined
  readonly showsLeft: boolean
}

const compare = <E>(view: EntryView<E>, input: Asked, hasArrived: HasArrived): Effect.Effect<Compared, E> =>
  Effect.gen(function* () {
    const path = Model.pathIn(view.situation)
    const mark = Agui.seenMarkIn(input.state)
    const sendsAll = Agui.sendsAll(input.forwardedProps)
    const marked = mark === undefined ? [] : yield* view.find([mark.last])
    const end = yield* readEnd(view, path, input.messages)
    if (end === undefined) return { divergence: undefined, showsLeft: false }
    const showsLeft = hasLeft(end, path)
    const from = positionIn(end, view.situation, sendsAll)
    if (from === undefined) return { divergence: undefined, showsLeft }
    const { entries, more } = yield* pageAround(view, from)
    const divergence = Agui.divergenceOf(input.messages, {
      path: entries,
      isWhole: !more,
      // What sub-agents said is no place to go back to, wherever it is.
      elsewhere: end.found.filter((each) => each.entry.lane !== null || !Model.isOnPath(path, each)),
      origins: view.situation.origins,
      hasHad: Agui.hasSeen(mark, marked, view.situation.origins),
      hasAnswerOf: ({ entry }) => mark === undefined && hasArrived(entry.id),
      sendsAll
    })
    return { divergence, showsLeft }
  })

/** The end of a list, and what is known by the ids in it. */
interface ListEnd {
  readonly messages: ReadonlyArray<Agui.Message>
  readonly found: ReadonlyArray<PlacedEntry>
}

/** How many messages are looked up at first, and at most. */
const [fewMessages, manyMessages] = [16, 1024]

/**
 * The end of a list, from the last answer on that the conversation has; all of it when it has none. Undefined when the
 * answer would have to be looked for too far.
 */
const readEnd = <E>(
  view: EntryView<E>,
  path: ReadonlyArray<Model.Segment>,
  messages: ReadonlyArray<Agui.Message>
): Effect.Effect<ListEnd | undefined, E> =>
  Effect.gen(function* () {
    let end: ListEnd = { messages: [], found: [] }
    for (let count = fewMessages; end.messages.length < messages.length; count *= 4) {
      if (count > manyMessages) return undefined
      const more = messages.slice(-count, messages.length - end.messages.length)
      const found = yield* view.find(Agui.entryIds(more))
      end = { messages: [...more, ...end.messages], found: [...found, ...end.found] }
      if (lastAnswer(end, (place) => Model.isOnPath(path, place)) !== -1) return end
    }
    return end
  })

/** The entries of a message on the main thread. */
const entriesOf = ({ found }: ListEnd, message: Agui.Message): ReadonlyArray<PlacedEntry> => {
  const ids = new Set(Agui.entryIds([message]))
  return found.filter(({ entry }) => entry.lane === null && ids.has(entry.id))
}

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
  const first = messages.find((message) => message.role === "user" && entriesAt(message).some(isHere))
  return first === undefined && !sendsAll ? undefined : last(entriesAt(first).filter(isHere))
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
