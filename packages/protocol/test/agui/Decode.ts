/**
 * How these tests decode: a verdict for comparisons, and issues as `path: message` for
 * malformed values.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** What is wrong with a value, one `a.0.b: message` a finding; empty when nothing is. */
export const issues = (schema: Schema.Codec<unknown>, value: unknown): ReadonlyArray<string> =>
  Result.match(Schema.decodeUnknownResult(schema)(value, { errors: "all" }), {
    onSuccess: () => [],
    onFailure: (error) =>
      format(error.issue).issues.map(({ path = [], message }) => `${path.map(String).join(".")}: ${message}`)
  })

/** The paths of what is wrong with a value. */
export const wrongAt = (schema: Schema.Codec<unknown>, value: unknown): ReadonlyArray<string> => [
  ...new Set(issues(schema, value).map((issue) => issue.slice(0, issue.indexOf(": "))))
]
