/**
 * What "always" means for Codex: not to be asked again in this session, and nothing else.
 *
 * Codex suggests more than that: a rule for all commands that begin in some words, which it keeps in a file that other
 * sessions read, and rules for hosts. Those are only for a person who names them, by ids that nobody but this file
 * reads. One decision is all that Codex takes, so the first that was named counts.
 */
import type { Rule, Suggestion } from "../../model/Request.ts"
import { fieldsIn, listIn, textIn, textsIn } from "../../wire/Fields.ts"
import { isRecord } from "../../wire/Json.ts"
import type { JsonObject } from "../../wire/Open.ts"
import type { WireQuestion } from "./WireQuestion.ts"

/** The id of the rule that lasts as long as the session. */
const forSession = "session"

/** Methods whose answer can say that it holds for the session. */
const sessionMethods: ReadonlySet<string> = new Set([
  "item/commandExecution/requestApproval",
  "item/fileChange/requestApproval",
  "item/permissions/requestApproval",
  "execCommandApproval",
  "applyPatchApproval"
])

/** How long leave to use a tool of an MCP server may last, as Codex offers it in the form (§3.24). */
const lastingOf = ({ method, params }: WireQuestion): ReadonlyArray<string> =>
  method === "mcpServer/elicitation/request" ? textsIn(fieldsIn(fieldsIn(params)["_meta"])["persist"]) : []

const mayLast = (message: WireQuestion): boolean =>
  sessionMethods.has(message.method) || lastingOf(message).includes("session")

/** The rules that an answer may ask to remember for the session. */
export const rulesOf = (message: WireQuestion, tool: string, input: JsonObject): ReadonlyArray<Rule> =>
  mayLast(message) ? [{ id: forSession, label: labelOf(tool, input) }] : []

const maxLabel = 200

const labelOf = (tool: string, { command }: JsonObject): string => {
  const words = textIn(command) ?? textsIn(command).join(" ")
  return words === "" ? tool : `${tool}(${words.length <= maxLabel ? words : `${words.slice(0, maxLabel)}…`})`
}

/** What Codex suggests besides, as the decisions it would take. */
export const suggestionsOf = (message: WireQuestion): ReadonlyArray<Suggestion> => {
  const { method, params } = message
  if (lastingOf(message).includes("always")) return [{ id: "/always", value: { persist: "always" } }]
  if (method !== "item/commandExecution/requestApproval") return []
  const { proposedExecpolicyAmendment, proposedNetworkPolicyAmendments } = fieldsIn(params)
  const words = textsIn(proposedExecpolicyAmendment)
  return [
    ...(words.length === 0
      ? []
      : [
          {
            id: "/execpolicy",
            value: { acceptWithExecpolicyAmendment: { execpolicy_amendment: words } }
          }
        ]),
    // A rule that refuses a host is no way to allow something.
    ...listIn(proposedNetworkPolicyAmendments).flatMap((amendment, index) =>
      isRecord(amendment) && amendment["action"] === "allow"
        ? [
            {
              id: `/network/${index}`,
              value: { applyNetworkPolicyAmendment: { network_policy_amendment: amendment } }
            }
          ]
        : []
    )
  ]
}

/** What an answer asks to be remembered: a suggestion as Codex takes it, the session, or nothing. */
export const rememberedBy = (
  message: WireQuestion,
  ids: ReadonlyArray<string>
): { readonly suggestion: unknown } | "session" | undefined => {
  const suggestion = suggestionsOf(message).find(({ id }) => ids.includes(id))
  if (suggestion !== undefined) return { suggestion: suggestion.value }
  return ids.includes(forSession) && mayLast(message) ? "session" : undefined
}
