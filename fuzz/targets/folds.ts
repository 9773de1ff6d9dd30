/** Lines of Claude Code to events of the model, whatever the order of the lines. */
import * as Claude from "@agentwire/protocol/claude"
import { decodePayload } from "@agentwire/protocol/codec"
import * as Model from "@agentwire/protocol/model"
import type * as Schema from "effect/Schema"
import { holds, linesOf, same, type Target } from "../Target.ts"
import { decoder } from "./decoder.ts"

/** The events of some lines, to the end of the session. */
export const foldLines = (lines: ReadonlyArray<string>): ReadonlyArray<Model.Event> => {
  const events: Array<Model.Event> = []
  let state = Claude.initialFold()
  for (const line of lines) {
    const [next, given] = Claude.foldMessage(state, Claude.decodeLine(line))
    state = next
    for (const event of given) events.push(event)
  }
  for (const event of Claude.endFold(state, { type: "end" })[1]) events.push(event)
  return events
}

/** The folds. */
export const folds: Target = {
  name: "folds",
  law: "any lines of Claude Code fold to events of the model, always the same, and at the end nothing is left open",
  shape: "lines",
  words: decoder.words,
  check: (input) => {
    const lines = linesOf(input)
    const events = foldLines(lines)
    same("a fold gives the same again", foldLines(lines), events)
    let situation = Model.emptySituation
    for (const event of events) {
      // As another process would read it.
      const read = decodePayload(Model.Event as Schema.Codec<Model.Event>, JSON.parse(JSON.stringify(event)))
      holds(read._tag === "Known", "an event fits its schema", read._tag === "Known" ? event : read.error.message)
      if (event.type === "request_opened")
        holds(!situation.requests.has(event.request.id), "an open request is not opened again", event)
      situation = Model.applyToSituation(situation, event)
    }
    holds(situation.turn === undefined, "at the end no turn is open", situation.turn)
    holds(situation.items.size === 0, "at the end no item is open", [...situation.items.keys()])
    holds(situation.lanes.size === 0, "at the end no sub-agent is at work", [...situation.lanes.keys()])
    Model.transcriptOf(events)
    return events.map((event) => (event.type === "item_started" ? `${event.type} ${event.item.kind}` : event.type))
  }
}
