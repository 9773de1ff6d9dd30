/**
 * Conversations that branch, with the real CLI and the real clients: another answer, an edit, a deletion, a way back to what
 * was left. The model is asked what the client shows, each time.
 */
import { says, saysWith, text, tool } from "@agentwire/fixtures/scenario"
import { ProxiedCopilotRuntimeAgent } from "@copilotkit/core"
import { describe, expect, it } from "@effect/vitest"
import { firstOf, sweeping } from "../../packages/fixtures/test/Sweep.ts"
import { agentAt, type Client, type ClientAgent, clients, headers, newest, type Place, run } from "./OnBridge.ts"
import { bridges, shown, Talk } from "./Talk.ts"

const bash = tool("Bash", { command: "echo from the shell", description: "Say something" })

/** What every client does: all ways of going back, one after the other, and a restart in between. */
const everything = (version: string, agentOf: (place: Pick<Place, "url" | "kit">) => ClientAgent) => {
  let left: ClientAgent["messages"] = []
  let kept: Pick<ClientAgent, "messages" | "state"> | undefined
  return bridges(
    version,
    {
      replies: [
        says("Answer one."),
        says(text("Looking."), bash),
        says("Answer two."),
        says("Another answer two."),
        says("Answer to an edit."),
        says(text("Looking again."), bash),
        says("Answer with a call."),
        says("Answer after the call."),
        says("Answer to the sibling."),
        says("Answer after the restart."),
        says("Answer to the first message.")
      ]
    },
    async (place) => {
      const talk = new Talk(agentOf(place), place.asked)
      await talk.say("One")
      await talk.say("Two")
      left = talk.messages
      expect(await talk.with(talk.through("Two"))).toEqual([
        ["user", "One"],
        ["assistant", "Answer one."],
        ["user", "Two"],
        ["assistant", "Another answer two."]
      ])
      expect((await talk.say("Second", talk.before("Two"))).slice(2)).toEqual([
        ["user", "Second"],
        ["assistant", "Answer to an edit."]
      ])
      await talk.say("Three")
      // Behind the result of the call: what the agent said after it is gone.
      const through = talk.messages.findIndex(({ role }) => role === "tool") + 1
      const now = await talk.say("Four", talk.messages.slice(0, through))
      expect(now.slice(-4).map(([who]) => who)).toEqual(["call", "result", "user", "assistant"])
      // What was left is there, with its call and its result.
      expect((await talk.say("And?", left)).slice(2).map(([, what]) => what)).toEqual([
        "Two",
        "Looking.",
        expect.stringContaining("toolu"),
        "from the shell",
        "Answer two.",
        "And?",
        "Answer to the sibling."
      ])
      kept = { messages: talk.messages, state: talk.agent.state }
    },
    async (place) => {
      const talk = new Talk(agentOf(place), place.asked)
      talk.agent.setState(kept?.state)
      talk.agent.setMessages([...(kept?.messages ?? [])])
      // Another answer by the same words in the place of the first prompt after a restart.
      const edited = talk.before("And?")
      await talk.say("Or?", edited)
      const [first] = talk.messages
      if (first === undefined) throw new Error("There is nothing.")
      expect(await talk.with([{ ...first, role: "user", content: "Other words" }])).toEqual([
        ["user", "Other words"],
        ["assistant", "Answer to the first message."]
      ])
      const session = await place.session()
      expect(session.log.situation().origins).toHaveLength(7)
    }
  )
}

/** CopilotKit's own agent, which is a page's way to the runtime. */
const byKit = ({ url }: Pick<Place, "url">): ClientAgent =>
  new ProxiedCopilotRuntimeAgent({
    runtimeUrl: `${url}/kit`,
    transport: "rest",
    agentId: "default",
    threadId: "thread-1",
    headers
  }) as unknown as ClientAgent

const byRun = (client: Client) => (place: Pick<Place, "url">) => agentAt(place.url, client)

describe("the model is asked what the client shows", () => {
  let kept: ClientAgent["messages"] = []

  it.live.each(firstOf(1, clients))(
    "by plain clients, on 2.1.325",
    (client) => everything("2.1.325", byRun(client)),
    300_000
  )

  it.live("by CopilotKit's, on 2.1.325", () => everything("2.1.325", byKit), 300_000)

  // One of the clients each: without a state, what they send differs in nothing that is looked at here.
  it.live.each(firstOf(1, clients))(
    "by one whose application clears the shared state, and which wants other answers",
    (client) =>
      bridges(
        "2.1.325",
        { replies: ["One.", "Two.", "Another two.", "Another one."].map((words) => says(words)) },
        async ({ asked, url }) => {
          const talk = new Talk(agentAt(url, client), asked)
          // Nothing of what the bridge has put into the state comes back.
          const clearState = () => talk.agent.setState({})
          await talk.say("One")
          clearState()
          await talk.say("Two")
          clearState()
          expect((await talk.with(talk.through("Two"))).at(-1)).toEqual(["assistant", "Another two."])
          clearState()
          expect(await talk.with(talk.through("One"))).toEqual([
            ["user", "One"],
            ["assistant", "Another one."]
          ])
        }
      )
  )

  it.live.each(firstOf(1, clients.toReversed()))(
    "by one whose application clears the shared state, and which edits and goes back",
    (client) =>
      bridges(
        "2.1.325",
        {
          replies: [
            "One.",
            "Two.",
            "Other.",
            "Third.",
            "Left.",
            "After all.",
            "After a restart.",
            "More of it.",
            "Edited then."
          ].map((words) => says(words))
        },
        async ({ asked, url }) => {
          const talk = new Talk(agentAt(url, client), asked)
          const say = (words: string, to = talk.messages) => {
            talk.agent.setState({})
            return talk.say(words, to)
          }
          await say("One")
          await say("Two")
          const left = talk.messages
          expect((await say("Second", talk.before("Two"))).slice(2)).toEqual([
            ["user", "Second"],
            ["assistant", "Other."]
          ])
          await say("Last", talk.before("Second"))
          expect((await say("And?", left)).slice(2).map(([, what]) => what)).toEqual(["Two", "Two.", "And?", "Left."])
          await say("Or?", talk.before("And?"))
          kept = talk.messages
        },
        async ({ asked, url }) => {
          const talk = new Talk(agentAt(url, client), asked)
          // The bridge has sent nobody anything yet. From the first answer on it knows this client, by what it shows of that.
          await talk.say("Again", kept)
          talk.agent.setState({})
          await talk.say("More")
          talk.agent.setState({})
          expect((await talk.say("Instead", talk.before("More"))).at(-1)).toEqual(["assistant", "Edited then."])
        }
      )
  )

  it.live("by one that stops an answer, and wants another", () =>
    bridges(
      "2.1.325",
      {
        replies: [
          says("Answer one."),
          saysWith({ break: { how: "hang", afterEvents: 5 } }, text("Once ", "upon ", "a time")),
          says("Another.")
        ]
      },
      async (place) => {
        const talk = new Talk(agentAt(place.url), place.asked)
        await talk.say("One")
        talk.agent.addMessage({ id: "two", role: "user", content: "Two" })
        await run(talk.agent, {}, ({ type }) => {
          if (type === "TEXT_MESSAGE_CONTENT") talk.agent.abortRun()
        })
        expect(shown(talk.agent).at(-1)?.[0]).toBe("assistant")
        expect((await talk.with(talk.through("Two"))).slice(2)).toEqual([
          ["user", "Two"],
          ["assistant", "Another."]
        ])
      }
    )
  )

  it.live("by a client on 2.1.37", () =>
    bridges(
      "2.1.37",
      { replies: [says("Answer one."), says("Answer two."), says("Another."), says("Edited.")] },
      async (place) => {
        const talk = new Talk(agentAt(place.url), place.asked)
        await talk.say("One")
        await talk.say("Two")
        await talk.with(talk.through("Two"))
        await talk.say("Second", talk.before("Two"))
      }
    )
  )

  if (sweeping) it.live("in all ways on 2.1.37", () => everything("2.1.37", byRun(newest)), 300_000)
})
