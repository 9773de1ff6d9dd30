import { Agui, Model } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { aguiThread } from "../../../src/face/agui/AguiThread.ts"
import { joinOpenTurn, openQuestions, snapshots } from "../../../src/face/agui/Join.ts"
import { followLog, untilRunEnds } from "../../../src/face/agui/RunEvents.ts"
import { bareSession } from "../../BareSession.ts"
import { conversation } from "../../Conversation.ts"
import { permission } from "../../FakeSessions.ts"
import { testLog } from "../../TestLog.ts"

/** What a reader is sent that joins after some events, up to the end of the run it joins; undefined between turns. */
const joining = (events: ReadonlyArray<Model.Event>, cut: number, maxEvents: number) =>
  Effect.gen(function* () {
    const log = testLog({ maxEvents })
    const { options } = yield* aguiThread(bareSession("thread", log), "interrupt")
    log.append(events.slice(0, cut))
    const moment = yield* log.moment()
    if (moment.situation.turn === undefined) return undefined
    const [writer, first] = yield* joinOpenTurn(options, moment, "asked", { messages: [] })
    const more: Array<Agui.AguiEvent> = []
    const end = cut + events.slice(cut).findIndex(({ type }) => type === "turn_ended") + 1
    let place = { writer, seq: moment.seq, last: undefined as string | undefined }
    // One after the other, so that the log need not keep them.
    for (const event of events.slice(cut, end)) {
      log.append([event])
      const [sent] = yield* Stream.runCollect(Stream.take(untilRunEnds(followLog(log, place)), 1))
      if (sent === undefined) continue
      more.push(...sent.events)
      place = sent.place
    }
    return { sent: [...first, ...more], whole: wholeOf(events.slice(0, end)) }
  })

const sorted = (messages: ReadonlyArray<Agui.Message>) => [...messages].sort((a, b) => (a.id < b.id ? -1 : 1))

/** What a reader is sent that was there from the start. */
const wholeOf = (events: ReadonlyArray<Model.Event>): ReadonlyArray<Agui.AguiEvent> => {
  let writer = Agui.initialWriter({ threadId: "thread" })
  return events.flatMap((event) => {
    const [next, sent] = Agui.write(writer, event)
    writer = next
    return sent
  })
}

const cases = fc
  .record({ events: conversation, cut: fc.nat(), kept: fc.integer({ min: 1, max: 60 }) })
  .map(({ cut, events, kept }) => ({ events, kept, cut: cut % events.length }))

describe("a reader that joins", () => {
  it.effect("has what one has that was there from the start, whatever the log forgot", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(cases, async ({ cut, events, kept }) => {
          const joined = await Effect.runPromise(joining(events, cut, kept))
          if (joined === undefined) return
          expect(Agui.foldEvents(joined.sent)).toEqual(Agui.foldEvents(joined.whole))
        }),
        { numRuns: 200 }
      )
    )
  )
  it.effect("and has seen part of it has nothing twice", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(cases, fc.nat(), async ({ cut, events, kept }, had) => {
          const joined = await Effect.runPromise(joining(events, cut, kept))
          if (joined === undefined) return
          const before = Agui.foldEvents(wholeOf(events.slice(0, had % (cut + 1))))
          const after = Agui.foldEvents(joined.sent, before)
          const whole = Agui.foldEvents(joined.whole)
          // The client keeps its own order, and puts what it did not have at the end.
          expect(sorted(after.messages)).toEqual(sorted(whole.messages))
        })
      )
    )
  )
  it.effect("gets each start before what goes on with it, and no start twice", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(cases, async ({ cut, events, kept }) => {
          const joined = await Effect.runPromise(joining(events, cut, kept))
          if (joined === undefined) return
          const open = new Set<string>()
          for (const event of joined.sent) {
            const key =
              "toolCallId" in event
                ? event.toolCallId
                : "messageId" in event
                  ? `${/^REASONING_(START|END)$/.test(event.type) ? "all of " : ""}${event.messageId}`
                  : "stepName" in event
                    ? event.stepName
                    : undefined
            // A call may have its result long after its end, and a task is whole in each of its snapshots.
            if (key === undefined || event.type === "TOOL_CALL_RESULT" || event.type.startsWith("ACTIVITY_")) continue
            if (/_(START|STARTED)$/.test(event.type)) {
              expect(open.has(key), `${event.type} ${key}`).toBe(false)
              open.add(key)
            } else {
              expect(open.has(key), `${event.type} ${key}`).toBe(true)
              if (/_(END|FINISHED)$/.test(event.type)) open.delete(key)
            }
          }
          expect([...open]).toEqual([])
        })
      )
    )
  )
})

describe("a snapshot", () => {
  const transcript = (...said: ReadonlyArray<readonly [id: string, content: string]>): Model.Transcript => ({
    entries: said.map(([id, content]) => ({ id, lane: null, kind: "prompt", content })),
    omitted: 0
  })
  const message = (id: string, content = id): Agui.Message => ({ id, role: "user", content })
  const given = (server: Model.Transcript, had: ReadonlyArray<Agui.Message>) =>
    Agui.foldEvents(
      Effect.runSync(
        snapshots({ situation: Model.emptySituation, transcript: server, before: undefined }, { messages: had })
      )
    ).messages
  const idsOf = (server: ReadonlyArray<string>, had: ReadonlyArray<string>) =>
    given(
      transcript(...server.map((id) => [id, id] as const)),
      had.map((id) => message(id))
    ).map(({ id }) => id)

  it("keeps each message that only the reader has where the reader has it", () => {
    expect(idsOf(["a", "b"], [])).toEqual(["a", "b"])
    expect(idsOf(["a", "b", "c", "d"], ["x", "a", "y", "z", "d"]).join("")).toBe("xabcyzd")
    expect(idsOf(["a"], ["a", "x"])).toEqual(["a", "x"])
    expect(idsOf(["a"], ["x"])).toEqual(["a", "x"])
  })
  it("has the server's word where both have a message", () => {
    expect(given(transcript(["a", "whole"]), [message("a", "half")])).toEqual([message("a", "whole")])
  })
  it("loses nothing and keeps the server's order", () => {
    const ids = fc.uniqueArray(fc.constantFrom(..."abcdefgh"))
    fc.assert(
      fc.property(ids, ids, (had, server) => {
        fc.pre(server.length > 0)
        const result = idsOf(server, had)
        expect([...result].sort()).toEqual([...new Set([...had, ...server])].sort())
        expect(result.filter((id) => server.includes(id))).toEqual(server)
      })
    )
  })
  it("has a result once, whatever name the page gave it", () => {
    const entry = { id: "c", lane: null } as const
    const server: Model.Transcript = {
      omitted: 0,
      entries: [
        { ...entry, kind: "call", tool: "paint", action: "page_tool", parent: "p", arguments: "{}" },
        { ...entry, kind: "result", content: "painted", failed: false }
      ]
    }
    const own: Agui.Message = { id: "of the page", role: "tool", toolCallId: "c", content: "painted" }
    expect(given(server, [own]).filter(({ role }) => role === "tool")).toHaveLength(1)
  })
  it("says how much is left out, and what it can be asked for with", () => {
    const server = { ...transcript(["c", "c"]), omitted: 7 }
    const moment = { situation: Model.emptySituation, transcript: server, before: "cursor" }
    const { messages } = Agui.foldEvents(Effect.runSync(snapshots(moment, { messages: [message("b")] })))
    expect(messages).toEqual([
      {
        id: Agui.leftOutActivity,
        role: "activity",
        activityType: Agui.leftOutActivity,
        content: { messages: 7, state: false, before: "cursor" }
      },
      message("c"),
      message("b")
    ])
    // Later nothing is left out: whoever was told so then is not told so now.
    expect(given(transcript(["b", "b"], ["c", "c"]), messages)).toEqual([message("b"), message("c")])
  })
  it("is no longer than clients take, whatever the reader has: the oldest is left out", async () => {
    const size = 1_000_000
    const own = Array.from({ length: 12 }, (_, n) => message(`own-${n}`, "x".repeat(size)))
    const server = transcript(["a", "y".repeat(3 * size)], ["b", "z".repeat(3 * size)])
    const had = [...own.slice(0, 10), message("a"), ...own.slice(10)]
    const events = await Effect.runPromise(
      snapshots({ situation: Model.emptySituation, transcript: server, before: undefined }, { messages: had })
    )
    const longest = Math.max(...events.map((event) => JSON.stringify(event).length))
    expect(longest).toBeLessThan(10 * 1024 * 1024)
    expect(Agui.foldEvents(events).messages.map(({ id }) => id)).toEqual(["own-9", "a", "b", "own-10", "own-11"])
  })
  it("says nothing where there is nothing to say", () => {
    expect(
      Effect.runSync(
        snapshots(
          { situation: Model.emptySituation, transcript: transcript(), before: undefined },
          { messages: [message("a")] }
        )
      )
    ).toEqual([])
  })
})

describe("the questions that are open", () => {
  it("are interrupts, with the sub-agent that asks, but for those that are answered and calls of the page's tools", () => {
    const log = testLog()
    const page = { id: "p", kind: "page_tool", message: "Run it.", call: "c", tool: "paint", input: {} } as const
    log.append([
      { type: "request_opened", lane: null, request: permission("a") },
      { type: "request_opened", lane: "helper", request: permission("b") },
      { type: "request_opened", lane: null, request: page }
    ])
    expect(openQuestions(log.situation()).map(({ id, subagentRunId }) => [id, subagentRunId])).toEqual([
      ["a", undefined],
      ["b", "helper"]
    ])
    expect(openQuestions(log.situation(), new Set(["a"])).map(({ id }) => id)).toEqual(["b"])
  })
})
