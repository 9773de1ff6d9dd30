/** Answers in text, to clients of both dialects. */
import { randomUUID } from "node:crypto"
import { user } from "../Conversation.ts"
import { type LiveScenario, longPrompt, plainPrompt } from "../LiveScenario.ts"
import { deltasOf, endOf, textOf } from "../Reading.ts"
import type { Answer } from "../Stream.ts"
import type { Talk } from "../Talk.ts"

/** Long enough that nobody would send it in one piece. */
export const longText = 1000

/** Composed and decomposed letters, another script, right to left, a family of four code points, a line separator. */
const line = "Grüße an José e\u0301 · 日本語 · العربية · 👩‍👩‍👧‍👦 𝒳 · a\u2028b"

/** Skips when the run failed: that it may, but then it shows nothing. */
export const mustAnswer = (talk: Talk, { events }: Answer): void => {
  const end = endOf(events)
  if (end._tag === "Error") talk.skip(`the run ended in RUN_ERROR: ${end.message}`)
}

const plain = async (talk: Talk, dialect: "0.0" | "1.0"): Promise<void> => {
  const answer = await talk.finish(talk.run({ threadId: randomUUID(), messages: [user(talk.prompt)], dialect }))
  const end = endOf(answer.events)
  if (end._tag === "Error") talk.report("LIVE-ANSWER-001", `The run ended in RUN_ERROR: ${end.message}`)
  else if (textOf(answer.events) === "") talk.report("LIVE-ANSWER-001", "The run has no text.")
}

/** The scenarios. */
export const answers: ReadonlyArray<LiveScenario> = [
  {
    id: "LIVE-001",
    title: "plain answer",
    prompt: plainPrompt,
    play: (talk) => plain(talk, talk.dialect)
  },
  {
    id: "LIVE-002",
    title: "long answer",
    needs: `an answer of at least ${longText} characters`,
    prompt: longPrompt,
    play: async (talk) => {
      const answer = await talk.finish(talk.run({ threadId: randomUUID(), messages: [user(talk.prompt)] }))
      mustAnswer(talk, answer)
      const text = textOf(answer.events)
      if (text.length < longText) talk.skip(`the answer has ${text.length} characters only`)
      if (deltasOf(answer.events).length < 2) {
        talk.report("LIVE-ANSWER-002", `${text.length} characters came in one piece: clients show nothing until then.`)
      }
    }
  },
  {
    id: "LIVE-003",
    title: "unicode",
    needs: "an answer that repeats a line with characters outside ASCII",
    prompt: `Repeat the following line exactly, and nothing else: ${line}`,
    play: async (talk) => {
      const answer = await talk.finish(talk.run({ threadId: randomUUID(), messages: [user(talk.prompt)] }))
      mustAnswer(talk, answer)
      const text = textOf(answer.events)
      if (text.includes("\ufffd")) talk.report("LIVE-ANSWER-003", "The answer has U+FFFD where a character was.", text)
      else if (/Ã.|â€/.test(text)) talk.report("LIVE-ANSWER-003", "The answer was encoded twice.", text)
      const cut = deltasOf(answer.events).find((delta) => /\p{Surrogate}/u.test(delta))
      if (cut !== undefined) talk.report("LIVE-ANSWER-004", "A delta has half of a surrogate pair.", cut)
      if (!/[^\p{ASCII}]/u.test(text)) talk.skip("the answer is ASCII only")
    }
  },
  {
    id: "LIVE-004",
    title: "client of dialect 0.0",
    prompt: plainPrompt,
    play: (talk) => plain(talk, "0.0")
  },
  {
    id: "LIVE-005",
    title: "client of dialect 1.0",
    prompt: plainPrompt,
    play: (talk) => plain(talk, "1.0")
  },
  {
    id: "LIVE-006",
    title: "client of a later version",
    prompt: plainPrompt,
    play: async (talk) => {
      const more = { protocolVersion: "1.9", futureField: { anything: [1, 2, 3] } }
      const run = talk.run({
        threadId: randomUUID(),
        messages: [{ ...user(talk.prompt), futureField: true }],
        more,
        judge: { dialect: "1.0" }
      })
      const { events, head } = await run.done
      // A server may echo the request in RUN_STARTED, with what it does not know.
      talk.forgive(run, "AGUI-SCHEMA-006")
      if (head !== undefined && head.status >= 400) {
        talk.forgive(run)
        talk.report("LIVE-VERSION-001", `It was refused with HTTP ${head.status}.`)
      } else if (endOf(events)._tag === "Error") {
        talk.report("LIVE-VERSION-001", "It ended in RUN_ERROR.", events.at(-1))
      }
    }
  }
]
