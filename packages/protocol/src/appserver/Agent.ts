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
import { laneTurnId, type OpenLane, type OpenTurn } from "./Cursor.ts"
import { type AnyItem, completeItem, type Draft, passItem, placeOf, set, startItem, tell } from "./Draft.ts"
import { laneThreadId, stableUuid, turnIdOf } from "./Ids.ts"
import { statusChanged } from "./Status.ts"
import { completedTurn, startedTurn, type TurnEnd } from "./TurnObject.ts"
import { userInputOf, wordsOf } from "./UserInput.ts"

/** The id of the item that waits for the sub-agent of a call. */
export const waitId = (call: string): string => `${call}:wait`

/** How a sub-agent stands, by its thread. */
type States = { readonly [thread: string]: CollabAgentState }

/** The item of a call that starts a sub-agent: the threads of those that it has started, once there are any. */
export const spawnItem = (
  { id, input, thread }: CallFacts,
  status: "inProgress" | "completed" | "failed",
  receivers: ReadonlyArray<string> = [],
  agentsStates: States = {}
): AnyItem => ({
  type: "collabAgentToolCall",
  id,
  tool: "spawnAgent",
  status,
  senderThreadId: thread,
  receiverThreadIds: receivers,
  prompt: textIn(input["prompt"]) ?? null,
  model: textIn(input["model"]) ?? null,
  reasoningEffort: null,
  agentsStates
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

/**
 * A sub-agent begins to work. Its thread is named first by the call that started it, which may be told later than this:
 * then the turn of the sub-agent waits for that, or for its first word.
 */
export const openLane = (draft: Draft, { lane, parent }: EventOf<"lane_opened">): void => {
  const { calls, lanes, threadId, turn, turns } = draft.cursor
  if (lanes.has(lane)) return
  const open: OpenLane = {
    thread: laneThreadId(threadId, lane),
    turn: laneTurnId(threadId, lane, draft.at),
    root: turn?.turn ?? placeOf(draft.cursor, parent)?.root ?? turnIdOf(threadId, turns),
    startedAt: draft.at,
    said: undefined,
    parent,
    told: false
  }
  set(draft, { lanes: withEntry(lanes, lane, open) })
  if (calls.get(lane)?.startedAt !== undefined) nameChild(draft, lane)
  else if (!calls.has(lane) && draft.cursor.done.has(lane)) tellLane(draft, lane)
}

/** The call that started a sub-agent names its thread, once both are known; and the turn of the sub-agent begins. */
export const nameChild = (draft: Draft, id: string): void => {
  const { calls, cwd, lanes } = draft.cursor
  const [call, open] = [calls.get(id), lanes.get(id)]
  const place = call === undefined ? undefined : placeOf(draft.cursor, call.lane)
  if (call?.startedAt === undefined || call.complete || open === undefined || place === undefined) return
  const facts = factsOf(id, call, cwd, place.thread)
  const child = open.thread
  const spawned = spawnItem(facts, "completed", [child], { [child]: { status: "pendingInit", message: null } })
  completeItem(draft, call.lane, place, spawned, call.startedAt)
  startItem(draft, place, waitItem(facts, child))
  set(draft, { calls: withEntry(draft.cursor.calls, id, { ...call, startedAt: draft.at, complete: true }) })
  tellLane(draft, id, textIn(facts.input["prompt"]))
}

/** The turn of a sub-agent begins, unless the client knows: with what it was told to do, where that is known. */
export const tellLane = (draft: Draft, lane: string, prompt?: string): void => {
  const open = draft.cursor.lanes.get(lane)
  if (open === undefined || open.told) return
  const told = { ...open, startedAt: draft.at, told: true }
  set(draft, { lanes: withEntry(draft.cursor.lanes, lane, told) })
  statusChanged(draft, lane)
  tell(draft, "turn/started", { threadId: open.thread, turn: startedTurn(told) })
  if (prompt !== undefined)
    passItem(draft, lane, told, {
      type: "userMessage",
      id: stableUuid(told.turn, "prompt"),
      clientId: null,
      content: userInputOf(prompt)
    })
}

/** The call of a sub-agent has its result. */
export const endSpawn = (draft: Draft, facts: CallFacts, place: OpenTurn, outcome: Outcome): void => {
  const { call, id } = facts
  const child = laneThreadId(draft.cursor.threadId, id)
  const startedAt = call.startedAt ?? draft.at
  if (call.complete) {
    const ended = { outcome, isWorking: draft.cursor.lanes.has(id) }
    completeItem(draft, call.lane, place, waitItem(facts, child, ended), startedAt)
    return
  }
  // It has not spoken yet: it works in the background, unless it could not be started.
  const states = { [child]: stateOf({ outcome, isWorking: !outcome.failed }) }
  const item = outcome.failed ? spawnItem(facts, "failed", [], states) : spawnItem(facts, "completed", [child], states)
  completeItem(draft, call.lane, place, item, startedAt)
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
