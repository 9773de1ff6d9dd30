/** Generates JSON that fits a schema, and JSON that almost does. */
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import fc from "fast-check"

/** Values of a schema, from a seed. Effect shrinks nothing here: the seed is what to keep. */
export const valuesOf = <S extends Schema.Codec<unknown>>(schema: S, seed: number, count = 4): ReadonlyArray<unknown> =>
  Effect.runSync(Arbitrary.sampleEffect(Arbitrary.schema(schema), { count, seed })).map(
    // Through JSON: the wire has no -0 and no undefined.
    (value) => JSON.parse(JSON.stringify(value)) as unknown
  )

const strangers: ReadonlyArray<unknown> = [
  null,
  true,
  0,
  1.5,
  "",
  "assistant",
  "text",
  [],
  [null],
  {},
  { type: "text" }
]

/** Changes one place of a value: another type, a key less, a key more, an element twice. */
export const mutate = (value: unknown, random: (below: number) => number): unknown => {
  if (random(4) === 0 || typeof value !== "object" || value === null) return strangers[random(strangers.length)]
  const keys = Object.keys(value)
  const key = keys[random(keys.length || 1)]
  if (Array.isArray(value)) {
    const index = Number(key ?? 0)
    return random(4) === 0 ? [...value, ...value] : value.map((item, i) => (i === index ? mutate(item, random) : item))
  }
  if (key === undefined) return { ...value, extra: strangers[random(strangers.length)] }
  const { [key]: chosen, ...others } = value as Record<string, unknown>
  switch (random(5)) {
    case 0:
      return others
    case 1:
      return { ...value, unheard_of: strangers[random(strangers.length)] }
    default:
      return { ...others, [key]: mutate(chosen, random) }
  }
}

/** Seeds for `valuesOf` and a source of numbers for `mutate`. */
export const seeds = fc.record({ seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }), picks: fc.infiniteStream(fc.nat()) })

/** Numbers below a bound, from a fast-check stream. */
export const picker =
  (picks: Iterator<number>) =>
  (below: number): number =>
    (picks.next().value ?? 0) % below
