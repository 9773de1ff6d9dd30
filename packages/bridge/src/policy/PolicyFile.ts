/**
 * The policy file: rules about tool calls as JSON, in version 1 of its format.
 *
 * A key that is not known is an error, so that a typo cannot take a rule away.
 */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import { duplicateKeys } from "./DuplicateKeys.ts"

const Text = Schema.String.check(Schema.isNonEmpty())
const OneOrMore = Schema.Union([Text, Schema.NonEmptyArray(Text)])

/** What is said about a tool call, from the mildest to the strictest. */
export const verdicts = ["allow", "ask", "deny"] as const

/** What is said about a tool call. */
export type Verdict = (typeof verdicts)[number]

/** One rule. What it names must all fit; of a list, one. */
export const Rule = Schema.Struct({
  tool: OneOrMore.annotate({ description: "Names of tools; * stands for any characters." }),
  path: Schema.optionalKey(
    OneOrMore.annotate({
      description: "Globs for the file or folder of the call: relative to the working folder, or with / or ~/ in front."
    })
  ),
  command: Schema.optionalKey(
    OneOrMore.annotate({
      description: "Patterns for one simple command of a shell text, word by word; a word * stands for any words."
    })
  ),
  input: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])).annotate({
      description: "Fields of the tool's input and what they must be; in texts * stands for any characters."
    })
  ),
  reason: Schema.optionalKey(Text.annotate({ description: "Told to the model, or to the person who is asked." }))
}).annotate({ identifier: "Rule" })

/** One rule. */
export type Rule = typeof Rule.Type

const rules = {
  description: Schema.optionalKey(Schema.String),
  default: Schema.optionalKey(
    Schema.Literals(verdicts).annotate({ description: "What happens to a call that no rule fits. Without it: ask." })
  ),
  deny: Schema.optionalKey(Schema.Array(Rule)),
  ask: Schema.optionalKey(Schema.Array(Rule)),
  allow: Schema.optionalKey(Schema.Array(Rule))
}

/** The rules of one mode, which add to those of the file. */
const Mode = Schema.Struct(rules).annotate({ identifier: "Mode" })

/** The whole file. */
export const PolicyFile = Schema.Struct({
  $schema: Schema.optionalKey(Schema.String),
  version: Schema.Literal(1),
  ...rules,
  modes: Schema.optionalKey(Schema.Record(Schema.String, Mode))
}).annotate({ identifier: "PolicyFile" })

/** The whole file. */
export type PolicyFile = typeof PolicyFile.Type

/** One thing that is wrong with a policy file. */
export interface PolicyProblem {
  /** A JSON path, such as `$.modes.planner.deny[2]`. */
  readonly place: string
  readonly message: string
}

/** A policy file that cannot be used. */
export class PolicyInvalid extends Schema.TaggedError<PolicyInvalid>()("PolicyInvalid", {
  code: Schema.Literals([
    "POLICY_UNREADABLE",
    /** Not JSON. */
    "POLICY_NOT_JSON",
    /** JSON that is not a policy. */
    "POLICY_INVALID",
    /** The mode that was asked for is not in the file. */
    "POLICY_NO_MODE"
  ]),
  message: Schema.String,
  problems: Schema.Array(Schema.Struct({ place: Schema.String, message: Schema.String }))
}) {}

/** A failure from its problems. */
export const policyInvalid = (problems: ReadonlyArray<PolicyProblem>): PolicyInvalid =>
  new PolicyInvalid({
    code: "POLICY_INVALID",
    message: `The policy is not valid. ${problems.map(({ message, place }) => `${place}: ${message}`).join(" ")}`,
    problems
  })

const decode = Schema.decodeUnknownResult(PolicyFile, { errors: "all", onExcessProperty: "error" })

/** Reads the text of a policy file. */
export const parsePolicyFile = (text: string): Result.Result<PolicyFile, PolicyInvalid> => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    const message = `The policy is not JSON: ${error instanceof Error ? error.message : String(error)}.`
    return Result.fail(new PolicyInvalid({ code: "POLICY_NOT_JSON", message, problems: [{ place: "$", message }] }))
  }
  const twice = duplicateKeys(text)
  if (twice.length > 0)
    return Result.fail(
      policyInvalid(twice.map((key) => ({ place: "$", message: `The key "${key}" occurs twice in one place.` })))
    )
  return Result.mapError(decode(json), ({ issue }) => policyInvalid(problemsOf(issue)))
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const problemsOf = (issue: SchemaIssue.Issue): ReadonlyArray<PolicyProblem> =>
  format(issue).issues.map(({ message, path = [] }) => ({
    place: jsonPathOf(path.map((part) => (typeof part === "object" ? part.key : part))),
    message: message.startsWith("Expected no excess") ? "This key is not known here." : `${message.split("\n")[0]}.`
  }))

/** A JSON path from its parts. */
export const jsonPathOf = (parts: ReadonlyArray<PropertyKey>): string =>
  parts.reduce<string>((place, part) => {
    if (typeof part === "number") return `${place}[${part}]`
    const key = String(part)
    return /^[A-Za-z_$][\w$]*$/.test(key) ? `${place}.${key}` : `${place}[${JSON.stringify(key)}]`
  }, "$")
