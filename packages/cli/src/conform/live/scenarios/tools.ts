/** Tools: of the server, of the client, and several at once. */
import { randomUUID } from "node:crypto"
import { assistant, toolResult, user } from "../Conversation.ts"
import type { LiveScenario } from "../LiveScenario.ts"
import { argumentsOf, endOf, type Item, type ToolCallRead, textOf, toolCallsOf } from "../Reading.ts"
import type { Answer } from "../Stream.ts"
import type { Talk } from "../Talk.ts"
import { mustAnswer } from "./answers.ts"

const tool = (name: string, description: string, property: string): Item => ({
  name,
  description,
  parameters: {
    type: "object",
    properties: { [property]: { type: "string" } },
    required: [property],
    additionalProperties: false
  }
})

/** The tools that the scenarios offer as a client. */
const clientTools = {
  color: tool("conform_set_color", "Sets the colour of the page and returns a confirmation code.", "color"),
  weather: tool("conform_weather", "Returns the weather of a city.", "city"),
  clock: tool("conform_clock", "Returns the local time of a city.", "city")
} as const

/** What the colour tool returns. The answer should mention it: it can be known in no other way. */
const code = "QX-7431"

/** Checks that the run has left the calls to the client. */
const leftToClient = (talk: Talk, { events }: Answer, calls: ReadonlyArray<ToolCallRead>): void => {
  const end = endOf(events)
  if (end._tag === "Success" || end._tag === "None") return
  const names = calls.map(({ name }) => name).join(", ")
  talk.report("LIVE-FRONTEND-001", `The run that calls ${names} ends as ${end._tag.toLowerCase()}.`, events.at(-1))
}

const callsOf = (
  talk: Talk,
  answer: Answer,
  tools: ReadonlyArray<Item>,
  least: number
): ReadonlyArray<ToolCallRead> => {
  const names = tools.map(({ name }) => name)
  const calls = toolCallsOf(answer.events).filter(({ name }) => names.includes(name))
  if (calls.length < least) {
    mustAnswer(talk, answer)
    talk.skip(`the model made ${calls.length} calls of ${names.join(", ")}`)
  }
  return calls
}

/** The second run: the calls and their results. */
const answerCalls = async (
  talk: Talk,
  threadId: string,
  first: { readonly asked: Item; readonly answer: Answer; readonly tools: ReadonlyArray<Item> },
  results: ReadonlyArray<Item>
): Promise<Answer> => {
  const { answer, asked, tools } = first
  const messages = [asked, assistant(answer.events), ...results]
  const second = await talk.finish(talk.run({ threadId, messages, tools }))
  const before = new Set(toolCallsOf(answer.events).map(({ id }) => id))
  for (const { id } of toolCallsOf(second.events)) {
    if (before.has(id)) talk.report("LIVE-FRONTEND-002", `The call '${id}' is streamed again.`)
  }
  return second
}

/** The scenarios. */
export const tools: ReadonlyArray<LiveScenario> = [
  {
    id: "LIVE-010",
    title: "tool of the server",
    needs: "a call of a tool that the server has",
    prompt:
      "Use one of your own tools, any that only reads (for example to list the files of the current directory), " +
      "and then say in one sentence what it returned.",
    play: async (talk) => {
      const answer = await talk.finish(talk.run({ threadId: randomUUID(), messages: [user(talk.prompt)] }))
      const calls = toolCallsOf(answer.events)
      if (calls.length === 0) {
        mustAnswer(talk, answer)
        talk.skip("the model called no tool")
      }
      if (endOf(answer.events)._tag !== "Success") return
      for (const { id, name, results } of calls) {
        if (results === 0) talk.report("LIVE-TOOL-001", `The call '${id}' of ${name} has no result.`)
      }
    }
  },
  {
    id: "LIVE-011",
    title: "tool of the client",
    needs: "a call of a tool that the client offers",
    prompt:
      'Call the tool conform_set_color with the color "teal", and then tell me the confirmation code it returned.',
    play: async (talk) => {
      const tools = [clientTools.color]
      const answer = await talk.finish(talk.run({ threadId: randomUUID(), messages: [user(talk.prompt)], tools }))
      leftToClient(talk, answer, callsOf(talk, answer, tools, 1))
    }
  },
  {
    id: "LIVE-012",
    title: "result of a tool of the client",
    needs: "a call of a tool that the client offers",
    prompt:
      'Call the tool conform_set_color with the color "teal", and then tell me the confirmation code it returned.',
    play: async (talk) => {
      const threadId = randomUUID()
      const tools = [clientTools.color]
      const asked = user(talk.prompt)
      const answer = await talk.finish(talk.run({ threadId, messages: [asked], tools }))
      const calls = callsOf(talk, answer, tools, 1)
      leftToClient(talk, answer, calls)
      const results = calls.map(({ id }) => toolResult(id, `The color is set. Confirmation code: ${code}`))
      const second = await answerCalls(talk, threadId, { asked, answer, tools }, results)
      mustAnswer(talk, second)
      if (!textOf(second.events).includes(code)) {
        talk.report("LIVE-FRONTEND-003", `The answer does not mention ${code}, which the tool returned.`)
      }
    }
  },
  {
    id: "LIVE-013",
    title: "parallel tools",
    needs: "two calls in one answer",
    prompt:
      "In one single step call both tools: conform_weather with the city Oslo and conform_clock with the city Lima. " +
      "Then say what they returned.",
    play: async (talk) => {
      const threadId = randomUUID()
      const tools = [clientTools.weather, clientTools.clock]
      const asked = user(talk.prompt)
      const answer = await talk.finish(talk.run({ threadId, messages: [asked], tools }))
      const calls = callsOf(talk, answer, tools, 2)
      leftToClient(talk, answer, calls)
      for (const call of calls) {
        if (typeof argumentsOf(call)?.["city"] !== "string") {
          talk.report("LIVE-TOOL-002", `The arguments of '${call.id}' (${call.name}) have no city.`, call.args)
        }
      }
      const results = calls.map(({ id, name }) =>
        toolResult(id, name === "conform_clock" ? "It is noon." : "It rains.")
      )
      await answerCalls(talk, threadId, { asked, answer, tools }, results)
    }
  },
  {
    id: "LIVE-014",
    title: "tool of a client of dialect 0.0",
    needs: "a call of a tool that the client offers",
    prompt:
      'Call the tool conform_set_color with the color "teal", and then tell me the confirmation code it returned.',
    transports: ["agui"],
    play: async (talk) => {
      const tools = [clientTools.color]
      const run = talk.run({ threadId: randomUUID(), messages: [user(talk.prompt)], tools, dialect: "0.0" })
      const answer = await talk.finish(run)
      leftToClient(talk, answer, callsOf(talk, answer, tools, 1))
    }
  }
]
