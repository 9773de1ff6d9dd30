/** Bytes of a tape file to a tape, or to the lines that are wrong. */
import * as Tape from "@agentwire/protocol/tape"
import { tapeHistory } from "@agentwire/protocol/translate"
import { holds, piecesOf, same, type Target } from "../Target.ts"

/** The reader of tapes. */
export const tapes: Target = {
  name: "tapes",
  law: "any bytes are a tape or lines that are wrong, the same in any chunks; a tape that is written reads the same and can be used",
  shape: "lines",
  words: [
    "host",
    "agent",
    "stdin",
    "stdout",
    "stderr",
    "ws",
    "open",
    "close",
    "exit",
    "marker",
    "base64",
    "end",
    "tape"
  ],
  check: (input) => {
    const { tape, wrong } = Tape.parseTape(input)
    const reader = Tape.tapeReader()
    const items = [...reader.push(input), ...reader.end()]
    const pieces = piecesOf(input)
    const again = Tape.tapeReader()
    same("a tape does not depend on chunks", [...pieces.flatMap((piece) => again.push(piece)), ...again.end()], items)
    for (const { line, message } of wrong) holds(line > 0 && message !== "", "what is wrong has a line and words", line)
    if (tape !== undefined) {
      const written = Tape.parseTape(Buffer.from(Tape.encodeTape(tape)))
      same(
        "a tape that is written reads the same",
        [written.tape?.header, written.tape?.frames],
        [tape.header, tape.frames]
      )
      holds(written.wrong.length === 0, "what was read can be written", written.wrong)
      Tape.tapeLines(tape.frames)
      Tape.diffTapes(tape, tape)
      Tape.scriptOf(tape.frames)
      tapeHistory(tape, { threadId: "t" })
    }
    return items.map((item) =>
      item._tag === "Frame" ? item.frame._tag : item._tag === "Wrong" ? item.message.slice(0, 12) : item._tag
    )
  }
}
