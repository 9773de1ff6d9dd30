/** Several runs: on threads of their own, on one thread in turn and at once, and with a reader that is slow. */
import { randomUUID } from "node:crypto"
import { assistant, user } from "../Conversation.ts"
import { type LiveScenario, longPrompt, plainPrompt } from "../LiveScenario.ts"
import { endOf, type Item, isContent, jsonOf, messageIdsOf, textOf } from "../Reading.ts"
import { isSuccess } from "../Stream.ts"
import type { Talk } from "../Talk.ts"
import { longText, mustAnswer } from "./answers.ts"

/** A word that nobody says by chance. */
const codeword = (): string => `KESTREL-${randomUUID().slice(0, 8).toUpperCase()}`

/** Replaces `{codeword}` in the prompt. */
const asking = (talk: Talk, word: string): Item => user(talk.prompt.replaceAll("{codeword}", word))

const says = (events: ReadonlyArray<Item>, word: string): boolean => jsonOf(events).includes(word)

/** The scenarios. */
export const threads: ReadonlyArray<LiveScenario> = [
  {
    id: "LIVE-030",
    title: "two threads at once",
    prompt: "Reply with this codeword and nothing else: {codeword}",
    play: async (talk) => {
      const words = [codeword(), codeword()] as const
      const runs = words.map((word) => talk.run({ threadId: randomUUID(), messages: [asking(talk, word)] }))
      const answers = await Promise.all(runs.map((run) => run.done))
      for (const [i, { events }] of answers.entries()) {
        const other = words[1 - i]
        if (other !== undefined && says(events, other)) {
          const event = events.find((candidate) => says([candidate], other))
          talk.report("LIVE-THREAD-001", `${runs[i]?.label}: it has the codeword of the other thread.`, event)
        }
      }
      const [first, second] = answers.map(({ events }) => messageIdsOf(events))
      const shared = [...(first ?? [])].filter((id) => second?.has(id))
      if (shared.length > 0) {
        talk.report("LIVE-THREAD-003", `Both threads stream a message with the id '${shared[0]}'.`)
      }
    }
  },
  {
    id: "LIVE-031",
    title: "same thread twice",
    prompt: "My codeword is {codeword}. Reply with OK.",
    play: async (talk) => {
      const threadId = randomUUID()
      const word = codeword()
      const asked = asking(talk, word)
      const first = await talk.finish(talk.run({ threadId, messages: [asked] }))
      mustAnswer(talk, first)
      const again = user("What is my codeword? Reply with the codeword and nothing else.")
      const second = await talk.finish(talk.run({ threadId, messages: [asked, assistant(first.events), again] }))
      mustAnswer(talk, second)
      if (!textOf(second.events).includes(word)) {
        talk.report("LIVE-THREAD-002", "The second answer does not have the codeword of the first message.")
      }
    }
  },
  {
    id: "LIVE-032",
    title: "same thread twice at once",
    needs: "an answer that takes a while",
    prompt: longPrompt,
    play: async (talk) => {
      const threadId = randomUUID()
      const first = talk.run({ threadId, messages: [user(talk.prompt)] })
      if (!(await first.seen(isContent))) {
        mustAnswer(talk, await talk.finish(first))
        talk.skip("the run ended before a second one could begin")
      }
      const second = talk.run({ threadId, messages: [user(plainPrompt)], judge: { dialect: talk.dialect } })
      const [one, two] = await Promise.all([first.done, second.done])
      // Refusing is fine, with any status: that says nothing about the head of a stream.
      if (two.head !== undefined && two.head.status >= 400) talk.forgive(second)
      if (isSuccess(two.head) && two.ending._tag === "Ended" && endOf(two.events)._tag === "None") {
        talk.report("LIVE-BUSY-001", `${second.label}: HTTP ${two.head?.status} and no end of a run.`, two.body)
      }
      const end = endOf(one.events)
      if (one.ending._tag === "Ended" && (end._tag === "Error" || end._tag === "Cancelled")) {
        talk.report("LIVE-BUSY-002", `${first.label}: it ended as ${end._tag.toLowerCase()}.`, one.events.at(-1))
      }
    }
  },
  {
    id: "LIVE-033",
    title: "slow reader",
    needs: "an answer that takes a while",
    prompt: longPrompt,
    play: async (talk) => {
      const pauseMs = Math.min(2000, talk.limits.timeoutMs / 8)
      const slow = talk.run({ threadId: randomUUID(), messages: [user(talk.prompt)], pauseMs })
      const quick = talk.run({ threadId: randomUUID(), messages: [user(plainPrompt)] })
      const first = await Promise.race([slow.done.then(() => "slow"), quick.done.then(() => "quick")])
      const [answer, other] = await Promise.all([slow.done, quick.done])
      const { length } = textOf(answer.events)
      if (other.ending._tag === "TimedOut" && answer.ending._tag !== "TimedOut") {
        talk.report("LIVE-SLOW-001", `${quick.label}: it did not end while another client was reading slowly.`)
      } else if (first === "slow" && answer.ending._tag === "Ended" && length >= longText) {
        talk.report("LIVE-SLOW-001", `${quick.label}: a short answer waited for the end of a slow reader's long one.`)
      } else if (answer.ending._tag === "Ended" && length < longText) {
        talk.skip(`the answer has ${length} characters only`)
      }
    }
  }
]
