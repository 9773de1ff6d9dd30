/**
 * Sub-agents, as Codex has them: each is a thread of its own on the same connection, which a `spawnAgent` names when it
 * is complete. Codex's model then waits for it by another call; where the call itself waits, as in Claude Code, that
 * `wait` is ours, and has the result.
 */
import type { CollabAgentState } from "../codex/generated/ItemPart.ts"
import type { EventOf, LaneOutcome } from "../model/Event.ts"
import { withEntry, withoutEntry } from "../model/Situation.ts"
import { textIn } from "../wire/Fields.ts"
import { type CallFacts, factsOf, type Outcome } from "./CallItem.ts"
import { laneTurnId, type OpenCall, type OpenLane, type OpenTurn } from "./Cursor.ts"
import { type AnyItem, completeItem, type Draft, passItem, placeOf, set, startItem, tell } from "./Draft.ts"
import { laneThreadId } from "./Ids.ts"
import { statusChanged } from "./Status.ts"
import { completedTurn, startedTurn, type TurnEnd } from "./TurnObject.ts"
import { wordsOf } from "./UserInput.ts"

/** The id of the item that waits for the sub-agent of a call. */
export const waitId = (call: string): string => `${call}:wait`

/** The item of a call that starts a sub-agent. `child` is its thread, once there is one. */
export const spawnItem = ({ id, input, thread }: CallFacts, child: string | undefined, outcome?: Outcome): AnyItem => ({
  type: "collabAgentToolCall",
  id,
  tool: "spawnAgent",
  status: child === undefined ? statusOf(outcome) : "completed",
  senderThreadId: thread,
  receiverThreadIds: child === undefined ? [] : [child],
  prompt: textIn(input["prompt"]) ?? null,
  model: textIn(input["model"]) ?? null,
  reasoningEffort: null,
  agentsStates: child === undefined ? {} : { [child]: { status: "pendingInit", message: null } }
})

const statusOf = (outcome: Outcome | undefined): "inProgress" | "completed" | "failed" =>
  outcome === undefined ? "inProgress" : outcome.failed ? "failed" : "completed"

/** The item that waits for a sub-agent. */
export const waitItem = (
  { id, thread }: CallFacts,
  child: string,
  ended?: { readonly outcome: Outcome; readonly isWorking: boolean }
): AnyItem => ({
  type: "collabAgentToolCall",
  id: waitId(id),
  tool: "wait",
  status: statusOf(ended?.outcome),
  senderThreadId: thread,
  receiverThreadIds: [child],
  prompt: null,
  model: null,
  reasoningEffort: null,
  agentsStates: ended === undefined ? {} : { [child]: stateOf(ended) }
})

const stateOf = ({
  isWorking,
  outcome
}: {
  readonly outcome: Outcome
  readonly isWorking: boolean
}): CollabAgentState => ({
  status: isWorking ? "running" : outcome.failed ? "errored" : "completed",
  message: wordsOf(outcome.content)
})

/** A sub-agent begins to work: the call that started it names its thread, and its turn begins there. */
export const openLane = (draft: Draft, { lane, parent }: EventOf<"lane_opened">): void => {
  const { calls, cwd, lanes, threadId, turn, turns } = draft.cursor
  if (lanes.has(lane)) return
  const thread = laneThreadId(threadId, lane)
  const call = calls.get(lane)
  const place = call === undefined ? undefined : placeOf(draft.cursor, call.lane)
  if (call !== undefined && place !== undefined && call.startedAt !== undefined && !call.complete)
    nameChild(draft, factsOf(lane, call, cwd, place.thread), call, place, thread)
  const open: OpenLane = {
    thread,
    turn: laneTurnId(threadId, lane, draft.at),
    root: turn?.turn ?? placeOf(draft.cursor, parent)?.root ?? laneTurnId(threadId, lane, turns),
    startedAt: draft.at,
    said: undefined,
    parent
  }
  set(draft, { lanes: withEntry(lanes, lane, open) })
  statusChanged(draft, lane)
  tell(draft, "turn/started", { threadId: thread, turn: startedTurn(open) })
}

const nameChild = (draft: Draft, facts: CallFacts, call: OpenCall, place: OpenTurn, child: string): void => {
  completeItem(draft, call.lane, place, spawnItem(facts, child), call.startedAt ?? draft.at)
  startItem(draft, place, waitItem(facts, child))
  set(draft, { calls: withEntry(draft.cursor.calls, facts.id, { ...call, startedAt: draft.at, complete: true }) })
}

/** The call of a sub-agent has its result. */
export const endSpawn = (draft: Draft, facts: CallFacts, place: OpenTurn, outcome: Outcome): void => {
  const { call, id } = facts
  const startedAt = call.startedAt ?? draft.at
  if (call.complete) {
    const ended = { outcome, isWorking: draft.cursor.lanes.has(id) }
    completeItem(draft, call.lane, place, waitItem(facts, laneThreadId(draft.cursor.threadId, id), ended), startedAt)
    return
  }
  completeItem(draft, call.lane, place, spawnItem(facts, undefined, outcome), startedAt)
  // It never worked, and has a result all the same.
  const child = laneThreadId(draft.cursor.threadId, id)
  if (wordsOf(outcome.content) !== "")
    passItem(draft, call.lane, place, waitItem(facts, child, { outcome, isWorking: false }))
}

/** A sub-agent has ended: its turn is over. What was open in it has been closed. */
export const closeLane = (draft: Draft, lane: string, open: OpenLane, outcome: LaneOutcome): void => {
  const end = laneEnd(outcome)
  set(draft, { lanes: withoutEntry(draft.cursor.lanes, lane) })
  tell(draft, "thread/status/changed", {
    threadId: open.thread,
    status: end.status === "failed" ? { type: "systemError" } : { type: "idle" }
  })
  tell(draft, "turn/completed", { threadId: open.thread, turn: completedTurn(open, end, draft.at) })
}

/** Ends that nobody wanted, in the words of both runtimes. */
const interruptions: ReadonlySet<string> = new Set(["interrupted", "incomplete"])

const laneEnd = (outcome: LaneOutcome): TurnEnd => {
  if (outcome.type === "completed") return { status: "completed", error: null }
  if (interruptions.has(outcome.code)) return { status: "interrupted", error: null }
  return { status: "failed", error: { message: outcome.message, codexErrorInfo: "other", additionalDetails: null } }
}
