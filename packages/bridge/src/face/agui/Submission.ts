/**
 * What a request to run asks of a session.
 */
import * as Agui from "@agentwire/protocol/agui"
import type * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { LogFailed } from "../../log/BoundedLog.ts"
import type { BranchPoint } from "../../session/BranchPoint.ts"
import {
  type Accepted,
  ConversationMoved,
  type Session,
  type Submission,
  type ThreadBusy,
  type Waiting
} from "../../session/Session.ts"
import type { AguiThread, ApprovalMode, Comes } from "./AguiThread.ts"
import { findDivergence, type Relation } from "./FindDivergence.ts"
import { missedEnd } from "./MissedEnd.ts"

/** A run that is refused. */
export class RunRefused extends Schema.TaggedError<RunRefused>()("RunRefused", {
  /** Stable: see docs/errors.md. */
  code: Schema.Literals(["INTERRUPT_OPEN", "INTERRUPT_UNKNOWN", "RESULT_UNKNOWN", "BRANCH_UNAVAILABLE"]),
  message: Schema.String
}) {}

/** A run as it was read. */
export interface ReadRun {
  /** The request as its `RUN_STARTED` repeats it: with the messages that the agent is told now, and no others. */
  readonly echo: Agui.RunAgentInput
  /** The questions that it answers. */
  readonly answered: ReadonlySet<string>
  /** The conversation goes back first, to what its client shows. */
  readonly goesBack: boolean
}

/** A run that a session has accepted. */
export interface SubmittedRun extends ReadRun, Comes, Pick<Relation, "showsLeft"> {
  readonly accepted: Accepted
  /** How a turn ended whose end its client may not have heard. */
  readonly missedEnd: Model.TurnFailure | undefined
}

/** Submits what a request asks of a session. */
export const submitInput = (
  session: Session,
  thread: AguiThread,
  input: Agui.RunAgentInput,
  approvals: ApprovalMode
): Effect.Effect<SubmittedRun, RunRefused | ThreadBusy | LogFailed> =>
  Effect.gen(function* () {
    const { differs, on, ...relation } = yield* findDivergence(session.log, input, thread)
    let read: ReadRun = { echo: { ...input, messages: [] }, answered: new Set(), goesBack: false }
    const accepted = yield* session.submit<RunRefused | ConversationMoved>((waiting) => {
      if (waiting.branch !== on) return Result.fail(moved(session))
      return Result.map(readSubmission(thread, input, approvals, waiting, differs), (submission) => {
        read = submission
        return submission
      })
    })
    const missed = accepted.begins === "now" ? yield* missedEnd(session.log, input.messages) : undefined
    return { ...read, ...relation, accepted, continues: read.goesBack ? undefined : on, missedEnd: missed }
    // Somebody else went back meanwhile: what the request means has to be found out again.
  }).pipe(Effect.catchTag("ConversationMoved", () => submitInput(session, thread, input, approvals)))

const moved = ({ threadId }: Session): ConversationMoved =>
  new ConversationMoved({ threadId, message: `The conversation of thread ${threadId} has gone back meanwhile.` })

/** What a request asks, given what waits for somebody, and where it differs from the conversation. */
export const readSubmission = (
  thread: AguiThread,
  input: Agui.RunAgentInput,
  approvals: ApprovalMode,
  { pageCalls, requests, state }: Waiting,
  differs?: Relation["differs"]
): Result.Result<Submission & ReadRun, RunRefused> => {
  const brought = Agui.broughtState(input.state)
  // The agent is told the state that the thread has, where the client knows of none.
  const told = brought === undefined && state !== undefined ? { ...input, state } : input
  const inbound = Agui.readInput(thread.recall(), told, { requests, toolCallIds: pageCalls }, differs?.divergence)
  const { answers, prompt, results } = inbound
  const goesBack = inbound.branch !== undefined
  const point = goesBack ? differs?.point : undefined
  const problem =
    unknownAnswer(inbound, input) ?? (goesBack ? unavailable(point) : openQuestion(inbound, approvals, requests))
  if (problem !== undefined) return Result.fail(problem)
  return Result.succeed({
    ticket: input.runId,
    answers,
    results,
    tools: Agui.pageTools(input.tools ?? []),
    echo: { ...input, messages: inbound.heard, tools: [], context: [] },
    answered: new Set(answers.map(({ id }) => id)),
    goesBack,
    // Only once it is accepted: what is refused may be sent again.
    onAccepted: () => thread.remember(inbound.thread, goesBack),
    ...(brought !== undefined && { state: brought }),
    ...(prompt !== undefined && { prompt: { ...prompt, said: [...(point?.again ?? []), ...prompt.said] } }),
    ...(point !== undefined && { branch: point })
  })
}

/** A request that goes back to where nobody can. */
const unavailable = (point: BranchPoint | undefined): RunRefused | undefined =>
  point === undefined
    ? new RunRefused({
        code: "BRANCH_UNAVAILABLE",
        message: "The agent cannot go back to this message: it never said where it is."
      })
    : undefined

/** A request that only answers what nobody asks any more: an empty success would hide that. */
const unknownAnswer = (
  { answers, ignored, prompt, results }: Agui.Inbound,
  { messages }: Agui.RunAgentInput
): RunRefused | undefined => {
  if (prompt !== undefined || answers.length + results.length > 0) return undefined
  const lost = ignored.find(({ code }) => isLost.has(code))
  if (lost === undefined) return undefined
  if ("interruptId" in lost)
    return new RunRefused({
      code: "INTERRUPT_UNKNOWN",
      message: `No question waits for this answer (${brief(lost.interruptId)}): it was answered, withdrawn, or is too old.`
    })
  const result = messages.find(({ id }) => id === lost.messageId)
  return new RunRefused({
    code: "RESULT_UNKNOWN",
    message: `No call waits for this result (${brief(result?.role === "tool" ? result.toolCallId : lost.messageId)}): its turn is over.`
  })
}

/** An id as a sentence repeats it: whoever asks chose it. */
const brief = (id: string): string => {
  const plain = id.replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, " ")
  return plain.length > 80 ? `${plain.slice(0, 79)}…` : plain
}

const isLost: ReadonlySet<Agui.IgnoredCode> = new Set(["unknown-interrupt", "repeated-answer", "unmatched-result"])

/** A run that would ask more of an agent that waits for answers. */
const openQuestion = (
  { answers, prompt }: Agui.Inbound,
  approvals: ApprovalMode,
  requests: Waiting["requests"]
): RunRefused | undefined => {
  const open = requests.filter(({ kind }) => kind !== "page_tool")
  if (approvals !== "interrupt" || prompt === undefined || answers.length > 0 || open.length === 0) return undefined
  return new RunRefused({
    code: "INTERRUPT_OPEN",
    message: `The agent waits for an answer first: ${open.map(({ id }) => id).join(", ")}. Answer with resume.`
  })
}
