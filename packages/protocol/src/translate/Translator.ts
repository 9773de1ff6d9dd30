/**
 * The translator: messages of Claude Code in, events of AG-UI out, as a pure fold. It is the fold into the model and
 * the writer from it, one after the other.
 *
 * `initialState` makes a state, `step` takes it through one message, `finish` ends what is open. A turn of the CLI is a
 * run; where a run has to end so that somebody outside can act, `suspendRun` ends it and `beginRun` opens the next.
 */
import type { AguiEvent } from "../agui/Event.ts"
import { endingOf, type RunEnding, successEnding, type RunRequest as WriterRunRequest } from "../agui/write/Run.ts"
import type { Suspension } from "../agui/write/Suspension.ts"
import * as Write from "../agui/write/Write.ts"
import { initialWriter, type Writer } from "../agui/write/Writer.ts"
import type { Decoded } from "../claude/Codec.ts"
import { endFold, type Folded, foldMessage, foldPrompt } from "../claude/fold/Fold.ts"
import { type FoldState, initialFold, withPageTools } from "../claude/fold/State.ts"
import { type FinishReason, isOrderly, outcomeWithout } from "../model/FinishReason.ts"
import { foldOptions, type TranslateOptions } from "./Options.ts"

export type { Suspension } from "../agui/write/Suspension.ts"
export type { FinishReason } from "../model/FinishReason.ts"

/** What the translator remembers. Make one with {@link initialState}. */
export interface State {
  readonly fold: FoldState
  readonly writer: Writer
}

/** A state, and the events that led to it. */
export type Stepped = readonly [state: State, events: ReadonlyArray<AguiEvent>]

/** The state before the first message of a session. */
export const initialState = (options: TranslateOptions): State => ({
  fold: initialFold(foldOptions(options)),
  writer: initialWriter(options)
})

/** Takes the translation through one message. */
export const step = (state: State, decoded: Decoded): Stepped =>
  writeAll(state.writer, foldMessage(state.fold, decoded))

/** Writes the events of a fold. */
const writeAll = (writer: Writer, [fold, events]: Folded): Stepped => {
  const [first] = events
  if (first === undefined) return [{ fold, writer }, none]
  if (events.length === 1) {
    const [next, given] = Write.write(writer, first)
    return [{ fold, writer: next }, given]
  }
  const out: Array<AguiEvent> = []
  let next = writer
  for (const event of events) {
    const [after, given] = Write.write(next, event)
    next = after
    for (const one of given) out.push(one)
  }
  return [{ fold, writer: next }, out]
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
export const beginRun = ({ fold, writer }: State, request: RunRequest): Stepped => {
  const { frontendServer = fold.pageToolServer, frontendTools } = request
  const [next, events] = Write.beginRun(writer, request)
  return [
    { fold: frontendTools === undefined ? fold : withPageTools(fold, frontendServer, frontendTools), writer: next },
    events
  ]
}

const onWriter = ({ fold }: State, [writer, events]: Write.Written): Stepped => [{ fold, writer }, events]

/**
 * Lets a suspended turn continue without anybody having asked for a run: what it waited for came from elsewhere, or will
 * not come any more. What was held is delivered in a run of the agent's own.
 */
export const releaseRun = (state: State): Stepped => onWriter(state, Write.releaseRun(state.writer))

/**
 * Ends the run at the next quiet point, which may be now: when the answer that is being streamed is complete, so
 * that all its calls are announced. What waits by then is taken together. The turn continues in the next run.
 */
export const suspendRun = (state: State, suspension: Suspension): Stepped =>
  onWriter(state, Write.suspendRun(state.writer, suspension))

/** Ends what is open when no more messages come. A turn without a `result` has failed, or was cancelled. */
export const finish = (state: State, reason: FinishReason = { type: "end" }): ReadonlyArray<AguiEvent> =>
  abortTurn(state, reason)[1]

/** Ends what is open because the agent is gone, or nobody waits for it, in a session that another process continues. */
export const abortTurn = (state: State, reason: FinishReason): Stepped => {
  const [ended, events] = writeAll(state.writer, endFold(state.fold, reason))
  const idle: RunEnding = isOrderly(reason) ? successEnding : endingOf(outcomeWithout(reason))
  const [writer, last] = Write.closeRun(ended.writer, idle)
  return [{ fold: ended.fold, writer }, [...events, ...last]]
}

/** Notes that a prompt was sent: a turn has to come, and an agent that ends before it begins has failed it. */
export const expectTurn = (state: State): Stepped => writeAll(state.writer, foldPrompt(state.fold, []))

/** Ends a run that was asked for and has nothing to wait for: no turn of the agent is in progress. */
export const endIdleRun = (state: State): Stepped => onWriter(state, Write.endIdleRun(state.writer))
