/**
 * A submission of a client, from reading it to where it goes: answers first, then a prompt that begins, waits, is said to
 * the open turn, or ends it.
 */
import { isDeepStrictEqual } from "node:util"
import type * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { EventLog } from "../log/EventLog.ts"
import type { Branching } from "./Branching.ts"
import { openPageCalls } from "./PageTools.ts"
import type { PromptQueue, QueuedPrompt } from "./PromptQueue.ts"
import type { Requests } from "./Requests.ts"
import type { Conversation } from "./Runtime.ts"
import { type Accepted, type Submission, ThreadBusy, type Waiting } from "./Session.ts"
import type { BusyMode } from "./SessionOptions.ts"
import type { TurnSteering } from "./Steering.ts"
import type { Stopping } from "./Stopping.ts"
import { planSubmission, type SubmissionPlan } from "./SubmissionPlan.ts"

/** What submitting needs of its session. */
export interface SubmittingParts {
  readonly threadId: string
  /** What becomes of a prompt on a busy thread. */
  readonly busy: BusyMode
  readonly log: Pick<EventLog, "append" | "next" | "situation">
  readonly requests: Pick<Requests, "answerEarly" | "waiting">
  readonly prompts: Pick<PromptQueue, "add" | "length" | "steering" | "takeAtOnce">
  readonly branching: Pick<Branching, "isUnderWay">
  readonly conversation: Pick<Conversation, "canSteer">
  readonly stopping: Pick<Stopping, "endTurn" | "isUnderWay">
  readonly steering: Pick<TurnSteering, "tell">
  /** Whether a request is somebody else's than the agent's. */
  readonly isFromOutside: (id: string) => boolean
  /** Whether the agent is in a turn, and waits for nobody. */
  readonly isWorking: () => boolean
  /** Somebody answers a request. */
  readonly answer: (id: string, answer: Model.Answer) => Effect.Effect<unknown>
  /** The application has brought tools. */
  readonly offerTools: (tools: ReadonlyArray<Model.PageTool>) => Effect.Effect<void>
  /** The open turn works on this ticket, too. */
  readonly owns: (ticket: string) => void
  /** Begins a prompt's turn. */
  readonly begin: (queued: QueuedPrompt) => Effect.Effect<void>
}

/** Takes what clients submit. To be called under the session's lock. */
export type Submit = <E>(
  read: (waiting: Waiting) => Result.Result<Submission, E>
) => Effect.Effect<Accepted, E | ThreadBusy>

/** Submitting, in a session. */
export const makeSubmitting = (parts: SubmittingParts): Submit => {
  const { begin, branching, log, prompts, requests, steering, stopping, threadId } = parts
  const inTurn = (): boolean => log.situation().turn !== undefined
  const busy = new ThreadBusy({ threadId, message: `Thread ${threadId} has a turn that is not over.` })

  const changeState = (state: unknown): void => {
    if (!isDeepStrictEqual(state, log.situation().state ?? {})) log.append([{ type: "state_changed", state }])
  }

  const planOf = (submission: Submission, waiting: ReadonlyArray<Model.Request>): SubmissionPlan =>
    planSubmission(submission, {
      waiting,
      isGoingBack: branching.isUnderWay(),
      inTurn: inTurn(),
      isWorking: parts.isWorking(),
      isStopping: stopping.isUnderWay(),
      isQueueEmpty: prompts.length() === 0 && prompts.steering().length === 0,
      canSteer: parts.conversation.canSteer(),
      busy: parts.busy
    })

  const give = ({ answers, results }: Submission): Effect.Effect<void> =>
    Effect.gen(function* () {
      for (const { answer, id } of answers) yield* parts.answer(id, answer)
      for (const { answer, toolCallId } of results) yield* requests.answerEarly(toolCallId, answer)
    })

  return (read) =>
    Effect.gen(function* () {
      const waiting = requests.waiting().map(({ request }) => request)
      const situation = log.situation()
      const reading = read({
        requests: waiting,
        pageCalls: openPageCalls(situation),
        inTurn: inTurn(),
        state: situation.state,
        branch: situation.branch
      })
      const submission = yield* Result.isSuccess(reading)
        ? Effect.succeed(reading.success)
        : Effect.fail(reading.failure)
      // Reading a long conversation takes its time, and so does what follows: others have their turn in between.
      yield* Effect.yieldNow
      const plan = planOf(
        submission,
        waiting.filter(({ id }) => !parts.isFromOutside(id))
      )
      if (plan === "refuse") return yield* busy
      submission.onAccepted?.()
      const begins = submission.prompt === undefined ? "now" : plan === "steer" ? "with_words" : "with_turn"
      const accepted: Accepted = { at: log.next(), situation, begins }
      if (submission.state !== undefined) changeState(submission.state.state)
      yield* parts.offerTools(submission.tools)
      const { answers, branch: point, prompt, results, ticket } = submission
      if (prompt === undefined) {
        yield* give(submission)
        parts.owns(ticket)
        return accepted
      }
      const queued: QueuedPrompt = {
        ticket,
        prompt,
        // Where the conversation goes back, its client says it again: nothing of it is on the branch before.
        said: point === undefined ? prompt.said : [],
        followsAnswers: answers.length + results.length > 0,
        ...(point !== undefined && { branch: { find: Effect.succeed(point) } })
      }
      if (plan === "interrupt" && point !== undefined) {
        // What the person goes back behind is given up and not answered: the agent must not go on with it.
        prompts.add(queued)
        yield* stopping.endTurn
        yield* give(submission)
        return accepted
      }
      yield* give(submission)
      if (plan === "steer") yield* steering.tell(queued, prompt)
      else if (plan === "begin") {
        if (queued.branch !== undefined) prompts.takeAtOnce(queued)
        yield* begin(queued)
      } else {
        prompts.add(queued)
        if (plan === "interrupt") yield* stopping.endTurn
      }
      return accepted
    })
}
