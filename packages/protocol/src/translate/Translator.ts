/**
 * The translator: messages of a runtime in, events of AG-UI out, as a pure fold. It is the runtime's fold into the model
 * and the writer from it, one after the other.
 *
 * `initialState` makes a state, `step` takes it through one message, `finish` ends what is open. A turn is a
 * run; where a run has to end so that somebody outside can act, `suspendRun` ends it and `beginRun` opens the next.
 */
import type { AguiEvent } from "../agui/Event.ts"
import { endingOf, type RunEnding, successEnding, type RunRequest as WriterRunRequest } from "../agui/write/Run.ts"
import type { Suspension } from "../agui/write/Suspension.ts"
import * as Write from "../agui/write/Write.ts"
import { initialWriter, type Writer } from "../agui/write/Writer.ts"
import type { Event } from "../model/Event.ts"
import { type FinishReason, isOrderly, outcomeWithout } from "../model/FinishReason.ts"
import type { TranslateOptions } from "./Options.ts"
import { type FoldStates, type RuntimeMessages, type RuntimeName, runtimes } from "./Runtimes.ts"

export type { Suspension } from "../agui/write/Suspension.ts"
export type { FinishReason } from "../model/FinishReason.ts"

/** What the translator remembers. Make one with {@link initialState}. */
export interface State<R extends RuntimeName = "claude"> {
  readonly runtime: R
  readonly fold: FoldStates[R]
  readonly writer: Writer
}

/** A state, and the events that led to it. */
export type Stepped<R extends RuntimeName = "claude"> = readonly [state: State<R>, events: ReadonlyArray<AguiEvent>]

/** The state before the first message of a session. */
export const initialState = <R extends RuntimeName = "claude">(options: TranslateOptions<R>): State<R> => {
  const runtime = options.runtime ?? ("claude" as R)
  return { runtime, fold: runtimes[runtime].initial(options), writer: initialWriter(options) }
}

/** Takes the translation through one message. */
export const step = <R extends RuntimeName>(state: State<R>, message: RuntimeMessages[R]): Stepped<R> =>
  writeAll(state, runtimes[state.runtime].message(state.fold, message))

/** Writes the events of a fold. */
const writeAll = <R extends RuntimeName>(
  { runtime, writer }: State<R>,
  [fold, events]: readonly [FoldStates[R], ReadonlyArray<Event>]
): Stepped<R> => {
  const [first] = events
  if (first === undefined) return [{ runtime, fold, writer }, none]
  if (events.length === 1) {
    const [next, given] = Write.write(writer, first)
    return [{ runtime, fold, writer: next }, given]
  }
  const out: Array<AguiEvent> = []
  let next = writer
  for (const event of events) {
    const [after, given] = Write.write(next, event)
    next = after
    for (const one of given) out.push(one)
  }
  return [{ runtime, fold, writer: next }, out]
}

const none: ReadonlyArray<AguiEvent> = []

/** A run somebody asked for. */
export interface RunRequest extends WriterRunRequest {
  /** The application's tools from now on; unchanged when left out. */
  readonly frontendTools?: ReadonlyArray<string>
  /** The name their MCP server has from now on, when it has changed. */
  readonly frontendServer?: string
}

/**
 * Opens a run somebody asked for, and delivers what has waited. A run that is open ends first: whatever it was in
 * the middle of continues in the new one.
 */
export const beginRun = <R extends RuntimeName>(state: State<R>, request: RunRequest): Stepped<R> => {
  const { frontendServer, frontendTools } = request
  const { fold, runtime } = state
  const [writer, events] = Write.beginRun(state.writer, request)
  const tooled =
    frontendTools === undefined ? fold : runtimes[runtime].withPageTools(fold, frontendTools, frontendServer)
  return [{ runtime, fold: tooled, writer }, events]
}

const onWriter = <R extends RuntimeName>({ fold, runtime }: State<R>, [writer, events]: Write.Written): Stepped<R> => [
  { runtime, fold, writer },
  events
]

/**
 * Lets a suspended turn continue without anybody having asked for a run: what it waited for came from elsewhere, or will
 * not come any more. What was held is delivered in a run of the agent's own.
 */
export const releaseRun = <R extends RuntimeName>(state: State<R>): Stepped<R> =>
  onWriter(state, Write.releaseRun(state.writer))

/**
 * Ends the run at the next quiet point, which may be now: when the answer that is being streamed is complete, so
 * that all its calls are announced. What waits by then is taken together. The turn continues in the next run.
 */
export const suspendRun = <R extends RuntimeName>(state: State<R>, suspension: Suspension): Stepped<R> =>
  onWriter(state, Write.suspendRun(state.writer, suspension))

/** Ends what is open when no more messages come. A turn that the agent has not ended has failed, or was cancelled. */
export const finish = <R extends RuntimeName>(
  state: State<R>,
  reason: FinishReason = { type: "end" }
): ReadonlyArray<AguiEvent> => abortTurn(state, reason)[1]

/** Ends what is open because the agent is gone, or nobody waits for it, in a session that another process continues. */
export const abortTurn = <R extends RuntimeName>(state: State<R>, reason: FinishReason): Stepped<R> => {
  const [ended, events] = writeAll(state, runtimes[state.runtime].end(state.fold, reason))
  const idle: RunEnding = isOrderly(reason) ? successEnding : endingOf(outcomeWithout(reason))
  const [writer, last] = Write.closeRun(ended.writer, idle)
  return [{ ...ended, writer }, [...events, ...last]]
}

/** Notes that a prompt was sent: a turn has to come, and an agent that ends before it begins has failed it. */
export const expectTurn = <R extends RuntimeName>(state: State<R>): Stepped<R> =>
  writeAll(state, runtimes[state.runtime].prompt(state.fold, []))

/** Ends a run that was asked for and has nothing to wait for: no turn of the agent is in progress. */
export const endIdleRun = <R extends RuntimeName>(state: State<R>): Stepped<R> =>
  onWriter(state, Write.endIdleRun(state.writer))
