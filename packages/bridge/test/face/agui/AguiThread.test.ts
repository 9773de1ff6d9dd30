/** What the AG-UI face remembers of a thread: what its clients said, and where each of them was. */
import { Agui, type Model } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { aguiThread, isMidRun, type Place, runIdOf } from "../../../src/face/agui/AguiThread.ts"
import type { EventLog } from "../../../src/log/EventLog.ts"
import { bareSession } from "../../BareSession.ts"
import { wholeText } from "../../FakeSessions.ts"
import { testLog } from "../../TestLog.ts"

const setting = (log: EventLog = testLog()) => {
  const session = bareSession("t", log)
  const thread = Effect.runSync(aguiThread(session, "interrupt"))
  /** A place between runs. */
  const at = (seq: number, last?: string): Place => ({ writer: Agui.initialWriter(thread.options), seq, last })
  return { at, log, session, thread }
}

const has = (...ids: ReadonlyArray<string>): ReadonlyArray<Agui.Message> =>
  ids.map((id) => ({ id, role: "assistant", content: id }))

describe("a thread", () => {
  it("is one for a session and a way of asking", () => {
    const { session, thread } = setting()
    expect(Effect.runSync(aguiThread(session, "interrupt"))).toBe(thread)
    expect(Effect.runSync(aguiThread(session, "event"))).not.toBe(thread)
  })

  it("knows the messages from before a restart", () => {
    const before: Model.Transcript = { entries: [{ kind: "prompt", lane: null, id: "old", content: "Hi" }], omitted: 0 }
    const { thread } = setting(testLog({}, before))
    expect(thread.recall().known).toEqual(["old"])
  })

  it("knows the prompts that wait for their turn: they were told, and are in no transcript yet", () => {
    const prompts = Effect.succeed([{ ticket: "r", said: [{ id: "queued", content: "Hi" }] }])
    const session = { ...bareSession("t", testLog()), prompts }
    expect(Effect.runSync(aguiThread(session, "interrupt")).recall().known).toEqual(["queued"])
  })

  it("shows those who come to a session in the middle of a turn all of it", async () => {
    const log = testLog()
    log.append([{ type: "turn_started", cause: "prompt" }])
    const opened = { seq: 1, situation: log.situation() }
    const thread = await Effect.runPromise(aguiThread(bareSession("t", { ...log, opened }), "interrupt"))
    expect(isMidRun(thread.readerFor([]).from)).toBe(true)
  })

  it("recalls what was remembered, and has told nothing once the agent has forgotten", () => {
    const { log, thread } = setting()
    const remembered: Agui.Thread = { known: ["a"], answered: ["q"], told: { context: "c", instructions: ["i"] } }
    thread.remember(remembered)
    expect(thread.recall()).toEqual(remembered)
    log.append([{ type: "context_reset", how: "cleared" }])
    expect(thread.recall()).toEqual({ ...remembered, told: { instructions: [] } })
  })
})

describe("a client", () => {
  it("comes back to its own place, known by the last message it has", () => {
    const { at, thread } = setting()
    thread.readerFor([]).keepPlace(at(5, "a"))
    thread.readerFor([]).keepPlace(at(9, "b"))
    expect(thread.readerFor(has("a")).from).toMatchObject({ seq: 5, last: "a" })
    expect(thread.readerFor(has("b")).from).toMatchObject({ seq: 9, last: "b" })
  })

  it("does not take a place before what it has", () => {
    const { at, thread } = setting()
    thread.readerFor([]).keepPlace(at(5, "a"))
    thread.readerFor([]).keepPlace(at(9, "z"))
    expect(thread.readerFor(has("a", "b")).from.seq).toBe(9)
    expect(thread.readerFor(has("a")).from.seq).toBe(5)
  })

  it("that was not here before begins after what anybody has had", () => {
    const { at, thread } = setting()
    thread.readerFor([]).keepPlace(at(5, "a"))
    thread.readerFor([]).keepPlace(at(3, "b"))
    expect(thread.readerFor(has("stranger")).from.seq).toBe(5)
  })

  it("is told again when another with the same messages may lack some of them", () => {
    const { at, thread } = setting()
    thread.readerFor(has("a")).keepPlace(at(4, "a"))
    thread.readerFor(has("b", "a"))
    const places = [thread.readerFor(has("a")), thread.readerFor(has("a"))].map(({ from }) => isMidRun(from))
    expect(places).toEqual([true, true])
  })

  it("is in the middle of a run until it is known how much it has", () => {
    const { at, thread } = setting()
    const { keepPlace } = thread.readerFor(has("a"))
    expect(isMidRun(thread.readerFor(has("a")).from)).toBe(true)
    keepPlace(at(2, "a"))
    expect(isMidRun(at(2, "a"))).toBe(false)
  })

  it("that joined is known by what it was sent", () => {
    const { at, thread } = setting()
    thread.placeKeeperFor([], "sent")(at(7, "sent"))
    expect(thread.readerFor(has("sent")).from).toMatchObject({ seq: 7 })
  })

  it("is not taken for another that ends with the same message and has had more", () => {
    const { log, thread } = setting()
    log.append([
      { type: "turn_started", cause: "prompt" },
      ...wholeText("a", "Hi"),
      { type: "item_started", lane: null, id: "p", item: { kind: "prompt", content: "Two" } }
    ])
    // Its own words stand where it said them, before an answer that came later.
    const has = (...ids: ReadonlyArray<string>): ReadonlyArray<Agui.Message> =>
      ids.map((id) => (id === "a" ? { id, role: "assistant", content: "Hi" } : { id, role: "user", content: id }))
    const ahead: Place = {
      writer: Agui.initialWriter(thread.options, { ...log.situation(), turn: undefined }),
      seq: 9,
      last: "a"
    }
    thread.readerFor(has("p", "a")).keepPlace(ahead)
    expect(isMidRun(thread.readerFor(has("p", "a", "next")).from)).toBe(false)
    thread.readerFor(has("p", "a")).keepPlace(ahead)
    const other = thread.readerFor(has("a", "other")).from
    expect(other.writer.situation.newest === "p" && !isMidRun(other)).toBe(false)
  })

  it("is forgotten when many others came since", () => {
    const { at, thread } = setting()
    thread.readerFor([]).keepPlace(at(1, "first"))
    for (let nth = 0; nth < 32; nth++) thread.readerFor([]).keepPlace(at(100 + nth, `m-${nth}`))
    expect(thread.readerFor(has("first")).from.seq).toBe(131)
    expect(thread.readerFor(has("m-0")).from.seq).not.toBe(1)
  })
})

describe("the id of the open run", () => {
  it("is the ticket of its turn, else made from the thread and the turn", () => {
    const { log } = setting()
    expect(runIdOf("t", log.situation())).toBeUndefined()
    log.append([{ type: "turn_started", cause: "prompt", ticket: "mine" }, ...wholeText("a", "Hi")])
    expect(runIdOf("t", log.situation())).toBe("mine")
    log.append([
      { type: "turn_ended", outcome: { type: "completed" } },
      { type: "turn_started", cause: "agent" }
    ])
    expect(runIdOf("t", log.situation())).toBe("t:2")
  })
})

describe("a client whose connection broke", () => {
  const user = (id: string): Agui.Message => ({ id, role: "user", content: id })
  const said = (id: string, content: string): Agui.Message => ({ id, role: "assistant", content })

  it("and that has less of its last message than it was sent is told it again", () => {
    const { at, thread } = setting()
    thread.readerFor([user("p")]).keepPlace({ ...at(5, "a"), length: 6 })
    expect(isMidRun(thread.readerFor([user("p"), said("a", "One")]).from)).toBe(true)
    thread.readerFor([user("q")]).keepPlace({ ...at(9, "b"), length: 3 })
    expect(isMidRun(thread.readerFor([user("q"), said("b", "One")]).from)).toBe(false)
  })

  it("and that has nothing of what it was sent is told it again", () => {
    const { at, thread } = setting()
    thread.readerFor([user("p")]).keepPlace(at(5, "a"))
    expect(isMidRun(thread.readerFor([user("p"), user("again")]).from)).toBe(true)
    // Once: then its place is known again.
    expect(isMidRun(thread.readerFor([user("stranger")]).from)).toBe(false)
  })

  const before: Model.Transcript = {
    entries: [
      { kind: "prompt", lane: null, id: "p", content: "Hi" },
      { kind: "text", lane: null, id: "a", text: "One, two" }
    ],
    omitted: 0
  }
  it.each([
    ["has all of it", [user("p"), said("a", "One, two")], false],
    ["has it in part", [user("p"), said("a", "One")], true],
    ["has only what it asked", [user("p")], true],
    ["has changed it", [user("p"), said("a", "Something else")], false],
    ["was not there", [user("stranger")], false]
  ])("by the end of its bridge and that %s", (_, messages, isTold) => {
    const { thread } = setting(testLog({}, before))
    expect(isMidRun(thread.readerFor(messages).from)).toBe(isTold)
  })
})
