/**
 * What "always allow" means: these rules, for this session, and nothing else.
 *
 * The CLI suggests more than that. Beside the rule for one Bash command there may be `setMode acceptEdits`, and rules
 * go to `localSettings`, where other sessions of the folder read them (seen on 2.1.325). Whoever accepts all
 * of it allows writes and `rm` that nobody was asked about. So a question offers the rules one by one, and all the
 * rest only to a person who names it: an id that begins with `/permission_suggestions/` points at a suggestion as the
 * CLI made it. Nobody but this file reads that id.
 */
import type { Rule, Suggestion } from "../../model/Request.ts"
import { isRecord } from "../../wire/Json.ts"
import type { CanUseToolRequest } from "../ControlAsk.ts"
import type { PermissionRuleValue, PermissionUpdate } from "../Permission.ts"

/** What points at a suggestion as the CLI made it, before its place in the list. */
const asSuggested = "/permission_suggestions/"

/** The rules that an answer may ask to remember for the session, each once. */
export const rulesOf = (
  request: CanUseToolRequest,
  toolName: (cliName: string) => string = (name) => name
): ReadonlyArray<Rule> =>
  [...sessionRules(request)].map(([id, rule]) => ({ id, label: labelOf(rule, toolName(rule.toolName)) }))

/** What the CLI suggests, as it suggests it; undefined when it suggests nothing, or nothing may be remembered. */
export const suggestionsOf = (request: CanUseToolRequest): ReadonlyArray<Suggestion> | undefined =>
  suggested(request)?.map((value, index) => ({ id: `${asSuggested}${index}`, value }))

/** The changes of the rules that an answer asks for by their ids. An id that was not offered asks for nothing. */
export const updatesOf = (request: CanUseToolRequest, ids: ReadonlyArray<string>): ReadonlyArray<PermissionUpdate> => {
  const wanted = new Set(ids)
  const rules = [...sessionRules(request)].flatMap(([id, rule]) => (wanted.has(id) ? [rule] : []))
  const chosen = (suggested(request) ?? []).filter((_, index) => wanted.has(`${asSuggested}${index}`))
  return rules.length === 0
    ? chosen
    : [{ type: "addRules", rules, behavior: "allow", destination: "session" }, ...chosen]
}

/** The rules that allow something, by their ids: as people write them in settings. */
const sessionRules = (request: CanUseToolRequest): ReadonlyMap<string, PermissionRuleValue> =>
  new Map((suggested(request) ?? []).flatMap(allowedBy).map((rule) => [labelOf(rule, rule.toolName), rule]))

const allowedBy = (suggestion: unknown): ReadonlyArray<PermissionRuleValue> =>
  isRecord(suggestion) &&
  suggestion["type"] === "addRules" &&
  suggestion["behavior"] === "allow" &&
  Array.isArray(suggestion["rules"])
    ? suggestion["rules"].filter(isRule)
    : []

const suggested = ({ permission_suggestions: suggestions, suppress_always_allow_rule }: CanUseToolRequest) =>
  Array.isArray(suggestions) && suppress_always_allow_rule !== true
    ? (suggestions as ReadonlyArray<PermissionUpdate>)
    : undefined

const isRule = (rule: unknown): rule is PermissionRuleValue =>
  isRecord(rule) &&
  typeof rule["toolName"] === "string" &&
  (rule["ruleContent"] === undefined || typeof rule["ruleContent"] === "string")

const labelOf = ({ ruleContent }: PermissionRuleValue, tool: string): string =>
  ruleContent === undefined ? tool : `${tool}(${ruleContent})`
