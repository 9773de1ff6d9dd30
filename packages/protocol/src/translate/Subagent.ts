/**
 * Sub-agents: who they are, and when their part of a run begins and ends.
 *
 * A sub-agent is named by the tool call that started it. In AG-UI its part must be closed before its run can end,
 * so an agent in the background is suspended with the run and begins again in the next run it speaks in. Nothing
 * on the wire says "begin": `task_started` does from 2.1.113 on, before that the first message with the call as
 * its parent is the first sign of it (docs/wire/claude-code.md §5.22, §5.36).
 */
import { end, type Out, tagged } from "./Block.ts"
import { laneOf, put, type State, type Subagent, without } from "./State.ts"

/** What a message says about its sub-agent. */
export interface SubagentHints {
  readonly name?: string | undefined
  readonly description?: string | undefined
}

/** The `subagentRunId` of a lane; undefined for the main thread. */
export const tagOf = (state: State, parent: string | null): string | undefined =>
  parent === null ? undefined : state.subagents.get(parent)?.id

/** Makes sure that the sub-agent of a lane has begun in the open run, and those it was started by before it. */
export const enter = (
  state: State,
  parent: string | null,
  hints: SubagentHints,
  out: Out,
  path: ReadonlySet<string> = new Set()
): State => {
  if (parent === null || state.settings.subagents === "hide") return state
  const known = state.subagents.get(parent)
  if (known?.phase === "active") return state
  const agent = anew(known ?? introduce(state, parent, hints), hints)
  // A cycle is not on any wire, but a broken one must not hang us.
  const lane = agent.lane === null || agent.lane === parent || path.has(agent.lane) ? null : agent.lane
  const outer = enter(state, lane, {}, out, new Set(path).add(parent))
  const parentTag = tagOf(outer, lane)
  out.push({
    type: "SUBAGENT_STARTED",
    subagentRunId: agent.id,
    name: agent.name,
    ...(agent.description === undefined ? {} : { description: agent.description }),
    ...(parentTag === undefined ? {} : { parentSubagentRunId: parentTag }),
    parentToolCallId: parent
  })
  return { ...outer, subagents: put(outer.subagents, parent, { ...agent, phase: "active" }) }
}

const introduce = (state: State, call: string, hints: SubagentHints): Subagent => {
  const made = state.calls.get(call)
  return {
    call,
    id: call,
    invocation: 1,
    name: hints.name ?? made?.agent?.name ?? "agent",
    description: hints.description ?? made?.agent?.description,
    lane: made?.lane ?? null,
    phase: "away",
    background: false
  }
}

/** An id names one invocation: an agent that speaks after its end is another one. */
const anew = (agent: Subagent, hints: SubagentHints): Subagent => {
  const invocation = agent.phase === "ended" ? agent.invocation + 1 : agent.invocation
  return {
    ...agent,
    invocation,
    id: invocation === 1 ? agent.call : `${agent.call}#${invocation}`,
    name: hints.name ?? agent.name,
    description: hints.description ?? agent.description
  }
}

/** Notes that an agent goes on after its call has a result. */
export const toBackground = (state: State, call: string): State => {
  const agent = state.subagents.get(call) ?? introduce(state, call, {})
  return state.settings.subagents === "hide"
    ? state
    : { ...state, subagents: put(state.subagents, call, { ...agent, background: true }) }
}

/** How a sub-agent's part ends. */
export type SubagentEnding =
  | { readonly type: "success" }
  | { readonly type: "suspended" }
  | { readonly type: "error"; readonly code: string; readonly message: string }

/** The end of a sub-agent. What it left open is closed first. */
export const leave = (state: State, call: string, ending: SubagentEnding, out: Out): State => {
  const agent = state.subagents.get(call)
  if (agent === undefined || agent.phase === "ended") return state
  const active = enter(state, call, {}, out)
  return finishPart(closeLane(active, call, out), call, ending, "ended", out)
}

/** Ends the part that all active sub-agents have in the run, the innermost first. */
export const leaveAll = (state: State, endingOf: (agent: Subagent) => SubagentEnding, out: Out): State =>
  [...state.subagents.values()]
    .reverse()
    .filter(({ phase }) => phase === "active")
    .reduce((rest, agent) => finishPart(rest, agent.call, endingOf(agent), "away", out), state)

const finishPart = (state: State, call: string, ending: SubagentEnding, phase: Subagent["phase"], out: Out): State => {
  const agent = state.subagents.get(call)
  if (agent === undefined || agent.phase !== "active") return state
  const { id } = agent
  if (ending.type === "error")
    out.push({ type: "SUBAGENT_ERROR", subagentRunId: id, message: ending.message, code: ending.code })
  else out.push({ type: "SUBAGENT_FINISHED", subagentRunId: id, outcome: { type: ending.type } })
  return { ...state, subagents: put(state.subagents, call, { ...agent, phase }) }
}

const closeLane = (state: State, call: string, out: Out): State => {
  const tag = tagOf(state, call)
  const { current, cut, earlier } = laneOf(state, call)
  for (const block of [...cut, ...[...earlier, ...(current === undefined ? [] : [current])].flatMap((a) => a.blocks)])
    if (block !== undefined) end(block, tag, out)
  return { ...state, lanes: without(state.lanes, call) }
}

/** A piece of information about a sub-agent, for clients that want more than its messages. */
export const note = (state: State, parent: string | null, name: string, value: unknown, out: Out): void => {
  out.push(tagged({ type: "CUSTOM", name, value }, tagOf(state, parent)))
}
