/** Events of the model to AG-UI, in both dialects: those that a fold gave, and those that are lines themselves. */
import * as Agui from "@agentwire/protocol/agui"
import { decodePayload } from "@agentwire/protocol/codec"
import * as Model from "@agentwire/protocol/model"
import { parseJson } from "@agentwire/protocol/wire"
import type * as Schema from "effect/Schema"
import { refusal } from "../../packages/protocol/test/translate/Order.ts"
import { holds, linesOf, type Target } from "../Target.ts"
import { decoder } from "./decoder.ts"
import { foldLines } from "./folds.ts"

/** The writers. */
export const writers: Target = {
  name: "writers",
  law: "whatever happens in the model is written as events of both dialects; what a fold gave is in the order clients want",
  shape: "lines",
  words: [...decoder.words, ...Object.keys(Model.events)],
  check: (input) => {
    const lines = linesOf(input)
    const own = lines.flatMap(eventIn)
    const events = own.length > 0 ? own : foldLines(lines)
    const seen = new Set<string>()
    for (const dialect of ["1.0", "0.0"] as const)
      for (const approvals of ["event", "interrupt", "hide"] as const) {
        const written = writeAll(events, approvals).map((event) => Agui.inDialect(event, dialect))
        for (const event of written) {
          const read = Agui.codecs[dialect].decodeValue(JSON.parse(JSON.stringify(event)))
          holds(read._tag === "Known", `what is written is an event of ${dialect}`, event)
          seen.add(`${dialect} ${event.type}`)
        }
        if (own.length > 0 || written.length === 0) continue
        const wrong = refusal(written, dialect)
        holds(wrong === undefined, `clients of ${dialect} take what a fold gave`, wrong)
      }
    return seen
  }
}

const eventIn = (line: string): ReadonlyArray<Model.Event> => {
  const read = decodePayload(Model.Event as Schema.Codec<Model.Event>, parseJson(line))
  return read._tag === "Known" ? [read.value] : []
}

const writeAll = (
  events: ReadonlyArray<Model.Event>,
  approvals: Agui.WriteSettings["approvals"]
): ReadonlyArray<Agui.AguiEvent> => {
  const out: Array<Agui.AguiEvent> = []
  let writer = Agui.initialWriter({ threadId: "t", approvals, maxHeld: 20 })
  for (const event of events) {
    const [next, given] = Agui.write(writer, event)
    writer = next
    for (const one of given) out.push(one)
  }
  out.push(...Agui.closeRun(writer, Agui.successEnding)[1])
  return out
}
