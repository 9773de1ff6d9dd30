/**
 * Which prompts were answered to the end, as far as this bridge knows: the run that brought a prompt was delivered whole, or a
 * client has joined that was given the answer with it.
 *
 * A list that ends with such a prompt was cut on purpose. One that ends with a prompt whose run broke off is that of a client
 * that lacks the answer. This is for clients that do not say what they have had: an application may replace the shared state,
 * and with it the mark that does.
 */
import * as Agui from "@agentwire/protocol/agui"

/** What is known of the answers to prompts. */
export interface ArrivedAnswers {
  /** A run is about to be answered. What it returns is called when all of it was delivered. */
  readonly begin: (run: Pick<Agui.RunAgentInput, "messages" | "runId">) => () => void
  /** A client has joined, and was given these messages. */
  readonly joined: (messages: ReadonlyArray<Agui.Message>) => void
  /** Whether the answer to a prompt has arrived. A run by the same id is the same request once more, for its answer. */
  readonly has: (prompt: string, runId: string) => boolean
  /** Whether a run is the last one with its prompt once more. */
  readonly isRepeated: (run: Pick<Agui.RunAgentInput, "messages" | "runId">) => boolean
}

/** How the last run with a prompt went; without an id: it was not here. */
interface Answered {
  readonly runId?: string
  readonly isWhole: boolean
}

/** Nothing has arrived. */
export const arrivedAnswers = (): ArrivedAnswers => {
  const prompts = new Map<string, Answered>()

  const note = (prompt: string, answered: Answered): void => {
    prompts.delete(prompt)
    prompts.set(prompt, answered)
    for (const oldest of prompts.keys()) {
      if (prompts.size <= Agui.maxRemembered) return
      prompts.delete(oldest)
    }
  }

  return {
    begin: ({ messages, runId }) => {
      const last = messages.at(-1)
      if (last?.role !== "user") return () => {}
      note(last.id, { runId, isWhole: false })
      return () => {
        if (prompts.get(last.id)?.runId === runId) note(last.id, { runId, isWhole: true })
      }
    },
    joined: (messages) => {
      for (const { id, role } of messages) if (role === "user" && !prompts.has(id)) note(id, { isWhole: true })
    },
    has: (prompt, runId) => {
      const answered = prompts.get(prompt)
      return answered?.isWhole === true && answered.runId !== runId
    },
    isRepeated: ({ messages, runId }) => prompts.get(messages.at(-1)?.id ?? "")?.runId === runId
  }
}
