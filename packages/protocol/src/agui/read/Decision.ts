/**
 * Yes or no: what a person says about a tool call, in the shapes applications send it.
 */
import * as Equal from "effect/Equal"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Answer, PermissionRequest } from "../../model/Request.ts"
import { decodePayload } from "../../wire/Codec.ts"
import { JsonObject, open, optional } from "../../wire/Open.ts"

/** What an answer says, or why it was not understood. */
export type Reading<A> = Result.Result<A, string>

const words: Readonly<Record<string, boolean>> = {
  allow: true,
  approve: true,
  approved: true,
  accept: true,
  yes: true,
  deny: false,
  denied: false,
  reject: false,
  rejected: false,
  decline: false,
  no: false
}

const Word = Schema.Literals(Object.keys(words))

/** A field that may be null: forms send that where nobody filled anything in. */
export const orNull = <S extends Schema.Top>(schema: S): Schema.optionalKey<Schema.NullOr<S>> =>
  optional(Schema.NullOr(schema))

/** An answer to a permission, in the shapes that are in use. The specification has `approved` and `editedArgs`. */
export const Decision = open("InterruptDecision", {
  approved: optional(Schema.Boolean),
  ok: optional(Schema.Boolean),
  decision: optional(Word),
  behavior: optional(Word),
  reason: orNull(Schema.String),
  message: orNull(Schema.String),
  /** The whole input, not a change of it. */
  editedArgs: orNull(JsonObject),
  /** The same, by Claude Code's name. */
  updatedInput: orNull(JsonObject),
  /** Remember all that the question offers to remember. */
  always: orNull(Schema.Boolean),
  /** Remember some of it, by the ids. */
  remember: orNull(Schema.Array(Schema.String)),
  /** Accept suggestions of the agent word for word, also those that "always" leaves out. */
  updatedPermissions: orNull(Schema.Array(JsonObject)),
  /** With a refusal: end the turn. */
  interrupt: orNull(Schema.Boolean)
})

/** An answer to a permission. */
export type Decision = typeof Decision.Type

const expected = 'expected true, false or {"approved": true or false, "reason"?, "editedArgs"?, "always"?}'

/** Whether an answer says yes. It has to say so, and must not say no as well. */
export const readDecision = (payload: unknown): Reading<Decision & { readonly allowed: boolean }> => {
  if (typeof payload === "boolean") return Result.succeed({ allowed: payload })
  if (typeof payload === "string") {
    const allowed = wordOf(payload)
    return allowed === undefined ? Result.fail(`${expected}, got ${excerpt(payload)}`) : Result.succeed({ allowed })
  }
  const decoded = decodePayload(Decision, payload)
  if (decoded._tag === "Invalid") return Result.fail(`${expected}; ${decoded.error.message}`)
  const { approved, behavior, decision, ok } = decoded.value
  const votes = new Set([approved, ok, wordOf(decision), wordOf(behavior)].filter((vote) => vote !== undefined))
  const [allowed] = votes
  if (allowed === undefined) return Result.fail(`${expected}, got ${excerpt(payload)}`)
  return votes.size > 1
    ? Result.fail(`${expected}; the answer says both yes and no`)
    : Result.succeed({ ...decoded.value, allowed })
}

const wordOf = (word: string | undefined): boolean | undefined => {
  const plain = word?.trim().toLowerCase() ?? ""
  return Object.hasOwn(words, plain) ? words[plain] : undefined
}

/** The answer to a permission, or to a plan. */
export const readPermission = (request: PermissionRequest, payload: unknown): Reading<Answer> =>
  Result.flatMap(readDecision(payload), (decision): Reading<Answer> => {
    if (!decision.allowed) return Result.succeed(refusal(decision))
    const { editedArgs, updatedInput } = decision
    if (editedArgs && updatedInput && !Equal.equals(editedArgs, updatedInput))
      return Result.fail("expected one of editedArgs and updatedInput, got two that differ")
    const input = editedArgs ?? updatedInput
    return Result.map(rememberedBy(request, decision), (remember) => ({
      type: "allow",
      ...(input && { input }),
      ...(remember.length > 0 && { remember })
    }))
  })

/** Only what was offered: an answer that could bring its own rules could allow everything. */
const rememberedBy = (
  request: PermissionRequest,
  { always, remember, updatedPermissions }: Decision
): Reading<ReadonlyArray<string>> => {
  const offered = request.remember.map(({ id }) => id)
  const rules = remember ?? []
  if (rules.some((id) => !offered.includes(id))) return Result.fail("expected remember to name what was offered")
  const suggestions = (updatedPermissions ?? []).map((each) => suggestionId(request, each))
  if (suggestions.includes(undefined))
    return Result.fail("expected updatedPermissions to be among those that were suggested")
  const chosen = [...new Set([...rules, ...suggestions])].filter((id) => id !== undefined)
  return Result.succeed(chosen.length > 0 ? chosen : always === true ? offered : [])
}

/** The id of a suggestion that the agent made in these words. */
const suggestionId = ({ suggestions = [] }: PermissionRequest, words: JsonObject): string | undefined =>
  suggestions.find(({ value }) => Equal.equals(value, words))?.id

/** The refusal a decision asks for. */
export const refusal = ({ interrupt, message, reason }: Decision): Answer => ({
  type: "deny",
  reason: reason || message || "The user refused this.",
  ...(interrupt === true && { interrupt })
})

/** A value as an error message shows it. */
export const excerpt = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing"
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}
