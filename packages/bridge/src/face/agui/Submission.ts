/**
 * What a request to run asks of a session.
 */
import { Agui } from "@agentwire/protocol"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Submission, Waiting } from "../../session/Session.ts"
import type { AguiThread, ApprovalMode } from "./AguiThread.ts"

/** A run that is refused. */
export class RunRefused extends Schema.TaggedError<RunRefused>()("RunRefused", {
  /** Stable: `INTERRUPT_OPEN`, `INTERRUPT_UNKNOWN`. */
  code: Schema.Literals(["INTERRUPT_OPEN", "INTERRUPT_UNKNOWN"]),
  message: Schema.String
}) {}

/** A run as it was read. */
export interface ReadRun {
  /** The request as its `RUN_STARTED` repeats it: without what its client already has. */
  readonly echo: Agui.RunAgentInput
  /** The questions that it answers. */
  readonly answered: ReadonlySet<string>
}

/** What a request asks, given what waits for somebody. */
export const readSubmission = (
  thread: AguiThread,
  input: Agui.RunAgentInput,
  approvals: ApprovalMode,
  { pageCalls, requests }: Waiting
): Result.Result<Submission & ReadRun, RunRefused> => {
  const inbound = Agui.readInput(thread.recall(), input, { requests, toolCallIds: pageCalls })
  const { answers, prompt, results } = inbound
  const problem = unknownAnswer(inbound) ?? openQuestion(inbound, approvals, requests)
  if (problem !== undefined) return Result.fail(problem)
  return Result.succeed({
    ticket: input.runId,
    answers,
    results,
    tools: Agui.pageTools(input.tools ?? []),
    echo: freshInput(input, inbound.ignored),
    answered: new Set(answers.map(({ id }) => id)),
    // Only once it is accepted: what is refused may be sent again.
    onAccepted: () => thread.remember(inbound.thread),
    ...(prompt !== undefined && { prompt })
  })
}

/** A request that only answers questions that do not exist: an empty success would hide that. */
const unknownAnswer = ({ answers, ignored, prompt, results }: Agui.Inbound): RunRefused | undefined => {
  if (prompt !== undefined || answers.length + results.length > 0) return undefined
  const lost = ignored.find(({ code }) => code === "unknown-interrupt" || code === "repeated-answer")
  return lost === undefined
    ? undefined
    : new RunRefused({
        code: "INTERRUPT_UNKNOWN",
        message: `No question waits for this answer (${"interruptId" in lost ? lost.interruptId : ""}): it was answered, withdrawn, or is too old.`
      })
}

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

/** A request with the messages that the agent is told now, and no others. */
const freshInput = (input: Agui.RunAgentInput, ignored: ReadonlyArray<Agui.Ignored>): Agui.RunAgentInput => {
  const left = new Set(ignored.flatMap((each) => ("messageId" in each ? [each.messageId] : [])))
  return {
    ...input,
    messages: input.messages.filter(({ id, role }) => role !== "assistant" && !left.has(id)),
    tools: [],
    context: []
  }
}
