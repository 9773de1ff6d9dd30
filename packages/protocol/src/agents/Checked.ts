/** Definitions against their schema, with the first thing that is wrong in words: before writing, and after reading. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { AgentDefinition, type DefinitionRuntime, effortsOf } from "./Definition.ts"
import { AgentUnwritable, unsayable } from "./Failure.ts"

const decode = Schema.decodeUnknownResult(AgentDefinition, { onExcessProperty: "error" })
const format = SchemaIssue.makeFormatterStandardSchemaV1()

/** The first thing that is wrong with a definition. */
export interface Flaw {
  /** The member, such as `name` or `model.claude`. */
  readonly member: string
  readonly message: string
}

/** A value as a definition, or what is wrong with it. */
export const checkDefinition = (value: unknown): Result.Result<AgentDefinition, Flaw> =>
  Result.mapError(decode(value), ({ issue }) => {
    const [first] = format(issue).issues
    const member = (first?.path ?? []).map((step) => String(typeof step === "object" ? step.key : step)).join(".")
    return { member, message: first?.message ?? issue.toString() }
  })

/** A definition that a runtime can be told: it fits the schema, and the runtime knows its effort. */
export const checkWritable = (
  runtime: DefinitionRuntime,
  definition: AgentDefinition
): Result.Result<AgentDefinition, AgentUnwritable> =>
  checkDefinition(definition).pipe(
    Result.mapError(
      ({ member, message }) =>
        new AgentUnwritable({
          code: "AGENT_DEFINITION_INVALID",
          message: `${member || "The definition"}: ${message}`,
          member
        })
    ),
    Result.flatMap((checked) =>
      checked.effort === undefined || effortsOf[runtime].includes(checked.effort)
        ? Result.succeed(checked)
        : Result.fail(unsayable(runtime, "effort", `it knows ${effortsOf[runtime].join(", ")}.`))
    )
  )
