/** Makes an input from those that are kept: a few changes of one of them, as its shape allows. */
import type { Chance } from "../../bench/soak/Chance.ts"
import { linesOf, type Target } from "../Target.ts"
import { maxInputBytes, mutateBytes, oneOf } from "./Bytes.ts"
import { mutateJson } from "./Json.ts"

/** A new input. `kept` must not be empty. */
export const makeInput = (
  chance: Chance,
  { shape, words }: Pick<Target, "shape" | "words">,
  kept: ReadonlyArray<Uint8Array>
): Uint8Array => {
  let input = oneOf(chance, kept)
  for (let changes = chance.between(1, 5); changes > 0; changes--) {
    const other = oneOf(chance, kept)
    input =
      shape === "lines" && chance.next() < 0.85
        ? mutateLines(chance, input, other, words)
        : mutateBytes(chance, input, other, words)
  }
  return input
}

/** What may happen to lines, by how often. */
const weights = { json: 12, drop: 2, double: 2, move: 2, take: 3, part: 1 }

const mutateLines = (
  chance: Chance,
  input: Uint8Array,
  other: Uint8Array,
  words: ReadonlyArray<string>
): Uint8Array => {
  const lines = [...linesOf(input)]
  const donors = linesOf(other)
  const at = chance.between(0, lines.length - 1)
  const line = lines[at] ?? ""
  const donor = oneOf(chance, donors)
  switch (chance.weighted(weights)) {
    case "json": {
      const changed = mutateJson(chance, line, donor, words)
      if (changed === undefined) return mutateBytes(chance, input, other, words)
      lines[at] = changed
      break
    }
    case "drop":
      lines.splice(at, 1)
      break
    case "double":
      lines.splice(chance.between(0, lines.length), 0, line)
      break
    case "move":
      lines.splice(at, 1)
      lines.splice(chance.between(0, lines.length), 0, line)
      break
    case "take":
      lines.splice(at, 0, donor)
      break
    case "part": {
      const from = chance.between(0, lines.length)
      lines.splice(from, chance.between(0, lines.length - from))
      break
    }
  }
  return new Uint8Array(Buffer.from(lines.join("\n")).subarray(0, maxInputBytes))
}
