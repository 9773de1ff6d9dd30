/**
 * Sub-agents: threads of their own on the same connection, as lanes of the thread that started them.
 *
 * Which call started a thread is only said when that call ends, and the thread may speak before that and after the turn
 * of whoever started it (§3.17).
 */
import { incomplete, type LaneOutcome } from "../../model/Event.ts"
import { withEntry, withoutEntry } from "../../model/Situation.ts"
import { textIn, textsIn } from "../../wire/Fields.ts"
import type { WireItem } from "./CallTable.ts"
import { closeRequests } from "./Closing.ts"
import { endSpeech } from "./Speech.ts"
import { type FoldState, laneOf, type Out, remembered, type Subagent } from "./State.ts"

/** What sub-agents are called where nobody says it. */
const defaultName = "agent"

/** A call has started sub-agents, and names their threads. */
export const adoptReceivers = (state: FoldState, thread: string, item: WireItem): FoldState => {
  const call = textIn(item["id"])
  if (item["tool"] !== "spawnAgent" || call === undefined) return state
  const description = textIn(item["prompt"])
  return textsIn(item["receiverThreadIds"]).reduce(
    (next, child, index) => adopt(next, child, index === 0 ? call : `${call}:${index}`, thread, description),
    state
  )
}

/**
 * A thread that nobody has named begins a turn for one of ours: it is that of the oldest call for a sub-agent that has
 * no thread; where there is none, its lane has its own id.
 */
export const adoptUnnamed = (state: FoldState, child: string): FoldState => {
  const taken = new Set([...state.subagents.values()].map(({ lane }) => lane))
  const call = [...state.calls.values()].find(
    ({ action, id, type }) => type === "collabAgentToolCall" && action === "agent" && !taken.has(id)
  )
  return adopt(state, child, call?.id ?? child, call?.thread ?? state.thread ?? child, textIn(call?.input?.["prompt"]))
}

const adopt = (
  state: FoldState,
  thread: string,
  lane: string,
  by: string,
  description: string | undefined
): FoldState => {
  if (thread === state.thread || state.subagents.has(thread)) return state
  const agent: Subagent = {
    thread,
    lane,
    parent: laneOf(state, by),
    name: defaultName,
    description,
    isOpen: false
  }
  return { ...state, subagents: withoutOldest(withEntry(state.subagents, thread, agent)) }
}

/** How many sub-agents are remembered that may speak again. */
const maxSilent = 200

/** Where there are too many, the one that has been known longest and does not speak is forgotten. */
const withoutOldest = (agents: ReadonlyMap<string, Subagent>): ReadonlyMap<string, Subagent> => {
  const oldest = agents.size > maxSilent ? [...agents.values()].find(({ isOpen }) => !isOpen) : undefined
  return oldest === undefined ? agents : withoutEntry(agents, oldest.thread)
}

/** Makes sure that the lane of a sub-agent is open: it speaks. */
export const openLane = (state: FoldState, thread: string, out: Out): FoldState => {
  const agent = state.subagents.get(thread)
  if (agent === undefined || agent.isOpen) return state
  out.push({
    type: "lane_opened",
    lane: agent.lane,
    parent: agent.parent,
    name: agent.name,
    ...(agent.description !== undefined && { description: agent.description })
  })
  return { ...state, subagents: withEntry(state.subagents, thread, { ...agent, isOpen: true }) }
}

/**
 * Closes what is open on a thread: texts, questions, calls that nobody answers any more. `undone`: what became of those
 * that were made and have no result. Codex completes no item of a call that waited for permission when its turn was
 * interrupted (§3.11), and a client would show it as running.
 */
export const closeThread = (
  state: FoldState,
  thread: string,
  isCut: boolean,
  out: Out,
  undone: string | undefined
): FoldState => {
  const closed = closeRequests(state, (asked) => asked.thread === thread, "ended", out)
  const lane = laneOf(state, thread)
  for (const speech of closed.speeches.values()) if (speech.thread === thread) endSpeech(speech, lane, out, isCut)
  let { complete } = closed
  for (const { action, id, input, thread: own } of closed.calls.values()) {
    if (own !== thread) continue
    if (input === undefined) out.push({ type: "item_ended", lane, id, ...(isCut && { abandoned: true }) })
    else if (undone !== undefined) {
      const page = action === "page_tool" ? { page: true } : {}
      out.push({ type: "call_answered", lane, id, content: undone, failed: true, ...page })
      complete = remembered(complete, id)
    }
  }
  const plan = closed.plans.get(thread)
  if (plan !== undefined) out.push({ type: "item_ended", lane, id: plan })
  const isElsewhere = ([, each]: readonly [string, { readonly thread: string }]): boolean => each.thread !== thread
  return {
    ...closed,
    complete,
    speeches: new Map([...closed.speeches].filter(isElsewhere)),
    calls: new Map([...closed.calls].filter(isElsewhere)),
    parents: new Map([...closed.parents].filter(([id]) => id !== thread)),
    plans: new Map([...closed.plans].filter(([id]) => id !== thread))
  }
}

/** The turn of a sub-agent is over: its lane closes, and opens again should it speak again. */
export const closeLane = (
  state: FoldState,
  thread: string,
  outcome: LaneOutcome,
  out: Out,
  undone?: string
): FoldState => {
  const agent = state.subagents.get(thread)
  if (agent === undefined || !agent.isOpen) return state
  const closed = closeThread(state, thread, outcome.type === "failed", out, undone)
  out.push({ type: "lane_closed", lane: agent.lane, outcome })
  return { ...closed, subagents: withEntry(closed.subagents, thread, { ...agent, isOpen: false }) }
}

/** Closes the lanes that an end reaches, the innermost first. */
export const closeLanes = (
  state: FoldState,
  isReached: (agent: Subagent) => boolean,
  out: Out,
  undone?: string
): FoldState =>
  [...state.subagents.values()]
    .reverse()
    .filter((agent) => agent.isOpen && isReached(agent))
    .reduce((next, agent) => closeLane(next, agent.thread, incomplete, out, undone), state)
