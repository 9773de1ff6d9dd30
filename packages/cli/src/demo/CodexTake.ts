/**
 * A take of Codex: a tape of one turn of `codex app-server`, cut into how its thread began and what it said after the
 * prompt. Where it waited for an answer, a play of the take waits too.
 */
import * as Tape from "@agentwire/protocol/tape"
import { parseLine, textAt, valueAt } from "./Line.ts"
import type { Cue } from "./Take.ts"

/** A tape of one turn of Codex. */
export interface CodexTake {
  /** The version of Codex. */
  readonly version: string
  readonly threadId: string
  /** What `initialize` and `thread/start` were answered with, by method. */
  readonly results: ReadonlyMap<string, unknown>
  /** What came besides while the thread began. */
  readonly start: ReadonlyArray<string>
  /** The answer to the prompt has this id. */
  readonly promptId: unknown
  /** From the prompt to the end. */
  readonly turn: ReadonlyArray<Cue>
  /** What was said after the host interrupted it, where it did. */
  readonly stopped: ReadonlyArray<string>
}

/** The take of a tape. */
export const codexTakeOf = ({ frames, header }: Tape.Tape): CodexTake => {
  const { cues } = Tape.scriptOf(frames, "codex")
  const heard = (method: string): number =>
    cues.findIndex((cue) => cue._tag === "Hear" && parseLine(cue.line)["method"] === method)
  const prompt = heard("turn/start")
  const interrupt = heard("turn/interrupt")
  const end = cues.findIndex(({ _tag }) => _tag === "HearEnd")
  const asked = cues.slice(0, prompt).flatMap((cue) => (cue._tag === "Hear" ? [parseLine(cue.line)] : []))
  const before = linesOf(cues.slice(0, prompt))
  const results = new Map(
    before.map(parseLine).flatMap((line) => {
      const request = asked.find(({ id, method }) => method !== undefined && id !== undefined && id === line["id"])
      return request === undefined || line["method"] !== undefined
        ? []
        : [[textAt(request, "method"), line["result"]] as const]
    })
  )
  const promptCue = cues[prompt]
  return {
    version: header.runtime.version ?? "0.0.0",
    threadId: textAt(results.get("thread/start"), "thread", "id"),
    results,
    start: before.filter((line) => parseLine(line)["method"] === "thread/started"),
    promptId: promptCue?._tag === "Hear" ? parseLine(promptCue.line)["id"] : undefined,
    turn: cues.slice(prompt + 1, interrupt === -1 ? end : interrupt).flatMap(played),
    stopped: interrupt === -1 ? [] : linesOf(cues.slice(interrupt, end))
  }
}

const linesOf = (cues: ReadonlyArray<Tape.Cue>): ReadonlyArray<string> =>
  cues.flatMap(played).flatMap((cue) => (cue._tag === "Say" ? [cue.line] : []))

/** A frame may have several lines; the first of them was waited for. */
const played = (cue: Tape.Cue): ReadonlyArray<Cue> => {
  if (cue._tag === "Say") {
    if (cue.channel !== "stdout" || typeof cue.data !== "string") return []
    const lines = cue.data.split("\n").filter((line) => line !== "")
    return lines.map((line, index) => ({ _tag: "Say", wait: index === 0 ? cue.wait : 0, line }))
  }
  if (cue._tag !== "Hear") return []
  const message = parseLine(cue.line)
  const isAnswer = message["method"] === undefined && valueAt(message, "id") !== undefined
  return isAnswer ? [{ _tag: "Await", requestId: JSON.stringify(message["id"]), answer: cue.line }] : []
}
