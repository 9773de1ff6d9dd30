/** What a CopilotKit page asks besides runs: what the runtime is, and what happened on a thread. */

import { randomUUID } from "node:crypto"
import * as Agui from "@agentwire/protocol/agui"
import { decodePayload } from "@agentwire/protocol/codec"
import * as CopilotKit from "@agentwire/protocol/copilotkit"
import { isRecord, parseJson } from "@agentwire/protocol/wire"
import { user } from "../Conversation.ts"
import { copilotKit, type LiveScenario, longPrompt, plainPrompt } from "../LiveScenario.ts"
import { endOf, type Item, isContent, jsonOf, textOf } from "../Reading.ts"
import { isSuccess, type Stream } from "../Stream.ts"
import type { Talk } from "../Talk.ts"
import { mustAnswer } from "./answers.ts"

/** The history of a thread; a runtime that keeps none may say so with 404. */
const historyOf = async (talk: Talk, connection: Stream & { readonly label: string }): Promise<ReadonlyArray<Item>> => {
  const { body, ending, events, head } = await connection.done
  if (head?.status === 404 || head?.status === 405 || head?.status === 501) {
    talk.forgive(connection)
    talk.skip(`the runtime has no connect: HTTP ${head.status}`)
  }
  if (ending._tag === "Ended" && !isSuccess(head)) {
    talk.report("LIVE-CONNECT-001", `It was answered with HTTP ${head?.status}.`, body)
  }
  return events
}

/** The scenarios. */
export const history: ReadonlyArray<LiveScenario> = [
  {
    id: "LIVE-050",
    title: "what the runtime says of itself",
    prompt: plainPrompt,
    transports: copilotKit,
    play: async (talk) => {
      const { body, ending, head } = await talk.ask({ ask: "info" }).done
      if (ending._tag !== "Ended" || !isSuccess(head)) {
        const how = head === undefined ? "not answered" : `answered with HTTP ${head.status}`
        talk.report("LIVE-INFO-001", `The request for information was ${how}.`, body)
        return
      }
      const info = decodePayload(CopilotKit.RuntimeInfo, parseJson(body))
      if (info._tag === "Invalid") {
        talk.report("LIVE-INFO-001", info.error.message.replace(/\s+/g, " "), body)
      } else if (!Object.hasOwn(info.value.agents, talk.target.agent)) {
        const known = Object.keys(info.value.agents).join(", ") || "none"
        talk.report("LIVE-INFO-002", `There is no agent '${talk.target.agent}'; known: ${known}.`, body)
      }
    }
  },
  {
    id: "LIVE-051",
    title: "connect and history",
    prompt: plainPrompt,
    transports: copilotKit,
    play: async (talk) => {
      const threadId = randomUUID()
      const mark = `(${randomUUID()})`
      const run = await talk.finish(talk.run({ threadId, messages: [user(`${talk.prompt} ${mark}`)] }))
      mustAnswer(talk, run)
      const events = await historyOf(talk, talk.connect(threadId))
      const said = textOf(run.events).trim()
      const everything = `${textOf(events)}\n${jsonOf(events)}`
      if (said !== "" && !everything.includes(said) && !everything.includes(JSON.stringify(said).slice(1, -1))) {
        talk.report("LIVE-CONNECT-002", `${events.length} events came, and the answer is not in them.`)
      }
      if (!everything.includes(mark)) {
        talk.report("LIVE-CONNECT-003", `${events.length} events came, and the prompt is not in them.`)
      }
    }
  },
  {
    id: "LIVE-052",
    title: "connect to a thread that never was",
    prompt: plainPrompt,
    transports: copilotKit,
    play: async (talk) => {
      const other = await talk.finish(talk.run({ threadId: randomUUID(), messages: [user(talk.prompt)] }))
      const said = textOf(other.events).trim()
      const events = await historyOf(talk, talk.connect(randomUUID()))
      const messages = events.filter((event) => isContent(event) || hasMessages(event))
      if (messages.length > 0) {
        const whose = said !== "" && jsonOf(messages).includes(said) ? "another thread's" : "some"
        talk.report("LIVE-CONNECT-004", `A thread that has no history has ${whose} messages.`, messages[0])
      }
    }
  },
  {
    id: "LIVE-053",
    title: "connect during a run",
    needs: "an answer that takes a while",
    prompt: longPrompt,
    transports: copilotKit,
    play: async (talk) => {
      const threadId = randomUUID()
      const run = talk.run({ threadId, messages: [user(talk.prompt)] })
      if (!(await run.seen(isContent))) {
        mustAnswer(talk, await talk.finish(run))
        talk.skip("the run ended before anyone could connect")
      }
      const events = await historyOf(talk, talk.connect(threadId))
      const { ending, events: own } = await run.done
      if (ending._tag !== "Ended" || endOf(own)._tag === "None") return
      // What was said before may come in a snapshot, and only the rest as deltas.
      const [theirs, ours] = [shownText(events), textOf(own)]
      if (endOf(events)._tag === "None" || !theirs.includes(ours)) {
        talk.report("LIVE-CONNECT-005", `${ours.length} characters were said, ${theirs.length} reached who connected.`)
      }
    }
  }
]

/** The text of the assistant's messages a client has after these events. */
const shownText = (events: ReadonlyArray<Item>): string => {
  const known = events.flatMap((event) => {
    const decoded = Agui.codecs["1.0"].decodeValue(event)
    return decoded._tag === "Known" ? [decoded.message] : []
  })
  return Agui.foldEvents(known)
    .messages.map((message) => (message.role === "assistant" ? (message.content ?? "") : ""))
    .join("")
}

const hasMessages = (event: Item): boolean => {
  if (event["type"] !== "MESSAGES_SNAPSHOT") return false
  const messages = event["messages"]
  return Array.isArray(messages) && messages.some(isRecord)
}
