/**
 * What a person says to questions with options, in the shapes applications send it.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Answer, Choice, ChoiceRequest } from "../../model/Request.ts"
import { decodePayload } from "../../wire/Codec.ts"
import { isRecord } from "../../wire/Json.ts"
import { open, optional } from "../../wire/Open.ts"
import { excerpt, type Reading, readDecision, refusal } from "./Decision.ts"

const Reply = Schema.Union([Schema.String, Schema.Array(Schema.String)])
type Reply = typeof Reply.Type

const ByQuestion = Schema.Record(Schema.String, Reply)

const ChoiceAnswer = open({
  /** By question or header, or in the order of the questions. */
  answers: optional(Schema.Union([ByQuestion, Schema.Array(Reply)])),
  answer: optional(Reply)
})

/** The answer to questions with options. Text answers a single question, whatever it says; only `false` refuses it. */
export const readChoices = ({ choices }: ChoiceRequest, payload: unknown): Reading<Answer> => {
  const decision = typeof payload === "string" ? undefined : Result.getOrElse(readDecision(payload), () => undefined)
  if (decision?.allowed === false) return Result.succeed(refusal(decision))
  const answer = decision?.updatedInput ?? decision?.editedArgs ?? payload
  return Result.map(readAnswers(choices, answer), (answers) => ({ type: "chosen", answers }))
}

const readAnswers = (choices: ReadonlyArray<Choice>, payload: unknown): Reading<Readonly<Record<string, string>>> => {
  const wanted = `expected {"answers": {${choices.map(({ question }) => `${JSON.stringify(question)}: …`).join(", ")}}}`
  const single = (reply: Reply) =>
    choices.length === 1 ? matched(choices, [reply], wanted) : Result.fail(`${wanted}; there are several questions`)
  if (typeof payload === "string") return single(payload)
  const decoded = decodePayload(ChoiceAnswer, Array.isArray(payload) ? { answers: payload } : payload)
  if (decoded._tag === "Invalid") return Result.fail(`${wanted}; ${decoded.error.message}`)
  const { answer, answers } = decoded.value
  if (answers !== undefined) return matched(choices, answers, wanted)
  if (answer !== undefined) return single(answer)
  const bare = decodePayload(ByQuestion, payload)
  return bare._tag === "Known" ? matched(choices, bare.value, wanted) : Result.fail(`${wanted}; ${bare.error.message}`)
}

/** The answers by question. Each has to belong to a question. */
const matched = (
  choices: ReadonlyArray<Choice>,
  replies: Readonly<Record<string, Reply>> | ReadonlyArray<Reply>,
  wanted: string
): Reading<Readonly<Record<string, string>>> => {
  const choiceOf = isRecord(replies)
    ? (key: string) => choices.find(({ header, question }) => question === key || header === key)
    : (key: string) => choices[Number(key)]
  const pairs = Object.entries(replies).flatMap(([key, reply]: [string, Reply]) => {
    const choice = choiceOf(key)
    return choice === undefined
      ? []
      : [[choice.question, typeof reply === "string" ? reply : reply.join(", ")] as const]
  })
  return pairs.length === 0 || pairs.length < Object.keys(replies).length
    ? Result.fail(`${wanted}, got ${excerpt(replies)}`)
    : Result.succeed(Object.fromEntries(pairs))
}
