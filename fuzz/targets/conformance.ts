/** Streams of AG-UI to reports: values as they come, and the bytes of server-sent events. */
import { checkEvents, makeSseChecker, type SseItem } from "@agentwire/protocol/conform"
import { parseJson } from "@agentwire/protocol/wire"
import { holds, linesOf, piecesOf, same, type Target } from "../Target.ts"
import { eventTypes } from "./eventTypes.ts"

/** The checker. */
export const conformance: Target = {
  name: "conformance",
  law: "any stream has a report whose counts are its findings, bounded by its length; bytes are judged the same in any chunks",
  shape: "lines",
  words: [...eventTypes, "data: ", "messageId", "toolCallId", "subagentRunId", "runId", "threadId", "delta", "outcome"],
  check: (input) => {
    const seen = new Set<string>()
    const values = linesOf(input).flatMap((line) => {
      const value = parseJson(line.startsWith("data: ") ? line.slice(6) : line)
      return value === undefined ? [] : [value]
    })
    for (const dialect of ["1.0", "0.0"] as const) {
      const report = checkEvents(values, { dialect, input: values[0] })
      const { errors, events, findings, infos, verdict, warnings } = report
      holds(events === values.length, "every event is counted", events)
      holds(errors + warnings + infos === findings.length, "every finding is counted", report)
      const expected = errors > 0 ? "fail" : warnings > 0 ? "warn" : "pass"
      holds(verdict === expected, "the verdict follows from the findings", verdict)
      for (const { excerpt, index, message, rule } of findings) {
        holds(index >= -1 && index < values.length, "a finding is about an event of the stream", index)
        holds(message !== "" && message.length + excerpt.length < 5000, "a finding is short", message)
        seen.add(`${dialect} ${rule}`)
      }
      const whole = itemsIn([input], dialect)
      same("bytes are judged the same in any chunks", itemsIn(piecesOf(input), dialect), whole)
      for (const item of whole) seen.add(item._tag === "Event" ? "Event" : item.finding.rule)
    }
    return seen
  }
}

const itemsIn = (pieces: ReadonlyArray<Uint8Array>, dialect: "1.0" | "0.0"): ReadonlyArray<SseItem> => {
  const checker = makeSseChecker({ dialect })
  return [...pieces.flatMap((piece) => checker.push(piece)), ...checker.end()]
}
