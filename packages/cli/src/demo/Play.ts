/**
 * One play of a turn: the takes of it are the same up to an answer of the host, which decides how it continues.
 *
 * The take whose recorded answer is the answer of now continues. When there is none, it is the last one with the same
 * decision (allow or deny), with the texts of the answer put in the place of the recorded ones: so takes of an edit
 * and of a free answer come last in a list.
 */
import type { JsonObject } from "@agentwire/fixtures"
import { parseLine, textAt, valueAt } from "./Line.ts"
import { type Conversation, Names } from "./Names.ts"
import { applySwaps, type Swap, swapsBetween } from "./Swap.ts"
import type { Cue, Say } from "./Take.ts"

/** One way a turn was recorded to go. */
export interface Way {
  readonly cues: ReadonlyArray<Cue>
  /** Recorded names whose names of now are known: of the session, and of the prompt. */
  readonly known: ReadonlyArray<readonly [recorded: string, now: string]>
}

/** What comes next in a play. */
export type Next = Say | { readonly _tag: "Await"; readonly requestId: string }

/** How the answers of a host are read. */
export interface AnswerReader {
  /** The answer in a recorded line. */
  readonly inLine: (line: JsonObject) => unknown
  /** What it decides. */
  readonly decisionOf: (answer: unknown) => string
  /** What it says besides, which may be repeated later. */
  readonly contentOf: (answer: unknown) => unknown
}

/** The answers to Claude Code: the `response` of a line. A host that fails does not allow. */
export const claudeAnswers: AnswerReader = {
  inLine: (line) => line["response"],
  decisionOf: (answer) => (textAt(answer, "subtype") === "error" ? "deny" : textAt(answer, "response", "behavior")),
  contentOf: (answer) => valueAt(answer, "response")
}

/** The answers to Codex: whole messages. What is neither allowed for once nor for the session is not. */
export const codexAnswers: AnswerReader = {
  inLine: (line) => line,
  decisionOf: (answer) => {
    const given = textAt(answer, "result", "decision")
    if (valueAt(answer, "result", "contentItems") !== undefined) return "result"
    return given === "accept" || given === "acceptForSession" ? given : "decline"
  },
  contentOf: (answer) => valueAt(answer, "result", "contentItems")
}

/** One play. */
export class Play {
  #ways: ReadonlyArray<Way>
  #way: Way
  #names: Names
  #swaps: ReadonlyArray<Swap>
  readonly #answers: AnswerReader
  #position = 0

  constructor(
    conversation: Conversation,
    [way, ...others]: readonly [Way, ...ReadonlyArray<Way>],
    swaps: ReadonlyArray<Swap> = [],
    answers: AnswerReader = claudeAnswers
  ) {
    this.#answers = answers
    this.#way = way
    this.#ways = [way, ...others]
    this.#names = new Names(conversation, way.known)
    this.#swaps = swaps
  }

  /** What is next: of a line it is said, of a question {@link answer} continues. Undefined at the end. */
  next(): Next | undefined {
    const cue = this.#way.cues[this.#position]
    if (cue === undefined) return undefined
    if (cue._tag === "Await") return { _tag: "Await", requestId: this.#names.rename(cue.requestId) }
    this.#position++
    return { ...cue, line: this.#now(cue.line) }
  }

  /** The host's answer to the question that is next, as the reader of answers has it. */
  answer(response: unknown): void {
    const { contentOf, decisionOf, inLine } = this.#answers
    const before = this.#way.cues.slice(0, this.#position)
    const count = questionsIn(before)
    const ways = this.#ways.flatMap((way) => {
      const index = way.cues.findIndex(
        (cue, index) => cue._tag === "Await" && questionsIn(way.cues.slice(0, index)) === count
      )
      const cue = way.cues[index]
      if (cue?._tag !== "Await") return []
      const names =
        way === this.#way ? this.#names : this.#names.carriedOver(before, way.cues.slice(0, index), way.known)
      const recorded = inLine(parseLine(applySwaps(names.rename(cue.answer), this.#swaps)))
      return [
        {
          way,
          index,
          names,
          recorded,
          swaps: swapsBetween(contentOf(recorded), contentOf(response))
        }
      ]
    })
    const alike = ways.filter(({ recorded }) => decisionOf(recorded) === decisionOf(response))
    const chosen = alike.find(({ swaps }) => swaps.length === 0) ?? alike.at(-1) ?? ways[0]
    // The way that is played has the question that is answered.
    if (chosen === undefined) return
    this.#way = chosen.way
    this.#names = chosen.names
    this.#position = chosen.index + 1
    this.#swaps = [...this.#swaps, ...chosen.swaps]
    this.#ways = ways.flatMap(({ recorded, way }) =>
      decisionOf(recorded) === decisionOf(chosen.recorded) ? [way] : []
    )
  }

  #now(line: string): string {
    return applySwaps(this.#names.rename(line), this.#swaps)
  }
}

const questionsIn = (cues: ReadonlyArray<Cue>): number => cues.filter(({ _tag }) => _tag === "Await").length
