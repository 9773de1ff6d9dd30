/** `agentwire tape info`: what a tape is of. */
import { Tape } from "@agentwire/protocol"
import { decodeLine } from "@agentwire/protocol/claude"
import { columns, type ExitCode, type Input } from "../../Command.ts"
import type { Console } from "../../Console.ts"
import { load } from "./Load.ts"

/** Shows a tape's header and counts. */
export const info = async (file: string, { values }: Input, console: Console): Promise<ExitCode> => {
  const { cut, hash, tape, wrong } = await load(file)
  const about = {
    file,
    ...tape.header,
    durationMs: Math.round(tape.frames.reduce((sum, { wait }) => sum + wait, 0)),
    complete: !cut,
    hash,
    wrong: wrong.length,
    frames: tally(tape.frames.map(frameName)),
    messages: tally(messageNames(tape.frames))
  }
  await console.out(values["json"] === true ? JSON.stringify(about) : render(about, tape))
  return 0
}

const frameName = (frame: Tape.Frame): string =>
  frame._tag === "Data" ? `${frame.from} ${frame.channel}` : frame._tag.toLowerCase()

const messageNames = (frames: ReadonlyArray<Tape.Frame>): ReadonlyArray<string> =>
  Tape.tapeLines(frames).flatMap(({ from, line }) => {
    const decoded = decodeLine(line.text)
    if (decoded._tag === "Known") return `${from} ${decoded.name}`
    if (decoded._tag === "Unknown") return `${from} ${decoded.type} (unknown)`
    return decoded.error.code === "EMPTY_LINE" ? [] : `${from} (invalid)`
  })

const tally = (names: ReadonlyArray<string>): Readonly<Record<string, number>> => {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)))
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

const render = (about: About, { frames, header }: Tape.Tape): string => {
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
    ["redacted", header.redacted.length === 0 ? "nothing" : header.redacted.join(", ")],
    ["end", about.complete ? `there, hash ${about.hash}` : "cut"],
    ["written by", `agentwire ${header.agentwire}, tape format ${header.tape}`]
  ]
  const list = (counts: Readonly<Record<string, number>>) =>
    columns(Object.entries(counts).map(([name, count]) => [String(count).padStart(8), name]))
  return [
    `${about.file}: ${frames.length} frames${about.wrong === 0 ? "" : `, ${about.wrong} lines that are wrong`}`,
    columns(rows),
    `Frames\n${list(about.frames)}`,
    `Messages\n${list(about.messages)}`
  ].join("\n\n")
}
