/**
 * What the translator remembers between two messages.
 *
 * A plain value that no function changes in place. It grows with what is open (blocks, calls without a result,
 * sub-agents, tasks, messages that wait for a run) and not with the length of the session.
 */
import type { Interrupt } from "../agui/Interrupt.ts"
import type { TokenUsage } from "../agui/TokenUsage.ts"
import type { Decoded } from "../claude/Codec.ts"
import { frontendNames, type Settings, settingsOf, type TranslateOptions } from "./Options.ts"
import { emptyRecent, type Recent } from "./Recent.ts"
import { noTokens } from "./Usage.ts"

/** A block of a model's message on its way to the client. */
export interface Block {
  /** `other`: a block AG-UI has no event for; its index is taken, nothing more. */
  readonly kind: "text" | "thinking" | "tool" | "other"
  /** The AG-UI id: of the message for text and thinking, of the call for a tool. */
  readonly id: string
  /** The assistant message a tool call hangs on. */
  readonly parent: string
  /** What a tool is called at the client. */
  readonly name: string
  /** Begun and not ended, in the run that is open. */
  readonly open: boolean
  /** Ended with its run, in the middle: it goes on in the next one. */
  readonly paused: boolean
  /** Begun in this run or an earlier one. */
  readonly begun: boolean
  /** All that was sent of it, until it is `whole`. */
  readonly sent: string
  /** Half a surrogate pair that waits for its other half. */
  readonly half: string
  /** The signature of thinking, or the data of redacted thinking. */
  readonly signature: string
  /** The client was told that nothing more comes of it. */
  readonly abandoned: boolean
  /** The client has the signature. */
  readonly sealed: boolean
  /** The `assistant` line has come: nothing is missing any more. */
  readonly whole: boolean
  /** A block of a cut answer that this one may be sent again in place of. */
  readonly again: Block | undefined
}

/** An answer of the model: its blocks by index. */
export interface Answer {
  /** The API's message id. */
  readonly id: string
  /** What the ids of its blocks begin with: the message id, and before it the sub-agent that said it. */
  readonly name: string
  readonly blocks: ReadonlyArray<Block | undefined>
  /** No stream event is expected any more. */
  readonly stopped: boolean
  /** Another answer came before this one was complete. */
  readonly superseded: boolean
}

/** One speaker: the main thread, or a sub-agent. Nothing of one lane touches another. */
export interface Lane {
  /** The tool call that started the sub-agent; null for the main thread. */
  readonly parent: string | null
  /** The answer that stream events speak of. */
  readonly current: Answer | undefined
  /** Answers before it and answers that were never streamed: lines of theirs may come late. Newest first. */
  readonly earlier: ReadonlyArray<Answer>
  /** Blocks of a cut answer, still open at the client until it is clear whether they are sent again. */
  readonly cut: ReadonlyArray<Block>
}

/** A tool call without a result. */
export interface Call {
  readonly name: string
  /** The lane of the speaker who made it. */
  readonly lane: string | null
  /** The tag of its events: the sub-agent that made it. */
  readonly tag: string | undefined
  /** The application answers it, not the CLI. */
  readonly frontend: boolean
  /** The number of the run that announced it. */
  readonly run: number
  /** Who it starts, when it starts a sub-agent. */
  readonly agent: { readonly name: string; readonly description: string | undefined } | undefined
}

/** A sub-agent. */
export interface Subagent {
  /** The tool call that started it. */
  readonly call: string
  /** `subagentRunId`: the call's id; with a number, when the agent speaks again in a run it has ended in. */
  readonly id: string
  readonly invocation: number
  readonly name: string
  readonly description: string | undefined
  /** The lane of whoever started it. */
  readonly lane: string | null
  /** `away`: not yet begun in the open run. */
  readonly phase: "away" | "active" | "ended"
  /** The call has its result and the agent goes on. */
  readonly background: boolean
}

/** A task, as the client's activity message has it. */
export interface Task {
  readonly content: Readonly<Record<string, unknown>>
  /** The number of the run that has its snapshot. */
  readonly run: number
}

/** The run that is open. */
export interface Run {
  readonly id: string
  readonly ordinal: number
}

/** The turn of the CLI that goes on. It may span several runs. */
export interface Turn {
  /** The main thread has said something. */
  readonly spoken: boolean
  /** The model was asked. */
  readonly asked: boolean
  /** The CLI said that the person interrupted. */
  readonly interrupted: boolean
  /** The next text in the user's name is the summary of a compaction. */
  readonly compacted: boolean
  /** What the last error of the API was called. */
  readonly error: string | undefined
  readonly model: string | undefined
  /** Spent by the main thread in this turn, but for the newest answer. */
  readonly settled: TokenUsage
  /** The newest answer and what it has spent so far. */
  readonly spending: { readonly id: string; readonly usage: TokenUsage } | undefined
  /** Reported by earlier runs of this turn. */
  readonly reported: TokenUsage
}

/** What the run has to wait for. */
export interface Waiting {
  readonly interrupts: ReadonlyArray<Interrupt>
  /** Calls of frontend tools. */
  readonly calls: ReadonlyArray<string>
}

/** What the translator remembers. Make one with {@link initial}. */
export interface State {
  readonly settings: Settings
  /** The application's names of its tools, by the CLI's. */
  readonly frontendTools: ReadonlyMap<string, string>
  readonly recent: Recent
  readonly runs: number
  readonly run: Run | undefined
  readonly turn: Turn | undefined
  readonly main: Lane
  readonly lanes: ReadonlyMap<string, Lane>
  readonly calls: ReadonlyMap<string, Call>
  /** Calls that have their result, or whose turn is over: they are not announced again. */
  readonly answered: Recent
  /** By the call that started each. */
  readonly subagents: ReadonlyMap<string, Subagent>
  readonly tasks: ReadonlyMap<string, Task>
  readonly waiting: Waiting | undefined
  /** The run ended in the middle of the turn: what comes now waits for the next one. */
  readonly suspended: boolean
  readonly held: ReadonlyArray<Decoded>
}

/** A lane that has said nothing. */
export const emptyLane = (parent: string | null): Lane => ({ parent, current: undefined, earlier: [], cut: [] })

/** A turn that has just begun. */
export const emptyTurn: Turn = {
  spoken: false,
  asked: false,
  interrupted: false,
  compacted: false,
  error: undefined,
  model: undefined,
  settled: noTokens,
  spending: undefined,
  reported: noTokens
}

/** How many calls with a result are remembered at least. */
const answeredCalls = 1000

/** The state before the first message of a session. */
export const initial = (options: TranslateOptions): State => {
  const settings = settingsOf(options)
  return {
    settings,
    frontendTools: frontendNames(settings.frontendServer, options.frontendTools ?? []),
    recent: emptyRecent(settings.replayWindow),
    runs: 0,
    run: undefined,
    turn: undefined,
    main: emptyLane(null),
    lanes: new Map(),
    calls: new Map(),
    answered: emptyRecent(answeredCalls),
    subagents: new Map(),
    tasks: new Map(),
    waiting: undefined,
    suspended: false,
    held: []
  }
}

/** The lane of a speaker. */
export const laneOf = (state: State, parent: string | null): Lane =>
  parent === null ? state.main : (state.lanes.get(parent) ?? emptyLane(parent))

/** The state with a lane changed. */
export const withLane = (state: State, lane: Lane): State =>
  lane.parent === null ? advanced(state, state.recent, lane) : { ...state, lanes: put(state.lanes, lane.parent, lane) }

/**
 * The state with what changes at every delta. Written out: on Node 20 a spread costs 400 ns, this costs 15, and
 * most messages of a session are deltas.
 */
export const advanced = (state: State, recent: Recent, main: Lane): State => ({
  settings: state.settings,
  frontendTools: state.frontendTools,
  recent,
  runs: state.runs,
  run: state.run,
  turn: state.turn,
  main,
  lanes: state.lanes,
  calls: state.calls,
  answered: state.answered,
  subagents: state.subagents,
  tasks: state.tasks,
  waiting: state.waiting,
  suspended: state.suspended,
  held: state.held
})

/** A map with an entry set. */
export const put = <K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> => new Map(map).set(key, value)

/** A map without an entry. */
export const without = <K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> => {
  if (!map.has(key)) return map
  const rest = new Map(map)
  rest.delete(key)
  return rest
}
