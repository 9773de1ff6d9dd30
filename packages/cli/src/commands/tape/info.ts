/** `agentwire tape info`: what a tape is of. */
import * as Tape from "@agentwire/protocol/tape"
import { columns, type ExitCode, type Input } from "../../Command.ts"
import type { Console } from "../../Console.ts"
import { limitsOf } from "../../Limits.ts"
import type { Reading } from "../../runtime/Reading.ts"
import { wireOfTape } from "../../runtime/Wires.ts"
import { Counts, shortName } from "./Counts.ts"
import { visit } from "./Load.ts"

/** Shows a tape's header and counts. */
export const info = async (file: string, input: Input, console: Console): Promise<ExitCode> => {
  const limits = limitsOf(input)
  const lines = Tape.tapeLineReader(limits)
  const [frames, messages] = [new Counts(), new Counts()]
  let header: Tape.TapeHeader | undefined
  let reading: Reading | undefined
  let durationMs = 0
  let wrong = 0
  const { cut, hash } = await visit(file, limits, {
    header: async (one) => {
      header = one
      reading = await wireOfTape(one).load()
    },
    frame: (frame) => {
      durationMs += frame.wait
      frames.add(frameName(frame))
      for (const line of lines.push(frame)) addMessage(line, reading, messages)
      return undefined
    },
    wrong: () => {
      wrong++
    }
  })
  for (const line of lines.end()) addMessage(line, reading, messages)
  if (header === undefined) return 2
  const about = {
    file,
    ...header,
    durationMs: Math.round(durationMs),
    complete: !cut,
    hash,
    wrong,
    frames: frames.all,
    messages: messages.all
  }
  await console.out(
    input.values["json"] === true ? JSON.stringify(about) : render(about, { header, frames: frames.total })
  )
  return 0
}

const frameName = (frame: Tape.Frame): string =>
  frame._tag === "Data" ? `${frame.from} ${frame.channel}` : frame._tag.toLowerCase()

const addMessage = ({ from, line }: Tape.TapeLine, reading: Reading | undefined, counts: Counts): void => {
  const decoded = reading?.decodeLine(line.text)
  if (decoded === undefined) return
  if (decoded._tag === "Known") counts.add(`${from} ${decoded.name}`)
  else if (decoded._tag === "Unknown") counts.add(`${from} ${shortName(decoded.type)} (unknown)`)
  else if (decoded.error.code !== "EMPTY_LINE") counts.add(`${from} (invalid)`)
}

interface About {
  readonly file: string
  readonly durationMs: number
  readonly complete: boolean
  readonly hash: string
  readonly wrong: number
  readonly frames: Readonly<Record<string, number>>
  readonly messages: Readonly<Record<string, number>>
}

const render = (
  about: About,
  { frames, header }: { readonly frames: number; readonly header: Tape.TapeHeader }
): string => {
  const { runtime } = header
  const rows: ReadonlyArray<readonly [string, string]> = [
    [
      "runtime",
      `${runtime.name}${runtime.version === undefined ? "" : ` ${runtime.version}`} over ${header.transport}`
    ],
    ["arguments", header.argv.length === 0 ? "none" : header.argv.join(" ")],
    ["started", header.startedAt],
    ["took", `${(about.durationMs / 1000).toFixed(1)} s`],
    ...(header.scenario === undefined ? [] : [["scenario", header.scenario] as const]),
    ...(header.madeFrom === undefined ? [] : [["made from", `a ${header.madeFrom}, nobody recorded it`] as const]),
    ["redacted", header.redacted.length === 0 ? "nothing" : header.redacted.join(", ")],
    ["end", about.complete ? `there, hash ${about.hash}` : "cut"],
    ["written by", `agentwire ${header.agentwire}, tape format ${header.tape}`]
  ]
  const list = (counts: Readonly<Record<string, number>>) =>
    columns(Object.entries(counts).map(([name, count]) => [String(count).padStart(8), name]))
  return [
    `${about.file}: ${frames} frames${about.wrong === 0 ? "" : `, ${about.wrong} lines that are wrong`}`,
    columns(rows),
    `Frames\n${list(about.frames)}`,
    `Messages\n${list(about.messages)}`
  ].join("\n\n")
}
