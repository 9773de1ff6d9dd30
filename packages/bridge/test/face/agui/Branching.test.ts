/**
 * Clients that branch a conversation: the agent is then told exactly what the client shows. And clients that merely lack
 * something: they take nothing away from it.
 */
import { Agui, type Model } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { casesOf, sweeping } from "../../../../fixtures/test/Sweep.ts"
import { type Answer, Client, conversationOf, inSession, type Setting, shown, user } from "./BranchingClients.ts"

/** What happens next in a conversation; numbers choose among what there is. */
type Step = {
  readonly client: 0 | 1
  readonly does: "prompt" | "edit" | "edit_in_place" | "regenerate" | "cut" | "switch" | "filter" | "cut_off" | "join"
  readonly which: number
  readonly answer: Answer
}

const step: fc.Arbitrary<Step> = fc.record({
  client: fc.constantFrom(0 as const, 1 as const),
  does: fc.constantFrom(
    ...([
      "prompt",
      "prompt",
      "edit",
      "edit_in_place",
      "regenerate",
      "cut",
      "switch",
      "filter",
      "cut_off",
      "join"
    ] as const)
  ),
  which: fc.nat(1000),
  answer: fc.constantFrom("text" as const, "call" as const)
})

const isSame = (one: ReadonlyArray<Agui.Message>, other: ReadonlyArray<Agui.Message>): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

const idsOf = (messages: ReadonlyArray<Agui.Message>): ReadonlyArray<string> => messages.map(({ id }) => id).sort()

/** The list of a client after what it does; undefined where it has nothing to do it with. */
const changed = (
  { history: { messages }, kept }: Client,
  { does, which }: Step,
  fresh: Agui.Message
): ReadonlyArray<Agui.Message> | undefined => {
  const pick = (is: (message: Agui.Message, index: number) => boolean): number | undefined => {
    const found = messages.flatMap((message, index) => (is(message, index) ? [index] : []))
    return found[which % Math.max(1, found.length)]
  }
  const hasAnswer = (until: number): boolean => messages.slice(0, until).some(({ role }) => role === "assistant")
  switch (does) {
    case "edit": {
      // A first message by another id is that of a client which shows nothing.
      const at = pick(({ role }, index) => role === "user" && hasAnswer(index))
      return at === undefined ? undefined : [...messages.slice(0, at), fresh]
    }
    case "edit_in_place": {
      const at = pick(({ role }) => role === "user")
      const id = messages[at ?? -1]?.id
      return id === undefined ? undefined : [...messages.slice(0, at), user(id, String(fresh.content))]
    }
    case "regenerate": {
      const at = pick(({ role }, index) => role === "user" && messages[index + 1]?.role === "assistant")
      return at === undefined ? undefined : messages.slice(0, at + 1)
    }
    case "cut": {
      const at = pick(({ role }, index) => role === "assistant" && index < messages.length - 1)
      if (at === undefined) return undefined
      const through = messages.findIndex(({ role }, index) => index > at && role !== "tool")
      return [...messages.slice(0, through === -1 ? messages.length : through), fresh]
    }
    case "switch": {
      const before = kept[which % Math.max(1, kept.length)]
      return before?.at(-1)?.role === "assistant" ? [...before, fresh] : undefined
    }
    default:
      return [...messages, fresh]
  }
}

const meansToBranch: ReadonlySet<Step["does"]> = new Set([
  "edit",
  "edit_in_place",
  "regenerate",
  "cut",
  "switch"
] as const)

/**
 * Whether a filter leaves out something newer than the newest answer that it lets through. A filter that sends the end of a
 * list does so only for clients that show messages in an order of their own, with an old answer at the end. Such a request
 * is the same, byte for byte and mark for mark, as that of a person who took the newer messages away and said something
 * else: both send an answer that is not the newest, a new prompt, and a mark that says they have had more. No server can do
 * right by both, so this law is about the others, and the request is taken for what it says: an edit.
 */
const leavesOutNewer = (
  shown: ReadonlyArray<Agui.Message>,
  sent: ReadonlyArray<Agui.Message>,
  conversation: ReadonlyArray<Agui.Message>
): boolean => {
  const ids = new Set(sent.map(({ id }) => id))
  const answer = conversation.findLastIndex(({ id, role }) => role !== "user" && ids.has(id))
  const newer = new Set(conversation.slice(answer + 1).map(({ id }) => id))
  return answer !== -1 && shown.some(({ id }) => newer.has(id) && !ids.has(id))
}

const take = async ({ agents, answerWith, clients, session }: Setting, step: Step, nth: number): Promise<void> => {
  const client = clients[step.client]
  const before = session.log.situation().branch
  // Clients put what they did not have after what they have: then they show it in another order.
  const known = await conversationOf(session)
  const isCurrent = isSame(client.history.messages, known)
  answerWith(step.answer)
  if (step.does === "join") return client.connect(step.which % 2 === 0)
  const fresh = user(`u${nth}`, `Words ${nth}`)
  const list = changed(client, step, fresh)
  if (list === undefined) return
  const filtered = list.slice(-1 - (step.which % 3))
  const isEdit = step.does === "filter" && leavesOutNewer(list, filtered, known)
  // A client that shows nothing, and says nothing of what it has had, is new here.
  const showsNothing = client.history.messages.length === 0 || step.does === "filter"
  // One that takes something away from the middle of an order of its own shows less, as one does that leaves out what is old.
  if (meansToBranch.has(step.does) && !isCurrent) client.isStranger = true
  if (showsNothing && Agui.seenMarkIn(client.history.state) === undefined) client.isStranger = true
  if (step.does === "filter" && Agui.seenMarkIn(client.history.state) === undefined) client.isHiding = true
  const asked = agents.told.length
  if (step.does === "cut_off") await client.run(list, { cutAt: step.which % 12 })
  else if (step.does === "filter") await client.run(list, { sent: filtered })
  else await client.run(list)
  const after = session.log.situation().branch
  const conversation = await conversationOf(session)
  if (meansToBranch.has(step.does) && isCurrent) {
    expect(agents.told.length).toBe(asked + 1)
    expect(agents.told.at(-1)).toEqual(shown(list))
    expect(client.history.messages).toEqual(conversation)
  } else if (!meansToBranch.has(step.does) && !isEdit) {
    expect(after).toBe(before)
    expect(agents.told.at(-1)?.at(-1)).toEqual(["user", fresh.content])
  }
  if (isSame(client.history.messages, conversation)) client.kept.push(conversation)
  if (step.does === "cut_off") return
  if (step.does !== "filter") client.isHiding = false
  if (client.isHiding) return
  // Whoever was not cut off has the conversation then, and nothing else. A stranger is not told what was said before.
  const ids = idsOf(conversation)
  if (client.isStranger) expect(ids).toEqual(expect.arrayContaining([...idsOf(client.history.messages)]))
  else expect(idsOf(client.history.messages)).toEqual(ids)
}

const does = (client: Step["client"], what: Step["does"], which = 0): Step => ({
  client,
  does: what,
  which,
  answer: "text"
})

/** What was found by other seeds. */
const found: ReadonlyArray<ReadonlyArray<Step>> = [
  // One whose connection broke shows its prompt, which another one has edited since; the other took its place in the log.
  [
    does(0, "prompt"),
    does(1, "cut_off"),
    does(0, "join"),
    does(0, "edit"),
    does(1, "prompt"),
    does(0, "prompt"),
    does(0, "prompt")
  ],
  // One that shows messages in an order of its own filters a newer one away.
  [does(0, "cut_off"), does(0, "cut_off", 3), does(0, "filter", 1), does(0, "prompt"), does(0, "prompt")],
  // One that has not said what it has had hides what was left.
  [does(0, "prompt"), does(0, "prompt"), does(1, "cut_off"), does(0, "edit"), does(1, "filter")],
  // It shows that again later, and then it is told.
  [does(0, "prompt"), does(0, "prompt"), does(1, "cut_off"), does(0, "edit"), does(1, "filter"), does(1, "prompt")],
  // One that shows messages in an order of its own edits one of the earlier ones, behind a later one.
  [
    { ...does(1, "prompt"), answer: "call" },
    does(0, "prompt"),
    does(1, "cut"),
    does(0, "prompt"),
    does(0, "edit_in_place", 22),
    does(1, "cut"),
    does(0, "prompt"),
    does(0, "prompt")
  ],
  // One that was not there shows a message in the words that it had before another one changed them.
  [does(1, "cut_off"), does(0, "join"), does(0, "edit_in_place"), does(1, "prompt"), does(0, "prompt")],
  [
    does(0, "prompt"),
    does(1, "prompt"),
    does(1, "edit_in_place"),
    does(1, "regenerate"),
    does(0, "edit_in_place"),
    does(1, "prompt")
  ],
  [
    { ...does(1, "prompt"), answer: "call" },
    does(0, "prompt"),
    does(1, "cut"),
    does(0, "prompt"),
    does(0, "edit_in_place", 43),
    does(1, "cut"),
    does(0, "prompt"),
    does(0, "prompt")
  ]
]

describe("clients that branch, and clients that lack something", () => {
  it("tell the agent what they show, and take nothing away by mistake", () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), (steps) =>
        inSession(async (setting) => {
          const said = new Map<string, Model.TranscriptEntry>()
          for (const [nth, each] of steps.entries()) {
            await take(setting, each, nth)
            const { transcript } = await Effect.runPromise(setting.session.log.moment())
            for (const entry of transcript.entries) said.set(entry.id, entry)
          }
          // What was left stays where it is.
          const kept = await Effect.runPromise(setting.session.log.look((view) => view.find([...said.keys()])))
          expect(new Set(kept.map(({ entry }) => entry.id))).toEqual(new Set(said.keys()))
        })
      ),
      { numRuns: casesOf(300), examples: found.map((steps) => [[...steps]]), ...(!sweeping && { seed: 15 }) }
    ))
})

describe("a request that goes back", () => {
  const ended = (events: ReadonlyArray<Agui.AguiEvent>) => events.at(-1)

  it("fails where nobody can go back to, and nothing has changed", () =>
    inSession(async ({ agents, clients: [client], session }) => {
      await client.run([user("u0", "One")])
      // What the agent says now, it does not say where.
      session.log.append([
        { type: "turn_started", cause: "agent" },
        { type: "item_started", lane: null, id: "asked", item: { kind: "prompt", content: "Say it." } },
        { type: "item_started", lane: null, id: "odd", item: { kind: "text" } },
        { type: "item_grew", lane: null, id: "odd", delta: "Odd" },
        { type: "item_ended", lane: null, id: "odd" },
        { type: "turn_ended", outcome: { type: "completed" } }
      ])
      await client.run([...client.history.messages, user("u1", "Two")])
      await client.connect(true)
      const { messages } = client.history
      const before = await conversationOf(session)
      const told = agents.told.length
      const through = messages.findIndex(({ id }) => id === "odd") + 1
      const events = await client.run([...messages.slice(0, through), user("u2", "Three")])
      expect(ended(events)).toMatchObject({ type: "RUN_ERROR", code: "BRANCH_UNAVAILABLE" })
      expect([agents.told.length, await conversationOf(session)]).toEqual([told, before])
    }))

  it("is read again when another goes back before it is taken", () =>
    inSession(async ({ agents, clients: [client], session }) => {
      await client.run([user("u0", "One")])
      await client.run([...client.history.messages, user("u1", "Two")])
      const { messages } = client.history
      let others = 1
      const raced = new Client({
        ...session,
        submit: (read) =>
          Effect.andThen(
            others-- > 0 ? Effect.orDie(session.goBack({ before: ["u0"] })) : Effect.void,
            session.submit(read)
          )
      })
      raced.history = client.history
      await raced.run([...messages.slice(0, 2), user("u2", "Three")])
      // It has not heard that there is nothing left of what it shows.
      expect(agents.told.at(-1)).toEqual([["user", "Three"]])
      expect(raced.history.messages).toEqual(await conversationOf(session))
    }))

  it("tells the agent again what it was told since, and once only", () =>
    inSession(async ({ agents, clients: [client] }) => {
      client.history = { messages: [], state: { page: 1 } }
      await client.run([user("u0", "One")])
      await client.run([user("u0", "Other")])
      await client.run([...client.history.messages, user("u1", "Two")])
      const asides = agents.told.map((context) => context.filter(([, words]) => words.includes('"page"')).length)
      expect(asides).toEqual([1, 1, 1])
    }))
})
