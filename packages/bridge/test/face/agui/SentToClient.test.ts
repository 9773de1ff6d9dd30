/**
 * Clients that do not say what they have had, because their application replaces the shared state. What such a client shows
 * is what the agent is told, where it can be known whose list it is; where it cannot, nothing is taken away.
 */
import type { Agui } from "@agentwire/protocol"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { casesOf, sweeping } from "../../../../fixtures/test/Sweep.ts"
import { afterDelivery, afterRequest, unknownClient } from "../../../src/face/agui/SentToClient.ts"
import { type Answer, type Client, conversationOf, inSession, type Setting, shown, user } from "./BranchingClients.ts"

/** A session whose clients say nothing of what they have had. */
const unmarked = (use: (setting: Setting) => Promise<void>): Promise<void> =>
  inSession((setting) => {
    for (const client of setting.clients) client.clearsState = true
    return use(setting)
  })

const say = (client: Client, ...ids: ReadonlyArray<string>): Promise<void> =>
  ids.reduce(async (before, id) => {
    await before
    await client.run([...client.history.messages, user(id, `Words ${id}`)])
  }, Promise.resolve())

const before = ({ history: { messages } }: Client, id: string): ReadonlyArray<Agui.Message> =>
  messages.slice(
    0,
    messages.findIndex((message) => message.id === id)
  )

const through = ({ history: { messages } }: Client, id: string): ReadonlyArray<Agui.Message> =>
  messages.slice(0, messages.findIndex((message) => message.id === id) + 1)

/** Runs with a list, and the agent is told just that. */
const branches = async (setting: Setting, client: Client, list: ReadonlyArray<Agui.Message>): Promise<void> => {
  const asked = setting.agents.told.length
  await client.run(list)
  expect(setting.agents.told.length).toBe(asked + 1)
  expect(setting.agents.told.at(-1)).toEqual(shown(list))
  expect(client.history.messages).toEqual(await conversationOf(setting.session))
}

/** Runs with a list, and nothing is taken away: the client has the whole conversation then. */
const continues = async (setting: Setting, client: Client, list: ReadonlyArray<Agui.Message>): Promise<void> => {
  const { branch } = setting.session.log.situation()
  await client.run(list)
  expect(setting.session.log.situation().branch).toBe(branch)
  const ids = (messages: ReadonlyArray<Agui.Message>): ReadonlyArray<string> => messages.map(({ id }) => id).sort()
  expect(ids(client.history.messages)).toEqual(ids(await conversationOf(setting.session)))
}

describe("the only client of a conversation", () => {
  it("edits a message by a new id, again and again, early and late", () =>
    unmarked(async (setting) => {
      const [client] = setting.clients
      await say(client, "u0", "u1", "u2")
      await branches(setting, client, [...before(client, "u2"), user("v2", "Other")])
      await branches(setting, client, [...before(client, "v2"), user("w2", "Third")])
      await branches(setting, client, [...before(client, "u1"), user("v1", "Earlier")])
      await say(client, "u3")
      expect(client.history.messages).toEqual(await conversationOf(setting.session))
    }))

  it("goes on with what it has left", () =>
    unmarked(async (setting) => {
      const [client] = setting.clients
      await say(client, "u0", "u1")
      const left = client.history.messages
      await branches(setting, client, [...before(client, "u1"), user("v1", "Other")])
      const other = client.history.messages
      await branches(setting, client, [...left, user("u2", "After what was left")])
      await branches(setting, client, [...other, user("u3", "And after the other")])
    }))

  it("edits a message whose answer was lost", () =>
    unmarked(async (setting) => {
      const [client] = setting.clients
      await say(client, "u0")
      await client.run([...client.history.messages, user("u1", "Lost")], { isLost: true })
      await branches(setting, client, [...before(client, "u1"), user("v1", "Other")])
    }))

  it("wants another answer to a prompt whose run broke off, once it has shown the answer", () =>
    unmarked(async (setting) => {
      const [client] = setting.clients
      await say(client, "u0")
      await client.run([...client.history.messages, user("u1", "Lost")], { isLost: true })
      await say(client, "u2")
      await client.connect(true)
      await say(client, "u3")
      await branches(setting, client, through(client, "u1"))
    }))

  it("takes away an answer that it has shown, and goes on", () =>
    unmarked(async (setting) => {
      const [client] = setting.clients
      await say(client, "u0", "u1", "u2")
      await branches(setting, client, [...through(client, "u1"), user("u3", "Without your answer")])
    }))
})

describe("one of several clients", () => {
  it("edits what all of them have had", () =>
    unmarked(async (setting) => {
      const [one, other] = setting.clients
      await say(one, "u0", "u1")
      await other.connect(true)
      await branches(setting, one, [...before(one, "u1"), user("v1", "Other")])
    }))

  it("edits what it had before it was loaded again", () =>
    unmarked(async (setting) => {
      const [one] = setting.clients
      await say(one, "u0", "u1")
      await one.connect(true)
      await branches(setting, one, [...before(one, "u1"), user("v1", "Other")])
      await one.connect(true)
      await say(one, "u2")
      await branches(setting, one, [...before(one, "v1"), user("w1", "Third")])
    }))

  it("edits what comes after all that another has had", () =>
    unmarked(async (setting) => {
      const [one, other] = setting.clients
      await say(one, "u0")
      await other.connect(true)
      await say(one, "u1", "u2")
      await branches(setting, one, [...before(one, "u2"), user("v2", "Other")])
    }))

  it("has not heard that another went back, and takes nothing away", () =>
    unmarked(async (setting) => {
      const [one, other] = setting.clients
      await say(one, "u0", "u1")
      await other.connect(true)
      await branches(setting, one, [...before(one, "u1"), user("v1", "Other")])
      await continues(setting, other, [...other.history.messages, user("u2", "From the second page")])
    }))
})

/** What a client does next; numbers choose among what there is. */
interface Step {
  readonly does: "prompt" | "edit" | "edit_in_place" | "regenerate" | "switch"
  readonly which: number
  readonly answer: Answer
}

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom("prompt", "prompt", "edit", "edit_in_place", "regenerate", "switch"),
  which: fc.nat(1000),
  answer: fc.constantFrom("text" as const, "call" as const)
})

const changed = (
  messages: ReadonlyArray<Agui.Message>,
  kept: ReadonlyArray<ReadonlyArray<Agui.Message>>,
  { does, which }: Step,
  fresh: Agui.Message
): ReadonlyArray<Agui.Message> => {
  const users = messages.flatMap(({ role }, index) => (role === "user" ? [index] : []))
  const at = users[which % Math.max(1, users.length)] ?? 0
  const [first, id] = [users[0], messages[at]?.id ?? fresh.id]
  switch (does) {
    case "edit":
      // By a new id a first message is that of a client which shows nothing.
      return at === first || first === undefined ? [...messages, fresh] : [...messages.slice(0, at), fresh]
    case "edit_in_place":
      return [...messages.slice(0, at), user(id, String(fresh.content))]
    case "regenerate":
      return first === undefined ? [fresh] : messages.slice(0, at + 1)
    case "switch":
      return [...(kept[which % Math.max(1, kept.length)] ?? messages), fresh]
    case "prompt":
      return [...messages, fresh]
  }
}

it("tells the agent what it shows, whatever the only client of a conversation does", () =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), (steps) =>
      unmarked(async (setting) => {
        const [client] = setting.clients
        const kept: Array<ReadonlyArray<Agui.Message>> = []
        for (const [nth, each] of steps.entries()) {
          setting.answerWith(each.answer)
          const list = changed(client.history.messages, kept, each, user(`u${nth}`, `Words ${nth}`))
          await branches(setting, client, list)
          kept.push(client.history.messages)
        }
      })
    ),
    { numRuns: casesOf(100), ...(!sweeping && { seed: 15 }) }
  ))

describe("what nobody can tell apart takes nothing away:", () => {
  it("an edit, and a prompt from a second page that has not heard of what it would replace", () =>
    unmarked(async (setting) => {
      const [one, other] = setting.clients
      await say(one, "u0")
      await other.connect(true)
      await say(one, "u1")
      await continues(setting, other, [...other.history.messages, user("v1", "From the second page")])
    }))

  it("an edit by a page, and a prompt from another one that has had less", () =>
    unmarked(async (setting) => {
      const [one, other] = setting.clients
      await say(one, "u0")
      await other.connect(true)
      await say(one, "u1")
      await continues(setting, one, [...before(one, "u1"), user("v1", "In place of the second")])
    }))

  it("another answer, and the answer that a broken connection has lost", () =>
    unmarked(async (setting) => {
      const [client] = setting.clients
      await say(client, "u0")
      await client.run([...client.history.messages, user("u1", "Lost")], { isLost: true })
      await continues(setting, client, through(client, "u1"))
      // It has the answer now. The next time it wants another.
      await branches(setting, client, through(client, "u1"))
    }))

  it("a prompt in the place of an answer, and one after an answer that was sent and never came", () =>
    unmarked(async (setting) => {
      const [client] = setting.clients
      await say(client, "u0", "u1")
      await continues(setting, client, [...through(client, "u1"), user("u2", "And now?")])
    }))

  it("a first message by a new id, and that of a page which shows nothing", () =>
    unmarked(async (setting) => {
      const [client] = setting.clients
      await say(client, "u0", "u1")
      const { branch } = setting.session.log.situation()
      await client.run([user("v0", "First")])
      expect(setting.session.log.situation().branch).toBe(branch)
    }))

  it("another answer, and the same request once more", () =>
    unmarked(async (setting) => {
      const [client] = setting.clients
      await say(client, "u0")
      await client.run([...client.history.messages, user("u1", "Two")], { runId: "repeated" })
      const told = setting.agents.told.length
      await client.run(through(client, "u1"), { runId: "repeated" })
      expect(setting.agents.told.length).toBe(told)
    }))
})

describe("what is known of a client", () => {
  const mark = (branch: number, last: string): Agui.SeenMark => ({ branch, last })

  it("is the newest that it has shown and was sent, of each branch", () => {
    const asked = afterRequest(unknownClient, { shows: mark(0, "a0"), said: "u1", continues: 0 })
    expect(asked).toEqual({ shown: [mark(0, "a0")], said: mark(0, "u1"), sent: [], unsure: undefined })
    const underWay = afterDelivery(asked, { branch: 0, newest: "a1", said: "u1", isWhole: false })
    expect(underWay).toEqual({ ...asked, unsure: 0 })
    const whole = afterDelivery(underWay, { branch: 0, newest: "a1", said: "u1", isWhole: true })
    expect(whole).toEqual({ ...asked, sent: [mark(0, "a1")] })
    // It goes back: what it shows then is not all it has had, and what it says is on a branch that is not known yet.
    const back = afterRequest(whole, { shows: mark(0, "a0"), said: "v1", continues: undefined })
    expect(back).toEqual({ ...whole, said: undefined })
    const joined = afterDelivery(unknownClient, {
      branch: 0,
      newest: "a1",
      said: undefined,
      isWhole: true,
      isAll: true
    })
    expect(joined).toMatchObject({ shown: [mark(0, "a1")], sent: [mark(0, "a1")] })
    expect(afterDelivery(back, { branch: 1, newest: "b1", said: "v1", isWhole: true })).toEqual({
      ...whole,
      said: mark(1, "v1"),
      sent: [mark(0, "a1"), mark(1, "b1")]
    })
  })

  it("is that of the branches it has been on last", () => {
    let client = unknownClient
    for (let branch = 0; branch < 40; branch++)
      client = afterDelivery(client, { branch, newest: "a", said: undefined, isWhole: true })
    expect(client.sent.map(({ branch }) => branch)).toEqual(Array.from({ length: 16 }, (_, nth) => 24 + nth))
  })
})
