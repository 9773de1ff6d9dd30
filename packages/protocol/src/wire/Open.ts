/**
 * The vocabulary every schema of this package is written in.
 *
 * The wire changes weekly, so nothing here is closed by accident: objects keep the keys
 * they do not name, enumerations accept values that came later, and tagged unions have a
 * case for members that came later. What is not named is never lost and never fatal; it
 * is *drift*, and `Drift.ts` reports it.
 *
 * No schema here transforms: a decoded value is the parsed JSON itself, which is what
 * makes the codec lossless by construction.
 */
import * as Schema from "effect/Schema"

// Ambient, so it exists in types only. A branded string would not do: the compiler holds
// it comparable to every literal, and `switch` on a tag would no longer narrow.
declare enum UnrecognizedString {
  _ = "a string the schema does not list"
}

/**
 * A string that stands where the schema lists values, but is none of them: a newer CLI
 * said it. It is a type of its own so that `switch` narrows on the listed values and the
 * compiler makes you handle the rest.
 */
export type Unrecognized = UnrecognizedString

/** The value schema of keys an open object does not name. `Drift.ts` recognises it by identity. */
export const Rest = Schema.Record(Schema.String, Schema.Unknown)

/** The schema of an object that keeps the keys it does not name. */
export interface Open<F extends Schema.Struct.Fields>
  extends Schema.Codec<Schema.Struct.Type<F>, Schema.Struct.Encoded<F>> {
  /** The named fields, to build other objects from. */
  readonly fields: F
}

/**
 * An object with named fields that keeps every other key. The identifier, when given,
 * names the definition in the JSON Schema files.
 *
 * The index signature exists at run time only: in types, `message.typo` is an error.
 */
export function open<const F extends Schema.Struct.Fields>(fields: F): Open<F>
export function open<const F extends Schema.Struct.Fields>(identifier: string, fields: F): Open<F>
export function open<F extends Schema.Struct.Fields>(...args: [F] | [string, F]): Open<F> {
  const [identifier, fields] = args.length === 1 ? [undefined, args[0]] : args
  return withRest(identifier, fields, Rest)
}

/**
 * An object that names some of its keys and leaves the others to whoever writes it, such as a configuration. They are
 * kept as those of {@link open} are, but are no drift.
 */
export const extensible = <const F extends Schema.Struct.Fields>(...args: [F] | [string, F]): Open<F> => {
  const [identifier, fields] = args.length === 1 ? [undefined, args[0]] : args
  return withRest(identifier, fields, JsonObject)
}

const withRest = <F extends Schema.Struct.Fields>(
  identifier: string | undefined,
  fields: F,
  rest: typeof Rest
): Open<F> => {
  const schema = Schema.StructWithRest(Schema.Struct(fields), [rest])
  const named = identifier === undefined ? schema : schema.annotate({ identifier })
  return Object.assign(named as unknown as Schema.Codec<Schema.Struct.Type<F>, Schema.Struct.Encoded<F>>, { fields })
}

/** A key that may be absent. It is never `undefined`: JSON has none. */
export const optional = <S extends Schema.Top>(schema: S): Schema.optionalKey<S> => Schema.optionalKey(schema)

/** A JSON object whose keys are not ours to name: tool inputs, settings, JSON Schemas. */
export const JsonObject = Schema.Record(Schema.String, Schema.Unknown)

/** A JSON object whose keys are not ours to name. */
export type JsonObject = typeof JsonObject.Type

/** The schema {@link known} builds. */
export interface Known<L extends string> extends Schema.Codec<L | Unrecognized> {
  /** The values known today. */
  readonly literals: ReadonlyArray<L>
}

/** One of the listed strings, or one that came later ({@link Unrecognized}). */
export const known = <const L extends ReadonlyArray<string>>(...literals: L): Known<L[number]> =>
  Object.assign(
    Schema.Union([Schema.Literals(literals), Schema.String]) as unknown as Schema.Codec<L[number] | Unrecognized>,
    { literals }
  )

/** The member of a {@link variants} union that stands for all members that came later. */
export type UnrecognizedVariant<Tag extends string> = { readonly [K in Tag]: Unrecognized }

type Variant<Tag extends string> = Schema.Codec<{ readonly [K in Tag]: string }>

/** The schema {@link variants} builds. */
export interface Variants<Tag extends string, M extends ReadonlyArray<Schema.Top>>
  extends Schema.Codec<M[number]["Type"] | UnrecognizedVariant<Tag>> {
  /** The members known today. */
  readonly members: M
}

/**
 * A union told apart by the literal each member has in the field `tag`, with a case for
 * tags no member has. A malformed known member stays an error: the extra case refuses
 * known tags.
 */
export const variants = <const Tag extends string, const M extends ReadonlyArray<Variant<Tag>>>(
  identifier: string,
  tag: Tag,
  members: M
): Variants<Tag, M> => {
  const tags = new Set(members.flatMap((member) => tagsOf(member, tag)))
  const unlisted = Schema.String.check(
    Schema.makeFilter((value: string) => !tags.has(value), {
      expected: `a ${tag} other than the known ones`,
      toJsonSchema: () => ({ not: { enum: [...tags] } })
    })
  )
  const union = Schema.Union([...members, open({ [tag]: unlisted })]).annotate({ identifier })
  return Object.assign(union as unknown as Schema.Codec<M[number]["Type"] | UnrecognizedVariant<Tag>>, { members })
}

const tagsOf = (member: Schema.Top, tag: string): ReadonlyArray<string> => {
  const ast = member.ast
  if (ast._tag !== "Objects") throw new Error(`a variant must be an object, this one is ${ast._tag}`)
  const field = ast.propertySignatures.find((signature) => signature.name === tag)?.type
  const literals = field?._tag === "Union" ? field.types : [field]
  return literals.map((literal) => {
    if (literal?._tag !== "Literal") throw new Error(`a variant must have a literal in its field "${tag}"`)
    return String(literal.literal)
  })
}

/** The member of a {@link keyed} union that stands for all keys that came later: it has none of the known ones. */
export type UnrecognizedKey<Key extends string> = { readonly [K in Key]?: never }

type KeyedObject<F extends Schema.Struct.Fields> = {
  readonly [K in keyof F]: Schema.Struct.Type<Pick<F, K>>
}[keyof F]

/** What a {@link keyed} union accepts. */
export type KeyedType<L extends string, F extends Schema.Struct.Fields> =
  | (L extends never ? never : L | Unrecognized)
  | KeyedObject<F>
  | UnrecognizedKey<keyof F & string>

/**
 * A union as Rust's serde writes one by default: some members are strings, others objects with one key that says which
 * they are. Strings and keys that came later are kept. A known key with a malformed value stays an error.
 */
export const keyed = <const L extends ReadonlyArray<string>, const F extends Schema.Struct.Fields>(
  ...args: [L, F] | [string, L, F]
): Schema.Codec<KeyedType<L[number], F>> => {
  const [identifier, literals, fields] = args.length === 2 ? [undefined, ...args] : args
  const keys = Object.keys(fields)
  const others = open({}).check(
    Schema.makeFilter(
      (value: object) => Object.keys(value).length > 0 && !keys.some((key) => Object.hasOwn(value, key)),
      {
        expected: `an object with a key other than ${keys.join(", ")}`,
        toJsonSchema: () => ({ minProperties: 1, not: { anyOf: keys.map((key) => ({ required: [key] })) } })
      }
    )
  )
  const strings = literals.length === 0 ? [] : [known(...literals)]
  const union = Schema.Union([
    ...strings,
    ...Object.entries(fields).map(([key, field]) => open({ [key]: field })),
    others
  ])
  const named = identifier === undefined ? union : union.annotate({ identifier })
  return named as unknown as Schema.Codec<KeyedType<L[number], F>>
}
