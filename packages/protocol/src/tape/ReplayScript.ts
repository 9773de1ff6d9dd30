/**
 * A tape as a script: what the agent says, and what has to come from the host before it continues.
 *
 * The host's bytes become lines, because lines are what is waited for; the agent's bytes stay the frames they
 * were. Of the notes, only signals matter. A WebSocket that was dropped and opened again becomes a gap.
 */
import { Framer, type Line } from "../wire/Framer.ts"
import { isRecord } from "../wire/Json.ts"
import { parseJson } from "../wire/ReadJson.ts"
import { isIdKey } from "./IdKeys.ts"
import { linesOf } from "./lines/index.ts"
import type { RuntimeLines } from "./lines/RuntimeLines.ts"
import type { Channel, DataFrame, Frame } from "./Tape.ts"
import { bytesOf, tapeLines } from "./TapeCodec.ts"

/** The agent writes. */
export interface Say {
  readonly _tag: "Say"
  /** Milliseconds since the frame before, whoever's that was. */
  readonly wait: number
  readonly channel: Channel
  readonly data: DataFrame["data"]
}

/** The agent waits for a line of the host. */
export interface Hear {
  readonly _tag: "Hear"
  /** Its position among the frames of the tape, from 1. */
  readonly frame: number
  readonly line: string
}

/** The agent waits for the end of the host's input: of stdin, or of the last WebSocket. */
export interface HearEnd {
  readonly _tag: "HearEnd"
}

/** The agent waits for a signal of the host: the recorder noted that one was sent. */
export interface HearSignal {
  readonly _tag: "HearSignal"
  /** Its name, such as `SIGTERM`. */
  readonly signal: string
}

/** The agent closes a channel. */
export interface Shut {
  readonly _tag: "Shut"
  readonly wait: number
  readonly channel: Channel
}

/** The agent waits for the WebSocket to drop and to open again. */
export interface Gap {
  readonly _tag: "Gap"
}

/** The agent's process ends. */
export interface Quit {
  readonly _tag: "Quit"
  readonly wait: number
  readonly code: number | null
  readonly signal: string | null
}

/** One thing of a script. */
export type Cue = Say | Hear | HearEnd | HearSignal | Shut | Gap | Quit

/** A script, and the ids in it that the agent made: those stay as they are. */
export interface Script {
  readonly cues: ReadonlyArray<Cue>
  readonly agentIds: ReadonlySet<string>
  /** The runtime whose lines they are. */
  readonly runtime: string
}

/** The script of a tape of a runtime, which the header of the tape names. */
export const scriptOf = (frames: ReadonlyArray<Frame>, runtime = "claude-code"): Script => ({
  cues: cuesOf(frames),
  agentIds: agentIdsOf(frames, linesOf(runtime)),
  runtime
})

const cuesOf = (frames: ReadonlyArray<Frame>): ReadonlyArray<Cue> => {
  const cues: Array<Cue> = []
  const framer = new Framer()
  const opened = frames.findIndex(({ _tag }) => _tag === "Open")
  const lastOpened = frames.findLastIndex(({ _tag }) => _tag === "Open")
  const hear = (lines: ReadonlyArray<Line>, frame: number) => {
    // The CLI skips empty lines.
    for (const { text } of lines) if (text.trim() !== "") cues.push({ _tag: "Hear", frame, line: text })
  }
  for (const [index, frame] of frames.entries()) {
    const { wait } = frame
    switch (frame._tag) {
      case "Data":
        if (frame.from === "host") hear(framer.push(bytesOf(frame.data)), index + 1)
        else cues.push({ _tag: "Say", wait, channel: frame.channel, data: frame.data })
        break
      case "Close":
        // A host that speaks over a WebSocket has no use for the agent's standard input.
        if (frame.channel === "stdin" && opened !== -1) break
        if (frame.channel === "ws") {
          if (frame.from === "host" && index > lastOpened) cues.push({ _tag: "HearEnd" })
          break
        }
        if (frame.from === "agent") cues.push({ _tag: "Shut", wait, channel: frame.channel })
        else {
          hear(framer.end(), index + 1)
          cues.push({ _tag: "HearEnd" })
        }
        break
      case "Open":
        if (index !== opened) cues.push({ _tag: "Gap" })
        break
      case "Exit":
        cues.push({ _tag: "Quit", wait, code: frame.code, signal: frame.signal })
        break
      case "Marker":
        if (frame.text.startsWith("signal ")) cues.push({ _tag: "HearSignal", signal: frame.text.slice(7) })
        break
    }
  }
  hear(framer.end(), frames.length)
  return cues
}

/** An id belongs to the side that names it first. */
const agentIdsOf = (frames: ReadonlyArray<Frame>, { named }: RuntimeLines): ReadonlySet<string> => {
  const first = new Map<string, "host" | "agent">()
  for (const { from, line } of tapeLines(frames)) {
    for (const id of idsIn(named(parseLine(line.text), from))) if (!first.has(id)) first.set(id, from)
  }
  return new Set([...first].filter(([, from]) => from === "agent").map(([id]) => id))
}

/** The value a line holds; the line itself where it is not JSON. */
export const parseLine = (line: string): unknown => {
  const value = parseJson(line)
  return value === undefined ? line : value
}

function* idsIn(value: unknown, key = ""): Generator<string> {
  if (typeof value === "string") {
    if (value !== "" && isIdKey(key)) yield value
  } else if (Array.isArray(value)) for (const item of value) yield* idsIn(item, key)
  else if (isRecord(value)) for (const [name, item] of Object.entries(value)) yield* idsIn(item, name)
}
