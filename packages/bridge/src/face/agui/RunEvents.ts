/**
 * The events of a run that was accepted, and before them what its client has not had yet: turns of other clients, or
 * of the agent itself, each in a run of its own.
 *
 * A client that left in the middle of a run, whose place in the log is not kept any more, or whose conversation went back,
 * joins: it gets the conversation as a snapshot instead.
 */
import * as Agui from "@agentwire/protocol/agui"
import type * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ReadFailed } from "../../log/BoundedLog.ts"
import type { EventLog, LogEntry } from "../../log/EventLog.ts"
import { type AguiThread, isMidRun, type Place } from "./AguiThread.ts"
import { joinOpenTurn, openQuestions, snapshots, withoutLeft } from "./Join.ts"
import type { SubmittedRun } from "./Submission.ts"

/** Events that belong together in an answer, and where their reader is once they are sent. */
export interface Outgoing {
  readonly events: ReadonlyArray<Agui.AguiEvent>
  /** Undefined: nowhere in the log. */
  readonly place: Place | undefined
}

/** Events that end at a place of the log. */
interface Placed extends Outgoing {
  readonly place: Place
}

/** A run that was accepted. */
export interface AcceptedRun extends SubmittedRun {
  readonly input: Agui.RunAgentInput
  /** Where its client was before. */
  readonly from: Place
}

/** The events of a run that was accepted, up to its end. */
export const runEvents = (log: EventLog, thread: AguiThread, run: AcceptedRun): Stream.Stream<Outgoing, ReadFailed> => {
  if (run.goesBack) return runOnBranch(log, thread, run)
  const isBehind = run.showsLeft || run.from.writer.situation.branch !== run.accepted.situation.branch
  // It begins in the middle of a turn that is somebody else's.
  if (run.accepted.begins === "with_words") return joinWhenBegun(log, thread, run)
  if (isMidRun(run.from) || isBehind || run.from.seq < log.oldest()) return joinWhenBegun(log, thread, run)
  return run.accepted.begins === "now" ? runNow(log, lean(run)) : runWithTurn(log, thread, run)
}

/** A run may last for hours: the conversation that came with it is let go, unless a snapshot needs it. */
const lean = (run: AcceptedRun): AcceptedRun => ({ ...run, input: { ...run.input, messages: [] } })

const requestOf = ({ echo, input: { parentRunId, runId } }: AcceptedRun): Agui.RunRequest => ({
  runId,
  ...(parentRunId !== undefined && { parentRunId }),
  input: echo
})

/** Begins the requested run. A client without a state is given the one that the thread has. */
const beginRun = (writer: Agui.Writer, run: AcceptedRun, { state }: Model.Situation): Agui.Written => {
  const [begun, events] = Agui.beginRun(writer, requestOf(run))
  const [started, ...more] = events
  if (started === undefined || Agui.broughtState(run.input.state) !== undefined || Agui.isEmptyState(state))
    return [begun, events]
  return [begun, [started, ...Agui.stateEvents({ session: writer.situation.session, state }, undefined), ...more]]
}

/** The requested work begins at once: the waiting turn continues, or there is nothing to do. */
const runNow = (log: EventLog, run: AcceptedRun): Stream.Stream<Placed, ReadFailed> => {
  const { accepted, answered, from } = run
  let place = from
  const missed = Stream.tap(Stream.take(followLog(log, from), Math.max(0, accepted.at - from.seq)), (sent) =>
    Effect.sync(() => {
      place = sent.place
    })
  )
  const begun = Stream.suspend(() => {
    const [running, started] = beginRun(place.writer, run, accepted.situation)
    // What has waited for this run may have ended it, with the questions that are open.
    const [waiting, paused] = Agui.isRunOpen(running)
      ? Agui.suspendRun(running, { interrupts: openQuestions(accepted.situation, answered) })
      : [running, []]
    const [writer, ended] = Agui.endIdleRun(waiting, run.missedEnd)
    const next = { ...place, writer }
    const first: Placed = { events: [...started, ...paused, ...ended], place: next }
    return untilRunEnds(Stream.concat(Stream.make(first), followLog(log, next)))
  })
  return Stream.concat(missed, begun)
}

/** Whether the turn of a run begins with an entry. Clients choose the tickets: an earlier turn may have the same. */
const beginsTurnOf =
  ({ accepted, input }: AcceptedRun) =>
  ({ event, seq }: LogEntry): boolean =>
    event.type === "turn_started" && event.ticket === input.runId && seq >= accepted.at

/** Whether a run begins with an entry: with its turn, or with its words in a turn that was open before. */
const beginsRunOf = (run: AcceptedRun): ((entry: LogEntry) => boolean) => {
  const beginsTurn = beginsTurnOf(run)
  const { accepted, echo } = run
  if (accepted.begins !== "with_words") return beginsTurn
  const words = new Set(echo.messages.map(({ id }) => id))
  return (entry) => beginsTurn(entry) || (entry.seq >= accepted.at && isSaid(entry.event, words))
}

const isSaid = (event: Model.Event, ids: ReadonlySet<string>): boolean =>
  event.type === "item_started" && event.item.kind === "prompt" && ids.has(event.id)

/** Follows the log from a place to the end of the requested run, which begins with the turn that has its ticket. */
const followTurn = (log: Pick<EventLog, "read">, run: AcceptedRun, from: Place): Stream.Stream<Placed, ReadFailed> => {
  const isOurs = beginsTurnOf(run)
  let begunAt = Number.POSITIVE_INFINITY
  const begin = (writer: Agui.Writer, entry: LogEntry): Agui.Written => {
    if (begunAt < entry.seq || !isOurs(entry)) return [writer, []]
    begunAt = entry.seq
    return beginRun(writer, run, entry.before)
  }
  return untilRunEnds(followLog(log, from, begin), ({ seq }) => seq > begunAt)
}

/** The requested work begins with its turn. While its client waits for that, others may go back: then it joins. */
const runWithTurn = (log: EventLog, thread: AguiThread, run: AcceptedRun): Stream.Stream<Placed, ReadFailed> => {
  const small = lean(run)
  const isOurs = beginsTurnOf(small)
  let waiting: AcceptedRun | undefined = run
  let isLeft = false
  const untilLeft = (from: number) =>
    Stream.takeWhile(log.read(from), (entry) => {
      if (isOurs(entry)) waiting = undefined
      isLeft ||= waiting !== undefined && entry.event.type === "branched"
      return !isLeft
    })
  return Stream.concat(
    followTurn({ read: untilLeft }, small, small.from),
    Stream.suspend(() => (isLeft && waiting !== undefined ? joinWhenBegun(log, thread, waiting) : Stream.empty))
  )
}

/**
 * The conversation goes back before the requested work begins. What happens until then is not what its client shows, which
 * may also have messages in an order of its own: so it joins, and has what the agent has. An agent that cannot go back has a
 * turn all the same, which says so.
 */
const runOnBranch = (log: EventLog, thread: AguiThread, run: AcceptedRun): Stream.Stream<Placed, ReadFailed> => {
  const { accepted, from, input } = run
  const beginsTurn = beginsTurnOf(run)
  const goesBack = ({ event, seq }: LogEntry): boolean =>
    event.type === "branched" && event.ticket === input.runId && seq >= accepted.at
  return log.read(accepted.at).pipe(
    Stream.filter((entry) => goesBack(entry) || beginsTurn(entry)),
    Stream.take(1),
    Stream.flatMap(({ before, event, seq }) =>
      event.type === "branched"
        ? joinWhenBegun(log, thread, run)
        : followTurn(log, lean(run), { writer: Agui.initialWriter(thread.options, before), seq, last: from.last })
    )
  )
}

/** Joins the requested run once it has begun. */
const joinWhenBegun = (log: EventLog, thread: AguiThread, run: AcceptedRun): Stream.Stream<Placed, ReadFailed> => {
  const { accepted } = run
  if (accepted.begins === "now") return joinRun(log, thread, run, accepted.at, accepted.situation)
  const begins = beginsRunOf(run)
  return log.read(accepted.at).pipe(
    Stream.filter(begins),
    Stream.take(1),
    Stream.flatMap(({ before, seq }) => joinRun(log, thread, run, seq, before))
  )
}

/** Joins a run that began at a number of the log. It may be over by now. */
const joinRun = (
  log: EventLog,
  thread: AguiThread,
  run: AcceptedRun,
  seq: number,
  situation: Model.Situation
): Stream.Stream<Placed, ReadFailed> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { input } = run
      const moment = yield* log.moment()
      const had = yield* withoutLeft(log, moment, input)
      const passed = yield* Stream.runCollect(Stream.take(log.read(seq), moment.seq - seq))
      let [writer, started] = Agui.beginRun(Agui.initialWriter(thread.options, situation), requestOf(run))
      const last = input.messages.at(-1)?.id
      for (const { event } of passed) {
        const [next, events] = Agui.write(writer, event)
        writer = next
        const end = events.find(Agui.endsRun)
        if (end === undefined) continue
        const place = { writer: Agui.initialWriter(thread.options, moment.situation), seq: moment.seq, last }
        return Stream.make({ events: [...started, ...(yield* snapshots(moment, had)), end], place })
      }
      const [joined, events] = yield* joinOpenTurn(thread.options, moment, input.runId, had)
      const [waiting, ended] = Agui.endIdleRun(joined, run.missedEnd)
      const place = { writer: waiting, seq: moment.seq, last }
      return untilRunEnds(Stream.concat(Stream.make({ events: [...events, ...ended], place }), followLog(log, place)))
    })
  )

/** The events from a place on, each with the place after it. `before`: what is written before an entry. */
export const followLog = (
  log: Pick<EventLog, "read">,
  from: Place,
  before: (writer: Agui.Writer, entry: LogEntry) => Agui.Written = (writer) => [writer, []]
): Stream.Stream<Placed, ReadFailed> =>
  Stream.mapAccum(
    log.read(from.seq),
    () => from,
    (place, entry): [Place, ReadonlyArray<Placed>] => {
      const [ready, first] = before(place.writer, entry)
      const [writer, more] = Agui.write(ready, entry.event)
      const events = first.length === 0 ? more : [...first, ...more]
      const next = { writer, seq: entry.seq + 1, ...lastMessage(place, events) }
      return [next, [{ events, place: next }]]
    }
  )

/** The last message after some events, and how much of it was sent. */
const lastMessage = (
  { last, length }: Pick<Place, "last" | "length">,
  events: ReadonlyArray<Agui.AguiEvent>
): Pick<Place, "last" | "length"> => {
  let [id, sent] = [last, length]
  for (const event of events)
    switch (event.type) {
      case "TEXT_MESSAGE_START":
      case "REASONING_MESSAGE_START":
        if (event.messageId !== id) [id, sent] = [event.messageId, 0]
        break
      case "TEXT_MESSAGE_CONTENT":
      case "REASONING_MESSAGE_CONTENT":
        if (event.messageId === id && sent !== undefined) sent += event.delta.length
        break
      case "TOOL_CALL_START":
        if (event.parentMessageId !== id) [id, sent] = [event.parentMessageId, undefined]
        break
    }
  return { last: id, length: sent }
}

/** Ends when a run has begun and none is open any more. */
export const untilRunEnds = (
  stream: Stream.Stream<Placed, ReadFailed>,
  hasBegun: (place: Place) => boolean = () => true
): Stream.Stream<Placed, ReadFailed> =>
  Stream.takeUntil(stream, ({ place }) => hasBegun(place) && !Agui.isRunOpen(place.writer))
