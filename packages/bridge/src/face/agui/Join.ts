/**
 * Joining a conversation that is under way, so that the reader has all of it once.
 *
 * A reader that joins gets what was said so far as snapshots, then the events that follow. A snapshot in the middle
 * of a message would leave the deltas that follow without a start, which clients reject or drop (docs/wire/ag-ui.md
 * §2.1, §2.4). So the snapshot has the message as far as it goes, and after it whatever is open is opened again:
 * both clients ignore a second start of a known id, and keep appending.
 */
import * as Agui from "@agentwire/protocol/agui"
import * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import { sizeInTurns } from "../../eventloop/LongJson.ts"
import type { LogFailed } from "../../log/BoundedLog.ts"
import type { EventLog, Moment } from "../../log/EventLog.ts"

/** What a reader who joins has already: what it sent along. */
export interface Had {
  readonly messages: ReadonlyArray<Agui.Message>
  readonly state?: unknown
}

/** The snapshots that give a reader the conversation. */
export const snapshots = (
  { before, situation, transcript }: Pick<Moment, "situation" | "transcript" | "before">,
  had: Had
): Effect.Effect<ReadonlyArray<Agui.AguiEvent>> =>
  Effect.gen(function* () {
    const messages = Agui.messagesOf(transcript, before)
    // What an earlier snapshot left out is not what this one does.
    const own = had.messages.filter(({ id }) => id !== Agui.leftOutActivity)
    return [
      // A conversation that went back to before everything has nothing, and says so.
      ...(messages.length === 0 && situation.origins.length === 1
        ? []
        : [{ type: "MESSAGES_SNAPSHOT" as const, messages: withOwn(messages, yield* fitting(messages, own)) }]),
      // The state says what the reader has had: it must not have that before the messages.
      ...Agui.stateEvents(situation, had.state)
    ]
  })

/** What a reader has, without the messages of branches that the conversation has left. */
export const withoutLeft = <A extends Had>(
  log: Pick<EventLog, "look">,
  { situation, transcript }: Pick<Moment, "situation" | "transcript">,
  had: A
): Effect.Effect<A, LogFailed> => {
  if (situation.origins.length === 1) return Effect.succeed(had)
  const path = Model.pathIn(situation)
  const here = new Set(transcript.entries.map(({ id }) => id))
  const others = had.messages.flatMap(entriesIn).filter((id) => !here.has(id))
  return log.look((view) =>
    Effect.map(view.find(others), (found) => {
      for (const each of found) if (Model.isOnPath(path, each)) here.add(each.entry.id)
      const left = new Set(found.flatMap(({ entry }) => (here.has(entry.id) ? [] : [entry.id])))
      const isLeft = (message: Agui.Message): boolean => {
        const ids = entriesIn(message)
        return ids.some((id) => left.has(id)) && !ids.some((id) => here.has(id))
      }
      return { ...had, messages: had.messages.filter((message) => !isLeft(message)) }
    })
  )
}

/** The ids by which a message may be known: activities are tasks, too. */
const entriesIn = (message: Agui.Message): ReadonlyArray<string> =>
  message.role === "activity" ? [message.id] : Agui.entryIds([message])

/**
 * How long an event may be, in characters. `@ag-ui/client` 1.0.0 ends a stream whose event is longer than 10 MB; 0.0.59
 * has no limit.
 */
const maxCharacters = 10_000_000

/**
 * What a reader has, without the oldest of its messages that the snapshot could not have besides its own. They are
 * among those that a page of the history has, or were never said here.
 */
const fitting = (
  messages: ReadonlyArray<Agui.Message>,
  had: ReadonlyArray<Agui.Message>
): Effect.Effect<ReadonlyArray<Agui.Message>> =>
  Effect.gen(function* () {
    if (had.length === 0) return had
    const known = new Set(messages.map(({ id }) => id))
    if (had.every(({ id }) => known.has(id))) return had
    let room = maxCharacters - (yield* sizeInTurns(messages)).characters
    for (let at = had.length - 1; at >= 0; at--) {
      const message = had[at]
      if (message === undefined || known.has(message.id)) continue
      room -= (yield* sizeInTurns(message)).characters + 1
      if (room < 0) return had.filter(({ id }, index) => index > at || known.has(id))
    }
    return had
  })

/**
 * The conversation with the messages that only the reader has, each before the one it came before: a snapshot takes
 * away what it lacks. The reader's own messages may be older than this server, or so new that their turn has not begun.
 * Results of calls that have one here are not among them: pages give results ids of their own.
 */
const withOwn = (
  messages: ReadonlyArray<Agui.Message>,
  had: ReadonlyArray<Agui.Message>
): ReadonlyArray<Agui.Message> => {
  if (had.length === 0) return messages
  const known = new Set(messages.map(({ id }) => id))
  const answered = new Set(messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : [])))
  const before = new Map<string, ReadonlyArray<Agui.Message>>()
  let own: Array<Agui.Message> = []
  for (const message of had) {
    if (message.role === "tool" && !known.has(message.id) && answered.has(message.toolCallId)) continue
    if (!known.has(message.id)) own.push(message)
    else {
      before.set(message.id, own)
      own = []
    }
  }
  return [...messages.flatMap((message) => [...(before.get(message.id) ?? []), message]), ...own]
}

/** The open questions as interrupts, except some. */
export const openQuestions = (
  { requests }: Model.Situation,
  answered: ReadonlySet<string> = new Set()
): ReadonlyArray<Agui.Interrupt> =>
  [...requests.values()].flatMap(({ lane, request }) => {
    if (request.kind === "page_tool" || answered.has(request.id)) return []
    const interrupt = Agui.interruptOf(request)
    return [lane === null ? interrupt : { ...interrupt, subagentRunId: lane }]
  })

/** The first events for a reader that joins the open turn, and the writer that continues from there. */
export const joinOpenTurn = (
  options: Agui.WriteOptions,
  moment: Moment,
  runId: string,
  had: Had
): Effect.Effect<Agui.Written> =>
  Effect.gen(function* () {
    const { situation } = moment
    const [writer, started] = Agui.joinRun(Agui.initialWriter(options, situation), {
      runId,
      brought: had.messages.map(({ id }) => id)
    })
    const events = [...started, ...(yield* snapshots(moment, had)), ...Agui.reopeningEvents(situation)]
    const calls = [...situation.requests.values()].flatMap(({ request }) =>
      request.kind === "page_tool" ? [request.call] : []
    )
    const interrupts = options.approvals === "interrupt" ? openQuestions(situation) : []
    const [waiting, ended] = Agui.suspendRun(writer, { interrupts, calls })
    return [waiting, [...events, ...ended]] as const
  })
