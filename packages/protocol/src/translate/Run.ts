/**
 * Runs: how one begins, and how it ends in order whatever is open.
 */
import type { NotNull } from "../agui/Base.ts"
import { PROTOCOL_VERSION } from "../agui/Dialect.ts"
import type { RunFinishedOutcome } from "../agui/Interrupt.ts"
import type { RunAgentInput } from "../agui/RunInput.ts"
import type { TokenUsage } from "../agui/TokenUsage.ts"
import type { Out } from "./Block.ts"
import { frontendNames } from "./Options.ts"
import { remember } from "./Recent.ts"
import { closeLanes } from "./Speech.ts"
import type { Call, Lane, State, Subagent, Waiting } from "./State.ts"
import { leaveAll, type SubagentEnding } from "./Subagent.ts"
import { minus, noTokens, plus, reported } from "./Usage.ts"

/** A run somebody asked for. */
export interface RunRequest {
  readonly runId: string
  readonly parentRunId?: string
  /** The request, to be echoed. */
  readonly input?: RunAgentInput
  /** The application's tools from now on; unchanged when left out. */
  readonly frontendTools?: ReadonlyArray<string>
  /** The name their MCP server has from now on, when it has changed. */
  readonly frontendServer?: string
}

/** Opens a run: one that was asked for, or one the CLI began by itself. */
export const startRun = (state: State, request: RunRequest | undefined, out: Out): State => {
  const { frontendServer, runId, threadId } = state.settings
  const ordinal = state.runs + 1
  const id = request?.runId ?? runId(ordinal)
  out.push({
    type: "RUN_STARTED",
    threadId,
    runId: id,
    protocolVersion: PROTOCOL_VERSION,
    ...(request?.parentRunId === undefined ? {} : { parentRunId: request.parentRunId }),
    ...(request?.input === undefined ? {} : { input: request.input })
  })
  return {
    ...state,
    runs: ordinal,
    run: { id, ordinal },
    suspended: false,
    frontendTools:
      request?.frontendTools === undefined
        ? state.frontendTools
        : frontendNames(request.frontendServer ?? frontendServer, request.frontendTools)
  }
}

/** How a run ends. */
export type RunEnding =
  | { readonly type: "finished"; readonly outcome: RunFinishedOutcome; readonly result?: NotNull | undefined }
  | { readonly type: "error"; readonly code: string; readonly message: string }

/** How far the end of a run reaches: its turn goes on in another run, the turn is over, or the whole session. */
export type Reach = "run" | "turn" | "session"

/** Ends the open run. Everything that is open is closed first; a client rejects a run that finishes otherwise. */
export const endRun = (
  state: State,
  ending: RunEnding,
  reach: Reach,
  usage: ReadonlyArray<TokenUsage> | undefined,
  out: Out
): State => {
  const { run } = state
  if (run === undefined) return state
  const isOver = (parent: string | null): boolean => {
    const agent = parent === null ? undefined : state.subagents.get(parent)
    return agent === undefined ? reach !== "run" : !outlives(state, agent, reach)
  }
  const closed = leaveAll(closeLanes(state, isOver, out), (agent) => partingOf(state, agent, reach), out)
  const spent = usage === undefined ? {} : { usage }
  if (ending.type === "error") out.push({ type: "RUN_ERROR", message: ending.message, code: ending.code, ...spent })
  else
    out.push({
      type: "RUN_FINISHED",
      threadId: state.settings.threadId,
      runId: run.id,
      ...(ending.result === undefined ? {} : { result: ending.result }),
      outcome: ending.outcome,
      ...spent
    })
  return { ...forget(closed, reach), run: undefined }
}

const partingOf = (state: State, agent: Subagent, reach: Reach): SubagentEnding =>
  outlives(state, agent, reach)
    ? { type: "suspended" }
    : { type: "error", code: "incomplete", message: "The turn ended before the sub-agent did." }

/** Only what runs in the background outlives its turn, and what it started. */
const outlives = (state: State, agent: Subagent, reach: Reach): boolean => {
  if (reach !== "turn") return reach === "run"
  const path = new Set<string>()
  for (let each: Subagent | undefined = agent; each !== undefined && !path.has(each.call); ) {
    if (each.background) return true
    path.add(each.call)
    each = each.lane === null ? undefined : state.subagents.get(each.lane)
  }
  return false
}

/** The state without what the end of a run takes with it. */
export const forget = (state: State, reach: Reach): State => {
  const subagents = new Map<string, Subagent>()
  for (const [call, agent] of state.subagents)
    if (agent.phase !== "ended" && outlives(state, agent, reach)) subagents.set(call, agent)
  if (reach === "run") return { ...state, subagents }
  const lanes = new Map<string, Lane>()
  for (const [parent, lane] of state.lanes) if (subagents.has(parent)) lanes.set(parent, lane)
  const calls = new Map<string, Call>()
  let { answered } = state
  for (const [id, call] of state.calls)
    if (call.lane !== null && subagents.has(call.lane)) calls.set(id, call)
    // Another process may tell of it again: the one that resumes a conversation whose agent was killed.
    else answered = remember(answered, id)
  const tasks: State["tasks"] = reach === "session" ? new Map() : state.tasks
  const waiting = stillAsked(state.waiting, subagents, calls)
  return { ...state, subagents, lanes, calls, answered, tasks, waiting, turn: undefined }
}

/** What was asked in a turn that is over, nobody needs to answer; an agent in the background still waits. */
const stillAsked = (
  waiting: Waiting | undefined,
  subagents: State["subagents"],
  calls: State["calls"]
): Waiting | undefined => {
  const tags = new Set([...subagents.values()].map(({ id }) => id))
  const interrupts = (waiting?.interrupts ?? []).filter(
    ({ subagentRunId }) => subagentRunId !== undefined && tags.has(subagentRunId)
  )
  const open = (waiting?.calls ?? []).filter((id) => calls.has(id))
  return interrupts.length + open.length === 0 ? undefined : { interrupts, calls: open }
}

/** What this run of a turn has spent, when the turn goes on; and the turn with that reported. */
export const settleUsage = (state: State): [State, ReadonlyArray<TokenUsage> | undefined] => {
  const { turn } = state
  if (turn === undefined) return [state, undefined]
  const total = turn.spending === undefined ? turn.settled : plus(turn.settled, turn.spending.usage)
  return [{ ...state, turn: { ...turn, reported: total } }, reported(minus(total, turn.reported), turn.model)]
}

/** What the last run of a turn has spent: all that the turn did, less what earlier runs reported. */
export const lastUsage = (state: State, total: TokenUsage): ReadonlyArray<TokenUsage> | undefined =>
  reported(minus(total, state.turn?.reported ?? noTokens), state.turn?.model)

/** The calls this run announced and nobody has answered, in order: what `pendingToolCallIds` must list. */
export const unanswered = (state: State): ReadonlyArray<string> =>
  [...state.calls].filter(([, { run }]) => run === state.run?.ordinal).map(([id]) => id)
