import { Agui } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { fitting, joining, momentOf, runsOf, snapshots } from "../../../src/face/agui/Attach.ts"
import { makeEventLog } from "../../../src/log/EventLog.ts"
import { conversation } from "../../Conversation.ts"

const asked = { threadId: "thread", runId: "asked", messages: [] }

/** What a reader is sent that joins after some events, up to the end of the run it joins; undefined between runs. */
const join = (events: ReadonlyArray<Agui.AguiEvent>, cut: number, maxEvents: number) =>
  Effect.gen(function* () {
    const log = yield* makeEventLog({ maxEvents })
    yield* log.append(events.slice(0, cut))
    const moment = yield* momentOf(log)
    const run = moment.runs.at(-1)
    if (run === undefined || run.ended !== undefined) return undefined
    const fit = fitting(moment, run)
    const rest = events.slice(cut)
    const end = rest.findIndex(({ type }) => type === "RUN_FINISHED")
    return {
      sent: [...joining(moment, run, asked).events, ...rest.slice(0, end + 1).flatMap(fit)],
      whole: events.slice(0, cut + end + 1)
    }
  })

const cases = fc
  .record({ events: conversation, cut: fc.nat(), kept: fc.integer({ min: 1, max: 60 }) })
  .map(({ cut, events, kept }) => ({ events, kept, cut: cut % events.length }))

describe("a reader that joins", () => {
  it.effect("has what one has that was there from the start, whatever the log forgot", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(cases, async ({ cut, events, kept }) => {
          const joined = await Effect.runPromise(join(events, cut, kept))
          if (joined === undefined) return
          expect(Agui.foldEvents(joined.sent)).toEqual(Agui.foldEvents(joined.whole))
        }),
        { numRuns: 500 }
      )
    )
  )
  it.effect("and has seen part of it has nothing twice", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(cases, fc.nat(), async ({ cut, events, kept }, had) => {
          const joined = await Effect.runPromise(join(events, cut, kept))
          if (joined === undefined) return
          const before = Agui.foldEvents(events.slice(0, had % (cut + 1)))
          const after = Agui.foldEvents(joined.sent, before)
          const whole = Agui.foldEvents(joined.whole)
          expect(after.messages).toEqual(whole.messages)
        })
      )
    )
  )
  it.effect("gets each start before what goes on with it, and no start twice", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(cases, async ({ cut, events, kept }) => {
          const joined = await Effect.runPromise(join(events, cut, kept))
          if (joined === undefined) return
          const open = new Set<string>()
          for (const event of joined.sent) {
            const key =
              "toolCallId" in event
                ? event.toolCallId
                : "messageId" in event
                  ? event.messageId
                  : "stepName" in event
                    ? event.stepName
                    : undefined
            if (key === undefined) continue
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
  const message = (id: string, content = id): Agui.Message => ({ id, role: "user", content })
  const given = (server: ReadonlyArray<Agui.Message>, had: ReadonlyArray<Agui.Message>) =>
    Agui.foldEvents(snapshots({ messages: server, state: {} }, had)).messages
  const idsOf = (server: ReadonlyArray<string>, had: ReadonlyArray<string>) =>
    given(
      server.map((id) => message(id)),
      had.map((id) => message(id))
    ).map(({ id }) => id)

  it("keeps each message that only the reader has where the reader has it", () => {
    expect(idsOf(["a", "b"], [])).toEqual(["a", "b"])
    expect(idsOf(["a", "b", "c", "d"], ["x", "a", "y", "z", "d"]).join("")).toBe("xabcyzd")
    expect(idsOf(["a"], ["a", "x"])).toEqual(["a", "x"])
    expect(idsOf(["a"], ["x"])).toEqual(["a", "x"])
  })
  it("has the server's word where both have a message", () => {
    expect(given([message("a", "whole")], [message("a", "half")])).toEqual([message("a", "whole")])
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
  it("says nothing where there is nothing to say", () => {
    expect(snapshots(Agui.emptyHistory, [message("a")])).toEqual([])
  })
})

describe("the moment of a log", () => {
  it.effect("has the runs that are kept", () =>
    Effect.gen(function* () {
      const log = yield* makeEventLog()
      expect((yield* momentOf(log)).runs).toEqual([])
      const started = { type: "RUN_STARTED", threadId: "t", runId: "r" } as const
      yield* log.append([started])
      expect((yield* momentOf(log)).runs).toEqual([
        { from: 0, started: { event: started, seq: 0 }, ended: undefined, opening: [] }
      ])
      const error = { type: "RUN_ERROR", message: "m" } as const
      yield* log.append([error])
      expect((yield* momentOf(log)).runs).toEqual([
        { from: 0, started: { event: started, seq: 0 }, ended: { event: error, seq: 1 }, opening: [] }
      ])
    })
  )
  it("takes events without a start for a run whose start is forgotten", () => {
    const content = { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "x" } as const
    expect(runsOf([{ seq: 7, event: content }])).toEqual([
      { from: 7, started: undefined, ended: undefined, opening: [] }
    ])
  })
})
