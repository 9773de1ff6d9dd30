/**
 * The parts of a run that belong to sub-agents. Each has to be closed before its run can end, so one that continues is
 * suspended with the run, and begins again in the next run in which it speaks.
 */
import { incomplete, type Lane, type LaneOutcome } from "../../model/Event.ts"
import { withEntry } from "../../model/Situation.ts"
import { type Out, type ShownLane, tagged, type Writer } from "./Writer.ts"

/** The `subagentRunId` of a lane; undefined for the main thread. */
export const tagOf = ({ lanes, settings }: Writer, lane: Lane): string | undefined =>
  lane === null || settings.subagents === "hide" ? undefined : runIdOf(lane, lanes.get(lane))

const runIdOf = (lane: string, shown: ShownLane | undefined): string =>
  shown === undefined || shown.invocation === 1 ? lane : `${lane}#${shown.invocation}`

/** Makes sure that the sub-agent of a lane has begun in the open run, and before it those that started it. */
export const enterLane = (writer: Writer, lane: Lane, out: Out, path: ReadonlySet<string> = new Set()): Writer => {
  if (lane === null || writer.settings.subagents === "hide") return writer
  const known = writer.lanes.get(lane)
  if (known?.phase === "active") return writer
  const open = writer.situation.lanes.get(lane)
  const parent = open?.parent ?? null
  const isThere = parent !== null && !path.has(parent) && writer.situation.lanes.has(parent)
  const outer = isThere ? enterLane(writer, parent, out, new Set(path).add(lane)) : writer
  const shown: ShownLane = {
    invocation: known === undefined ? 1 : known.invocation + (known.phase === "ended" ? 1 : 0),
    phase: "active"
  }
  const parentTag = isThere ? tagOf(outer, parent) : undefined
  out.push({
    type: "SUBAGENT_STARTED",
    subagentRunId: runIdOf(lane, shown),
    name: open?.name ?? "agent",
    ...(open?.description !== undefined && { description: open.description }),
    ...(parentTag !== undefined && { parentSubagentRunId: parentTag }),
    parentToolCallId: lane
  })
  return { ...outer, lanes: withEntry(outer.lanes, lane, shown) }
}

/** The end of a sub-agent. One that was silent in this run and was cut short has no part to close. */
export const leaveLane = (writer: Writer, lane: string, outcome: LaneOutcome, out: Out): Writer => {
  if (writer.settings.subagents === "hide") return writer
  if (writer.lanes.get(lane)?.phase !== "active" && isIncomplete(outcome)) return writer
  const active = enterLane(writer, lane, out)
  const subagentRunId = tagOf(active, lane) ?? lane
  if (outcome.type === "failed")
    out.push({ type: "SUBAGENT_ERROR", subagentRunId, message: outcome.message, code: outcome.code })
  else out.push({ type: "SUBAGENT_FINISHED", subagentRunId, outcome: { type: "success" } })
  const shown: ShownLane = { invocation: active.lanes.get(lane)?.invocation ?? 1, phase: "ended" }
  return { ...active, lanes: withEntry(active.lanes, lane, shown) }
}

const isIncomplete = (outcome: LaneOutcome): boolean =>
  outcome.type === "failed" && incomplete.type === "failed" && outcome.code === incomplete.code

/** Ends the parts of all active sub-agents in the run, the innermost first: they continue in another run. */
export const suspendLanes = (writer: Writer, out: Out): Writer => {
  const lanes = new Map<string, ShownLane>()
  for (const [lane, { invocation, phase }] of writer.lanes)
    if (phase !== "ended") lanes.set(lane, { invocation, phase: "away" })
  for (const [lane, { phase }] of [...writer.lanes].reverse())
    if (phase === "active")
      out.push({
        type: "SUBAGENT_FINISHED",
        subagentRunId: tagOf(writer, lane) ?? lane,
        outcome: { type: "suspended" }
      })
  return { ...writer, lanes }
}

/** Writes a `CUSTOM` event of a lane. */
export const writeCustom = (writer: Writer, lane: Lane, name: string, value: unknown, out: Out): Writer => {
  const entered = enterLane(writer, lane, out)
  out.push(tagged({ type: "CUSTOM", name, value }, tagOf(entered, lane)))
  return entered
}
