/**
 * Every rule there is, and the families of checks in the order they look at an event.
 */
import type { Rule } from "./Rule.ts"
import { activityChecks, activityRules } from "./rules/Activity.ts"
import { chunkRules } from "./rules/Chunk.ts"
import { customRules } from "./rules/Custom.ts"
import { fidelityRules } from "./rules/Fidelity.ts"
import { identityChecks, identityRules } from "./rules/Identity.ts"
import { interruptChecks, interruptRules } from "./rules/Interrupt.ts"
import { messagesChecks, messagesRules } from "./rules/Messages.ts"
import { reasoningChecks, reasoningRules } from "./rules/Reasoning.ts"
import { runChecks, runRules } from "./rules/Run.ts"
import { schemaRules } from "./rules/Schema.ts"
import { stateChecks, stateRules } from "./rules/State.ts"
import { stepChecks, stepRules } from "./rules/Step.ts"
import { subagentChecks, subagentRules } from "./rules/Subagent.ts"
import { textChecks, textRules } from "./rules/Text.ts"
import { toolCallChecks, toolCallRules } from "./rules/ToolCall.ts"
import { toolResultChecks, toolResultRules } from "./rules/ToolResult.ts"
import { usageChecks, usageRules } from "./rules/Usage.ts"
import { versionChecks, versionRules } from "./rules/Version.ts"
import { wireRules } from "./rules/Wire.ts"
import type { Checks } from "./Stream.ts"

/** The families that look at events. At RUN_FINISHED, what is still open is reported in this order. */
export const families: ReadonlyArray<Checks> = [
  runChecks,
  identityChecks,
  versionChecks,
  stepChecks,
  textChecks,
  reasoningChecks,
  toolCallChecks,
  toolResultChecks,
  subagentChecks,
  stateChecks,
  messagesChecks,
  activityChecks,
  interruptChecks,
  usageChecks
]

/** Every rule, in the order of families and ids. */
export const rules: ReadonlyArray<Rule> = [
  runRules,
  identityRules,
  versionRules,
  textRules,
  toolCallRules,
  toolResultRules,
  reasoningRules,
  stateRules,
  messagesRules,
  activityRules,
  stepRules,
  subagentRules,
  interruptRules,
  chunkRules,
  customRules,
  usageRules,
  wireRules,
  fidelityRules,
  schemaRules
].flatMap((table) => Object.values<Rule>(table))
