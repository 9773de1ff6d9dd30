/** Changes of lines that are JSON: in their values and keys, so that what comes of it is JSON still. */
import type { Chance } from "../../bench/soak/Chance.ts"
import { oneOf } from "./Bytes.ts"

/** Values that readers stumble over. */
const oddValues: ReadonlyArray<unknown> = [
  ...[null, true, false, 0, -0, -1, 0.5, 1e308, 2 ** 53, [], {}, [[]], [null], { "": "" }],
  ...["", " ", "0", "null", "__proto__", "constructor", "\u0000", "\u2028", "\ud800", "\u001b[2J", "a".repeat(300)]
]

const oddKeys = ["__proto__", "constructor", "toString", "hasOwnProperty", "type", "", "length", "then", "\ud800", "0"]

/** What may happen to a value, by how often. */
const weights = { odd: 5, word: 4, remove: 4, key: 3, other: 4, twice: 2, nest: 1, wrap: 1, swap: 2, long: 1 }

/** The text of a line with one change, where it is JSON; `other` is a line to take a part of. */
export const mutateJson = (
  chance: Chance,
  line: string,
  other: string,
  words: ReadonlyArray<string>
): string | undefined => {
  const [value, donor] = [parsed(line), parsed(other)]
  if (value === undefined) return undefined
  const places = placesIn(value)
  if (places.length === 0) return undefined
  const { holder, key } = oneOf(chance, places)
  const found = holder[key]
  const given = (): unknown => {
    const others = donor === undefined ? [] : placesIn(donor)
    if (others.length === 0) return null
    const from = oneOf(chance, others)
    return from.holder[from.key]
  }
  switch (chance.weighted(weights)) {
    case "odd":
      holder[key] = oneOf(chance, oddValues)
      break
    case "word":
      holder[key] = words.length === 0 ? "" : oneOf(chance, words)
      break
    case "remove":
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else delete holder[key]
      break
    case "key":
      // Written as text: an assignment to `__proto__` would make no key.
      return keyed(value, holder, oneOf(chance, [...oddKeys, ...words]), given())
    case "other":
      holder[key] = given()
      break
    case "twice":
      holder[key] = [found, found]
      break
    case "nest":
      return nested(value, holder, key, 1 << chance.between(1, 12))
    case "wrap":
      holder[key] = { [oneOf(chance, words.length === 0 ? oddKeys : words)]: found }
      break
    case "swap": {
      const second = oneOf(chance, places)
      const kept = second.holder[second.key]
      // Into a part of itself it would have no end.
      if (isWithin(found, second.holder) || isWithin(kept, holder)) break
      second.holder[second.key] = found
      holder[key] = kept
      break
    }
    case "long":
      holder[key] =
        `${typeof found === "string" ? found : ""}${oneOf(chance, ["\\", '"', "a", "\n", "/", "é"]).repeat(1 << chance.between(4, 14))}`
      break
  }
  return JSON.stringify(value)
}

type Holder = Record<string, unknown>

interface Place {
  readonly holder: Holder
  readonly key: string
}

/** How many places are looked at: enough to reach everywhere, in time. */
const maxPlaces = 2000

/** Where values are, in lists and objects, not too deep for this function. */
const placesIn = (value: unknown, places: Array<Place> = [], depth = 0): Array<Place> => {
  if (typeof value !== "object" || value === null || depth > 500) return places
  for (const key of Object.keys(value)) {
    if (places.length >= maxPlaces) break
    places.push({ holder: value as Holder, key })
    placesIn((value as Holder)[key], places, depth + 1)
  }
  return places
}

const isWithin = (value: unknown, holder: Holder): boolean =>
  value === holder || placesIn(value).some(({ holder: one, key }) => one === holder || one[key] === holder)

const parsed = (line: string): object | undefined => {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === "object" && value !== null ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** What stands for something that only a text can have. It is in no corpus. */
const stand = "\u0001here\u0001"

const keyed = (value: object, holder: Holder, key: string, given: unknown): string => {
  if (Array.isArray(holder)) holder.push(given)
  else holder[stand] = given
  return JSON.stringify(value).replace(JSON.stringify(stand), () => JSON.stringify(key))
}

const nested = (value: object, holder: Holder, key: string, levels: number): string => {
  holder[key] = stand
  return JSON.stringify(value).replace(JSON.stringify(stand), () => "[".repeat(levels) + "]".repeat(levels))
}
