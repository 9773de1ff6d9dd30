/** A search of one target: makes inputs, checks them, and keeps those that show something new. */
import { Chance } from "../bench/soak/Chance.ts"
import { makeInput } from "./mutate/Mutate.ts"
import { signatureOf, type Target } from "./Target.ts"

/** What came of an input. */
export type Outcome =
  | { readonly _tag: "Held" }
  | { readonly _tag: "Broken"; readonly signature: string; readonly message: string }

/** Checks one input. */
export const checkInput = async (
  target: Target,
  input: Uint8Array
): Promise<Outcome & { readonly seen?: Iterable<string> }> => {
  try {
    const seen = target.check(input)
    return { _tag: "Held", seen: seen instanceof Promise ? await seen : seen }
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { _tag: "Broken", signature: signatureOf(error), message: message.slice(0, 2000) }
  }
}

/** The most inputs that are kept: beyond, one of the new ones goes. */
const maxKept = 2000

/** A search. The same seed and corpus make the same inputs. */
export class Search {
  readonly #target: Target
  readonly #chance: Chance
  readonly #kept: Array<Uint8Array>
  readonly #given: number
  readonly #seen = new Set<string>()

  constructor(target: Target, corpus: ReadonlyArray<Uint8Array>, seed: number) {
    this.#target = target
    this.#chance = new Chance(seed)
    this.#kept = corpus.length === 0 ? [new Uint8Array()] : [...corpus]
    this.#given = this.#kept.length
  }

  /** How many inputs are kept. */
  get size(): number {
    return this.#kept.length
  }

  /** The next input: first those of the corpus, as they are. */
  next(run: number): Uint8Array {
    return this.#kept[run < this.#given ? run : -1] ?? makeInput(this.#chance, this.#target, this.#kept)
  }

  /** Checks an input, and keeps it when it shows something new. */
  async check(input: Uint8Array): Promise<Outcome> {
    const { seen, ...outcome } = await checkInput(this.#target, input)
    const before = this.#seen.size
    for (const name of seen ?? []) this.#seen.add(name)
    if (this.#seen.size > before && this.#kept.length < maxKept) this.#kept.push(input)
    return outcome
  }
}
