/**
 * Sub-agents: who they are, and when they begin and end.
 *
 * A sub-agent is named by the tool call that started it. From 2.1.113 on `task_started` says that it begins;
 * before that, the first message with the call as its parent is the first sign of it (docs/wire/claude-code.md §5.22, §5.36).
 */
import { incomplete, type LaneOutcome } from "../../model/Event.ts"
import { withEntry, withoutEntry } from "../../model/Situation.ts"
import { endBlock, type Out } from "./Block.ts"
import { type FoldState, laneOf, type Subagent } from "./State.ts"

/** What a message says about its sub-agent. */
export interface SubagentHints {
  readonly name?: string | undefined
  readonly description?: string | undefined
}

/** What the ids of a speaker's items begin with; undefined for the main thread. */
export const speakerName = (state: FoldState, lane: string | null): string | undefined => {
  const agent = lane === null ? undefined : state.subagents.get(lane)
  if (agent === undefined) return lane ?? undefined
  return agent.invocation === 1 ? agent.call : `${agent.call}#${agent.invocation}`
}

/** Makes sure that the sub-agent of a lane has begun, and before it those that started it. */
export const openLane = (
  state: FoldState,
  call: string | null,
  hints: SubagentHints,
  out: Out,
  path: ReadonlySet<string> = new Set()
): FoldState => {
  if (call === null) return state
  const known = state.subagents.get(call)
  if (known?.phase === "open") return state
  const agent = anew(known ?? introduce(state, call), hints)
  // No wire has cycles, but a broken one must not hang us.
  const parent = agent.lane === null || agent.lane === call || path.has(agent.lane) ? null : agent.lane
  const outer = openLane(state, parent, {}, out, new Set(path).add(call))
  out.push({
    type: "lane_opened",
    lane: call,
    parent,
    name: agent.name,
    ...(agent.description !== undefined && { description: agent.description })
  })
  return { ...outer, subagents: withEntry(outer.subagents, call, { ...agent, phase: "open" }) }
}

const introduce = (state: FoldState, call: string): Subagent => {
  const made = state.calls.get(call)
  return {
    call,
    invocation: 1,
    name: made?.agent?.name ?? "agent",
    description: made?.agent?.description,
    lane: made?.lane ?? null,
    phase: "announced",
    background: false
  }
}

/** An agent that speaks after its end is another one. */
const anew = (agent: Subagent, hints: SubagentHints): Subagent => {
  const isOver = agent.phase === "ended"
  return {
    ...agent,
    background: agent.background && !isOver,
    invocation: isOver ? agent.invocation + 1 : agent.invocation,
    name: hints.name ?? agent.name,
    description: hints.description ?? agent.description
  }
}

/** Notes that an agent continues after its call has a result. 2.1.37 will only name its task when it ends. */
export const moveToBackground = (state: FoldState, call: string, task: string | undefined): FoldState => {
  const agent = state.subagents.get(call) ?? introduce(state, call)
  const subagents = withEntry(state.subagents, call, { ...agent, background: true })
  if (task === undefined || state.tasks.has(task)) return { ...state, subagents }
  const content = { taskId: task, toolCallId: call }
  return { ...state, subagents, tasks: withEntry(state.tasks, task, { content, begun: false }) }
}

/** The end of a sub-agent. What it left open is closed first. */
export const closeSubagent = (state: FoldState, call: string, outcome: LaneOutcome, out: Out): FoldState => {
  const agent = state.subagents.get(call)
  if (agent === undefined || agent.phase === "ended") return state
  const opened = openLane(state, call, {}, out)
  const { current, cut, earlier } = laneOf(opened, call)
  for (const block of [...cut, ...[...earlier, ...(current === undefined ? [] : [current])].flatMap((r) => r.blocks)])
    if (block !== undefined) endBlock(block, call, out)
  out.push({ type: "lane_closed", lane: call, outcome })
  const ended = opened.subagents.get(call) ?? agent
  return {
    ...opened,
    lanes: withoutEntry(opened.lanes, call),
    subagents: withEntry(opened.subagents, call, { ...ended, phase: "ended" })
  }
}

/** How far an end reaches: the turn is over, or no more messages come. */
export type Reach = "turn" | "session"

/** Whether an agent continues: only what runs in the background outlives its turn, and what it started. */
export const outlives = (state: FoldState, agent: Subagent, reach: Reach): boolean => {
  if (reach === "session") return false
  const path = new Set<string>()
  for (let each: Subagent | undefined = agent; each !== undefined && !path.has(each.call); ) {
    if (each.background) return true
    path.add(each.call)
    each = each.lane === null ? undefined : state.subagents.get(each.lane)
  }
  return false
}

/** Closes the lanes of all agents that do not outlive an end, the innermost first. */
export const closeOutlived = (state: FoldState, reach: Reach, out: Out): void => {
  for (const agent of [...state.subagents.values()].reverse())
    if (agent.phase === "open" && !outlives(state, agent, reach))
      out.push({ type: "lane_closed", lane: agent.call, outcome: incomplete })
}
