/**
 * What the fold remembers between two messages.
 *
 * A plain value that no function changes in place. It grows with what is open (items, calls without a result,
 * sub-agents, commands that outlive their turn, requests) and not with the length of the thread.
 */
import type { RequestId } from "../../jsonrpc/Message.ts"
import type { Said } from "../../model/Command.ts"
import type { Action, Event, Lane, SessionInfo } from "../../model/Event.ts"
import { withEntry, withoutEntry } from "../../model/Situation.ts"
import { noUsage, type Usage } from "../../model/Usage.ts"
import type { JsonObject } from "../../wire/Open.ts"

/** Where events go: an array that one step owns. */
export type Out = Array<Event>

/** What may be chosen about a fold. */
export interface FoldOptions {
  /** The thread that is folded. Without one it is the first that the server speaks of. */
  readonly threadId?: string
  /** The application's own tools, by their names: Codex has them as dynamic tools. */
  readonly pageTools?: ReadonlyArray<string>
}

/** A text or a thought on its way. */
export interface Speech {
  readonly kind: "text" | "thought"
  /** The id of its item. */
  readonly id: string
  /** Its thread. */
  readonly thread: string
  /** The item was started. */
  readonly begun: boolean
  /** Started and not ended. */
  readonly open: boolean
  /** It was reported as cut off. */
  readonly abandoned: boolean
  /** All that was said of it. */
  readonly sent: string
  /** Half a surrogate pair that waits for its other half. */
  readonly half: string
  /** The section that is being said, where there are several. */
  readonly section: number | undefined
  /** Another section begins with the next piece. */
  readonly breaks: boolean
}

/** A call without a result. */
export interface Call {
  readonly id: string
  readonly thread: string
  /** The type of its item; of a call that only a request speaks of, the request's method. */
  readonly type: string
  readonly tool: string
  readonly action: Action
  /** What it was called with, once that is known. */
  readonly input: JsonObject | undefined
  /** What it has put out so far, or the end of that. */
  readonly output: string
  /** No item will ever say how it went: it ends with the request that speaks of it. */
  readonly isRequestOnly: boolean
}

/** A request that nobody has answered. */
export interface Asked {
  /** Its id on the wire. */
  readonly wireId: RequestId
  readonly thread: string
  /** The call that it is about. */
  readonly call: string | undefined
}

/** The thread of a sub-agent. */
export interface Subagent {
  readonly thread: string
  /** The call that started it; its own id where no call is known. */
  readonly lane: string
  readonly parent: Lane
  readonly name: string
  readonly description: string | undefined
  readonly isOpen: boolean
}

/** A command that continues after its turn. */
export interface Background {
  readonly id: string
  readonly thread: string
  readonly output: string
}

/** What is remembered of the turn in progress. */
export interface Turn {
  /** Codex's ids of it, once they are known: a review is a turn within a turn, and only the outer one ends. */
  readonly ids: ReadonlyArray<string>
  readonly spent: Usage
  /** The last error that the server spoke of, until the model answers again. */
  readonly error: { readonly code: string; readonly message: string } | undefined
}

/** What the fold remembers. Make one with {@link initialFold}. */
export interface FoldState {
  /** The thread that is folded; undefined until the server speaks of one. */
  readonly thread: string | undefined
  readonly pageTools: ReadonlySet<string>
  readonly session: SessionInfo | undefined
  /** Who is paid for the model. */
  readonly provider: string | undefined
  /** What the thread has spent, as the server said last. */
  readonly total: Usage | undefined
  /** The turn in progress. */
  readonly turn: Turn | undefined
  /** Turns that are over: what comes late of them begins no other. The newest last. */
  readonly over: ReadonlyArray<string>
  /** A client asked for a turn. */
  readonly asked: boolean
  /** Prompts that were sent, by the ids they were sent with, and that the server has not repeated yet. */
  readonly prompts: ReadonlyArray<string | undefined>
  /** Words that were sent into a turn and that the agent has not heard yet, by the ids they were sent with. */
  readonly steers: ReadonlyMap<string, ReadonlyArray<Said>>
  readonly speeches: ReadonlyMap<string, Speech>
  readonly calls: ReadonlyMap<string, Call>
  readonly requests: ReadonlyMap<string, Asked>
  /** By thread. */
  readonly subagents: ReadonlyMap<string, Subagent>
  /** By item. */
  readonly background: ReadonlyMap<string, Background>
  /** By thread, the text that was said last, if nothing has followed: the next call hangs on it. */
  readonly parents: ReadonlyMap<string, string>
  /** Items that are complete: what is said of them once more gives nothing. The newest last. */
  readonly complete: ReadonlyArray<string>
  /** Plans of turns in progress, by thread. */
  readonly plans: ReadonlyMap<string, string>
}

/** The state before the first message of a thread. */
export const initialFold = ({ pageTools = [], threadId }: FoldOptions = {}): FoldState => ({
  thread: threadId,
  pageTools: new Set(pageTools),
  session: undefined,
  provider: undefined,
  total: undefined,
  turn: undefined,
  over: [],
  asked: false,
  prompts: [],
  steers: new Map(),
  speeches: new Map(),
  calls: new Map(),
  requests: new Map(),
  subagents: new Map(),
  background: new Map(),
  parents: new Map(),
  complete: [],
  plans: new Map()
})

/** The state with other tools of the application. */
export const withPageTools = (state: FoldState, names: ReadonlyArray<string>): FoldState => ({
  ...state,
  pageTools: new Set(names)
})

/** A turn of which nothing is known. */
export const newTurn: Turn = { ids: [], spent: noUsage, error: undefined }

/** Codex's name of the turn in progress. */
export const turnId = ({ turn }: FoldState): string | undefined => turn?.ids[0]

/** The lane of a thread. */
export const laneOf = (state: FoldState, thread: string): Lane => state.subagents.get(thread)?.lane ?? null

/** The state with a text or thought as it is now. */
export const withSpeech = (state: FoldState, key: string, speech: Speech): FoldState => ({
  ...state,
  speeches: withEntry(state.speeches, key, speech)
})

/** The state with a call. */
export const withCall = (state: FoldState, call: Call): FoldState => ({
  ...state,
  calls: withEntry(state.calls, call.id, call)
})

/** The state without a call. */
export const withoutCall = (state: FoldState, id: string): FoldState => ({
  ...state,
  calls: withoutEntry(state.calls, id)
})

/** How many ids of complete items, and of turns that are over, are remembered. */
const maxRemembered = 200

/** A list of the newest ids with one more. */
export const remembered = (ids: ReadonlyArray<string>, id: string): ReadonlyArray<string> =>
  ids.includes(id) ? ids : [...ids, id].slice(-maxRemembered)
