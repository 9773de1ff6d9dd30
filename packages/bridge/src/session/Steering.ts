/**
 * Words for the turn that is open: where they go, and why they cannot go there.
 *
 * They wait among the prompts until the agent has heard them, because words that come too late get a turn of their own.
 */
import type * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import type { EventLog } from "../log/EventLog.ts"
import type { PromptQueue, QueuedPrompt } from "./PromptQueue.ts"
import type { Conversation } from "./Runtime.ts"
import { type Steered, type Steering as SteeringWords, SteerRefused } from "./Session.ts"

/** What steering needs of its session. */
export interface SteeringParts {
  readonly threadId: string
  readonly log: Pick<EventLog, "next" | "situation">
  readonly prompts: Pick<PromptQueue, "steer">
  readonly conversation: Pick<Conversation, "canSteer" | "send">
  /** Whether the turn was asked to end, or is left for an earlier point. */
  readonly isEnding: () => boolean
  /** Whoever said something to a turn may stop it. */
  readonly owns: (ticket: string) => void
}

/** Steering the turn that is open. All is to be called under the session's lock. */
export interface TurnSteering {
  /** Tells the agent something in the middle of its turn. */
  readonly tell: (queued: QueuedPrompt, prompt: Model.Prompt) => Effect.Effect<void>
  /** The same for words that are meant for a turn alone: refused where there is none that hears them. */
  readonly steer: (words: SteeringWords) => Effect.Effect<Steered, SteerRefused>
}

/** Steering, in a session. */
export const makeSteering = ({ conversation, isEnding, log, owns, prompts, threadId }: SteeringParts): TurnSteering => {
  const refused = (code: SteerRefused["code"], why: string): SteerRefused =>
    new SteerRefused({ threadId, code, message: `Nothing can be said to the turn of thread ${threadId}: ${why}.` })

  const tell: TurnSteering["tell"] = (queued, { aside, said }) =>
    Effect.suspend(() => {
      prompts.steer(queued)
      owns(queued.ticket)
      return conversation.send({ type: "steer", id: queued.ticket, said, ...(aside !== undefined && { aside }) })
    })

  return {
    tell,
    steer: ({ aside, said, ticket, turn }) =>
      Effect.gen(function* () {
        const { turn: open, turns } = log.situation()
        if (open === undefined) return yield* refused("NOTHING_TO_STEER", "none is open")
        if (turn !== undefined && turn !== turns) return yield* refused("NOTHING_TO_STEER", "it is another one")
        if (isEnding()) return yield* refused("NOTHING_TO_STEER", "it is ending")
        if (!conversation.canSteer())
          return yield* refused("STEER_UNSUPPORTED", "the agent hears nothing in the middle of one")
        const at = log.next()
        const prompt: Model.Prompt = { type: "prompt", said, ...(aside !== undefined && { aside }) }
        yield* tell({ ticket, prompt, said, followsAnswers: false }, prompt)
        return { at, turn: turns }
      })
  }
}
