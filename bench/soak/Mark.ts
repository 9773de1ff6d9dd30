/**
 * Marks: one character for each thread, in everything that is said on it, so that a byte on the wrong thread is seen.
 *
 * They are from Unicode's private area, which nothing else here uses. A marked text has the mark behind every `e`:
 * done to each piece of a text, that gives the same as done to the whole, so a tape that tells a text in deltas and
 * then at once still says the same both times.
 */

import type { Tape } from "@agentwire/protocol"
import { isRecord } from "@agentwire/protocol/wire"

const first = 0xe000
const count = 0xf900 - first

/** The mark of the nth thread. */
export const markOf = (thread: number): string => String.fromCharCode(first + (thread % count))

/** A text with a mark in it. */
export const marked = (text: string, mark: string): string => text.replaceAll("e", `e${mark}`)

/** How many marks a text has: of this thread, and of others. */
export const countMarks = (text: string, own: string): { readonly own: number; readonly foreign: number } => {
  const marks = text.match(/[\uE000-\uF8FF]/g) ?? []
  const mine = marks.filter((mark) => mark === own).length
  return { own: mine, foreign: marks.length - mine }
}

/** What an agent says: the fields that hold prose. Ids, paths and the JSON of inputs stay as they are. */
const prose = new Set(["text", "thinking", "result", "content"])

const markedValue = (value: unknown, mark: string): unknown => {
  if (Array.isArray(value)) return value.map((one) => markedValue(one, mark))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) => [
      key,
      typeof field === "string" && prose.has(key) ? marked(field, mark) : markedValue(field, mark)
    ])
  )
}

const markedLine = (line: string, mark: string, start: string): string => {
  const renamed = line.replace(/\b(msg|toolu|srvtoolu|mcptoolu)_/g, `$1_${start}_`)
  try {
    return `${JSON.stringify(markedValue(JSON.parse(renamed), mark))}\n`
  } catch {
    return line // No JSON is no prose.
  }
}

/**
 * A tape whose agent says everything with a mark. The ids of what it says get the number of the start, for no two
 * agents of a thread may say two things under one id.
 */
export const markedTape = (tape: Tape.Tape, mark: string, start: number): Tape.Tape => ({
  ...tape,
  frames: tape.frames.map((frame) =>
    frame._tag === "Data" && frame.from === "agent" && frame.channel === "stdout" && typeof frame.data === "string"
      ? { ...frame, data: markedLine(frame.data, mark, `s${start}`) }
      : frame
  )
})
