/**
 * Prompts that wait for their turn: each is kept from when it is accepted, and whoever said it learns what became of it.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Session } from "../../src/session/Session.ts"
import { Store } from "../../src/store/Store.ts"
import { init, isPrompt, result, text } from "../AgentLines.ts"
import { aguiClient } from "../AguiClient.ts"
import type { Behaviour } from "../FakeAgent.ts"
import { inStoreOf, openAgain as open, send } from "../Reopened.ts"
import { eventually, happened, until } from "../WithSession.ts"

/** An agent whose turns do not end by themselves. */
const busy: Behaviour = (line, say) => (isPrompt(line) ? say(init(), text("I am")) : Effect.void)

const inStore = inStoreOf(busy)

const turnsOf = (session: Session) =>
  Effect.map(happened(session), (events) =>
    events.flatMap((event) =>
      event.type === "turn_started"
        ? [event.ticket]
        : event.type === "item_started" && event.item.kind === "prompt"
          ? [event.item.content]
          : event.type === "turn_ended"
            ? [event.outcome.type === "failed" ? event.outcome.code : event.outcome.type]
            : []
    )
  )

describe("a prompt that waits when its bridge is killed", () => {
  it.effect("is closed as failed with the reason, once, and shown", () =>
    inStore(() =>
      Effect.gen(function* () {
        const first = yield* open
        yield* send(first, "r1", "One")
        yield* until(first, "item_ended")
        yield* send(first, "r2", "Two")
        yield* send(first, "r3", "Three")
        const ended = ["r1", "One", "BRIDGE_ENDED", "r2", "Two", "BRIDGE_ENDED", "r3", "Three", "BRIDGE_ENDED"]
        expect(yield* turnsOf(yield* open)).toEqual(ended)
        expect(yield* turnsOf(yield* open)).toEqual(ended)
      })
    )
  )

  it.effect("also where somebody had stopped it before its turn came", () =>
    inStore(() =>
      Effect.gen(function* () {
        const first = yield* open
        yield* send(first, "r1", "One")
        yield* until(first, "item_ended")
        yield* send(first, "r2", "Two")
        yield* first.stop("r2")
        expect(yield* turnsOf(yield* open)).toEqual(["r1", "One", "BRIDGE_ENDED", "r2", "Two", "BRIDGE_ENDED"])
      })
    )
  )

  it.effect("is not closed again when its turn had begun, or had ended", () =>
    inStore((agents) =>
      Effect.gen(function* () {
        const first = yield* open
        yield* send(first, "r1", "One")
        yield* until(first, "item_ended")
        yield* send(first, "r2", "Two")
        yield* send(first, "r3", "Three")
        yield* agents.say(result())
        yield* eventually(() => agents.sent.filter(isPrompt).length === 2)
        yield* agents.say(result())
        yield* eventually(() => agents.sent.filter(isPrompt).length === 3)
        yield* first.log.settled
        expect((yield* (yield* Store).thread("t"))?.waiting).toBeUndefined()
        const turns = ["r1", "One", "completed", "r2", "Two", "completed", "r3", "Three", "BRIDGE_ENDED"]
        expect(yield* turnsOf(yield* open)).toEqual(turns)
      })
    )
  )

  it.effect("is told to its client, which was sent another's words since", () =>
    inStore((agents) =>
      Effect.gen(function* () {
        const first = yield* open
        yield* send(first, "r1", "One")
        yield* until(first, "item_ended")
        const page = aguiClient(first)
        yield* page.submit("r2", { prompt: "Two" })
        yield* send(first, "r3", "Three")
        yield* agents.say(result())
        yield* eventually(() => agents.sent.filter(isPrompt).length === 2)
        const next = yield* open
        // Another client comes back first, and is answered.
        yield* send(next, "r4", "Four")
        yield* eventually(() => agents.sent.filter(isPrompt).length === 3)
        yield* agents.say(result())
        yield* eventually(() => next.log.situation().turn === undefined)
        const back = aguiClient(next, "deny", [
          { id: "user-r2", role: "user", content: "Two" },
          { id: "m-r3", role: "user", content: "Three" },
          { id: "a", role: "assistant", content: "I am" }
        ])
        expect((yield* back.run("r2")).at(-1)).toMatchObject({ type: "RUN_ERROR", code: "BRIDGE_ENDED" })
      })
    )
  )

  it.effect("is told to its client after a further restart, too, when another was answered between", () =>
    inStore((agents) =>
      Effect.gen(function* () {
        const first = yield* open
        yield* send(first, "r1", "One")
        yield* until(first, "item_ended")
        const page = aguiClient(first)
        yield* page.submit("r2", { prompt: "Two" })
        const next = yield* open
        const prompts = agents.sent.filter(isPrompt).length
        yield* send(next, "r3", "Three")
        yield* eventually(() => agents.sent.filter(isPrompt).length === prompts + 1)
        yield* agents.say(result())
        yield* eventually(() => next.log.situation().turn === undefined)
        const back = aguiClient(yield* open, "deny", page.messages())
        expect((yield* back.run("r2")).at(-1)).toMatchObject({ type: "RUN_ERROR", code: "BRIDGE_ENDED" })
        // What was said since it has now, so it is not told again.
        expect((yield* back.run("r4")).at(-1)).toMatchObject({ type: "RUN_FINISHED" })
      })
    )
  )
})

describe("a prompt that was stopped before its turn came", () => {
  it.effect("is part of the conversation, so that all of its clients show the same", () =>
    inStore((agents) =>
      Effect.gen(function* () {
        const session = yield* open
        yield* send(session, "r1", "One")
        yield* until(session, "item_ended")
        yield* send(session, "r2", "Two")
        yield* session.stop("r2")
        yield* agents.say(result())
        yield* eventually(() => session.log.situation().turns === 2)
        expect(yield* turnsOf(session)).toEqual(["r1", "One", "completed", "r2", "Two", "cancelled"])
      })
    )
  )
})
