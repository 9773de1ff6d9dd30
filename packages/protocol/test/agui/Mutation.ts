/**
 * Values of a schema, and ways to spoil them: what the differential tests feed to two
 * validators that should agree.
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import * as fc from "fast-check"

/** Values of a schema as they come out of `JSON.parse`. The seed makes them the same each time. */
export const samples = (schema: Schema.Codec<unknown>, count: number, seed = 20261116): ReadonlyArray<unknown> =>
  Effect.runSync(Arbitrary.sampleEffect(Arbitrary.schema(schema), { count, seed })).map((value) =>
    JSON.parse(JSON.stringify(value))
  )

/** One way to spoil a value: where, and what to do there. */
export interface Mutation {
  /** Counts through all places in the value, and wraps. */
  readonly place: number
  readonly action: { readonly drop: true } | { readonly put: unknown } | { readonly add: unknown }
}

// Values one step beside what fields want, so that limits and enumerations are met too.
const replacement = fc.constantFrom<unknown>(
  null,
  0,
  -1,
  1.5,
  2 ** 53,
  "",
  "x",
  "/a~2",
  "user",
  "tool",
  "reasoning",
  "success",
  "cancelled",
  "text",
  "CUSTOM",
  true,
  [],
  [null],
  ["x"],
  [{ type: "text", text: "x" }],
  {},
  { type: "success" },
  { type: "cancelled" },
  { type: "text" }
)

/** A way to spoil a value. */
export const mutation: fc.Arbitrary<Mutation> = fc.record({
  // Free-form data fills the deep places, and says little.
  place: fc.oneof(fc.nat(15), fc.nat(40), fc.nat(200)),
  action: fc.oneof(
    fc.constant({ drop: true } as const),
    fc.record({ put: replacement }),
    fc.record({ add: replacement })
  )
})

type Container = Record<string, unknown> | Array<unknown>

const isContainer = (value: unknown): value is Container => typeof value === "object" && value !== null

/** Every place in a value: a container and a key in it. Outer ones come first. */
const places = (value: unknown): ReadonlyArray<readonly [Container, string]> => {
  const containers = isContainer(value) ? [value] : []
  for (const container of containers) containers.push(...Object.values(container).filter(isContainer))
  return containers.flatMap((container) => Object.keys(container).map((key) => [container, key] as const))
}

/** The value with one place spoilt. */
export const mutate = (value: unknown, { place, action }: Mutation): unknown => {
  const copy = structuredClone(value)
  const all = places(copy)
  const [container, key] = all[place % Math.max(all.length, 1)] ?? []
  if (container === undefined || key === undefined) return "put" in action ? action.put : copy
  if (Array.isArray(container)) {
    const index = Number(key)
    if ("drop" in action) container.splice(index, 1)
    else if ("put" in action) container[index] = action.put
    else container.push(action.add)
  } else if ("drop" in action) delete container[key]
  else if ("put" in action) container[key] = action.put
  else container["an extra key"] = action.add
  return copy
}
