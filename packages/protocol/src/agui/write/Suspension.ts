/**
 * What a run has to end for, so that somebody outside can act: questions and calls of the application's tools.
 *
 * The run ends at the next quiet point, when the reply that is being given is complete, so that all its calls are
 * announced. What waits by then is taken together. The turn continues in the next run.
 */
import type { EventOf } from "../../model/Event.ts"
import { withEntry, withoutEntry } from "../../model/Situation.ts"
import type { Interrupt, RunFinishedOutcome } from "../Interrupt.ts"
import { customNames } from "./CustomNames.ts"
import { approvalEvent, interruptOf } from "./Interrupt.ts"
import { pauseRun } from "./Run.ts"
import { enterLane, tagOf } from "./Subagent.ts"
import type { Awaited, Out, Writer } from "./Writer.ts"

/** What a run has to end for. */
export interface Suspension {
  /** Questions somebody has to answer with `resume`. */
  readonly interrupts?: ReadonlyArray<Interrupt>
  /** Calls of the application's tools that it has to make. */
  readonly calls?: ReadonlyArray<string>
}

/** The writer with more to wait for. */
export const withAwaited = (writer: Writer, { calls = [], interrupts = [] }: Suspension): Writer => {
  const waiting = new Map<string, Awaited>(writer.waiting)
  for (const interrupt of interrupts)
    if (!waiting.has(interrupt.id)) waiting.set(interrupt.id, { type: "interrupt", interrupt })
  for (const call of calls) waiting.set(call, { type: "call", call })
  return { ...writer, waiting }
}

/** Announces a request, or waits for its answer. */
export const openRequest = (writer: Writer, { lane, request }: EventOf<"request_opened">, out: Out): Writer => {
  const entered = enterLane(writer, lane, out)
  if (request.kind === "page_tool")
    return { ...entered, waiting: withEntry(entered.waiting, request.id, { type: "call", call: request.call }) }
  const about = request.kind === "form" ? undefined : request.call
  const tag = about !== undefined && entered.calls.has(about) ? entered.calls.get(about) : tagOf(entered, lane)
  if (entered.settings.approvals === "event") {
    out.push(approvalEvent(request, tag))
    return entered
  }
  const interrupt = interruptOf(request)
  return withAwaited(entered, { interrupts: [tag === undefined ? interrupt : { ...interrupt, subagentRunId: tag }] })
}

/** A request is closed: it is not waited for any more. */
export const closeRequest = (writer: Writer, { by, id }: EventOf<"request_closed">, out: Out): Writer => {
  if (by === "withdrawn") out.push({ type: "CUSTOM", name: customNames.requestWithdrawn, value: { requestId: id } })
  return writer.waiting.has(id) ? { ...writer, waiting: withoutEntry(writer.waiting, id) } : writer
}

/** The turn is over: nobody needs to answer what was asked in it, but background agents still wait. */
export const stillAwaited = (writer: Writer): Writer => {
  const { items, requests } = writer.situation
  const waiting = [...writer.waiting].filter(
    ([id, each]) => requests.has(id) || (each.type === "call" && items.has(each.call))
  )
  return waiting.length === writer.waiting.size ? writer : { ...writer, waiting: new Map(waiting) }
}

/** Ends the run if something waits and the reply that is being given is complete. */
export const endAtQuietPoint = (writer: Writer, out: Out): Writer => {
  const { run, situation, waiting } = writer
  if (waiting.size === 0 || run === undefined || situation.reply !== undefined) return writer
  const paused = pauseRun(writer, { type: "finished", outcome: outcomeOf(writer) }, out)
  return { ...paused, waiting: new Map(), suspendedFor: new Set(waiting.keys()) }
}

const outcomeOf = (writer: Writer): RunFinishedOutcome => {
  const interrupts = [...writer.waiting.values()].flatMap((each) => (each.type === "interrupt" ? [each.interrupt] : []))
  if (interrupts.length > 0) return { type: "interrupt", interrupts }
  const pendingToolCallIds = unanswered(writer)
  return { type: "success", ...(pendingToolCallIds.length > 0 && { pendingToolCallIds }) }
}

/** The calls that this run announced and nobody has answered, in order: what `pendingToolCallIds` must list. */
const unanswered = ({ calls, situation }: Writer): ReadonlyArray<string> =>
  [...situation.items.keys()].filter((id) => calls.has(id))
