/** A session's events in AG-UI for those who read along. */
import { Agui, type Model } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { aguiFeed } from "../../../src/face/agui/AguiFeed.ts"
import type { EventLogLimits } from "../../../src/log/EventLog.ts"
import { bareSession } from "../../BareSession.ts"
import { conversation } from "../../Conversation.ts"
import { openText, permission, wholeText } from "../../FakeSessions.ts"
import { testLog } from "../../TestLog.ts"

const setting = (limits: EventLogLimits = {}) => {
  const log = testLog(limits)
  return { log, session: bareSession("t", log) }
}

describe("the feed of a session", () => {
  it.effect("from any number on is the rest of the feed from the start", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(conversation, fc.nat(), async (events, number) => {
          const { log, session } = setting()
          log.append(events)
          await Effect.runPromise(log.close)
          const from = number % (events.length + 1)
          const read = (at: number) => Effect.runPromise(Stream.runCollect(aguiFeed(session, at)))
          expect(await read(from)).toEqual((await read(0)).filter(({ seq }) => seq >= from))
        }),
        { numRuns: 50 }
      )
    )
  )

  it.effect("has an entry for each event, with its number, and ends when the session is closed", () =>
    Effect.gen(function* () {
      const { log, session } = setting()
      log.append([{ type: "turn_started", cause: "agent" }, ...wholeText("a", "Hi")])
      yield* log.close
      const entries = yield* Stream.runCollect(aguiFeed(session, 0))
      expect(entries.map(({ seq }) => seq)).toEqual([0, 1, 2, 3])
    })
  )

  const question = Effect.fnUntraced(function* (approvals?: "interrupt") {
    const { log, session } = setting()
    log.append([
      { type: "turn_started", cause: "prompt", ticket: "r" },
      { type: "request_opened", lane: null, request: permission("q") }
    ])
    yield* log.close
    const entries = yield* Stream.runCollect(aguiFeed(session, 0, approvals))
    return entries.flatMap(({ events }) => events.map(({ type }) => type))
  })

  it.effect("tells of questions with events, and of one turn as one run", () =>
    Effect.map(question(), (types) => {
      expect(types).toContain("CUSTOM")
      expect(types).not.toContain("RUN_FINISHED")
    })
  )

  it.effect(
    "tells at once that the conversation goes back, with what is left of it, to whoever reads from wherever",
    () =>
      Effect.gen(function* () {
        const { log, session } = setting()
        const turn = (nth: number): ReadonlyArray<Model.Event> => [
          { type: "turn_started", cause: "prompt", ticket: `r${nth}` },
          { type: "item_started", lane: null, id: `u${nth}`, item: { kind: "prompt", content: `Words ${nth}` } },
          ...wholeText(`a${nth}`, `Answer ${nth}`),
          { type: "turn_ended", outcome: { type: "completed" } }
        ]
        log.append([...turn(1), ...turn(2)])
        const at = log.next()
        const begins = { position: log.nextPosition(), at: 0 }
        const from = { branch: 0, position: 1 }
        log.append([{ type: "branched", branch: 1, from, after: "a1", anchor: "to a1", begins, ticket: "b" }])
        log.append(turn(3))
        yield* log.close
        const entries = yield* Stream.runCollect(aguiFeed(session, 0))
        const told = entries.find(({ seq }) => seq === at)?.events ?? []
        expect(told.map(({ type }) => type)).toEqual(["RUN_STARTED", "CUSTOM", "MESSAGES_SNAPSHOT", "RUN_FINISHED"])
        expect(told[2]).toMatchObject({ messages: [{ id: "u1" }, { id: "a1" }] })
        expect(Agui.foldEvents(entries.flatMap(({ events }) => events)).messages.map(({ id }) => id)).toEqual([
          "u1",
          "a1",
          "u3",
          "a3"
        ])
        for (const start of [at, at + 1])
          expect(yield* Stream.runCollect(aguiFeed(session, start))).toEqual(entries.filter(({ seq }) => seq >= start))
      })
  )

  it.effect("ends runs with questions for those who want it", () =>
    Effect.map(question("interrupt"), (types) => expect(types.at(-1)).toBe("RUN_FINISHED"))
  )

  it.effect("is the same where the memory has forgotten the beginning", () =>
    Effect.gen(function* () {
      const all: ReadonlyArray<Model.Event> = [
        { type: "turn_started", cause: "agent" },
        ...openText("a", "x", "y", "z")
      ]
      const [whole, forgetful] = [setting(), setting({ maxEvents: 2 })]
      for (const { log } of [whole, forgetful]) {
        log.append(all)
        yield* log.close
      }
      expect(forgetful.log.oldest()).toBe(3)
      expect(yield* Stream.runCollect(aguiFeed(forgetful.session, 0))).toEqual(
        yield* Stream.runCollect(aguiFeed(whole.session, 0))
      )
    })
  )
})
