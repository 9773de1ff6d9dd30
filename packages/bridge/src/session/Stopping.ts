/**
 * Ending what a session does before it is done: the turn that is open, the prompts that wait, the questions that are left.
 */
import * as Model from "@agentwire/protocol/model"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { EventLog } from "../log/EventLog.ts"
import type { PromptQueue } from "./PromptQueue.ts"
import { type Requests, refusalOf } from "./Requests.ts"
import type { Conversation } from "./Runtime.ts"

/** What stopping needs of its session. */
export interface StoppingParts {
  readonly log: Pick<EventLog, "append" | "situation">
  readonly conversation: Pick<Conversation, "disconnect" | "interrupt">
  readonly requests: Pick<Requests, "answer" | "closeAll" | "waiting">
  readonly prompts: Pick<PromptQueue, "steering" | "waiting">
  /** Whether a request is somebody else's than the agent's. */
  readonly isFromOutside: (id: string) => boolean
  /** Whether the open turn works on a ticket. */
  readonly worksOn: (ticket: string) => boolean
  /** How long the agent may take to end a turn. */
  readonly limit: Duration.Input
  readonly locked: (effect: Effect.Effect<void>) => Effect.Effect<void>
  readonly inBackground: (effect: Effect.Effect<void>) => Effect.Effect<unknown>
}

/** Stopping. All is to be called under the session's lock. */
export interface Stopping {
  /** Whether the open turn was asked to end. */
  readonly isUnderWay: () => boolean
  /** The turn has ended. */
  readonly turnEnded: () => void
  /** Whether a request ends with its turn. Those of background sub-agents outlive it, and so do calls from outside. */
  readonly isOfTurn: (request: Model.Request, lane: Model.Lane) => boolean
  /** Asks the agent to end the open turn, and makes sure that it does. */
  readonly endTurn: Effect.Effect<void>
  /** Stops what a ticket began or waits for; without one, everything. True when there was something to stop. */
  readonly stop: (ticket: string | undefined) => Effect.Effect<boolean>
}

/** Stopping, in a session. */
export const makeStopping = (parts: StoppingParts): Stopping => {
  const { conversation, inBackground, isFromOutside, limit, locked, log, prompts, requests, worksOn } = parts
  /** The turn that was asked to end, by its number. */
  let stopping: number | undefined

  const isOfTurn: Stopping["isOfTurn"] = ({ id, kind }, lane) =>
    kind === "page_tool" ? !isFromOutside(id) : !Model.isInBackground(log.situation(), lane)

  const endTurn: Effect.Effect<void> = Effect.gen(function* () {
    const { turn, turns } = log.situation()
    if (turn === undefined || stopping === turns) return
    stopping = turns
    // Agents take their time: whoever shows the turn need not wait for it.
    log.append([{ type: "noticed", lane: null, name: Model.turnStopping, value: {} }])
    yield* conversation.interrupt
    // The agent withdraws its own questions, but not what it asked the application to do.
    for (const { lane, request } of requests.waiting())
      if (request.kind === "page_tool" && isOfTurn(request, lane))
        yield* requests.answer(request.id, stoppedAnswer(request), "abandoned")
    // Including those that the policy is still deciding about.
    yield* requests.closeAll("abandoned", isOfTurn)
    yield* inBackground(
      Effect.andThen(
        Effect.sleep(limit),
        // The agent does not answer: stop waiting; the next prompt starts another one.
        locked(Effect.suspend(() => (stopping === turns ? conversation.disconnect : Effect.void)))
      )
    )
  })

  return {
    isUnderWay: () => stopping !== undefined,
    turnEnded: () => {
      stopping = undefined
    },
    isOfTurn,
    endTurn,
    stop: (ticket) =>
      Effect.gen(function* () {
        const inTurn = (): boolean => log.situation().turn !== undefined
        const waiting = prompts.waiting()
        const queued = waiting.find((each) => each.ticket === ticket && each.prompt !== undefined)
        if (queued !== undefined) {
          queued.prompt = undefined
          // What the agent was told in its turn cannot be taken back.
          if (prompts.steering().includes(queued) && inTurn()) yield* endTurn
          return true
        }
        const isOurs = inTurn() && (ticket === undefined || worksOn(ticket))
        if (isOurs) yield* endTurn
        if (ticket !== undefined) return isOurs
        // Without a ticket everything is meant: the prompts that wait, and the questions of background sub-agents.
        for (const queued of waiting) queued.prompt = undefined
        const left = requests.waiting().filter(({ request }) => !isFromOutside(request.id))
        for (const { request } of left) yield* requests.answer(request.id, stoppedAnswer(request), "abandoned")
        return isOurs || left.length > 0
      })
  }
}

/** The answer to a request whose turn was stopped. */
export const stoppedAnswer = (request: Model.Request): Model.Answer =>
  refusalOf(request, "The turn was stopped before this was answered.")
