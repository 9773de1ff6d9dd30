/** `agentwire conform --list`: the rules and scenarios there are, or those that the other options leave. */
import type { Conform } from "@agentwire/protocol"
import { columns, type Input } from "../Command.ts"
import type { Console } from "../Console.ts"
import { dialectOption } from "./Options.ts"
import { ruleIds, rules } from "./Rules.ts"
import { selectionOf } from "./Selection.ts"

/** A scenario as the list shows it. */
export interface ListedScenario {
  readonly id: string
  readonly title: string
  /** What the server must provide for it. */
  readonly needs?: string
}

/** Writes the list. */
export const writeList = async (
  input: Input,
  scenarios: ReadonlyArray<ListedScenario>,
  console: Console
): Promise<void> => {
  const { lists, values } = input
  const known = { rules: ruleIds, scenarios: scenarios.map(({ id }) => id) }
  const selection = selectionOf(lists["only"] ?? [], lists["skip"] ?? [], known)
  const dialect = dialectOption(input)
  const chosenRules = rules.filter(
    ({ dialects, id }) => selection.id(id) && (dialect === undefined || dialects.includes(dialect))
  )
  const chosenScenarios = scenarios.filter(({ id }) => selection.id(id))
  await console.out(
    values["json"] === true ? asJson(chosenRules, chosenScenarios) : asText(chosenRules, chosenScenarios)
  )
}

const asJson = (rules: ReadonlyArray<Conform.Rule>, scenarios: ReadonlyArray<ListedScenario>): string =>
  [
    ...rules.map(({ id, ...rule }) => JSON.stringify({ rule: id, ...rule })),
    ...scenarios.map(({ id, ...scenario }) => JSON.stringify({ scenario: id, ...scenario }))
  ].join("\n")

const asText = (rules: ReadonlyArray<Conform.Rule>, scenarios: ReadonlyArray<ListedScenario>): string => {
  const families = [...new Set(rules.map(({ family }) => family))]
  const width = Math.max(0, ...rules.map(({ id }) => id.length))
  return [
    ...families.map((family) => {
      const rows = rules.filter((rule) => rule.family === family)
      return `Rules: ${family}\n${columns(rows.map((rule) => [`${rule.id.padEnd(width)}  ${rule.level.padEnd(7)}`, aboutRule(rule)]))}`
    }),
    ...(scenarios.length === 0 ? [] : [`Scenarios\n${columns(scenarios.map((one) => [one.id, aboutScenario(one)]))}`])
  ].join("\n\n")
}

const aboutRule = ({ dialects, requirement, spec }: Conform.Rule): string =>
  `${requirement} [${spec}]${dialects.length === 1 ? ` (dialect ${dialects[0]} only)` : ""}`

const aboutScenario = ({ needs, title }: ListedScenario): string =>
  needs === undefined ? title : `${title} (needs ${needs})`
