/** Conformance of servers that speak Codex's app-server protocol: the rules, and what finds them broken. */
export * from "./Checker.ts"
export { type RuleId as AppServerRuleId, rules as appServerRules } from "./Rules.ts"
