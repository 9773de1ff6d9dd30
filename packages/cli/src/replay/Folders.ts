/**
 * Folders of another time: a session that is driven again runs in another folder, with another home and another
 * place for temporary files. Where these are shows in what the CLI says, so one tape can be put where another was.
 */
import { existsSync } from "node:fs"
import * as Tape from "@agentwire/protocol/tape"
import { isRecord, parseJson } from "@agentwire/protocol/wire"
import { runtimeOfTape } from "../runtime/Runtimes.ts"

/** The tape with its folders in the place of those of another one. */
export const moveFoldersTo = (tape: Tape.Tape, other: Tape.Tape): Tape.Tape => {
  const moves = runtimeOfTape(other.header)
    .folders.flatMap((sign) => {
      const [from, to] = [folderOf(tape, sign), folderOf(other, sign)]
      // The CLI names folders after folders, with everything but letters and digits as a dash.
      return from === undefined || to === undefined || from === to ? [] : [[from, to] as const, dashed(from, to)]
    })
    .sort(([one], [two]) => two.length - one.length)
  if (moves.length === 0) return tape
  return {
    ...tape,
    frames: tape.frames.map((frame) =>
      frame._tag === "Data" && frame.from === "agent" && typeof frame.data === "string"
        ? { ...frame, data: moves.reduce((text, [from, to]) => text.replaceAll(from, to), frame.data) }
        : frame
    )
  }
}

const dashed = (from: string, to: string) => [dash(from), dash(to)] as const

const dash = (path: string): string => path.replaceAll(/[^A-Za-z0-9]/g, "-")

const folderOf = ({ frames }: Tape.Tape, sign: RegExp): string | undefined => {
  for (const frame of frames) {
    if (frame._tag !== "Data" || frame.from !== "agent" || typeof frame.data !== "string") continue
    const folder = sign.exec(frame.data)?.[1]
    if (folder !== undefined && folder.length > 1) return folder
  }
  return undefined
}

/**
 * The folder that the host of a tape told the agent to work in, when it is not there any more, or was redacted: who drives
 * a program with that tape works where it is itself.
 */
export const goneFolders = ({ frames }: Tape.Tape): ReadonlyArray<string> => {
  for (const { from, line } of Tape.tapeLines(frames)) {
    const message = from === "host" ? parseJson(line.text) : undefined
    const params = isRecord(message) ? message["params"] : undefined
    const cwd = isRecord(params) ? params["cwd"] : undefined
    if (typeof cwd === "string" && cwd !== "") return existsSync(cwd) ? [] : [cwd]
  }
  return []
}
