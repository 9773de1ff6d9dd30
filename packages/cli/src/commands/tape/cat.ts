/** `agentwire tape cat`: what happened on a tape, for people, or the lines of the wire as they were. */

import * as Tape from "@agentwire/protocol/tape"
import { isRecord } from "@agentwire/protocol/wire"
import type { ExitCode, Input } from "../../Command.ts"
import type { Console } from "../../Console.ts"
import { limitsOf } from "../../Limits.ts"
import { oneOf } from "../../OptionValue.ts"
import { escapeControls } from "../../Paint.ts"
import type { Reading } from "../../runtime/Reading.ts"
import { wireOfTape } from "../../runtime/Wires.ts"
import { visit } from "./Load.ts"

const speakers: ReadonlyArray<Tape.Speaker> = ["agent", "host"]

/** Shows a tape's frames, or with `--json` its wire lines. */
export const cat = async (file: string, input: Input, console: Console): Promise<ExitCode> => {
  const { values } = input
  const side = oneOf("from", speakers, values["from"])
  const limits = limitsOf(input)
  const isShown = (from: Tape.Speaker): boolean => side === undefined || from === side
  if (values["json"] === true) {
    const reader = Tape.tapeLineReader(limits)
    const show = (said: ReadonlyArray<Tape.TapeLine>): Promise<void> | undefined => {
      const lines = said.filter(({ from }) => isShown(from)).map(({ line }) => line.text)
      return lines.length === 0 ? undefined : console.out(lines.join("\n"))
    }
    await visit(file, limits, { ...silent, frame: (frame) => show(reader.push(frame)) })
    await show(reader.end())
    return 0
  }
  let at = 0
  let index = 0
  let reading: Reading | undefined
  const frame = (one: Tape.Frame): Promise<void> | undefined => {
    at += one.wait
    index++
    return isShown(speakerOf(one))
      ? console.out(
          `${String(index).padStart(5)} ${(at / 1000).toFixed(3).padStart(9)}s  ${escapeControls(describe(one, reading))}`
        )
      : undefined
  }
  const header = async (one: Tape.TapeHeader): Promise<void> => {
    reading = await wireOfTape(one).load()
  }
  await visit(file, limits, { ...silent, header, frame })
  return 0
}

const silent = { header: () => undefined, wrong: () => undefined }

const speakerOf = (frame: Tape.Frame): Tape.Speaker =>
  frame._tag === "Data" || frame._tag === "Close" ? frame.from : frame._tag === "Marker" ? "host" : "agent"

const arrows: Readonly<Record<Tape.Speaker, string>> = { host: "host  →", agent: "agent ←" }

const describe = (frame: Tape.Frame, reading: Reading | undefined): string => {
  const who = arrows[speakerOf(frame)]
  switch (frame._tag) {
    case "Data":
      return `${who} ${frame.channel.padEnd(6)} ${typeof frame.data === "string" ? summary(frame.data, frame.channel, reading) : `not UTF-8, ${Tape.bytesOf(frame.data).length} bytes`}`
    case "Close":
      return `${who} ${frame.channel.padEnd(6)} closed${frame.ws === undefined ? "" : ` (${frame.ws.code} ${frame.ws.reason})`}`
    case "Open":
      return `${who} ws     opened ${frame.url}`
    case "Exit":
      return `${who} exit   ${frame.signal ?? frame.code}`
    case "Marker":
      return `note: ${frame.text}`
  }
}

const summary = (text: string, channel: Tape.Channel, reading: Reading | undefined): string => {
  const decoded = channel === "stderr" ? undefined : reading?.decodeLine(text)
  const name = decoded?._tag === "Known" ? decoded.name : decoded?._tag === "Unknown" ? `${decoded.type} (unknown)` : ""
  const content = decoded?._tag === "Known" ? gist(decoded.message) : text.trimEnd()
  return [name, excerpt(content)].filter((part) => part !== "").join("  ")
}

/** The keys that say most of a message, the most telling first. */
const telling = [
  "text",
  "thinking",
  "partial_json",
  "result",
  "tool_name",
  "name",
  "command",
  "content",
  "status",
  "error",
  // Codex's: a delta is the text itself there.
  "delta",
  "decision",
  "summary",
  "userAgent"
]

/** Where messages keep what they say. */
const inside = [
  "delta",
  "content_block",
  "event",
  "message",
  "request",
  "response",
  "content",
  "input",
  "params",
  "item",
  "turn",
  "result",
  "error"
]

const gist = (value: unknown): string => {
  if (typeof value === "string") return value
  if (Array.isArray(value))
    return value
      .map(gist)
      .filter((part) => part !== "")
      .join(" | ")
  if (!isRecord(value)) return ""
  const texts = telling.flatMap((key) => (typeof value[key] === "string" && value[key] !== "" ? [value[key]] : []))
  if (texts[0] !== undefined) return texts[0]
  return inside.map((key) => gist(value[key])).find((part) => part !== "") ?? ""
}

const excerpt = (text: string): string => {
  const line = JSON.stringify(text.slice(0, 200)).slice(1, -1)
  return line.length > 100 ? `${line.slice(0, 100)}…` : line
}
