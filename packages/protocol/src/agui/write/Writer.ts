/**
 * What is remembered of a client that reads a conversation as AG-UI: the situation, and what belongs to its runs.
 *
 * A plain value that no function changes in place. It grows with what is open and with what waits for a run, not with
 * the length of the conversation.
 */
import type { Event, Lane } from "../../model/Event.ts"
import { emptySituation, type Situation } from "../../model/Situation.ts"
import { noUsage, type Usage } from "../../model/Usage.ts"
import { isRecord } from "../../wire/Json.ts"
import type { Dialect } from "../Dialect.ts"
import type { AguiEvent } from "../Event.ts"
import type { Interrupt } from "../Interrupt.ts"

/** What may be chosen about how a conversation is written. */
export interface WriteOptions {
  /** The AG-UI thread all runs belong to. */
  readonly threadId: string
  /**
   * The id of a run nobody asked for, from its number, its turn's, and its place among the runs of that turn, each
   * from 1. Default: `<threadId>:1`, `:2` … The first run of a turn that somebody asked for has the turn's ticket.
   */
  readonly runId?: (ordinal: number, turn: number, nth: number) => string
  /** Default `1.0`. `0.0` is what CopilotKit's client reads. */
  readonly dialect?: Dialect
  /**
   * What becomes of sub-agents. `show` (the default): `SUBAGENT_*` events, and their messages carry
   * `subagentRunId`. `hide`: only the call that started one and its result.
   */
  readonly subagents?: "show" | "hide"
  /**
   * What becomes of the agent's questions to the person. `event` (the default): a `CUSTOM` event; somebody answers while
   * the run continues. `interrupt`: the run ends at the next quiet point with the outcome `interrupt`. `hide`: they are
   * for somebody else.
   */
  readonly approvals?: "event" | "interrupt" | "hide"
  /** Lines of the runtime without a schema: `raw` (the default) events, or `drop`. */
  readonly unknown?: "raw" | "drop"
  /**
   * The application's shared state when the conversation starts, `{}` by default. It is never replaced: what the
   * session says about itself is added under a key of its own, where the state is an object.
   */
  readonly state?: unknown
  /**
   * Whether the state also says what the client has had, when an answer begins and when a run ends, so that its next
   * request tells an answer that it takes away from one that never came ({@link seenMarkIn}). Default no.
   */
  readonly marks?: boolean
  /** How many events may wait for a run. Beyond that, a run is started for them. 1,000 by default. */
  readonly maxHeld?: number
}

/** The options with their defaults. */
export interface WriteSettings {
  readonly threadId: string
  readonly runId: (ordinal: number, turn: number, nth: number) => string
  readonly dialect: Dialect
  readonly subagents: "show" | "hide"
  readonly approvals: "event" | "interrupt" | "hide"
  readonly unknown: "raw" | "drop"
  /** Whether the application's state can take a key. */
  readonly keyedState: boolean
  readonly marks: boolean
  readonly maxHeld: number
}

/** The run that is open. */
export interface OpenRun {
  readonly id: string
  readonly ordinal: number
  /** The messages whoever asked for the run brought along. */
  readonly brought: ReadonlySet<string>
  /** Nobody asked for it and it began between two turns, for sub-agents that go on: it ends with the last of them. */
  readonly betweenTurns: boolean
}

/** An item that was started in the open run and not ended. */
export interface ShownItem {
  readonly kind: "text" | "thought" | "call"
  readonly lane: Lane
  /** The `subagentRunId` of its events. */
  readonly tag: string | undefined
}

/** A sub-agent's part in the open run. */
export interface ShownLane {
  /** An id names one invocation: an agent that speaks after its end in a run is another one. */
  readonly invocation: number
  /** `away`: it has not begun in this run. */
  readonly phase: "active" | "away" | "ended"
}

/** Something a run has to end for: a question to a person, or a call of one of the application's tools. */
export type Awaited =
  | { readonly type: "interrupt"; readonly interrupt: Interrupt }
  | { readonly type: "call"; readonly call: string }

/** What is remembered of a client. Make one with {@link initialWriter}. */
export interface Writer {
  readonly settings: WriteSettings
  /** After all events that were written. */
  readonly situation: Situation
  /** How many runs there were. */
  readonly runs: number
  /** The turn of the last run, and how many runs of it there were. */
  readonly runsOfTurn: { readonly turn: number; readonly count: number }
  readonly run: OpenRun | undefined
  /** The messages that the client showed when it came: what was said is not sent to it again, in whichever run. */
  readonly had: ReadonlySet<string>
  readonly items: ReadonlyMap<string, ShownItem>
  readonly lanes: ReadonlyMap<string, ShownLane>
  /** The calls that the open run announced, with the `subagentRunId` of each. */
  readonly calls: ReadonlyMap<string, string | undefined>
  /** The tasks of which the open run has a snapshot. */
  readonly tasks: ReadonlySet<string>
  /** The newest turn of which the client was told that it has had some of the answer. */
  readonly markedTurn: number
  /** What earlier runs of the turn reported as spent. */
  readonly reported: Usage
  /** What the run has to end for, by the request. */
  readonly waiting: ReadonlyMap<string, Awaited>
  /** The run ended in the middle of the turn for these: what comes now waits for the next one. */
  readonly suspendedFor: ReadonlySet<string> | undefined
  readonly held: ReadonlyArray<Event>
}

/** Where events go: an array that one step owns. */
export type Out = Array<AguiEvent>

/** A client without an open run, which joins a conversation in this situation. */
export const initialWriter = (options: WriteOptions, situation: Situation = emptySituation): Writer => ({
  settings: {
    threadId: options.threadId,
    runId: options.runId ?? ((ordinal) => `${options.threadId}:${ordinal}`),
    dialect: options.dialect ?? "1.0",
    subagents: options.subagents ?? "show",
    approvals: options.approvals ?? "event",
    unknown: options.unknown ?? "raw",
    keyedState: options.state === undefined || isRecord(options.state),
    marks: options.marks ?? false,
    maxHeld: within(options.maxHeld ?? 1000, 1, 1_000_000)
  },
  situation,
  runs: 0,
  runsOfTurn: { turn: 0, count: 0 },
  run: undefined,
  had: new Set(),
  items: new Map(),
  lanes: new Map(),
  calls: new Map(),
  tasks: new Set(),
  markedTurn: 0,
  reported: noUsage,
  waiting: new Map(),
  suspendedFor: undefined,
  held: []
})

/** A writer for a client that comes with these messages. */
export const withHad = (writer: Writer, messages: ReadonlyArray<string>): Writer => ({
  ...writer,
  had: new Set(messages)
})

const within = (count: number, least: number, most: number): number =>
  Number.isNaN(count) ? least : Math.trunc(Math.min(Math.max(count, least), most))

/** Whether what happens on a lane is not to be shown. */
export const isHiddenLane = ({ settings }: Writer, lane: Lane): boolean =>
  lane !== null && settings.subagents === "hide"

/** An event with the mark of the sub-agent it belongs to, if it belongs to one. */
export const tagged = <E extends AguiEvent>(event: E, tag: string | undefined): E =>
  tag === undefined ? event : { ...event, subagentRunId: tag }
