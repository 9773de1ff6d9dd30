/** Conformance of servers that speak Codex's app-server protocol: scenarios that are played to a command or a URL. */
export { appServerRuleList } from "./Rules.ts"
export { runAppServer } from "./Runner.ts"
export type { AppServerScenario } from "./Step.ts"
export { appServerScenarios } from "./scenarios/index.ts"
export { type AppServerTarget, appServerTarget } from "./Target.ts"
