/**
 * One play of a turn: the takes of it are the same up to an answer of the host, which decides how it continues.
 *
 * The take whose recorded answer is the answer of now continues. When there is none, it is the last one with the same
 * decision (allow or deny), with the texts of the answer put in the place of the recorded ones: so takes of an edit
 * and of a free answer come last in a list.
 */
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

/** One play. */
export class Play {
  #ways: ReadonlyArray<Way>
  #way: Way
  #names: Names
  #swaps: ReadonlyArray<Swap>
  #position = 0

  constructor(
    conversation: Conversation,
    [way, ...others]: readonly [Way, ...ReadonlyArray<Way>],
    swaps: ReadonlyArray<Swap> = []
  ) {
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

  /** The host's answer (the `response` of its line) to the question that is next. */
  answer(response: unknown): void {
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
      const recorded = valueAt(parseLine(applySwaps(names.rename(cue.answer), this.#swaps)), "response")
      return [
        {
          way,
          index,
          names,
          recorded,
          swaps: swapsBetween(valueAt(recorded, "response"), valueAt(response, "response"))
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

/** What an answer decides. A host that fails does not allow. */
const decisionOf = (response: unknown): string =>
  textAt(response, "subtype") === "error" ? "deny" : textAt(response, "response", "behavior")
