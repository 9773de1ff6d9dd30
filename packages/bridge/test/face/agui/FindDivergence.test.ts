/** How a request relates to the conversation of its thread, and how little of it has to be read to know. */
import { Agui, type Model } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { arrivedAnswers } from "../../../src/face/agui/ArrivedAnswers.ts"
import { findDivergence } from "../../../src/face/agui/FindDivergence.ts"
import type { EventLog } from "../../../src/log/EventLog.ts"
import type { Store } from "../../../src/store/Store.ts"
import { openLog, testStore } from "../../TestLog.ts"

const session = { sessionId: "s", model: "m", cwd: "/" }

/** What is read from a store. */
interface Reads {
  ids: number
  entries: number
}

const counting = (store: Store["Service"], reads: Reads): Store["Service"] => ({
  ...store,
  entriesById: (threadId, ids) => {
    reads.ids += ids.length
    return store.entriesById(threadId, ids)
  },
  entries: (threadId, query) =>
    Effect.map(store.entries(threadId, query), (page) => {
      reads.entries += page.entries.length
      return page
    })
})

/** A thread of many turns, `u0 a0 u1 a1` …, as it is after a restart. */
const longThread = async (turns: number) => {
  const reads = { ids: 0, entries: 0 }
  const entries = Array.from(
    { length: turns },
    (_, nth): ReadonlyArray<Model.TranscriptEntry> => [
      { id: `u${nth}`, lane: null, kind: "prompt", content: `Words ${nth}`, anchor: `to u${nth}` },
      { id: `a${nth}`, lane: null, kind: "text", text: `Answer ${nth}`, anchor: `to a${nth}` }
    ]
  ).flat()
  const log = await Effect.runPromise(openLog(counting(testStore(), reads), {}, "t", { entries, omitted: 0, session }))
  // The newest turn is one of this process.
  log.append([
    { type: "turn_started", cause: "prompt", ticket: "r" },
    { type: "item_started", lane: null, id: "u", item: { kind: "prompt", content: "Words" } },
    { type: "item_started", lane: null, id: "a", item: { kind: "text" } },
    { type: "item_grew", lane: null, id: "a", delta: "Answer" },
    { type: "item_ended", lane: null, id: "a" },
    { type: "turn_ended", outcome: { type: "completed" } }
  ])
  await Effect.runPromise(log.settled)
  Object.assign(reads, { ids: 0, entries: 0 })
  const messages: ReadonlyArray<Agui.Message> = Agui.messagesOf({
    entries: [
      ...entries,
      { id: "u", lane: null, kind: "prompt", content: "Words" },
      { id: "a", lane: null, kind: "text", text: "Answer" }
    ],
    omitted: 0
  })
  return { log, messages, reads }
}

const user = (id: string, content = id): Agui.Message => ({ id, role: "user", content })

/** A request by a client of whom nothing is known, unless it is one of some. */
const find = (
  log: EventLog,
  input: Pick<Agui.RunAgentInput, "messages" | "state">,
  known: Partial<Parameters<typeof findDivergence>[2]> = {}
) =>
  Effect.runPromise(
    findDivergence(
      log,
      { runId: "r-1", ...input },
      { answers: arrivedAnswers(), clients: () => [], fromBefore: undefined, hasHidden: () => false, ...known }
    )
  )

const relation = (log: EventLog, messages: ReadonlyArray<Agui.Message>, last = "a") =>
  find(log, { messages, state: Agui.stateOf(session, {}, { branch: 0, newest: last }) })

const turns = 2000

describe("a request that continues", () => {
  it("is known as such without reading anything", async () => {
    const { log, messages, reads } = await longThread(turns)
    expect(await relation(log, [...messages, user("new")])).toMatchObject({ on: 0, isBehind: false })
    expect((await relation(log, [...messages, user("new")])).differs).toBeUndefined()
    expect(reads).toEqual({ ids: 0, entries: 0 })
  })

  it.each([
    ["shows nothing", () => [user("new")], "a"],
    ["is far behind", (all: ReadonlyArray<Agui.Message>) => [...all.slice(0, 100), user("new")], "a49"],
    [
      "has names of its own",
      (all: ReadonlyArray<Agui.Message>) => all.map((each) => ({ ...each, id: `own ${each.id}` })),
      "a"
    ]
  ] as const)("and %s takes little reading", async (_, change, last) => {
    const { log, messages, reads } = await longThread(turns)
    const found = await relation(log, change(messages), last)
    expect(found.differs).toBeUndefined()
    expect(found.isBehind).toBe(last !== "a")
    expect(reads.ids).toBeLessThan(2100)
    expect(reads.entries).toBeLessThan(200)
  })
})

describe("a request that differs", () => {
  it.each([
    ["the newest answer", 2 * turns + 1, "regenerate", `a${turns - 1}`],
    ["an answer long ago", 101, "regenerate", "a49"],
    ["the first answer", 1, "regenerate", undefined]
  ] as const)("in %s takes little reading", async (_, length, kind, after) => {
    const { log, messages, reads } = await longThread(turns)
    const { differs } = await relation(log, messages.slice(0, length))
    expect([differs?.divergence.kind, differs?.divergence.after?.entry.id]).toEqual([kind, after])
    expect(differs?.point).toMatchObject({ after: after ?? null, anchor: after === undefined ? null : `to ${after}` })
    expect(reads.ids).toBeLessThan(100)
    expect(reads.entries).toBeLessThan(400)
  })

  it("is one that continues for a client that has not had what it lacks", async () => {
    const { log, messages } = await longThread(3)
    // Its connection broke after its prompt, or it is another tab.
    expect((await relation(log, messages.slice(0, -1), "u")).differs).toBeUndefined()
    expect((await relation(log, [...messages.slice(0, 4), user("new")], "a1")).differs).toBeUndefined()
    expect((await relation(log, [...messages.slice(0, 4), user("new")])).differs?.divergence.kind).toBe("edit")
  })

  it("is one that continues where it may be that of a page from before, which has heard of nothing since", async () => {
    const { log, messages } = await longThread(3)
    const client: Agui.SentTo = { shown: [{ branch: 0, last: "a" }], said: undefined, sent: [], unsure: undefined }
    const kindOf = async (list: ReadonlyArray<Agui.Message>, fromBefore?: Agui.SeenMark) =>
      (await find(log, { messages: list }, { clients: () => [client], fromBefore })).differs?.divergence.kind
    const opened = { branch: 0, last: "a2" }
    const insteadOfNewest = [...messages.slice(0, -2), user("new")]
    expect(await kindOf(insteadOfNewest)).toBe("edit")
    expect(await kindOf(insteadOfNewest, opened)).toBeUndefined()
    // Nor has it had all that was said before: the bridge may have ended while that was sent to it.
    const insteadOfOlder = [...messages.slice(0, -4), user("new")]
    expect(await kindOf(insteadOfOlder)).toBe("edit")
    expect(await kindOf(insteadOfOlder, opened)).toBeUndefined()
    // It shows what was said since, so it is none.
    expect(await kindOf(insteadOfNewest, { branch: 0, last: "a0" })).toBe("edit")
    expect(await kindOf(messages.slice(0, -1), opened)).toBe("regenerate")
    // It sends a request again that was cut with the process before: others were sent the answer, and nobody knows of it.
    expect(await kindOf(messages.slice(0, -1), { branch: 0, last: "a" })).toBeUndefined()
  })

  it("needs no word of its client when it has a known message in other words", async () => {
    const { log, messages } = await longThread(3)
    const input = { messages: [...messages.slice(0, 2), user("u1", "Other words")] }
    const { differs } = await find(log, input)
    expect(differs?.divergence).toMatchObject({ kind: "edit", said: [{ id: "u1" }] })
  })

  it("continues after a restart, where its client says nothing and nobody has been sent anything yet", async () => {
    const { log, messages } = await longThread(3)
    // An edit, or a page that has not heard of the rest.
    expect((await find(log, { messages: [...messages.slice(0, 4), user("new")] })).differs).toBeUndefined()
    // Another answer, or one that was lost with the bridge before.
    expect((await find(log, { messages: messages.slice(0, -1) })).differs).toBeUndefined()
  })

  it("may be one that nobody can go back to", async () => {
    const { log, messages } = await longThread(1)
    log.append([{ type: "turn_started", cause: "prompt", ticket: "q" }])
    log.append([{ type: "item_started", lane: null, id: "v", item: { kind: "prompt", content: "More" } }])
    log.append([{ type: "item_started", lane: null, id: "b", item: { kind: "text" } }])
    log.append([{ type: "item_grew", lane: null, id: "b", delta: "Answer" }])
    // The agent never said where the answer before is.
    const { differs } = await relation(log, [...messages, user("w")], "b")
    expect(differs).toMatchObject({ divergence: { after: { entry: { id: "a" } } }, point: undefined })
  })
})

describe("a client that shows what the conversation has left", () => {
  it("is known by that, whether it says what it has had or not", async () => {
    const { log, messages } = await longThread(3)
    const from = { branch: 0, position: 3 }
    const begins = { position: log.nextPosition(), at: 0 }
    log.append([{ type: "branched", branch: 1, from, after: "a1", anchor: "to a1", begins, ticket: "b" }])
    const showsLeft = async (shown: ReadonlyArray<Agui.Message>): Promise<boolean> =>
      (await find(log, { messages: [...shown, user("new")] })).showsLeft
    expect(await showsLeft(messages)).toBe(true)
    expect(await showsLeft([user("u")])).toBe(true)
    expect(await showsLeft(messages.slice(0, 4))).toBe(false)
    expect(await showsLeft([])).toBe(false)
  })
})
