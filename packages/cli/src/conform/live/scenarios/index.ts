/** Every live scenario, in the order they are played. */
import type { LiveScenario } from "../LiveScenario.ts"
import { answers } from "./answers.ts"
import { endings } from "./endings.ts"
import { history } from "./history.ts"
import { input } from "./input.ts"
import { interrupts } from "./interrupts.ts"
import { threads } from "./threads.ts"
import { tools } from "./tools.ts"

/** Every live scenario. */
export const allScenarios: ReadonlyArray<LiveScenario> = [
  ...answers,
  ...tools,
  ...endings,
  ...threads,
  ...interrupts,
  ...history,
  ...input
]
