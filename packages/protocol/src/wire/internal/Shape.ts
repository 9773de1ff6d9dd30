/**
 * What a schema says about JSON, in the form the walkers need.
 *
 * `Check` (is it right?), `Explain` (what is wrong, and where?) and `Drift` (what is not
 * named?) all walk a value beside its schema. Effect's syntax tree knows far more than
 * JSON; this is the part of it that wire schemas use, with unions already sorted: strings
 * here, arrays there, objects by the tag that tells them apart.
 */
import type * as AST from "effect/SchemaAST"
import { Rest } from "../Open.ts"

/** A value that is neither array nor object. */
export interface Scalar {
  readonly kind: "scalar"
  /** How an error message names it. */
  readonly expected: string
  readonly accepts: (value: unknown) => boolean
  /** The known values of an enumeration that also accepts others. */
  readonly listed?: ReadonlySet<unknown>
}

/** An object with named fields. */
export interface Obj {
  readonly kind: "object"
  readonly fields: ReadonlyMap<string, Field>
  /** Keys that are not named: refused, kept, or values of a record. */
  readonly rest: "open" | Shape | undefined
}

/** A named field of an object. */
export interface Field {
  readonly shape: Shape
  readonly optional: boolean
}

/** An array, with a shape per leading position (tuples) and one for the rest. */
export interface Arr {
  readonly kind: "array"
  readonly prefix: ReadonlyArray<Shape>
  readonly items: Shape | undefined
}

/** Several shapes, sorted so that at most a few have to be tried. */
export interface Union {
  readonly kind: "union"
  readonly scalar: Scalar | undefined
  readonly arrays: ReadonlyArray<Shape>
  /** The field whose literal tells the objects apart, when there is one. */
  readonly tag: string | undefined
  readonly tagged: ReadonlyMap<unknown, ReadonlyArray<Shape>>
  /** Objects without a literal tag. With a tag: those that stand for tags nobody lists. */
  readonly untagged: ReadonlyArray<Shape>
}

/** A shape with a further condition, such as a pattern or a minimal length. */
export interface Refined {
  readonly kind: "refined"
  readonly base: Shape
  readonly expected: string
  readonly accepts: (value: unknown) => boolean
}

/** A shape that refers to one of its ancestors. */
export interface Lazy {
  readonly kind: "lazy"
  readonly shape: () => Shape
}

/** The part of a schema that concerns JSON. */
export type Shape = { readonly kind: "any" } | Scalar | Obj | Arr | Union | Refined | Lazy

const shapes = new WeakMap<AST.AST, Shape>()

/** The shape of a schema. Throws when the schema transforms or is not JSON: a defect of the schema. */
export const shapeOf = (ast: AST.AST): Shape => {
  let shape = shapes.get(ast)
  if (shape === undefined) {
    if (ast.encoding !== undefined) throw new Error(`a wire schema must not transform, this ${ast._tag} does`)
    shape = refine(ast, build(ast))
    shapes.set(ast, shape)
  }
  return shape
}

const any: Shape = { kind: "any" }

const scalar = (expected: string, accepts: (value: unknown) => boolean): Scalar => ({
  kind: "scalar",
  expected,
  accepts
})

const build = (ast: AST.AST): Shape => {
  switch (ast._tag) {
    case "Unknown":
    case "Any":
      return any
    case "String":
      return scalar("a string", (value) => typeof value === "string")
    case "Number":
      return scalar("a number", (value) => typeof value === "number")
    case "Boolean":
      return scalar("true or false", (value) => typeof value === "boolean")
    case "Null":
      return scalar("null", (value) => value === null)
    case "Literal": {
      const { literal } = ast
      return scalar(JSON.stringify(literal), (value) => value === literal)
    }
    case "Objects":
      return {
        kind: "object",
        fields: new Map(
          ast.propertySignatures.map(({ name, type }) => [
            String(name),
            { shape: shapeOf(type), optional: type.context?.isOptional === true }
          ])
        ),
        rest: restOf(ast)
      }
    case "Arrays":
      return { kind: "array", prefix: ast.elements.map(shapeOf), items: ast.rest[0] && shapeOf(ast.rest[0]) }
    case "Union":
      return buildUnion(flatten(ast))
    case "Suspend":
      return { kind: "lazy", shape: () => shapeOf(ast.thunk()) }
    default:
      throw new Error(`a wire schema is made of JSON, this one has ${ast._tag}`)
  }
}

const restValue = Rest.ast.indexSignatures[0]

const restOf = (ast: AST.Objects): Obj["rest"] => {
  const signature = ast.indexSignatures[0]
  if (signature === undefined) return undefined
  return signature === restValue ? "open" : shapeOf(signature.type)
}

const flatten = (ast: AST.AST): ReadonlyArray<AST.AST> =>
  ast._tag === "Union" && ast.checks === undefined ? ast.types.flatMap(flatten) : [ast]

const buildUnion = (members: ReadonlyArray<AST.AST>): Shape => {
  const scalars: Array<AST.AST> = []
  const arrays: Array<Shape> = []
  const objects: Array<AST.AST> = []
  for (const member of members) {
    if (member._tag === "Unknown" || member._tag === "Any") return any
    if (member._tag === "Arrays") arrays.push(shapeOf(member))
    else if (member._tag === "Objects" || member._tag === "Suspend") objects.push(member)
    else scalars.push(member)
  }
  const tag = tagOf(objects)
  const tagged = new Map<unknown, Array<Shape>>()
  const untagged: Array<Shape> = []
  for (const object of objects) {
    const literals = tag === undefined ? [] : literalsAt(object, tag)
    if (literals.length === 0) untagged.push(shapeOf(object))
    for (const literal of literals) tagged.set(literal, [...(tagged.get(literal) ?? []), shapeOf(object)])
  }
  const merged = mergeScalars(scalars)
  if (merged !== undefined && arrays.length + objects.length === 0) return merged
  return { kind: "union", scalar: merged, arrays, tag, tagged, untagged }
}

/** An enumeration that lists literals beside a bare string accepts others, and knows which it lists. */
const mergeScalars = (members: ReadonlyArray<AST.AST>): Scalar | undefined => {
  if (members.length === 0) return undefined
  const parts = members.map((member) => shapeOf(member))
  const literals = new Set(members.flatMap((member) => (member._tag === "Literal" ? [member.literal] : [])))
  const others = parts.filter((_, index) => members[index]?._tag !== "Literal").map(acceptsScalar)
  // Its literals are strings, so the bare string accepts them, too.
  const isOpen =
    literals.size > 0 &&
    [...literals].every((literal) => typeof literal === "string") &&
    members.some((member) => member._tag === "String" && member.checks === undefined)
  return {
    kind: "scalar",
    expected: isOpen ? "a string" : parts.map(expectedOf).join(" or "),
    accepts: anyOf(
      isOpen || literals.size === 0 ? others : [...others, (value) => literals.has(value as AST.LiteralValue)]
    ),
    ...(isOpen && { listed: literals })
  }
}

/** Most unions of scalars are of two, and are checked for every field of every message. */
const anyOf = (accepts: ReadonlyArray<(value: unknown) => boolean>): ((value: unknown) => boolean) => {
  const [first, second] = accepts
  if (first !== undefined && accepts.length === 1) return first
  if (first !== undefined && second !== undefined && accepts.length === 2)
    return (value) => first(value) || second(value)
  return (value) => accepts.some((each) => each(value))
}

const acceptsScalar = (shape: Shape): ((value: unknown) => boolean) => {
  if (shape.kind === "scalar") return shape.accepts
  if (shape.kind !== "refined") throw new Error(`not a scalar: ${shape.kind}`)
  const base = acceptsScalar(shape.base)
  return (value) => base(value) && shape.accepts(value)
}

const expectedOf = (shape: Shape): string => ("expected" in shape ? shape.expected : shape.kind)

/** The first field in which at least one object has literals and the others do not contradict. */
const tagOf = (objects: ReadonlyArray<AST.AST>): string | undefined => {
  for (const object of objects) {
    if (object._tag !== "Objects") continue
    for (const { name } of object.propertySignatures) {
      if (typeof name === "string" && literalsAt(object, name).length > 0) return name
    }
  }
  return undefined
}

const literalsAt = (ast: AST.AST, name: string): ReadonlyArray<AST.LiteralValue> => {
  if (ast._tag !== "Objects") return []
  const type = ast.propertySignatures.find((signature) => signature.name === name)?.type
  if (type === undefined || type.context?.isOptional === true) return []
  const members = flatten(type)
  return members.every((member) => member._tag === "Literal") ? members.map((member) => member.literal) : []
}

const refine = (ast: AST.AST, base: Shape): Shape => {
  if (ast.checks === undefined) return base
  const filters = ast.checks.flatMap(filtersOf)
  if (ast._tag === "Number" && filters.length === 1 && isFiniteFilter(filters[0])) {
    // Schema.Finite is in every hot message, and the filter as Effect runs it allocates.
    return scalar("a finite number", Number.isFinite)
  }
  return {
    kind: "refined",
    base,
    expected: filters.map((filter) => filter.annotations?.expected ?? "a valid value").join(" and "),
    accepts: (value) => filters.every((filter) => filter.run(value, ast, {}) === undefined)
  }
}

const filtersOf = (check: AST.Check<unknown>): ReadonlyArray<AST.Filter<unknown>> =>
  check._tag === "Filter" ? [check] : check.checks.flatMap(filtersOf)

const isFiniteFilter = (filter: AST.Filter<unknown> | undefined): boolean =>
  filter?.annotations?.expected === "a finite number"
