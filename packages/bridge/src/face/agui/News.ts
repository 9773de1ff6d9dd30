/**
 * How much a run may tell the agent at once. A request brings the whole conversation, of which nearly all is known. What
 * is new is written to the agent, kept, and told to everybody who follows, each time in one step.
 */
import type * as Agui from "@agentwire/protocol/agui"
import { weightOf } from "../../eventloop/Weight.ts"
import { defaultHttpLimits, type HttpLimits } from "../http/HttpLimits.ts"
import { type HttpRefusal, refuse } from "../http/HttpRefusal.ts"

/** What is too much of what a run tells; undefined when nothing is. */
export const newsProblem = (
  { context = [], messages, state }: Agui.RunAgentInput,
  limits: HttpLimits = {}
): HttpRefusal | undefined => {
  const { maxNewLength, maxNewMessages, maxNewText } = { ...defaultHttpLimits, ...limits }
  const lastSaid = messages.findLastIndex(({ role }) => said.has(role))
  let count = 0
  let text = weightOf(state) + weightOf(context)
  let attached = 0
  for (let index = 0; index < messages.length; index++) {
    const { content = "", role } = messages[index] as Agui.Message
    if (!instructions.has(role) && (index < lastSaid || said.has(role))) continue
    count++
    if (typeof content === "string") text += content.length
    else if (Array.isArray(content))
      for (const part of content as ReadonlyArray<Agui.ContentPart>) {
        if ("text" in part) text += part.text.length
        else attached += part.source.value.length
      }
  }
  const problem =
    count > maxNewMessages
      ? `${maxNewMessages} messages`
      : text > maxNewText
        ? `${maxNewText} characters of text`
        : text + attached > maxNewLength
          ? `${maxNewLength} characters with attachments`
          : undefined
  return problem === undefined
    ? undefined
    : refuse(
        "TOO_MUCH_NEW",
        `A run tells the agent at most ${problem} at once: new messages, instructions, context and state.`
      )
}

/** What stands before something that the agent said is not new, except instructions, which are for always. */
const said: ReadonlySet<Agui.Role> = new Set<Agui.Role>(["assistant", "reasoning", "activity"])
const instructions: ReadonlySet<Agui.Role> = new Set<Agui.Role>(["system", "developer"])
