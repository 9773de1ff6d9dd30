/**
 * What a policy says about one tool call, and why.
 *
 * A call is taken apart (a shell text into its commands and the files it opens), each part is compared with every
 * rule, and the strictest answer of all parts is the answer. Refusing beats asking, asking beats allowing; the order
 * of the rules does not matter.
 */
import * as Effect from "effect/Effect"
import { type CallPart, callParts } from "./CallParts.ts"
import type { Match } from "./Match.ts"
import type { ToolUse } from "./Policy.ts"
import { type Verdict, verdicts } from "./PolicyFile.ts"
import { makeDisk } from "./RealPath.ts"
import { allowsByOption, hasFileRules, isMentionedIn, matchRule, type ReadyRule, readyRules } from "./RuleMatch.ts"
import type { PlacedRule, PolicyRules, RuleSet } from "./Rules.ts"

/** A rule that fits, or may fit. */
export interface PolicyFinding {
  readonly place: string
  readonly effect: Verdict
  /** Certain, or only possible: a word may turn out to be what the rule is about. */
  readonly match: "maybe" | "yes"
  readonly reason: string | undefined
}

/** One part of a call: a command, a file that is opened by a redirection or an argument, or the whole call. */
export interface PolicyPart {
  readonly what: string
  /** Undefined: no rule fits, and none has to, as it is another part that does the work. */
  readonly decision: Verdict | undefined
  readonly findings: ReadonlyArray<PolicyFinding>
}

/** What a policy says, and why. */
export interface Explanation {
  readonly decision: Verdict
  /** One or more sentences, for the model and for people. */
  readonly reason: string
  readonly parts: ReadonlyArray<PolicyPart>
  /** What was not understood. */
  readonly doubts: ReadonlyArray<string>
  /** What happens to a part that no rule fits. */
  readonly fallback: Verdict
}

/** Explains what a policy says about a call. */
export const explainDecision = (policy: PolicyRules, use: ToolUse): Effect.Effect<Explanation> =>
  Effect.promise(() => judge(policy, use))

const judge = async (policy: PolicyRules, use: ToolUse): Promise<Explanation> => {
  const [set, modeDoubt] = rulesFor(policy, use.mode)
  const disk = makeDisk()
  const { doubts: found, parts: taken } = await callParts(use, policy.tools, disk, hasFileRules(set, policy.tools))
  const doubts = [...modeDoubt, ...found]
  const rules = await readyRules(set, use.cwd, disk)
  const judged = taken.map((part) => judgePart(part, rules, set.fallback))
  // An argument that no rule is about is not worth a line.
  const parts = judged.filter(({ findings }, at) => findings.length > 0 || taken[at]?.isArgument !== true)
  const least = doubts.length === 0 ? "allow" : strictest(["ask", set.fallback])
  const decisions = parts.flatMap(({ decision }) => (decision === undefined ? [] : [decision]))
  const decision = strictest([least, ...(decisions.length === 0 ? [set.fallback] : decisions)])
  return { decision, reason: reasonFor(decision, parts, doubts), parts, doubts, fallback: set.fallback }
}

const strictest = (decisions: ReadonlyArray<Verdict>): Verdict =>
  verdicts[Math.max(...decisions.map((decision) => verdicts.indexOf(decision)))] ?? "deny"

const rulesFor = (policy: PolicyRules, mode: string | undefined): readonly [RuleSet, ReadonlyArray<string>] => {
  const set = mode === undefined ? policy.base : policy.modes.get(mode)
  return set === undefined ? [policy.base, [`the policy has no mode ${JSON.stringify(mode)}`]] : [set, []]
}

// --- judging a part ----------------------------------------------------------------------------

const judgePart = (part: CallPart, rules: ReadonlyArray<ReadyRule>, fallback: Verdict): PolicyPart => {
  const { what } = part
  const fitting = rules.flatMap((ready) =>
    findingOf(ready.rule, allowsByOption(ready, part) ? "yes" : matchRule(ready, part))
  )
  // Where everything that no rule names is allowed, an unknown program may run what follows it: `somewrapper rm x`.
  const isOpen = fitting.length === 0 && fallback === "allow"
  const findings = isOpen
    ? rules.flatMap((ready) => (isMentionedIn(ready, part) ? findingOf(ready.rule, "maybe") : []))
    : fitting
  const certain = findings.filter(({ effect, match }) => match === "yes" || effect === "ask")
  const isOptional = part.command?.isWrapper === true || part.isArgument === true
  if (findings.length === 0 && isOptional) return { what, decision: undefined, findings }
  const isUnsure = findings.some(({ match }) => match === "maybe")
  const said = certain.length > 0 ? certain.map(({ effect }) => effect) : part.isArgument === true ? [] : [fallback]
  return { what, decision: strictest(isUnsure ? ["ask", ...said] : said), findings }
}

const findingOf = ({ effect, place, reason }: PlacedRule, match: Match): ReadonlyArray<PolicyFinding> =>
  // Perhaps allowed is not allowed.
  match === "no" || (effect === "allow" && match === "maybe") ? [] : [{ place, effect, match, reason }]

// --- saying why --------------------------------------------------------------------------------

const reasonFor = (decision: Verdict, parts: ReadonlyArray<PolicyPart>, doubts: ReadonlyArray<string>): string => {
  if (decision === "allow") return "The policy allows it."
  const said = parts.filter((part) => part.decision === decision).map((part) => sentence(decision, part))
  const unsure =
    doubts.length === 0 ? [] : [`The policy cannot be sure what it does: ${doubts.slice(0, maxSentences).join("; ")}.`]
  return [...new Set([...said, ...unsure])].slice(0, maxSentences).join(" ")
}

const maxSentences = 5

const sentence = (decision: Verdict, { findings, what }: PolicyPart): string => {
  const shown = what.length > 200 ? `${what.slice(0, 200)}…` : what
  const about = `The policy ${decision === "deny" ? "denies" : "asks about"} \`${shown}\``
  const rule =
    findings.find(({ effect, match }) => effect === decision && match === "yes") ??
    (decision === "ask" ? findings.find(({ effect }) => effect !== "allow") : undefined)
  if (rule === undefined) return `${about}: no rule allows it.`
  const why = rule.reason === undefined ? "" : ` ${rule.reason}`
  return `${about}: ${rule.place} ${rule.match === "maybe" ? "may fit" : "fits"}.${why}`
}
