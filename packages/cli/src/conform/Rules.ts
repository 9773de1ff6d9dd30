/** Every rule a report can name: those of the protocol, those of the live scenarios, and the one of our own. */
import * as Conform from "@agentwire/protocol/conform"
import { appServerRuleList } from "./appserver/Rules.ts"
import { cliRules } from "./live/cli/CliRules.ts"
import { liveRules } from "./live/LiveRules.ts"

/** What an entry of the file of expected failures breaks when nothing fails for it any more. */
export const staleRule = {
  id: "EXPECTED-001",
  level: "error",
  requirement: "What the file of expected failures lists still fails."
} as const

/** Every rule of the catalogue. */
export const rules: ReadonlyArray<Conform.Rule> = [
  ...Conform.rules,
  ...Object.values(liveRules),
  ...Object.values(cliRules),
  ...appServerRuleList
]

/** Their ids. */
export const ruleIds: ReadonlyArray<string> = rules.map(({ id }) => id)

const byId: ReadonlyMap<string, Conform.Rule> = new Map(rules.map((rule) => [rule.id, rule]))

/** What a rule demands; undefined for the id of a scenario. */
export const requirementOf = (id: string): string | undefined =>
  id === staleRule.id ? staleRule.requirement : byId.get(id)?.requirement

/** Where a rule comes from. */
export const specOf = (id: string): string | undefined => byId.get(id)?.spec
