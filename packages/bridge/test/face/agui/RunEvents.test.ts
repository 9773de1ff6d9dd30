/** The events of a run: what its client has not had yet, then the run itself, up to its end. */
import type { Agui, Model } from "@agentwire/protocol"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { aguiThread, type Place } from "../../../src/face/agui/AguiThread.ts"
import { followLog, type Outgoing, runEvents } from "../../../src/face/agui/RunEvents.ts"
import type { EventLogLimits } from "../../../src/log/EventLog.ts"
import type { Accepted } from "../../../src/session/Session.ts"
import { bareSession } from "../../BareSession.ts"
import { wholeText } from "../../FakeSessions.ts"
import { testLog } from "../../TestLog.ts"

const begun = (ticket: string): Model.Event => ({ type: "turn_started", cause: "prompt", ticket })
const ended: Model.Event = { type: "turn_ended", outcome: { type: "completed" } }
const turn = (ticket: string): ReadonlyArray<Model.Event> => [
  begun(ticket),
  ...wholeText(`text-${ticket}`, "Hi"),
  ended
]

const setting = (limits: EventLogLimits = {}) => {
  const log = testLog(limits)
  const thread = Effect.runSync(aguiThread(bareSession("t", log), "event"))
  const newcomer = thread.readerFor([]).from
  const accepted = (begins: Accepted["begins"]): Accepted => ({ at: log.next(), situation: log.situation(), begins })
  const run = (runId: string, taken: Accepted, from: Place = newcomer) => {
    const input: Agui.RunAgentInput = { threadId: "t", runId, messages: [] }
    return Stream.runCollect(
      runEvents(log, thread, {
        input,
        echo: input,
        answered: new Set(),
        goesBack: false,
        isBehind: false,
        showsLeft: false,
        shows: undefined,
        continues: 0,
        mark: undefined,
        missedEnd: undefined,
        accepted: taken,
        from
      })
    )
  }
  return { accepted, log, newcomer, run, thread }
}

const eventsOf = (sent: ReadonlyArray<Outgoing>) => sent.flatMap(({ events }) => events)

/** The runs that begin and end in events, in order. */
const runs = (sent: ReadonlyArray<Outgoing>) =>
  eventsOf(sent).flatMap((event) =>
    event.type === "RUN_STARTED" || event.type === "RUN_FINISHED" ? [`${event.type} ${event.runId}`] : []
  )

describe("a run", () => {
  it.effect("comes after the turns that its client has missed, and ends with its turn", () =>
    Effect.gen(function* () {
      const { accepted, log, run } = setting()
      log.append(turn("other"))
      const taken = accepted("with_turn")
      log.append([...turn("mine"), ...turn("later")])
      expect(runs(yield* run("mine", taken))).toEqual([
        "RUN_STARTED other",
        "RUN_FINISHED other",
        "RUN_STARTED mine",
        "RUN_FINISHED mine"
      ])
    })
  )

  it.effect("is not taken for an earlier turn with the same ticket", () =>
    Effect.gen(function* () {
      const { accepted, log, run } = setting()
      log.append(turn("mine"))
      const taken = accepted("with_turn")
      log.append([begun("mine"), ...wholeText("second", "Again"), ended])
      const texts = eventsOf(yield* run("mine", taken)).flatMap((event) =>
        event.type === "TEXT_MESSAGE_START" ? [event.messageId] : []
      )
      expect(texts).toEqual(["text-mine", "second"])
    })
  )

  it.effect("that has nothing to do begins and ends at once", () =>
    Effect.gen(function* () {
      const { accepted, run } = setting()
      expect(runs(yield* run("idle", accepted("now")))).toEqual(["RUN_STARTED idle", "RUN_FINISHED idle"])
    })
  )

  const joins = (sent: ReadonlyArray<Outgoing>) => eventsOf(sent).some(({ type }) => type === "MESSAGES_SNAPSHOT")

  it.effect("is joined by a client that left in the middle of another", () =>
    Effect.gen(function* () {
      const { accepted, log, newcomer, run } = setting()
      log.append(turn("other"))
      const taken = accepted("with_turn")
      log.append(turn("mine"))
      expect(joins(yield* run("mine", taken))).toBe(false)
      const joined = yield* run("mine", taken, { ...newcomer, unsure: true })
      expect([joins(joined), runs(joined)]).toEqual([true, ["RUN_STARTED mine", "RUN_FINISHED mine"]])
    })
  )

  it.effect("is joined by a client whose place is not kept any more", () =>
    Effect.gen(function* () {
      const { accepted, log, run } = setting({ maxEvents: 6 })
      log.append(turn("other"))
      const taken = accepted("with_turn")
      log.append(turn("mine"))
      yield* log.settled
      expect(joins(yield* run("mine", taken))).toBe(true)
    })
  )
})

describe("the place after each event", () => {
  it.effect("is where a reader goes on, without loss and without repetition", () =>
    Effect.gen(function* () {
      const { log, newcomer } = setting()
      log.append([...turn("one"), ...turn("two")])
      const whole = yield* Stream.runCollect(Stream.take(followLog(log, newcomer), log.next()))
      for (const [index, { place }] of whole.entries()) {
        const rest = yield* Stream.runCollect(Stream.take(followLog(log, place), log.next() - place.seq))
        expect(eventsOf(rest)).toEqual(eventsOf(whole.slice(index + 1)))
      }
    })
  )
})
