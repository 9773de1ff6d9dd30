/** Live conformance: scenarios played to an AG-UI server at a URL, and to the CLI of a runtime. */
import { allScenarios } from "./scenarios/index.ts"

export { cliRules } from "./cli/CliRules.ts"
export { type CliSubject, cliScenarios, judgeSession, runCli } from "./cli/index.ts"
export { type LiveRuleId, liveRules } from "./LiveRules.ts"
export { type LiveSelection, runLive } from "./Runner.ts"
export type { LiveTarget, Transport } from "./Target.ts"

/** The scenarios that {@link runLive} plays, and what they need of the model. */
export const liveScenarios: ReadonlyArray<{ readonly id: string; readonly title: string; readonly needs?: string }> =
  allScenarios.map(({ id, needs, title }) => ({ id, title, ...(needs !== undefined && { needs }) }))
