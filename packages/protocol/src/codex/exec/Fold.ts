/**
 * The fold of `codex exec --json`: its events in, events of the model out, as a pure function.
 *
 * It is the fold of the app-server with another wire before it. What exec does not say is not there: no pieces of texts,
 * no questions, no sub-agents, no prompts. A process has one turn, and a thread as many processes as it has turns; one
 * fold may hear them all, one after the other.
 */
import type { Said } from "../../model/Command.ts"
import type { Event } from "../../model/Event.ts"
import type { FinishReason } from "../../model/FinishReason.ts"
import { noUsage } from "../../model/Usage.ts"
import type { Decoded as DecodedBy, Known as KnownBy } from "../../wire/Codec.ts"
import { fieldsIn, textIn } from "../../wire/Fields.ts"
import type { ExecEvents } from "../Exec.ts"
import type { WireItem } from "../fold/CallTable.ts"
import { errorOf, outcomeOf } from "../fold/Ending.ts"
import { endFold, foldPrompt } from "../fold/Fold.ts"
import { itemCompleted, itemStarted } from "../fold/Item.ts"
import { planUpdated } from "../fold/Plan.ts"
import { noteSession, type ThreadFacts } from "../fold/SessionInfo.ts"
import { type FoldState, initialFold, type Out } from "../fold/State.ts"
import { endTurn, noteSpending, openTurn } from "../fold/Turn.ts"
import { passOn } from "../fold/Unknown.ts"
import { usageOf } from "../fold/Usage.ts"
import { serverItem } from "./Item.ts"

/** What a line of `codex exec --json` turns out to be. */
export type ExecDecoded = DecodedBy<ExecEvents>

type ExecKnown = KnownBy<ExecEvents>

/** What may be chosen about the fold of `codex exec --json`. */
export interface ExecFoldOptions {
  /**
   * The beginning of all item ids: the program counts its items anew in each process, so whoever keeps several folds of
   * a thread gives each its own. Default: the thread's id.
   */
  readonly items?: string
  /**
   * The thread has spent something before, nobody knows how much: the first sum that is told is charged to no turn, unless
   * {@link withExecSpending} says what it was.
   */
  readonly isResumed?: boolean
  /** What is known of the thread: its events say nothing but its id. */
  readonly about?: Omit<ThreadFacts, "id">
}

/** What the fold of `codex exec --json` remembers. Make one with {@link initialExecFold}. */
export interface ExecFoldState extends FoldState {
  readonly items: string | undefined
  readonly about: Omit<ThreadFacts, "id">
  /** How many processes were heard. */
  readonly processes: number
}

/** A state, and the events that led to it. */
export type ExecFolded = readonly [state: ExecFoldState, events: ReadonlyArray<Event>]

/** The state before the first event of a thread. */
export const initialExecFold = ({ about = {}, isResumed = false, items }: ExecFoldOptions = {}): ExecFoldState => ({
  ...initialFold(),
  total: isResumed ? undefined : noUsage,
  items,
  about,
  processes: 0
})

/** Takes the fold through one line. */
export const foldExec = (state: ExecFoldState, decoded: ExecDecoded): ExecFolded => {
  const out: Out = []
  if (decoded._tag === "Known") return [tell(state, decoded, out), out]
  passOn(decoded, out)
  return [state, out]
}

/** A prompt is on its way: its turn begins. */
export const foldExecPrompt = (state: ExecFoldState, said: ReadonlyArray<Said>): ExecFolded => {
  const [next, events] = foldPrompt(state, said)
  return [grown(state, { ...next, prompts: [] }), events]
}

/** The process is gone, or nobody waits for it: closes all that is open. The next one continues the thread. */
export const endExecFold = (state: ExecFoldState, reason: FinishReason): ExecFolded => {
  const [next, events] = endFold(state, reason)
  return [grown(state, next), events]
}

/** The state of a conversation that goes on in a new thread, which has spent nothing. */
export const withNewExecThread = (state: ExecFoldState): ExecFoldState => ({
  ...state,
  thread: undefined,
  total: noUsage
})

/**
 * The state with what the thread has spent before, where that was not known: `total_token_usage`, as its rollout has it.
 * A turn is charged with what it adds.
 */
export const withExecSpending = (state: ExecFoldState, total: unknown): ExecFoldState => {
  const usage = serverUsage(total)
  return state.total !== undefined || usage === undefined ? state : { ...state, total: usageOf(usage) }
}

const grown = ({ about, items, processes }: ExecFoldState, next: FoldState): ExecFoldState => ({
  ...next,
  about,
  items,
  processes
})

/** Nothing ever calls the thread of exec otherwise, and its sub-agents are not told of. */
const threadOf = ({ thread = "" }: FoldState): string => thread

const tell = (state: ExecFoldState, known: ExecKnown, out: Out): ExecFoldState => {
  const message = fieldsIn(known.message)
  const into = (next: FoldState): ExecFoldState => grown(state, next)
  switch (known.name) {
    case "thread.started": {
      const id = known.message.thread_id
      const begun = noteSession({ ...state, thread: id }, { ...state.about, id }, out)
      return { ...into(begun), processes: state.processes + 1 }
    }
    case "turn.started":
      return into(prompted(state, out))
    case "item.started":
    case "item.updated":
      return into(told(state, fieldsIn(message["item"]), itemStarted, out))
    case "item.completed":
      return into(told(state, fieldsIn(message["item"]), itemCompleted, out))
    case "turn.completed":
      return into(completed(prompted(state, out), message["usage"], out))
    case "turn.failed":
      return into(failed(prompted(state, out), message["error"], out))
    case "error":
      out.push({ type: "noticed", lane: null, name: "error", value: message })
      return into(state.turn === undefined ? state : { ...state, turn: { ...state.turn, error: errorOf(message) } })
  }
}

/** Every turn of exec has a prompt, which the events do not show. */
const prompted = (state: FoldState, out: Out): FoldState =>
  state.turn === undefined ? openTurn({ ...state, asked: true }, out) : state

type Step = typeof itemStarted

const told = (state: ExecFoldState, item: WireItem, step: Step, out: Out): FoldState => {
  const id = `${state.items ?? threadOf(state)}:${state.processes}:${textIn(item["id"]) ?? ""}`
  switch (item["type"]) {
    case "error":
      // Also said before the turn, of the configuration: it is no sign of work.
      out.push({ type: "noticed", lane: null, name: "warning", value: { ...item, id } })
      return state
    case "todo_list":
      return planned(prompted(state, out), item, id, out)
    default:
      return step(prompted(state, out), threadOf(state), serverItem(item, id), out)
  }
}

const planned = (state: FoldState, item: WireItem, id: string, out: Out): FoldState => {
  const list = Array.isArray(item["items"]) ? item["items"].map(fieldsIn) : []
  const plan = list.map(({ completed: isDone, text }) => ({
    step: textIn(text) ?? "",
    status: isDone === true ? ("completed" as const) : ("pending" as const)
  }))
  const threadId = threadOf(state)
  return planUpdated(state, threadId, { threadId, turnId: id, plan }, out)
}

const completed = (state: FoldState, usage: unknown, out: Out): FoldState =>
  endTurn(noteSpending(state, { total: serverUsage(usage) }, out), { type: "completed" }, out)

const failed = (state: FoldState, error: unknown, out: Out): FoldState =>
  endTurn(state, outcomeOf({ status: "failed", error }, state.turn), out)

/** The sum of a thread (§4.6) under the app-server's names; undefined where there is none. */
const serverUsage = (usage: unknown): WireItem | undefined => {
  if (usage === undefined || usage === null) return undefined
  const { cache_write_input_tokens, cached_input_tokens, input_tokens, output_tokens } = fieldsIn(usage)
  return {
    inputTokens: input_tokens,
    cachedInputTokens: cached_input_tokens,
    cacheWriteInputTokens: cache_write_input_tokens,
    outputTokens: output_tokens
  }
}
