/** Interrupts: runs that end with a question, and the runs that answer it, decline, or leave it open. */
import { randomUUID } from "node:crypto"
import { assistant, toolResult, user } from "../Conversation.ts"
import type { LiveScenario } from "../LiveScenario.ts"
import { endOf, type Item, stringAt } from "../Reading.ts"
import type { Talk } from "../Talk.ts"
import { mustAnswer } from "./answers.ts"

const prompt =
  "Do something that you need my approval for: in the temporary folder of the system, create the file " +
  "conform-approval.txt with the word hello. " +
  "Wait for my approval, and do not work around it."

const needs = "a run that ends with an interrupt"

interface Interrupted {
  readonly threadId: string
  readonly runId: string
  readonly messages: ReadonlyArray<Item>
  readonly interrupts: ReadonlyArray<Item>
}

const interrupted = async (talk: Talk): Promise<Interrupted> => {
  const threadId = randomUUID()
  const asked = user(talk.prompt)
  const run = talk.run({ threadId, messages: [asked] })
  const answer = await talk.finish(run)
  const end = endOf(answer.events)
  if (end._tag !== "Interrupt") {
    mustAnswer(talk, answer)
    return talk.skip("the run did not end with an interrupt")
  }
  return { threadId, runId: run.runId, messages: [asked, assistant(answer.events)], interrupts: end.interrupts }
}

const payload = { approved: true, ok: true }

/** Answers all interrupts as the transport's usual client does: CopilotKit keeps the run's id (§0 item 8). */
const resume = async (talk: Talk, from: Interrupted, status: "resolved" | "cancelled"): Promise<void> => {
  const copilotKit = talk.target.transport !== "agui"
  const answers = from.interrupts.map((interrupt) => ({
    interruptId: stringAt(interrupt, "id") ?? "",
    status,
    ...(status === "resolved" && { payload })
  }))
  const bound = copilotKit ? from.interrupts.flatMap((interrupt) => stringAt(interrupt, "toolCallId") ?? []) : []
  const run = talk.run({
    threadId: from.threadId,
    ...(copilotKit && { runId: from.runId }),
    messages: [...from.messages, ...bound.map((id) => toolResult(id, JSON.stringify(payload)))],
    resume: answers
  })
  const answer = await run.done
  // The tool message has the user's answer. The result of the tool, which is still to come, is no second one.
  if (bound.length > 0) talk.forgive(run, "AGUI-TOOL-RESULT-003")
  const end = endOf(answer.events)
  if (answer.head !== undefined && answer.head.status >= 400) {
    talk.report("LIVE-INTERRUPT-001", `The answer was refused with HTTP ${answer.head.status}.`, answer.body)
  } else if (end._tag === "Error" && status === "resolved") {
    talk.report("LIVE-INTERRUPT-001", `The run that answers ended in RUN_ERROR: ${end.message}`, answer.events.at(-1))
  } else if (end._tag === "Interrupt") {
    const before = new Set(from.interrupts.map(({ id }) => id))
    for (const { id } of end.interrupts) {
      if (before.has(id)) talk.report("LIVE-INTERRUPT-003", `The interrupt '${id}' was answered and comes again.`)
    }
  }
}

/** The scenarios. */
export const interrupts: ReadonlyArray<LiveScenario> = [
  {
    id: "LIVE-040",
    title: "resume of an interrupt",
    needs,
    prompt,
    play: async (talk) => {
      await resume(talk, await interrupted(talk), "resolved")
    }
  },
  {
    id: "LIVE-041",
    title: "interrupt declined",
    needs,
    prompt,
    play: async (talk) => {
      await resume(talk, await interrupted(talk), "cancelled")
    }
  },
  {
    id: "LIVE-042",
    title: "interrupt left open",
    needs,
    prompt,
    play: async (talk) => {
      const { messages, threadId } = await interrupted(talk)
      const run = talk.run({ threadId, messages: [...messages, user("Never mind that. Say hello.")] })
      const { events, head } = await run.done
      // To refuse it is right, whatever the head of a stream should be.
      if (head !== undefined && head.status >= 400) talk.forgive(run)
      else if (endOf(events)._tag === "Success") {
        talk.report("LIVE-INTERRUPT-002", "A run without `resume` finished as a success.", events.at(-1))
      }
    }
  }
]
