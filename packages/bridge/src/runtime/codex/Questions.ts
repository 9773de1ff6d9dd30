/**
 * What Codex has asked, by the names that the model has for it: how each is answered on its wire.
 *
 * Every request of the server is answered, also one that cannot be read: with an error, which Codex takes as a no.
 */
import * as Codex from "@agentwire/protocol/codex"
import { errorCodes, Refusal, type RequestId } from "@agentwire/protocol/jsonrpc"
import type * as Model from "@agentwire/protocol/model"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"

type Input = Readonly<Record<string, unknown>>

/** What Codex has asked and nobody answered. */
export interface Questions {
  /** Somebody has to answer this, under a name. `shown`: the input that they see, which for a patch is more than Codex asks. */
  readonly add: (id: string, message: Codex.WireQuestion, shown?: Input) => void
  /** Answers what has a name; undefined when it is gone. Else the id it has on the wire. */
  readonly answer: (id: string, answer: Model.Answer) => RequestId | undefined
  /** What a request of the server is answered with, whenever that is. */
  readonly resultOf: (id: RequestId, method: string) => Effect.Effect<unknown, Refusal>
  /** Forgets all of them. */
  readonly clear: () => void
}

interface Question {
  readonly message: Codex.WireQuestion
  readonly shown: Input | undefined
  readonly result: Deferred.Deferred<unknown, Refusal>
}

/** Nothing asked yet. */
export const makeQuestions = (): Questions => {
  const byName = new Map<string, Question>()
  const byId = new Map<RequestId, Question>()
  return {
    add: (id, message, shown) => {
      const question = { message, shown, result: Deferred.makeUnsafe<unknown, Refusal>() }
      byName.set(id, question)
      byId.set(message.id, question)
    },
    answer: (id, answer) => {
      const question = byName.get(id)
      if (question === undefined) return undefined
      byName.delete(id)
      Deferred.doneUnsafe(question.result, Effect.succeed(Codex.answerOf(question.message, answer, question.shown)))
      return question.message.id
    },
    resultOf: (id, method) =>
      Effect.suspend(() => {
        const question = byId.get(id)
        if (question === undefined) return own(method)
        return Effect.ensuring(
          Deferred.await(question.result),
          Effect.sync(() => {
            byId.delete(id)
            for (const [name, each] of byName) if (each === question) byName.delete(name)
          })
        )
      }),
    clear: () => {
      byName.clear()
      byId.clear()
    }
  }
}

/** What is answered without anybody. */
const own = (method: string): Effect.Effect<unknown, Refusal> => {
  if (method === "currentTime/read") return Effect.sync(() => ({ currentTimeAt: Math.floor(Date.now() / 1000) }))
  const isKnown = Object.hasOwn(Codex.requests, method)
  return Effect.fail(
    new Refusal(
      isKnown
        ? { code: errorCodes.invalidParams, message: "This was not understood, or is not supported here." }
        : { code: errorCodes.methodNotFound, message: `There is no method ${JSON.stringify(method)}.` }
    )
  )
}
