/**
 * A take: a tape of one turn, cut into what the CLI said when it started and what it said after the prompt.
 *
 * Where the CLI waited for an answer of the host, a play of the take waits too. All else the recorded host did is
 * left out: the host of now says it when it likes.
 */
import * as Tape from "@agentwire/protocol/tape"
import { parseLine, textAt } from "./Line.ts"

/** The CLI says a line. */
export interface Say {
  readonly _tag: "Say"
  /** Milliseconds since what was before. */
  readonly wait: number
  readonly line: string
}

/** The CLI waits for the answer to what it asked. */
export interface Await {
  readonly _tag: "Await"
  readonly requestId: string
  /** What the recorded host answered. */
  readonly answer: string
}

/** One thing of a take. */
export type Cue = Say | Await

/** A tape of one turn. */
export interface Take {
  /** The version of the CLI. */
  readonly version: string
  readonly sessionId: string
  /** From `initialize` to the prompt. */
  readonly start: ReadonlyArray<Cue>
  /** From the prompt to the end. */
  readonly turn: ReadonlyArray<Cue>
  /** What the CLI said after the host interrupted it, where it did. */
  readonly stopped: ReadonlyArray<string>
}

/** The take of a tape. */
export const takeOf = ({ frames, header }: Tape.Tape): Take => {
  const { cues } = Tape.scriptOf(frames)
  const prompt = cues.findIndex((cue) => cue._tag === "Hear" && textAt(parseLine(cue.line), "type") === "user")
  const end = cues.findIndex(({ _tag }) => _tag === "HearEnd")
  const said = cues.slice(prompt + 1, end)
  const interrupt = said.findIndex(
    (cue) => cue._tag === "Hear" && textAt(parseLine(cue.line), "request", "subtype") === "interrupt"
  )
  const turn = played(said)
  return {
    version: header.runtime.version ?? "0.0.0",
    sessionId: turn.flatMap((cue) => (cue._tag === "Say" ? [textAt(parseLine(cue.line), "session_id")] : []))[0] ?? "",
    start: played(cues.slice(0, prompt)),
    turn,
    stopped:
      interrupt === -1 ? [] : played(said.slice(interrupt)).flatMap((cue) => (cue._tag === "Say" ? [cue.line] : []))
  }
}

const played = (cues: ReadonlyArray<Tape.Cue>): ReadonlyArray<Cue> =>
  cues.flatMap((cue): ReadonlyArray<Cue> => {
    if (cue._tag === "Say")
      return cue.channel === "stdout" && typeof cue.data === "string"
        ? [{ _tag: "Say", wait: cue.wait, line: cue.data.trimEnd() }]
        : []
    if (cue._tag !== "Hear") return []
    const requestId = textAt(parseLine(cue.line), "response", "request_id")
    return requestId === "" ? [] : [{ _tag: "Await", requestId, answer: cue.line }]
  })
