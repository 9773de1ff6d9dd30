/** The rules of a policy file in the form in which calls are compared with them. */
import * as Result from "effect/Result"
import { commandPatternProblem } from "./CommandPattern.ts"
import { matchText } from "./Match.ts"
import { pathPatternProblem } from "./PathPattern.ts"
import {
  jsonPathOf,
  type PolicyFile,
  type PolicyInvalid,
  type PolicyProblem,
  parsePolicyFile,
  policyInvalid,
  type Rule,
  type Verdict,
  verdicts
} from "./PolicyFile.ts"
import type { ToolInputs } from "./ToolInputs.ts"

/** A rule, and where it stands. */
export interface PlacedRule {
  readonly effect: Verdict
  /** A JSON path in the file. */
  readonly place: string
  readonly tools: ReadonlyArray<string>
  readonly paths: ReadonlyArray<string> | undefined
  readonly commands: ReadonlyArray<string> | undefined
  readonly input: NonNullable<Rule["input"]>
  readonly reason: string | undefined
}

/** The rules of a session. */
export interface RuleSet {
  readonly rules: ReadonlyArray<PlacedRule>
  /** What happens to a call that no rule fits. */
  readonly fallback: Verdict
}

/** A policy that was read: the rules without a mode, and those of each mode with them. */
export interface PolicyRules {
  /** The tools that the rules are about. */
  readonly tools: ToolInputs
  readonly base: RuleSet
  readonly modes: ReadonlyMap<string, RuleSet>
}

/** Reads the text of a policy file, for an agent with these tools. */
export const readPolicy = (text: string, tools: ToolInputs): Result.Result<PolicyRules, PolicyInvalid> =>
  Result.flatMap(parsePolicyFile(text), (file) => {
    const policy = rulesOf(file, tools)
    const sets = [policy.base, ...policy.modes.values()]
    const rules = new Set(sets.flatMap((set) => set.rules))
    const problems = [...rules].flatMap((rule) => problemsOf(rule, tools))
    return problems.length === 0 ? Result.succeed(policy) : Result.fail(policyInvalid(problems))
  })

const rulesOf = (file: PolicyFile, tools: ToolInputs): PolicyRules => {
  const base: RuleSet = { rules: placed(file, [], tools), fallback: file.default ?? "ask" }
  const modes = Object.entries(file.modes ?? {}).map(([name, mode]): [string, RuleSet] => [
    name,
    { rules: [...base.rules, ...placed(mode, ["modes", name], tools)], fallback: mode.default ?? base.fallback }
  ])
  return { tools, base, modes: new Map(modes) }
}

type Lists = { readonly [V in Verdict]?: ReadonlyArray<Rule> }

const placed = (
  lists: Lists,
  parent: ReadonlyArray<string>,
  { likewise = {} }: ToolInputs
): ReadonlyArray<PlacedRule> =>
  verdicts.flatMap((effect) =>
    (lists[effect] ?? []).map((rule, index) => ({
      effect,
      place: jsonPathOf([...parent, effect, index]),
      tools: [...listOf(rule.tool), ...meantBy(listOf(rule.tool), effect, likewise)],
      paths: rule.path === undefined ? undefined : listOf(rule.path),
      commands: rule.command === undefined ? undefined : listOf(rule.command),
      input: rule.input ?? {},
      reason: rule.reason
    }))
  )

/** The tools of this agent that a rule means by the names of another's. */
const meantBy = (
  patterns: ReadonlyArray<string>,
  effect: Verdict,
  likewise: NonNullable<ToolInputs["likewise"]>
): ReadonlyArray<string> =>
  Object.entries(likewise).flatMap(([own, { all, any }]) => {
    const isNamed = (name: string): boolean => patterns.some((pattern) => matchText(pattern, name))
    return !isNamed(own) && (effect === "allow" ? [all] : any).some(isNamed) ? [own] : []
  })

const listOf = (value: string | ReadonlyArray<string>): ReadonlyArray<string> =>
  typeof value === "string" ? [value] : value

/** What rules may call a tool. */
const namesOf = (tool: string, { likewise = {} }: ToolInputs): ReadonlyArray<string> => [
  tool,
  ...(Object.hasOwn(likewise, tool) ? (likewise[tool]?.any ?? []) : [])
]

/** What would make a rule fit nothing, or not what was meant. */
const problemsOf = (
  { commands, paths, place, tools }: PlacedRule,
  inputs: ToolInputs
): ReadonlyArray<PolicyProblem> => {
  const foreign = (field: string, table: Readonly<Record<string, unknown>>): ReadonlyArray<PolicyProblem> =>
    tools
      .filter((tool) => !Object.keys(table).some((name) => namesOf(name, inputs).some((each) => matchText(tool, each))))
      .map((tool) => ({
        place: `${place}.${field}`,
        message: `${tool} has no ${field} to compare. Tools that have one: ${Object.keys(table).join(", ")}.`
      }))
  const wrong = (
    field: string,
    patterns: ReadonlyArray<string>,
    problem: (pattern: string) => string | undefined
  ): ReadonlyArray<PolicyProblem> =>
    patterns.flatMap((pattern) => {
      const message = problem(pattern)
      return message === undefined ? [] : [{ place: `${place}.${field}`, message: `"${pattern}": ${message}` }]
    })
  return [
    ...(paths === undefined ? [] : foreign("path", inputs.paths)),
    ...(commands === undefined ? [] : foreign("command", inputs.shells)),
    ...(paths !== undefined && commands !== undefined
      ? [{ place, message: "A rule has a path or a command, not both." }]
      : []),
    ...wrong("path", paths ?? [], pathPatternProblem),
    ...wrong("command", commands ?? [], commandPatternProblem)
  ]
}
