/**
 * Where a client of the app-server is that follows a thread: what it has been told that later events refer to. A value
 * that no function changes in place; it grows with what is open, not with the length of the thread.
 */
import type { ThreadItem } from "../codex/generated/ThreadItem.ts"
import type { Action, Lane } from "../model/Event.ts"
import { emptySituation, type OpenItem, type Situation } from "../model/Situation.ts"
import { emptyTranscript, type Transcript } from "../model/Transcript.ts"
import { noUsage, type Usage } from "../model/Usage.ts"
import { laneThreadId, stableUuid, turnIdOf } from "./Ids.ts"
import type { Timed } from "./Message.ts"
import { isReviewId } from "./Review.ts"

/** A turn that is in progress: of the thread itself, or of a sub-agent on its own thread. */
export interface OpenTurn {
  readonly thread: string
  readonly turn: string
  /** The turn of the conversation that it works for. */
  readonly root: string
  /** Unknown to who joined later. */
  readonly startedAt: number | undefined
  /** The newest message: all that the end of a turn repeats. */
  readonly said: ThreadItem | undefined
  /** The prompt that asked for a review, where the turn is one. */
  readonly review?: string
}

/** A sub-agent that works. */
export interface OpenLane extends OpenTurn {
  readonly parent: Lane
  /** Whether the client knows that it works. */
  readonly told: boolean
}

/** A text or a thought. It stays after it was cut off, because it may continue. */
export interface OpenSpeech {
  readonly kind: "text" | "thought"
  readonly lane: Lane
  /** What was said of the piece that is being told. */
  readonly text: string
  /** How many items it has been told in: a text that was cut off continues in another. */
  readonly pieces: number
  /** When the piece began; undefined where none is open. */
  readonly startedAt: number | undefined
}

/** A call that has no result. */
export interface OpenCall {
  readonly lane: Lane
  readonly tool: string
  readonly action: Action
  /** As far as they were streamed. */
  readonly arguments: string
  /** When the client was told of it; undefined where it was not. */
  readonly startedAt: number | undefined
  /** Somebody did not allow it. */
  readonly denied: boolean
  /** Its item is complete, though it has no result: a plan that is proposed, a sub-agent that has started. */
  readonly complete: boolean
}

/** What is counted in the turn. */
export interface Spending {
  /** By the turns before. */
  readonly before: Usage
  /** By the turn so far. */
  readonly turn: Usage
  /** By the newest model call of the turn, as far as it was told. */
  readonly last: Usage
}

/** Where a client is. */
export interface AppServerCursor {
  readonly threadId: string
  readonly cwd: string
  /** How many turns have begun. */
  readonly turns: number
  readonly turn: OpenTurn | undefined
  readonly lanes: ReadonlyMap<string, OpenLane>
  readonly speeches: ReadonlyMap<string, OpenSpeech>
  readonly calls: ReadonlyMap<string, OpenCall>
  readonly requests: Situation["requests"]
  readonly spending: Spending
  /** The plan of the turn, as tasks have it: by the id of the task. */
  readonly plans: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  /** What the turn has changed in files, one diff for each change. */
  readonly diffs: ReadonlyArray<string>
  /** The newest items of this turn that are complete, and in how many pieces they were told. */
  readonly done: ReadonlyMap<string, number>
  /** How often the agent has forgotten what was said before. */
  readonly resets: number
  /** What happened between two turns: it is told when the next one begins. */
  readonly held: ReadonlyArray<Timed>
}

/** What a cursor is told about its thread. */
export interface AppServerOptions {
  readonly threadId: string
  /** The folder that the agent works in. */
  readonly cwd: string
  /** What the thread has spent before this point. */
  readonly spent?: Usage
}

/**
 * A client that has had everything before a point where this was open. `said` is the transcript up to there: what was
 * already said of open texts and calls, which the situation alone does not tell.
 */
export const initialAppServer = (
  { cwd, spent = noUsage, threadId }: AppServerOptions,
  { items, lanes, requests, resets, turn, turns }: Situation = emptySituation,
  said: Transcript = emptyTranscript
): AppServerCursor => {
  const root = turnIdOf(threadId, turns)
  const known = new Map(said.entries.map((entry) => [`${entry.kind} ${entry.id}`, entry]))
  const wordsOf = (id: string, { item }: OpenItem): string => {
    const entry = known.get(`${item.kind} ${id}`)
    if (entry === undefined) return ""
    return "text" in entry ? entry.text : "arguments" in entry ? entry.arguments : ""
  }
  const open = [...items]
  const asked = said.entries.findLast(({ kind, lane }) => kind === "prompt" && lane === null)?.id
  const review = asked !== undefined && isReviewId(asked) ? { review: asked } : {}
  return {
    threadId,
    cwd,
    turns,
    turn:
      turn === undefined
        ? undefined
        : { thread: threadId, turn: root, root, startedAt: undefined, said: undefined, ...review },
    lanes: new Map(
      [...lanes].map(([lane, { parent }]) => [
        lane,
        {
          thread: laneThreadId(threadId, lane),
          turn: laneTurnId(threadId, lane, undefined),
          root,
          startedAt: undefined,
          said: undefined,
          parent,
          told: true
        }
      ])
    ),
    speeches: new Map(
      open.flatMap(([id, each]): ReadonlyArray<readonly [string, OpenSpeech]> => {
        const { kind } = each.item
        if (kind !== "text" && kind !== "thought") return []
        const pieces = each.phase === "abandoned" ? 1 : 0
        const text = pieces === 0 ? wordsOf(id, each) : ""
        return [[id, { kind, lane: each.lane, text, pieces, startedAt: undefined }]]
      })
    ),
    calls: new Map(
      open.flatMap(([id, each]): ReadonlyArray<readonly [string, OpenCall]> => {
        if (each.item.kind !== "call") return []
        const { action, tool } = each.item
        const call = { lane: each.lane, tool, action, arguments: wordsOf(id, each), startedAt: undefined }
        return [[id, { ...call, denied: false, complete: false }]]
      })
    ),
    requests,
    spending: { before: spent, turn: turn?.spent ?? noUsage, last: noUsage },
    plans: new Map(),
    diffs: [],
    done: new Map(),
    resets,
    held: []
  }
}

/** The turn of a sub-agent, by when it began to work: it may do so again. */
export const laneTurnId = (thread: string, lane: string, at: number | undefined): string =>
  stableUuid(thread, "lane turn", lane, at === undefined ? "" : String(at))

/** The id of the turn that is in progress, or that begins next. */
export const currentTurnId = ({ threadId, turn, turns }: AppServerCursor): string =>
  turn?.turn ?? turnIdOf(threadId, turns + 1)
