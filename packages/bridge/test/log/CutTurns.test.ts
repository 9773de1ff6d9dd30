/** Turns that come to nothing. */
import { Model } from "@agentwire/protocol"
import { expect, it } from "vitest"
import { bridgeEnded, unheardTurn } from "../../src/log/CutTurns.ts"

it("a turn that nobody hears of begins, shows its prompt, and ends: nothing is open after it", () => {
  const events = unheardTurn("r", [{ id: "m", content: "Hi" }], bridgeEnded)
  const { failure, items, newest, turn, turns } = events.reduce(Model.applyToSituation, Model.emptySituation)
  expect({ items: items.size, newest, turn, turns }).toEqual({ items: 0, newest: "m", turn: undefined, turns: 1 })
  expect(failure).toEqual({ code: bridgeEnded.code, message: bridgeEnded.message })
  expect(Model.transcriptOf(events).entries).toEqual([{ id: "m", lane: null, kind: "prompt", content: "Hi" }])
})
