/**
 * Reads what a request brings, by the schemas of the table. What does not fit is refused with the place that is wrong.
 */

import { decodePayload } from "@agentwire/protocol/codec"
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { type HttpRefusal, refuse } from "./HttpRefusal.ts"
import type { Asked } from "./Route.ts"

/** The body of a request. One that is left out is read as an empty object. */
export const readBody = (
  { body, hasBody }: Pick<Asked, "body" | "hasBody">,
  schema: Schema.Top | undefined
): Effect.Effect<unknown, HttpRefusal> =>
  Effect.flatMap(hasBody ? body : Effect.succeed({}), (value) => checked(schema, value, "body"))

/** The query of a request. */
export const readQuery = (
  query: URLSearchParams,
  schema: Schema.Top | undefined
): Effect.Effect<unknown, HttpRefusal> =>
  Effect.suspend(() => {
    const values: Record<string, unknown> = {}
    for (const [name, text] of query) {
      if (Object.hasOwn(values, name)) return Effect.fail(refuse("BAD_INPUT", "The query names something twice."))
      values[name] = typed(text)
    }
    return checked(schema, values, "query")
  })

/** Numbers and booleans have no type of their own in a query. */
const typed = (text: string): unknown => {
  if (text === "true" || text === "false") return text === "true"
  return /^\d{1,16}$/.test(text) ? Number(text) : text
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const checked = (schema: Schema.Top | undefined, value: unknown, what: string): Effect.Effect<unknown, HttpRefusal> =>
  Effect.suspend(() => {
    const wrong = (problem: string) => Effect.fail(refuse("BAD_INPUT", `The ${what} does not fit: ${problem}`))
    const untaken = (path: ReadonlyArray<Segment>) =>
      wrong(`at $${path.map(keyOf).join("")}: nothing of this name is taken.`)
    if (schema === undefined) {
      const [key] = isRecord(value) ? Object.keys(value) : [""]
      return key === undefined ? Effect.succeed({}) : untaken([key])
    }
    // The schemas of the table do not transform.
    const codec = schema as Schema.Codec<unknown>
    const shape = decodePayload(codec, value)
    if (shape._tag === "Invalid") return wrong(`at ${shape.error.path}: ${problemOf(shape.error)}.`)
    const exact = Schema.decodeUnknownResult(codec, { onExcessProperty: "error" })(value)
    if (Result.isSuccess(exact)) return Effect.succeed(value)
    return untaken(format(exact.failure.issue).issues[0]?.path ?? [])
  })

/** What is wrong, without the place, which is said before, and without what was there, which may be a secret. */
const problemOf = ({ message, path }: { readonly message: string; readonly path: string }): string =>
  (message.startsWith(`${path}: `) ? message.slice(path.length + 2) : message).replace(
    /, found the (string|number) .*$/s,
    ", found another $1"
  )

type Segment = PropertyKey | { readonly key: PropertyKey }

const keyOf = (segment: Segment): string => {
  const key = typeof segment === "object" ? segment.key : segment
  return typeof key === "number"
    ? `[${key}]`
    : /^[A-Za-z_]\w*$/.test(String(key))
      ? `.${String(key)}`
      : `[${JSON.stringify(String(key))}]`
}
