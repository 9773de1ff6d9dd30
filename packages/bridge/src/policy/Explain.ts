/**
 * What a policy says about one tool call, and why.
 *
 * A call is taken apart (a shell text into its commands and the files it opens), each part is compared with every
 * rule, and the strictest answer of all parts is the answer. Refusing beats asking, asking beats allowing; the order
 * of the rules does not matter.
 */
import * as Effect from "effect/Effect"
import { type CallPart, callParts, own } from "./CallParts.ts"
import { matchCommand, namesOption } from "./CommandPattern.ts"
import { betterMatch, type Match, matchOf, matchText, worseMatch } from "./Match.ts"
import { matchPlace, type PathPattern, pathPatternFrom } from "./PathPattern.ts"
import type { ToolUse } from "./Policy.ts"
import { type Verdict, verdicts } from "./PolicyFile.ts"
import { type Disk, makeDisk } from "./RealPath.ts"
import type { PlacedRule, PolicyRules, RuleSet } from "./Rules.ts"
import type { ToolInputs } from "./ToolInputs.ts"

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
  const patterns = await patternsOf(set, use.cwd, disk)
  const judged = taken.map((part) => judgePart(part, set, patterns, use.cwd, policy.tools))
  // An argument that no rule is about is not worth a line.
  const parts = judged.filter(({ findings }, at) => findings.length > 0 || taken[at]?.isArgument !== true)
  const least = doubts.length === 0 ? "allow" : strictest(["ask", set.fallback])
  const decisions = parts.flatMap(({ decision }) => (decision === undefined ? [] : [decision]))
  const decision = strictest([least, ...(decisions.length === 0 ? [set.fallback] : decisions)])
  return { decision, reason: reasonFor(decision, parts, doubts), parts, doubts, fallback: set.fallback }
}

/** Whether a rule refuses files to the tools that read and write them, or asks about some. */
const hasFileRules = ({ rules }: RuleSet, { files }: ToolInputs): boolean =>
  rules.some(
    (rule) =>
      rule.effect !== "allow" &&
      isAboutFiles(rule) &&
      rule.tools.some((tool) => matchText(tool, files.read) || matchText(tool, files.write))
  )

const isAboutFiles = ({ input, paths }: PlacedRule): boolean => paths !== undefined || Object.keys(input).length > 0

const strictest = (decisions: ReadonlyArray<Verdict>): Verdict =>
  verdicts[Math.max(...decisions.map((decision) => verdicts.indexOf(decision)))] ?? "deny"

const rulesFor = (policy: PolicyRules, mode: string | undefined): readonly [RuleSet, ReadonlyArray<string>] => {
  const set = mode === undefined ? policy.base : policy.modes.get(mode)
  return set === undefined ? [policy.base, [`the policy has no mode ${JSON.stringify(mode)}`]] : [set, []]
}

// --- comparing a part with the rules -----------------------------------------------------------

type Patterns = ReadonlyMap<string, PathPattern>

const patternsOf = async ({ rules }: RuleSet, cwd: string, disk: Disk): Promise<Patterns> => {
  const all = new Set(rules.flatMap(({ paths }) => paths ?? []))
  return new Map(
    await Promise.all(
      [...all].map(
        async (pattern): Promise<[string, PathPattern]> => [pattern, await pathPatternFrom(cwd, pattern, disk)]
      )
    )
  )
}

const judgePart = (
  part: CallPart,
  { fallback, rules }: RuleSet,
  patterns: Patterns,
  cwd: string,
  tools: ToolInputs
): PolicyPart => {
  const { what } = part
  const judged = part.isArgument === true ? rules.filter(({ effect }) => effect !== "allow") : rules
  const fitting = [
    ...judged.flatMap((rule) => findingOf(rule, matchRule(rule, part, patterns, cwd))),
    ...rules.flatMap((rule) => (allowsByOption(rule, part, tools, cwd) ? findingOf(rule, "yes") : []))
  ]
  const findings = fitting.length === 0 && fallback === "allow" ? mentioned(part, rules, cwd) : fitting
  const certain = findings.filter(({ effect, match }) => match === "yes" || effect === "ask")
  const isOptional = part.command?.isWrapper === true || part.isArgument === true
  if (findings.length === 0 && isOptional) return { what, decision: undefined, findings }
  const said = certain.length > 0 ? certain.map(({ effect }) => effect) : isOptional ? [] : [fallback]
  const isUnsure = findings.some(({ match }) => match === "maybe")
  return { what, decision: strictest(isUnsure ? ["ask", ...said] : said), findings }
}

const findingOf = ({ effect, place, reason }: PlacedRule, match: Match): ReadonlyArray<PolicyFinding> =>
  // Perhaps allowed is not allowed.
  match === "no" || (effect === "allow" && match === "maybe") ? [] : [{ place, effect, match, reason }]

/** Whoever allows `sed -i *` allows the file to be written, by the name of the option. */
const allowsByOption = (
  { commands, effect, tools: names }: PlacedRule,
  { allowedBy }: CallPart,
  tools: ToolInputs,
  cwd: string
): boolean =>
  allowedBy !== undefined &&
  effect === "allow" &&
  names.some((name) => Object.keys(tools.shells).some((shell) => matchText(name, shell))) &&
  commands?.some(
    (pattern) =>
      namesOption(pattern, allowedBy.option) && matchCommand(pattern, allowedBy.command.words, cwd, false) === "yes"
  ) === true

/**
 * Where everything that no rule names is allowed, an unknown program may run what follows it:
 * `somewrapper rm x`.
 */
const mentioned = (
  { command }: CallPart,
  rules: ReadonlyArray<PlacedRule>,
  cwd: string
): ReadonlyArray<PolicyFinding> => {
  const words = command?.words ?? []
  const isMentioned = (pattern: string): boolean =>
    words.some((_, at) => at > 0 && matchCommand(pattern, words.slice(at), cwd, true) === "yes")
  return rules
    .filter(({ commands, effect }) => effect !== "allow" && commands?.some(isMentioned) === true)
    .flatMap((rule) => findingOf(rule, "maybe"))
}

const matchRule = (rule: PlacedRule, part: CallPart, patterns: Patterns, cwd: string): Match => {
  if (!rule.tools.some((tool) => matchText(tool, part.tool))) return "no"
  // A tool that is refused altogether is not what a command's arguments are about.
  if (part.isArgument === true && !isAboutFiles(rule)) return "no"
  const isStrict = rule.effect !== "allow"
  let match: Match = "yes"
  for (const [field, wanted] of Object.entries(rule.input))
    match = worseMatch(match, matchField(wanted, part.input, field))
  if (rule.commands !== undefined) {
    const words = part.command?.words
    match = worseMatch(
      match,
      words === undefined ? "no" : anyOf(rule.commands, (each) => matchCommand(each, words, cwd, isStrict))
    )
  }
  if (rule.paths !== undefined) match = worseMatch(match, matchPaths(rule.paths, part, patterns, isStrict))
  return part.isMention === true ? worseMatch(match, "maybe") : match
}

const anyOf = (patterns: ReadonlyArray<string>, matchOne: (pattern: string) => Match): Match =>
  patterns.map(matchOne).reduce(betterMatch, "no")

const matchPaths = (
  paths: ReadonlyArray<string>,
  { at, isPlaceUnknown }: CallPart,
  patterns: Patterns,
  isStrict: boolean
): Match => {
  if (at === undefined) return isPlaceUnknown === true ? "maybe" : "no"
  const { places, ...reach } = at
  return anyOf(paths, (path) => {
    const pattern = patterns.get(path)
    if (pattern === undefined) return "no"
    const [meant, ...possible] = places.map((place) => matchPlace(pattern, place, { ...reach, isStrict }))
    if (!isStrict) return possible.reduce(worseMatch, meant ?? "no")
    return possible.map((match) => worseMatch(match, "maybe")).reduce(betterMatch, meant ?? "no")
  })
}

const matchField = (wanted: string | number | boolean, input: ToolUse["input"], field: string): Match => {
  const value = own(input, field)
  if (value === undefined || value === null) return "no"
  if (typeof value === "object") return "maybe"
  return matchOf(typeof wanted === "string" ? matchText(wanted, String(value)) : wanted === value)
}

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
