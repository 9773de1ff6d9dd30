/**
 * Clients that take something back while the agent waits for somebody: a permission, or a tool of the page. The turn that
 * waits is ended, whoever sees the question is told, and the model is asked what the client shows.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { says, text, tool } from "@agentwire/fixtures/scenario"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Session } from "../../packages/bridge/src/session/Session.ts"
import { firstOf, sweeping } from "../../packages/fixtures/test/Sweep.ts"
import { newestOf, sent } from "./ModelRequest.ts"
import { agentAt, clients, isNewest, run } from "./OnBridge.ts"
import { bridgesWith, shown, Talk, type TalkPlace } from "./Talk.ts"

const tools = [{ name: "pick", description: "Lets the person pick", parameters: { type: "object", properties: {} } }]

/** What the agent waits for. */
const permission = tool("Bash", { command: "touch forbidden", description: "Touch" })
const page = tool("mcp__frontend__pick", { of: "colors" })

/** What became of the questions and turns of a session since a number. */
const happenedSince = async ({ log }: Session, from: number): Promise<ReadonlyArray<string>> => {
  const entries = await Effect.runPromise(Stream.runCollect(Stream.take(log.read(from), log.next() - from)))
  return entries.flatMap(({ event }) => {
    if (event.type === "request_closed") return [`closed: ${event.by}`]
    if (event.type === "turn_ended") return [event.outcome.type]
    return event.type === "branched" || event.type === "request_opened" ? [event.type] : []
  })
}

/** Says something, after which the agent waits. */
const untilItWaits = async ({ session }: TalkPlace, talk: Talk, words: string): Promise<void> => {
  talk.agent.addMessage({ id: crypto.randomUUID(), role: "user", content: words })
  const { error } = await run(talk.agent, { tools })
  expect(error).toBeUndefined()
  const { waiting } = await session()
  expect(await Effect.runPromise(waiting)).toHaveLength(1)
}

/** What a person does instead of answering. */
const instead: ReadonlyArray<(talk: Talk, words: string) => Promise<unknown>> = [
  (talk, words) => talk.say(`Not ${words}`, talk.before(words)),
  (talk, words) => {
    const id = talk.through(words).at(-1)?.id ?? ""
    return talk.with([...talk.before(words), { id, role: "user", content: `${words}, but otherwise` }])
  },
  (talk, words) => talk.with(talk.through(words))
]

describe("a client that takes back what the agent waits in", () => {
  it.live.each(
    clients
      .flatMap((client, nth) => [
        { client, nth, what: "permission", waiting: permission },
        { client, nth, what: "tool of the page", waiting: page }
      ])
      // Every day each client with another of them.
      .filter(({ nth, waiting }) => sweeping || (nth === 0) === (waiting === permission))
  )("with a $what is answered, and the model is asked what it shows (client $nth)", ({ client, waiting }) =>
    bridgesWith(
      "2.1.325",
      {
        replies: [
          says("Answer one."),
          ...instead.flatMap((_, nth) => [says(text("Looking."), waiting), says(`Answer instead ${nth}.`)]),
          says("Answer in the end.")
        ]
      },
      { approvals: "interrupt" },
      async (place) => {
        const talk = new Talk(agentAt(place.url, client), place.asked)
        await talk.say("One")
        const session = await place.session()
        for (const [nth, takeBack] of instead.entries()) {
          const [from, said] = [session.log.next(), shown(talk.agent)]
          await untilItWaits(place, talk, `Words ${nth}`)
          await takeBack(talk, `Words ${nth}`)
          expect(shown(talk.agent).slice(0, -2)).toEqual(said)
          expect(shown(talk.agent).at(-1)).toEqual(["assistant", `Answer instead ${nth}.`])
          expect(await happenedSince(session, from)).toEqual([
            "request_opened",
            "closed: abandoned",
            "cancelled",
            "branched",
            "completed"
          ])
          expect(await Effect.runPromise(session.waiting)).toEqual([])
        }
        expect(talk.agent.pendingInterrupts).toEqual([])
        expect(existsSync(join(session.cwd, "forbidden"))).toBe(false)
        await talk.say("In the end")
      }
    )
  )
})

describe("whoever is asked", () => {
  const isQuestion = (event: { readonly type: string }): boolean =>
    event.type === "CUSTOM" && "name" in event && event.name === "tool_approval_request"

  it.live.each(firstOf(1, clients))("by an event is told when somebody else takes the turn back", (client) =>
    bridgesWith(
      "2.1.325",
      {
        replies: [
          says("Answer one."),
          says(text("Looking."), permission),
          says("Answer instead."),
          says("Answer three.")
        ]
      },
      { approvals: "event" },
      async (place) => {
        const talk = new Talk(agentAt(place.url, client), place.asked)
        await talk.say("One")
        const tab = new Talk(agentAt(place.url, client), place.asked)
        tab.agent.setMessages([...talk.messages])
        tab.agent.setState(talk.agent.state)
        talk.agent.addMessage({ id: "two", role: "user", content: "Two" })
        let tellAsked = (): void => {}
        const asked = new Promise<void>((resolve) => {
          tellAsked = resolve
        })
        const reading = run(talk.agent, {}, (event) => isQuestion(event) && tellAsked())
        await asked
        await tab.with([...tab.messages, { id: "two", role: "user", content: "Two, but otherwise" }])
        const { error, events, outcome } = await reading
        expect(error).toBeUndefined()
        expect(outcome).toEqual(isNewest(client) ? { type: "cancelled" } : undefined)
        // What it was asked about has a result, and its run is over.
        const types = events.slice(events.findIndex(isQuestion)).map(({ type }) => String(type))
        expect(types.filter((type) => type.startsWith("TOOL") || type.startsWith("RUN"))).toEqual([
          "TOOL_CALL_RESULT",
          "RUN_FINISHED"
        ])
        const session = await place.session()
        expect(await Effect.runPromise(session.waiting)).toEqual([])
        // With its next words it has what the other one made of the conversation, though in an order of its own: clients put
        // what a snapshot brings behind what they have.
        talk.agent.addMessage({ id: "three", role: "user", content: "Three" })
        await run(talk.agent)
        const said = ["One", "Answer one.", "Two, but otherwise", "Answer instead.", "Three"]
        expect(sent(newestOf(place.asked)).map(([, what]) => what)).toEqual(said)
        expect(new Set(shown(talk.agent).map(([, what]) => what))).toEqual(new Set([...said, "Answer three."]))
      }
    )
  )
})
