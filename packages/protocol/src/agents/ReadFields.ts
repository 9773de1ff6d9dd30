/** What the readers of both files do with the keys they found: texts are texts, and the whole is a definition. */
import * as Result from "effect/Result"
import { checkDefinition } from "./Checked.ts"
import type { AgentDefinition } from "./Definition.ts"
import { AgentFileInvalid, type Place } from "./Failure.ts"

/** A definition that was read. */
export interface ReadAgent {
  readonly definition: AgentDefinition
  /** Keys of the file that no definition holds, such as `color` or `sandbox_mode`, with their values. */
  readonly beside: Readonly<Record<string, unknown>>
}

/** What stands in a file. */
export interface Fields {
  readonly values: Readonly<Record<string, unknown>>
  readonly placeOf: (key: string) => Place
}

/** A failure about a key. */
export const fieldFailure = (fields: Fields, key: string, message: string): AgentFileInvalid =>
  new AgentFileInvalid({
    code: key in fields.values ? "AGENT_FIELD_INVALID" : "AGENT_FIELD_MISSING",
    message: `${key}: ${message}`,
    ...fields.placeOf(key),
    key
  })

/** The text of a key without white space at its ends; undefined where the key is not there. */
export const textOf = (fields: Fields, key: string): Result.Result<string | undefined, AgentFileInvalid> => {
  const value = fields.values[key]
  if (value === undefined) return Result.succeed(undefined)
  return typeof value === "string"
    ? Result.succeed(value.trim())
    : Result.fail(fieldFailure(fields, key, "this has to be a text; put it into quotes."))
}

/** The text of a key that has to be there. */
export const requiredText = (fields: Fields, key: string): Result.Result<string, AgentFileInvalid> =>
  Result.flatMap(textOf(fields, key), (value) =>
    value === undefined || value === ""
      ? Result.fail(fieldFailure(fields, key, "the program ignores the file without it."))
      : Result.succeed(value)
  )

/** The definition and what stands beside it. `keys`: the members of a definition, by the keys they are from. */
export const finish = (
  fields: Fields,
  keys: Readonly<Record<string, string>>,
  candidate: Readonly<Record<string, unknown>>
): Result.Result<ReadAgent, AgentFileInvalid> => {
  const said = Object.fromEntries(Object.entries(candidate).filter(([, value]) => value !== undefined))
  return checkDefinition(said).pipe(
    Result.mapError(({ member, message }) => {
      const key = Object.keys(keys).find((name) => member === keys[name] || member.startsWith(`${keys[name]}.`))
      return key === undefined
        ? new AgentFileInvalid({ code: "AGENT_FIELD_INVALID", message: `${member}: ${message}`, line: 1, column: 1 })
        : fieldFailure(fields, key, message)
    }),
    Result.map((definition) => ({
      definition,
      beside: Object.fromEntries(Object.entries(fields.values).filter(([key]) => !Object.hasOwn(keys, key)))
    }))
  )
}
