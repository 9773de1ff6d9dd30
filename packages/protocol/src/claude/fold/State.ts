/**
 * What the fold remembers between two messages.
 *
 * A plain value that no function changes in place. It grows with what is open (items, calls without a result,
 * sub-agents, tasks, requests) and not with the length of the session.
 */
import type { Said } from "../../model/Command.ts"
import type { Action, TurnOutcome } from "../../model/Event.ts"
import { withEntry } from "../../model/Situation.ts"
import { noUsage, type Usage } from "../../model/Usage.ts"
import { defaultPageToolServer, pageToolNames } from "./PageTools.ts"
import { emptyRecent, type Recent } from "./Recent.ts"

/** What may be chosen about a fold. */
export interface FoldOptions {
  /** The application's own tools, by the names the application knows. The CLI reaches them as MCP tools. */
  readonly pageTools?: ReadonlyArray<string>
  /** The name of the MCP server they are on. Default `frontend`. */
  readonly pageToolServer?: string
  /**
   * How many uuids are remembered to recognise messages that come again. 2,000 by default, which is the least, and
   * 1,000,000 at most.
   */
  readonly replayWindow?: number
}

/** A block of a reply on its way. */
export interface Block {
  /** `other`: a block the model has no item for; its index is taken, nothing more. */
  readonly kind: "text" | "thought" | "call" | "other"
  /** The id of its item. */
  readonly id: string
  /** The message that a call hangs on. */
  readonly parent: string
  /** The tool that is called, by the name that people know. */
  readonly tool: string
  readonly action: Action
  /** Begun and not ended. */
  readonly open: boolean
  /** Its item was started. */
  readonly begun: boolean
  /** All that was said of it, until it is `whole`. */
  readonly sent: string
  /** Half a surrogate pair that waits for its other half. */
  readonly half: string
  /** The signature of a thought, or the data of a redacted one. */
  readonly signature: string
  /** It was reported as cut off. */
  readonly abandoned: boolean
  /** The signature was reported. */
  readonly sealed: boolean
  /** The `assistant` line has come: nothing is missing any more. */
  readonly whole: boolean
  /** The block of a cut reply that this one may repeat. */
  readonly again: Block | undefined
}

/** A reply of the model: its blocks by index. */
export interface Reply {
  /** The API's message id. */
  readonly id: string
  /** What the ids of its items begin with: the message id, and before it the sub-agent that said it. */
  readonly name: string
  readonly blocks: ReadonlyArray<Block | undefined>
  /** No stream event is expected any more. */
  readonly stopped: boolean
  /** Another reply came before this one was complete. */
  readonly superseded: boolean
}

/** One speaker: the main thread, or a sub-agent. Nothing of one lane touches another. */
export interface Lane {
  /** The tool call that started the sub-agent; null for the main thread. */
  readonly parent: string | null
  /** The reply that stream events speak of. */
  readonly current: Reply | undefined
  /** Replies before it and replies that were never streamed: lines of theirs may come late. Newest first. */
  readonly earlier: ReadonlyArray<Reply>
  /** Blocks of a cut reply, still open until it is clear whether they are sent again. */
  readonly cut: ReadonlyArray<Block>
}

/** A tool call without a result. */
export interface Call {
  /** The lane of the speaker who made it. */
  readonly lane: string | null
  /** Who it starts, when it starts a sub-agent. */
  readonly agent: { readonly name: string; readonly description: string | undefined } | undefined
}

/** A sub-agent. */
export interface Subagent {
  /** The tool call that started it. */
  readonly call: string
  /** How often it has begun: an agent that speaks after its end is another one. */
  readonly invocation: number
  readonly name: string
  readonly description: string | undefined
  /** The lane of whoever started it. */
  readonly lane: string | null
  /** `announced`: it has not spoken. */
  readonly phase: "announced" | "open" | "ended"
  /** The call has its result and the agent continues. */
  readonly background: boolean
}

/** A task. */
export interface Task {
  readonly content: Readonly<Record<string, unknown>>
  /** Its item was started. */
  readonly begun: boolean
}

/** What is remembered of a turn. */
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
  /** Whether the model has answered after that. */
  readonly recovered: boolean
  readonly model: string | undefined
  /** Spent until its last `result`: it has several where words came too late for the one before. */
  readonly earlier: Usage
  /** Spent by the main thread in this turn, except for the newest reply. */
  readonly settled: Usage
  /** The newest reply and what it has spent so far. */
  readonly spending: { readonly id: string; readonly usage: Usage } | undefined
}

/** What is remembered of a request that nobody has answered. */
export interface Asked {
  readonly lane: string | null
  /** The call that it is about. */
  readonly call: string | undefined
}

/** What the fold remembers. Make one with {@link initialFold}. */
export interface FoldState {
  readonly pageToolServer: string
  /** The application's names of its tools, by the CLI's. */
  readonly pageTools: ReadonlyMap<string, string>
  readonly recent: Recent
  /** The session that the process last said it was in: 2.1.197 says of `/clear` no more than that it is another one. */
  readonly session: string | undefined
  /** How many turns have ended. */
  readonly ended: number
  /** A turn was started and has not ended. */
  readonly open: boolean
  /** What is known of the turn. It may be known before the turn starts, and unknown when it has. */
  readonly turn: Turn | undefined
  readonly main: Lane
  readonly lanes: ReadonlyMap<string, Lane>
  readonly calls: ReadonlyMap<string, Call>
  /** Calls that have their result, or whose turn is over: they are not announced again. */
  readonly answered: Recent
  /** By the call that started each. */
  readonly subagents: ReadonlyMap<string, Subagent>
  readonly tasks: ReadonlyMap<string, Task>
  readonly requests: ReadonlyMap<string, Asked>
  /** The prompt that was sent last, and its line, until the session is known that it is in. */
  readonly prompted: { readonly id: string; readonly uuid: string } | undefined
  /** Words that were sent into a turn and that the agent has not taken up yet, by their lines. */
  readonly steers: ReadonlyMap<string, ReadonlyArray<Said>>
  /** What the turn in progress has come to by its `result`, while it waits for the CLI to take up what it was sent. */
  readonly resting: TurnOutcome | undefined
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
  recovered: false,
  model: undefined,
  earlier: noUsage,
  settled: noUsage,
  spending: undefined
}

/** How many calls with a result are remembered at least. */
const answeredCalls = 1000

const minReplayWindow = 2000
const maxReplayWindow = 1_000_000

/** The state before the first message of a session. */
export const initialFold = (options: FoldOptions = {}): FoldState => {
  const pageToolServer = options.pageToolServer ?? defaultPageToolServer
  return {
    pageToolServer,
    pageTools: pageToolNames(pageToolServer, options.pageTools ?? []),
    recent: emptyRecent(windowOf(options.replayWindow ?? minReplayWindow)),
    session: undefined,
    ended: 0,
    open: false,
    turn: undefined,
    main: emptyLane(null),
    lanes: new Map(),
    calls: new Map(),
    answered: emptyRecent(answeredCalls),
    subagents: new Map(),
    tasks: new Map(),
    requests: new Map(),
    prompted: undefined,
    steers: new Map(),
    resting: undefined
  }
}

const windowOf = (size: number): number =>
  Number.isNaN(size) ? minReplayWindow : Math.trunc(Math.min(Math.max(size, minReplayWindow), maxReplayWindow))

/**
 * The state with the application's tools as they are from now on. Calls by the names they had before may be on their
 * way.
 */
export const withPageTools = (state: FoldState, server: string, tools: ReadonlyArray<string>): FoldState => ({
  ...state,
  pageToolServer: server,
  pageTools: new Map([...pageToolNames(state.pageToolServer, tools), ...pageToolNames(server, tools)])
})

/** The application's name of a tool that the CLI calls `mcp__server__tool`; undefined when it is not the application's. */
export const pageToolName = (state: FoldState, cliName: string): string | undefined => state.pageTools.get(cliName)

/** The lane of a speaker. */
export const laneOf = (state: FoldState, parent: string | null): Lane =>
  parent === null ? state.main : (state.lanes.get(parent) ?? emptyLane(parent))

/** The state with a lane changed. */
export const withLane = (state: FoldState, lane: Lane): FoldState =>
  lane.parent === null
    ? afterDelta(state, state.recent, lane)
    : { ...state, lanes: withEntry(state.lanes, lane.parent, lane) }

/**
 * The state with what changes at every delta. Written out: on Node 20 a spread costs 400 ns, this costs 15, and
 * most messages of a session are deltas.
 */
export const afterDelta = (state: FoldState, recent: Recent, main: Lane): FoldState => ({
  pageToolServer: state.pageToolServer,
  pageTools: state.pageTools,
  recent,
  session: state.session,
  ended: state.ended,
  open: state.open,
  turn: state.turn,
  main,
  lanes: state.lanes,
  calls: state.calls,
  answered: state.answered,
  subagents: state.subagents,
  tasks: state.tasks,
  requests: state.requests,
  prompted: state.prompted,
  steers: state.steers,
  resting: state.resting
})
