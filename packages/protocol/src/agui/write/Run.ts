/**
 * Runs: how one begins, and how it ends in order whatever is open.
 */
import type { EventOf, TurnOutcome } from "../../model/Event.ts"
import { noUsage } from "../../model/Usage.ts"
import type { NotNull } from "../Base.ts"
import { PROTOCOL_VERSION } from "../Dialect.ts"
import type { RunFinishedOutcome } from "../Interrupt.ts"
import type { RunAgentInput } from "../RunInput.ts"
import type { TokenUsage } from "../TokenUsage.ts"
import { endItems } from "./Item.ts"
import { markEvents } from "./SharedState.ts"
import { suspendLanes } from "./Subagent.ts"
import { tokenUsage } from "./Usage.ts"
import type { Out, Writer } from "./Writer.ts"

/** A run somebody asked for. */
export interface RunRequest {
  readonly runId: string
  readonly parentRunId?: string
  /** The request, to be echoed. Its messages are not sent again. */
  readonly input?: RunAgentInput
}

/** How a run ends. */
export type RunEnding =
  | { readonly type: "finished"; readonly outcome: RunFinishedOutcome; readonly result?: NotNull | undefined }
  | { readonly type: "error"; readonly code: string; readonly message: string }

/** A run that ends because there is nothing more to do. */
export const successEnding: RunEnding = { type: "finished", outcome: { type: "success" } }

/** Opens a run: one that was asked for, or one of the agent's own, which may begin with a turn. */
export const startRun = (
  writer: Writer,
  request: RunRequest | undefined,
  out: Out,
  started?: EventOf<"turn_started">
): Writer => {
  const { runsOfTurn, situation } = writer
  const { runId, threadId } = writer.settings
  const ordinal = writer.runs + 1
  const turn = Math.max(1, situation.turns + (started === undefined ? 0 : 1))
  const nth = runsOfTurn.turn === turn ? runsOfTurn.count + 1 : 1
  const id = request?.runId ?? started?.ticket ?? runId(ordinal, turn, nth)
  out.push({
    type: "RUN_STARTED",
    threadId,
    runId: id,
    protocolVersion: PROTOCOL_VERSION,
    ...(request?.parentRunId !== undefined && { parentRunId: request.parentRunId }),
    ...(request?.input !== undefined && { input: request.input })
  })
  const betweenTurns = request === undefined && started === undefined && situation.turn === undefined
  const brought = new Set((request?.input?.messages ?? []).map((message) => message.id))
  return {
    ...writer,
    runs: ordinal,
    runsOfTurn: { turn, count: nth },
    run: { id, ordinal, brought, betweenTurns },
    suspendedFor: undefined
  }
}

/** Ends the open run in the middle of its turn, if it has one. */
export const pauseRun = (writer: Writer, ending: RunEnding, out: Out): Writer => {
  const { reported, situation } = writer
  const { turn } = situation
  if (turn === undefined) return endRun(writer, ending, undefined, out)
  return { ...endRun(writer, ending, tokenUsage(turn.spent, reported, turn), out), reported: turn.spent }
}

/**
 * Ends a run between two turns when nobody works any more: no turn will end it, and a client would show it as running
 * until the next.
 */
export const endRunBetweenTurns = (writer: Writer, out: Out): Writer => {
  const { run, situation } = writer
  const isOver = run?.betweenTurns === true && situation.turn === undefined && situation.lanes.size === 0
  return isOver ? pauseRun(writer, successEnding, out) : writer
}

/** Ends the open run with its turn. */
export const endRunOfTurn = (writer: Writer, event: EventOf<"turn_ended">, out: Out): Writer => {
  const { turn } = writer.situation
  const spent = event.usage ?? turn?.spent ?? noUsage
  const who = { model: event.model ?? turn?.model, provider: event.provider ?? turn?.provider }
  const ended = endRun(writer, endingOf(event.outcome), tokenUsage(spent, writer.reported, who), out)
  return { ...ended, reported: noUsage }
}

/** How the run of a turn ends. */
export const endingOf = (outcome: TurnOutcome): RunEnding => {
  switch (outcome.type) {
    // AG-UI has no end for a limit: the code tells.
    case "limited":
    case "failed":
      return { type: "error", code: outcome.code, message: outcome.message }
    case "cancelled":
      return { type: "finished", outcome: { type: "cancelled" } }
    case "completed":
      return { ...successEnding, ...(outcome.result !== undefined && { result: outcome.result as NotNull }) }
  }
}

/** Everything that is open is closed first; a client rejects a run that finishes otherwise. */
const endRun = (writer: Writer, ending: RunEnding, usage: ReadonlyArray<TokenUsage> | undefined, out: Out): Writer => {
  const { run, settings } = writer
  if (run === undefined) return writer
  const closed = suspendLanes(endItems(writer, out), out)
  const spent = usage === undefined ? {} : { usage }
  out.push(...markEvents(writer))
  if (ending.type === "error") out.push({ type: "RUN_ERROR", message: ending.message, code: ending.code, ...spent })
  else
    out.push({
      type: "RUN_FINISHED",
      threadId: settings.threadId,
      runId: run.id,
      ...(ending.result !== undefined && { result: ending.result }),
      outcome: ending.outcome,
      ...spent
    })
  return { ...closed, run: undefined, calls: new Map(), tasks: new Set() }
}
