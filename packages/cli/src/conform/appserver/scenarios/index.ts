/** All scenarios, in the order they are played. */
import type { AppServerScenario } from "../Step.ts"
import { questionScenarios } from "./questions.ts"
import { threadScenarios } from "./threads.ts"
import { turnScenarios } from "./turns.ts"
import { wireScenarios } from "./wire.ts"

/** All scenarios. */
export const appServerScenarios: ReadonlyArray<AppServerScenario> = [
  ...wireScenarios,
  ...turnScenarios,
  ...questionScenarios,
  ...threadScenarios
]
