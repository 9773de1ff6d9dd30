/** Bytes in any chunks to lines, and to server-sent events. */
import { Framer, type Line, SseReader } from "@agentwire/protocol/wire"
import { holds, piecesOf, same, type Target } from "../Target.ts"

/** The framer. */
export const framer: Target = {
  name: "framer",
  law: "lines and server-sent events are the same in any chunks, have every byte, and are numbered",
  shape: "bytes",
  words: ["\n", "\r\n", "\n\n", "data: ", "event: ", "id: ", "retry: ", ": ", "\ufeff", "\u2028"],
  check: (input) => {
    const whole = linesIn([input])
    const pieces = piecesOf(input)
    same("lines do not depend on chunks", linesIn(pieces), whole)
    for (const [at, { number }] of whole.entries()) holds(number === at + 1, "lines are numbered", number)
    if (whole.every(({ _tag }) => _tag === "Text")) {
      const text = whole.map((line) => line.text).join("\n") + (input.at(-1) === 10 ? "\n" : "")
      holds(Buffer.from(text).equals(Buffer.from(input)), "lines have every byte", text)
    }
    const limit = 1 + (input.length % 50)
    const limited = linesIn(pieces, limit)
    same("a limit does not depend on chunks", linesIn([input], limit), limited)
    for (const [at, line] of limited.entries()) {
      const isLong = line._tag === "Broken" && line.reason === "LINE_TOO_LONG"
      const before = whole[at]
      const bytes = before?._tag === "Text" ? Buffer.byteLength(before.text) : before?.bytes
      holds(
        bytes !== undefined && isLong === bytes > limit,
        "a line is too long when it is longer than the limit",
        line
      )
    }
    same("server-sent events do not depend on chunks", eventsIn(pieces), eventsIn([input]))
    return [...whole, ...limited].map((line) => (line._tag === "Text" ? "Text" : line.reason))
  }
}

const linesIn = (pieces: ReadonlyArray<Uint8Array>, maxLineBytes?: number): ReadonlyArray<Line> => {
  const framer = new Framer(maxLineBytes === undefined ? {} : { maxLineBytes })
  return [...pieces.flatMap((piece) => framer.push(piece)), ...framer.end()]
}

const eventsIn = (pieces: ReadonlyArray<Uint8Array>): ReadonlyArray<unknown> => {
  const reader = new SseReader()
  return [...pieces.flatMap((piece) => [...reader.push(piece)]), reader.lastEventId, reader.retryMs ?? null]
}
