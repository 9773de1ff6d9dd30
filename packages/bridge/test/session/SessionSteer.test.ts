/**
 * Words for the turn that is open: they go into it, are shown once, when the agent has heard them, and are lost nowhere.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import type { Runtime } from "../../src/session/Runtime.ts"
import type { Session } from "../../src/session/Session.ts"
import { Store } from "../../src/store/Store.ts"
import { init, isInterrupt, isPrompt, lifecycle, result, text } from "../AgentLines.ts"
import type { Behaviour, FakeAgents, Line } from "../FakeAgent.ts"
import { inStoreOf, openAgain as open, send } from "../Reopened.ts"
import { controls, eventsUntil, eventually, happened, until } from "../WithSession.ts"

/** An agent whose turns do not end by themselves. What comes in mid-turn waits until a test takes it up. */
const busy: Behaviour = (line, say) => {
  if (isPrompt(line)) return wordsOf(line).startsWith("Steer") ? Effect.void : say(init(), text("I am"))
  return line["type"] === "control_request" && !isInitialize(line)
    ? say({ type: "control_response", response: { subtype: "success", request_id: line["request_id"], response: {} } })
    : Effect.void
}

const isInitialize = (line: Line): boolean => (line["request"] as Line | undefined)?.["subtype"] === "initialize"

const wordsOf = (line: Line): string => {
  const { content } = line["message"] as { readonly content: ReadonlyArray<{ readonly text: string }> }
  return content.map((block) => block.text).join("")
}

const inStore = inStoreOf(busy)

/** What was said and how turns ended, in order, with their tickets. */
const turnsOf = (session: Session) =>
  Effect.map(happened(session), (events) =>
    events.flatMap((event) => {
      if (event.type === "turn_started") return [`<${event.ticket}`]
      if (event.type === "item_started" && event.item.kind === "prompt") return [event.item.content]
      return event.type === "turn_ended" ? [`${event.outcome.type}>`] : []
    })
  )

const steer = (session: Session, ticket: string, content: string, turn?: number) =>
  session.steer({ ticket, said: [{ id: `m-${ticket}`, content }], ...(turn !== undefined && { turn }) })

/** The line with these words that was sent last. */
const lineOf = ({ sent }: FakeAgents, words: string): Line | undefined =>
  sent.findLast((line) => isPrompt(line) && wordsOf(line) === words)

/** A session whose first turn is open. */
const inTurn = (
  use: (session: Session, agents: FakeAgents) => Effect.Effect<void, unknown, Runtime | Store>
): Effect.Effect<void> =>
  inStore((agents) =>
    Effect.gen(function* () {
      const session = yield* open
      yield* send(session, "r1", "One")
      yield* until(session, "item_ended")
      yield* use(session, agents)
    }).pipe(Effect.orDie)
  )

const waitingOf = Effect.gen(function* () {
  return (yield* (yield* Store).thread("t"))?.waiting?.map(({ ticket }) => ticket)
})

describe("words for an open turn", () => {
  it.effect("are shown when the agent takes them up, and are kept until then", () =>
    inTurn((session, agents) =>
      Effect.gen(function* () {
        const { turn } = yield* steer(session, "s1", "Steer left", 1)
        expect(turn).toBe(1)
        expect(yield* waitingOf).toEqual(["s1"])
        expect(yield* turnsOf(session)).toEqual(["<r1", "One"])
        yield* agents.say(lifecycle(lineOf(agents, "Steer left"), "queued"))
        yield* agents.say(lifecycle(lineOf(agents, "Steer left"), "started"), text("Left."), result())
        yield* until(session, "turn_ended")
        yield* session.log.settled
        expect(yield* turnsOf(session)).toEqual(["<r1", "One", "Steer left", "completed>"])
        expect(yield* waitingOf).toBeUndefined()
        expect(agents.sent.filter(isPrompt)).toHaveLength(2)
      })
    )
  )

  it.effect("of several clients are taken up in order, and each may stop the turn", () =>
    inTurn((session, agents) =>
      Effect.gen(function* () {
        yield* steer(session, "s1", "Steer left")
        yield* steer(session, "s2", "Steer up")
        yield* agents.say(lifecycle(lineOf(agents, "Steer left"), "started"))
        yield* agents.say(lifecycle(lineOf(agents, "Steer up"), "started"))
        yield* eventually(() => session.log.situation().newest === "m-s2")
        expect(yield* session.stop("s1")).toBe(true)
        yield* agents.say(result())
        yield* until(session, "turn_ended")
        expect(yield* turnsOf(session)).toEqual(["<r1", "One", "Steer left", "Steer up", "completed>"])
      })
    )
  )

  it.effect("that come during its last text keep an answered turn open, and what waits comes after it", () =>
    inTurn((session, agents) =>
      Effect.gen(function* () {
        yield* send(session, "r2", "Two")
        yield* steer(session, "s1", "Steer left")
        yield* agents.say(result(), lifecycle(lineOf(agents, "Steer left"), "started"))
        yield* eventually(() => session.log.situation().newest === "m-s1")
        expect(lineOf(agents, "Two")).toBeUndefined()
        yield* agents.say(init(), text("Left."), result())
        yield* eventually(() => lineOf(agents, "Two") !== undefined)
        yield* agents.say(result())
        yield* eventually(() => session.log.situation().turns === 2 && session.log.situation().turn === undefined)
        yield* session.log.settled
        expect(yield* turnsOf(session)).toEqual([
          ...["<r1", "One", "Steer left", "completed>"],
          ...["<r2", "Two", "completed>"]
        ])
      })
    )
  )

  it.effect("that a failed turn has not heard are the turn that the agent begins with them", () =>
    inTurn((session, agents) =>
      Effect.gen(function* () {
        yield* send(session, "r2", "Two")
        yield* steer(session, "s1", "Steer left")
        yield* agents.say(result({ subtype: "error_during_execution", is_error: true }))
        yield* until(session, "turn_ended")
        expect(lineOf(agents, "Two")).toBeUndefined()
        yield* agents.say(lifecycle(lineOf(agents, "Steer left"), "started"), init(), text("Left."), result())
        yield* eventually(() => lineOf(agents, "Two") !== undefined)
        yield* session.log.settled
        expect(yield* turnsOf(session)).toEqual([
          ...["<r1", "One", "failed>"],
          ...["<s1", "Steer left", "completed>"],
          ...["<r2", "Two"]
        ])
      })
    )
  )

  it.effect("wait no more once the agent has answered them, also where it did not say that it took them up", () =>
    inTurn((session, agents) =>
      Effect.gen(function* () {
        yield* steer(session, "s1", "Steer left")
        yield* agents.say(result(), init(), text("Left."), result())
        yield* agents.say(lifecycle(lineOf(agents, "Steer left"), "completed"))
        yield* until(session, "turn_ended")
        yield* session.log.settled
        expect(yield* turnsOf(session)).toEqual(["<r1", "One", "Steer left", "completed>"])
        expect(yield* waitingOf).toBeUndefined()
        yield* send(session, "r2", "Two")
        yield* eventually(() => lineOf(agents, "Two") !== undefined)
      })
    )
  )

  it.effect("are the next prompt when the turn is stopped by its own client before they are heard", () =>
    inTurn((session, agents) =>
      Effect.gen(function* () {
        yield* steer(session, "s1", "Steer left")
        expect(yield* session.stop("r1")).toBe(true)
        const interrupt = agents.sent.find(isInterrupt)
        expect(interrupt).toMatchObject({ request: { subtype: "interrupt", cancel_queued: true } })
        yield* agents.say(lifecycle(lineOf(agents, "Steer left"), "cancelled"), result())
        yield* eventually(() => session.log.situation().turns === 2)
        yield* session.log.settled
        expect(yield* turnsOf(session)).toEqual(["<r1", "One", "completed>", "<s1", "Steer left"])
        yield* eventually(
          () => agents.sent.filter((line) => isPrompt(line) && wordsOf(line) === "Steer left").length === 2
        )
      })
    )
  )

  it.effect("are shown and not heard when everything is stopped", () =>
    inTurn((session, agents) =>
      Effect.gen(function* () {
        yield* steer(session, "s1", "Steer left")
        expect(yield* session.stop()).toBe(true)
        yield* agents.say(lifecycle(lineOf(agents, "Steer left"), "cancelled"), result())
        yield* eventually(() => session.log.situation().turns === 2)
        yield* session.log.settled
        expect(yield* turnsOf(session)).toEqual(["<r1", "One", "completed>", "<s1", "Steer left", "cancelled>"])
        expect(agents.sent.filter(isPrompt)).toHaveLength(2)
      })
    )
  )

  it.effect("are a prompt when the agent forgets them, and hold up nobody for ever", () =>
    inTurn((session, agents) =>
      Effect.gen(function* () {
        yield* steer(session, "s1", "Steer left")
        yield* agents.say(result())
        yield* eventsUntil(session, (event) => event.type === "noticed" && event.name === "result_stats")
        // After the line that said so.
        expect(yield* session.stop("nobody's")).toBe(false)
        yield* TestClock.adjust("11 seconds")
        yield* eventually(() => session.log.situation().turns === 2)
        yield* session.log.settled
        expect(controls(agents, "cancel_async_message")).toHaveLength(1)
        expect(yield* turnsOf(session)).toEqual(["<r1", "One", "completed>", "<s1", "Steer left"])
      })
    )
  )

  it.effect("are the next prompt when the agent is killed", () =>
    inTurn((session, agents) =>
      Effect.gen(function* () {
        yield* steer(session, "s1", "Steer left")
        yield* agents.exit({ signal: "SIGKILL", code: null })
        yield* eventually(() => agents.launched.length === 2 && lineOf(agents, "Steer left") !== undefined)
        yield* eventually(() => session.log.situation().turns === 2)
        yield* session.log.settled
        expect(yield* turnsOf(session)).toEqual(["<r1", "One", "failed>", "<s1", "Steer left"])
      })
    )
  )

  it.effect("are shown by the next bridge when theirs is killed before they are heard", () =>
    inTurn((session) =>
      Effect.gen(function* () {
        yield* steer(session, "s1", "Steer left")
        const ended = ["<r1", "One", "failed>", "<s1", "Steer left", "failed>"]
        expect(yield* turnsOf(yield* open)).toEqual(ended)
        expect(yield* turnsOf(yield* open)).toEqual(ended)
      }).pipe(Effect.scoped)
    )
  )

  it.effect("are refused when no turn is open, or another one than was meant", () =>
    inTurn((session, agents) =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(steer(session, "s1", "Steer left", 7))).toMatchObject({ code: "NOTHING_TO_STEER" })
        yield* agents.say(result())
        yield* until(session, "turn_ended")
        expect(yield* Effect.flip(steer(session, "s2", "Steer up"))).toMatchObject({ code: "NOTHING_TO_STEER" })
        expect(yield* turnsOf(session)).toEqual(["<r1", "One", "completed>"])
      })
    )
  )
})
