/** The takes of the demo agent, and what they come to in a page. */
import { demoPromptUuid, demoTapes, loadTape } from "@agentwire/fixtures"
import { type Agui, Conform, Translate } from "@agentwire/protocol"
import { decodeLine } from "@agentwire/protocol/claude"
import type { Conversation } from "../../src/demo/Names.ts"
import type { Way } from "../../src/demo/Play.ts"
import { type Take, takeOf } from "../../src/demo/Take.ts"

/** A conversation of now. */
export const conversation: Conversation = { sessionId: "11111111-1111-4111-8111-111111111111", server: "frontend" }

/** The uuids of the prompt, recorded and now. */
export const promptNames = [demoPromptUuid, "22222222-2222-4222-8222-222222222222"] as const

const all: ReadonlyMap<string, Take> = new Map(
  demoTapes.map((entry) => [entry.scenario.replace("demo_", ""), takeOf(loadTape(entry))])
)

/** The names of all takes. */
export const takeNames: ReadonlyArray<string> = [...all.keys()]

/** A take by its name. */
export const take = (name: string): Take => {
  const found = all.get(name)
  if (found === undefined) throw new Error(`There is no take ${name}.`)
  return found
}

/** A take as a way of a turn. */
export const way = (name: string): Way => {
  const { sessionId, turn } = take(name)
  return { cues: turn, known: [[sessionId, conversation.sessionId], promptNames] }
}

/** The events that lines of the CLI become in one run. */
export const eventsOf = (lines: ReadonlyArray<string>): ReadonlyArray<Agui.AguiEvent> => {
  const options = { threadId: "t", approvals: "event", frontendServer: "frontend" } as const
  const [begun, first] = Translate.beginRun(Translate.initialState(options), {
    runId: "r",
    frontendTools: ["setAccent"]
  })
  const [ended, more] = Translate.stepAll(Translate.expectTurn(begun)[0], lines.map(decodeLine))
  return [...first, ...more, ...Translate.finish(ended)]
}

/** What is wrong with events, but for remarks. */
export const wrongWith = (events: ReadonlyArray<Agui.AguiEvent>): ReadonlyArray<string> =>
  Conform.checkEvents(events)
    .findings.filter(({ level }) => level !== "info")
    .map(({ message, rule }) => `${rule}: ${message}`)
