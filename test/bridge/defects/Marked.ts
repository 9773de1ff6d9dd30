/**
 * Prompts that a model can tell apart and that have an answer of their own, so that an answer that is lost, comes twice
 * or slides to another prompt is seen.
 */

import type { JsonObject, Lane, Reply } from "@agentwire/fixtures"
import { says, saysWith, text } from "@agentwire/fixtures/scenario"
import { isRecord } from "@agentwire/protocol/wire"
import { expect } from "@effect/vitest"
import { type ClientAgent, conversationOf, type Place, type Ran, run, say } from "../OnBridge.ts"
import { within } from "./Waiting.ts"

/** The prompts of a thread, in the order in which they are sent. */
const steps = ["first", "next", "last"] as const

/** One of the prompts of a thread. */
export type Step = (typeof steps)[number]

/** The prompt of a step. */
export const promptOf = (thread: string, step: Step): string => `[${thread}:${step}] Go on.`

/** What the model answers to it, unless it is told to do something else. */
export const answerOf = (thread: string, step: Step): string => `Answer to ${thread}:${step}.`

/** An answer that has begun and does not end by itself. */
export const endless = saysWith({ break: { how: "hang", afterEvents: 5 } }, text("Once ", "upon ", "a time"))

/**
 * The model's side of a thread. A request is of the last prompt in it; the scripted model looks into the first message,
 * too, so later prompts stand before earlier ones.
 */
export const lanesOf = (thread: string, replies: { readonly [S in Step]?: ReadonlyArray<Reply> }): Array<Lane> =>
  steps
    .map((step) => ({ match: `[${thread}:${step}]`, replies: replies[step] ?? [says(answerOf(thread, step))] }))
    .reverse()

/** The texts of the agent that an application has. */
export const wordsTo = (agent: ClientAgent): ReadonlyArray<unknown> =>
  conversationOf(agent).flatMap(([role, content]) => (role === "assistant" && content ? [content] : []))

/** Sends a prompt as applications do: a client lets none out while it believes in a question, unless it cancels that. */
export const ask = (
  agent: ClientAgent,
  prompt: string,
  parameters: Parameters<ClientAgent["runAgent"]>[0] = {}
): Promise<Ran> => {
  const resume = agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: "cancelled" as const }))
  return within(
    `an answer to ${prompt}`,
    run(say(agent, prompt), { ...(resume.length > 0 && { resume }), ...parameters })
  )
}

/** Sends the prompt of a step, and wants its answer: this one, last, and once. */
export const expectAnswered = async (agent: ClientAgent, thread: string, step: Step): Promise<void> => {
  expect((await ask(agent, promptOf(thread, step))).error).toBeUndefined()
  expect(wordsTo(agent).at(-1)).toBe(answerOf(thread, step))
  expect(wordsTo(agent).filter((words) => words === answerOf(thread, step))).toHaveLength(1)
}

/** How often the model was asked a prompt: a stopped one may stand before another in the same message. */
export const timesAsked = ({ asked }: Pick<Place, "asked">, thread: string, step: Step): number =>
  asked.filter((body) => {
    const said = lastMessage(body)
    const places = steps.map((each) => said.lastIndexOf(promptOf(thread, each)))
    const place = places[steps.indexOf(step)] ?? -1
    return place >= 0 && place === Math.max(...places)
  }).length

/** The last message that the model was sent in a request, as JSON: what it is to answer. */
export const lastMessage = (body: JsonObject | undefined): string => {
  const messages = body?.["messages"]
  const users = (Array.isArray(messages) ? messages : []).filter(
    (message) => isRecord(message) && message["role"] === "user"
  )
  return JSON.stringify(users.at(-1) ?? "")
}
