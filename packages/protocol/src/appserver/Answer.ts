/**
 * A client's answer to what it was asked, as the model's. What cannot be read allows nothing, as with Codex itself, which
 * refuses in silence what it does not know (docs/wire/codex.md, §2).
 */
import type {
  Answer,
  ChoiceRequest,
  FormRequest,
  PageToolRequest,
  PermissionRequest,
  Request
} from "../model/Request.ts"
import { fieldsIn, listIn, textIn, textsIn } from "../wire/Fields.ts"
import { isRecord } from "../wire/Json.ts"
import type { JsonObject } from "../wire/Open.ts"
import { choiceId } from "./Ask.ts"
import { contentOf, toolPartOf } from "./UserInput.ts"

/** How a client's request was answered: by a result, or by an error. */
export type AnswerOutcome = { readonly result: unknown } | { readonly error: unknown }

/** The answer to a request. Never throws. */
export const readAnswer = (request: Request, outcome: AnswerOutcome): Answer => {
  if ("error" in outcome) return failures[request.kind](textIn(fieldsIn(outcome.error)["message"]))
  const result = fieldsIn(outcome.result)
  switch (request.kind) {
    case "permission":
    case "plan":
      return "decision" in result ? decided(request, result["decision"]) : acted(request, result)
    case "choice":
      return chosen(request, result)
    case "form":
      return filled(request, result)
    case "page_tool":
      return gave(request, result)
  }
}

const declined = "The user declined this."
const noAnswer = "The client gave no answer that can be read."

const failures: { readonly [K in Request["kind"]]: (words: string | undefined) => Answer } = {
  permission: (words) => ({ type: "deny", reason: words ?? noAnswer }),
  plan: (words) => ({ type: "deny", reason: words ?? noAnswer }),
  choice: () => ({ type: "dismissed" }),
  form: () => ({ type: "dismissed" }),
  page_tool: (words) => ({ type: "result", content: words ?? noAnswer, failed: true })
}

const allRules = ({ remember }: PermissionRequest): ReadonlyArray<string> => remember.map(({ id }) => id)

const decisions: Readonly<Record<string, (request: PermissionRequest) => Answer>> = {
  accept: () => ({ type: "allow" }),
  acceptForSession: (request) => ({ type: "allow", remember: allRules(request) }),
  decline: () => ({ type: "deny", reason: declined }),
  cancel: () => ({ type: "deny", reason: declined, interrupt: true })
}

/** What was decided about a command or a change of files. */
const decided = (request: PermissionRequest, decision: unknown): Answer => {
  if (typeof decision === "string" && Object.hasOwn(decisions, decision))
    return decisions[decision]?.(request) ?? failures.permission(undefined)
  if (isRecord(decision)) {
    const suggestion = suggestionLike(request, decision)
    if (suggestion !== undefined) return { type: "allow", remember: [suggestion] }
    // A rule that allows nothing that was suggested is still leave for this once; one that refuses a host is not.
    if (isRecord(decision["acceptWithExecpolicyAmendment"])) return { type: "allow" }
  }
  return failures.permission(undefined)
}

/** The suggestion that a client has chosen: word for word as it was made. */
const suggestionLike = ({ suggestions = [] }: PermissionRequest, chosen: JsonObject): string | undefined =>
  suggestions.find(({ value }) => sameJson(value, chosen))?.id

const sameJson = (one: unknown, other: unknown): boolean => {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each, index) => sameJson(each, other[index]))
  if (!isRecord(one) || !isRecord(other)) return one === other
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => sameJson(one[key], other[key]))
}

/** What was decided about any other tool, by the form that asks for leave. */
const acted = (request: PermissionRequest, { _meta, action }: JsonObject): Answer => {
  // Whoever dismisses the form does not end the turn (docs/wire/codex.md, §3.33).
  if (action !== "accept")
    return { type: "deny", reason: action === "decline" || action === "cancel" ? declined : noAnswer }
  const { persist } = fieldsIn(_meta)
  if (persist === "always") {
    const always = suggestionLike(request, { persist })
    return { type: "allow", remember: always === undefined ? allRules(request) : [always] }
  }
  return persist === "session" ? { type: "allow", remember: allRules(request) } : { type: "allow" }
}

const chosen = ({ choices }: ChoiceRequest, { answers }: JsonObject): Answer => {
  const given = fieldsIn(answers)
  const entries = choices.flatMap(({ question }, index) => {
    const words = textsIn(fieldsIn(given[choiceId(index)])["answers"])
    return words.length === 0 ? [] : [[question, words.join(", ")] as const]
  })
  return entries.length === 0 ? { type: "dismissed" } : { type: "chosen", answers: Object.fromEntries(entries) }
}

const filled = (_: FormRequest, { action, content }: JsonObject): Answer => {
  if (action === "accept") return { type: "filled", content: fieldsIn(content) }
  return action === "decline" ? { type: "declined" } : { type: "dismissed" }
}

const gave = (_: PageToolRequest, { contentItems, success }: JsonObject): Answer => {
  const parts = listIn(contentItems).flatMap((item) => {
    const part = toolPartOf(item)
    return part === undefined ? [] : [part]
  })
  return { type: "result", content: contentOf(parts), failed: success !== true }
}
