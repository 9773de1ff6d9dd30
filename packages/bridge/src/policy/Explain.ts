/**
 * What a policy says about one tool call, and why.
 *
 * A call is taken apart (a shell text into its commands and the files it opens), each part is compared with every
 * rule, and the strictest answer of all parts is the answer. Refusing beats asking, asking beats allowing; the order
 * of the rules does not matter.
 */
import * as Effect from "effect/Effect"
import { matchCommand } from "./CommandPattern.ts"
import { betterMatch, type Match, matchOf, matchText, worseMatch } from "./Match.ts"
import { globFolder, matchPlace, type PathPattern, pathPatternFrom } from "./PathPattern.ts"
import type { ToolUse } from "./Policy.ts"
import { type Verdict, verdicts } from "./PolicyFile.ts"
import { type Place, placeFrom } from "./RealPath.ts"
import type { PlacedRule, PolicyRules, RuleSet } from "./Rules.ts"
import { readShellText, type ShellCommand, type ShellFile } from "./ShellText.ts"
import type { PathField, ToolInputs } from "./ToolInputs.ts"

/** A rule that fits, or may fit. */
export interface PolicyFinding {
  readonly place: string
  readonly effect: Verdict
  /** Certain, or only possible: a word may turn out to be what the rule is about. */
  readonly match: "maybe" | "yes"
  readonly reason: string | undefined
}

/** One part of a call: a command, a file that a redirection opens, or the whole call. */
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
  const { doubts: found, units } = await unitsOf(use, policy.tools)
  const doubts = [...modeDoubt, ...found]
  const patterns = await patternsOf(set, use.cwd)
  const parts = units.map((unit) => judgeUnit(unit, set, patterns, use.cwd))
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

// --- taking a call apart -----------------------------------------------------------------------

/** What rules are compared with. */
interface Unit {
  readonly what: string
  readonly tool: string
  readonly input: ToolUse["input"]
  readonly command?: ShellCommand
  readonly at?: { readonly place: Place; readonly isSearch: boolean }
  /** The tool opens what a path names, and this call does not say which. */
  readonly isPlaceUnknown?: true
}

interface Taken {
  readonly units: ReadonlyArray<Unit>
  readonly doubts: ReadonlyArray<string>
}

const own = <A>(table: Readonly<Record<string, A>>, key: string): A | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined

const unitsOf = async (use: ToolUse, tools: ToolInputs): Promise<Taken> => {
  const whole: Unit = { what: use.toolName, tool: use.toolName, input: use.input }
  const shellField = own(tools.shells, use.toolName)
  if (shellField !== undefined) return shellUnits(use, shellField, tools)
  const pathField = own(tools.paths, use.toolName)
  if (pathField === undefined) return { units: [whole], doubts: [] }
  const path = pathOf(use, pathField)
  if (path === undefined)
    return { units: [{ ...whole, isPlaceUnknown: true }], doubts: [`${use.toolName} without ${pathField.field}`] }
  const place = await placeFrom(use.cwd, path)
  const at = { place, isSearch: pathField.isSearch === true }
  return { units: [{ ...whole, what: `${use.toolName} ${path}`, at }], doubts: placeDoubts(path, place) }
}

const placeDoubts = (path: string, { real }: Place): ReadonlyArray<string> =>
  real === undefined ? [`where ${JSON.stringify(path)} leads cannot be determined`] : []

const pathOf = ({ input }: ToolUse, { field, glob, isOptional }: PathField): string | undefined => {
  const value = input[field] ?? (isOptional === true ? "." : undefined)
  const pattern = glob === undefined ? undefined : input[glob]
  if (typeof value !== "string") return undefined
  if (typeof pattern !== "string") return value
  const start = globFolder(pattern)
  return start.startsWith("/") ? start : start === "" ? value : `${value}/${start}`
}

const shellUnits = async ({ cwd, input, toolName }: ToolUse, field: string, tools: ToolInputs): Promise<Taken> => {
  const text = input[field]
  if (typeof text !== "string")
    return { units: [{ what: toolName, tool: toolName, input }], doubts: [`${toolName} without ${field}`] }
  const { commands, doubts, files } = readShellText(text)
  const opened = await Promise.all(files.map((file) => fileUnit(cwd, file, tools)))
  const units = commands.map(
    (command): Unit => ({
      what: command.words.map((word) => word.text).join(" "),
      tool: toolName,
      input,
      command
    })
  )
  const parts = [...units, ...opened.flatMap((file) => file.units)]
  return {
    // A text that runs nothing is a call all the same.
    units: parts.length === 0 ? [{ what: toolName, tool: toolName, input }] : parts,
    doubts: [...doubts, ...opened.flatMap((file) => file.doubts)]
  }
}

/** A redirection is judged like a call of the tool that reads or writes files. */
const fileUnit = async (cwd: string, { access, path }: ShellFile, { files, paths }: ToolInputs): Promise<Taken> => {
  const place = await placeFrom(cwd, path)
  const tool = files[access]
  const field = own(paths, tool)?.field
  const input = field === undefined ? {} : { [field]: path }
  const unit = { what: `${access} ${path}`, tool, input, at: { place, isSearch: false } }
  return { units: [unit], doubts: placeDoubts(path, place) }
}

// --- comparing a part with the rules -----------------------------------------------------------

type Patterns = ReadonlyMap<string, PathPattern>

const patternsOf = async ({ rules }: RuleSet, cwd: string): Promise<Patterns> => {
  const all = new Set(rules.flatMap(({ paths }) => paths ?? []))
  return new Map(
    await Promise.all(
      [...all].map(async (pattern): Promise<[string, PathPattern]> => [pattern, await pathPatternFrom(cwd, pattern)])
    )
  )
}

const judgeUnit = (unit: Unit, { fallback, rules }: RuleSet, patterns: Patterns, cwd: string): PolicyPart => {
  const { what } = unit
  const fitting = rules.flatMap((rule) => findingOf(rule, matchRule(rule, unit, patterns, cwd)))
  const findings = fitting.length === 0 && fallback === "allow" ? mentioned(unit, rules, cwd) : fitting
  const certain = findings.filter(({ effect, match }) => match === "yes" || effect === "ask")
  if (findings.length === 0 && unit.command?.isWrapper === true) return { what, decision: undefined, findings }
  const said = certain.length === 0 ? [fallback] : certain.map(({ effect }) => effect)
  const isUnsure = findings.some(({ match }) => match === "maybe")
  return { what, decision: strictest(isUnsure ? ["ask", ...said] : said), findings }
}

const findingOf = ({ effect, place, reason }: PlacedRule, match: Match): ReadonlyArray<PolicyFinding> =>
  // Perhaps allowed is not allowed.
  match === "no" || (effect === "allow" && match === "maybe") ? [] : [{ place, effect, match, reason }]

/**
 * Where everything that no rule names is allowed, an unknown program may run what follows it:
 * `somewrapper rm x`.
 */
const mentioned = ({ command }: Unit, rules: ReadonlyArray<PlacedRule>, cwd: string): ReadonlyArray<PolicyFinding> => {
  const words = command?.words ?? []
  const isMentioned = (pattern: string): boolean =>
    words.some((_, at) => at > 0 && matchCommand(pattern, words.slice(at), cwd, true) === "yes")
  return rules
    .filter(({ commands, effect }) => effect !== "allow" && commands?.some(isMentioned) === true)
    .flatMap((rule) => findingOf(rule, "maybe"))
}

const matchRule = (rule: PlacedRule, unit: Unit, patterns: Patterns, cwd: string): Match => {
  if (!rule.tools.some((tool) => matchText(tool, unit.tool))) return "no"
  const isStrict = rule.effect !== "allow"
  let match: Match = "yes"
  for (const [field, wanted] of Object.entries(rule.input))
    match = worseMatch(match, matchField(wanted, unit.input, field))
  if (rule.commands !== undefined) {
    const words = unit.command?.words
    match = worseMatch(
      match,
      words === undefined ? "no" : anyOf(rule.commands, (each) => matchCommand(each, words, cwd, isStrict))
    )
  }
  if (rule.paths !== undefined) match = worseMatch(match, matchPaths(rule.paths, unit, patterns, isStrict))
  return match
}

const anyOf = (patterns: ReadonlyArray<string>, matchOne: (pattern: string) => Match): Match =>
  patterns.map(matchOne).reduce(betterMatch, "no")

const matchPaths = (paths: ReadonlyArray<string>, unit: Unit, patterns: Patterns, isStrict: boolean): Match => {
  if (unit.at === undefined) return unit.isPlaceUnknown === true ? "maybe" : "no"
  const { isSearch, place } = unit.at
  return anyOf(paths, (path) => {
    const pattern = patterns.get(path)
    return pattern === undefined ? "no" : matchPlace(pattern, place, isStrict, isSearch)
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
