/**
 * Steps: opened and closed by owner and name.
 */
import { quote } from "../Finding.ts"
import { rulesOf } from "../Rule.ts"
import type { Checks, Owner } from "../Stream.ts"

const steps = "1.0 events/lifecycle#steps; client 1.0.0 verifyEvents; client 0.0.59 verifyEvents"

/** The rules of steps. */
export const stepRules = rulesOf("step", {
  "AGUI-STEP-001": {
    level: "error",
    requirement: "STEP_STARTED does not name a step its owner has open.",
    spec: steps
  },
  "AGUI-STEP-002": {
    level: "error",
    requirement: "STEP_FINISHED names an open step.",
    spec: steps
  },
  "AGUI-STEP-003": {
    level: "error",
    requirement: "A step is finished by whoever started it.",
    spec: steps
  },
  "AGUI-STEP-004": {
    level: "error",
    requirement: "RUN_FINISHED does not come while a step is open.",
    spec: steps
  }
})

const by = (owner: Owner): string => (owner === undefined ? "the agent itself" : `subagent ${quote(owner)}`)

/** Looks at steps. */
export const stepChecks: Checks = {
  on: {
    STEP_STARTED: ({ stepName, subagentRunId: owner }, stream) => {
      const open = stream.steps.get(owner)
      if (open === undefined) stream.steps.set(owner, new Set([stepName]))
      else if (open.has(stepName))
        stream.report(stepRules["AGUI-STEP-001"], `Step ${quote(stepName)} is open already for ${by(owner)}.`)
      else open.add(stepName)
    },
    STEP_FINISHED: ({ stepName, subagentRunId: owner }, stream) => {
      const open = stream.steps.get(owner)
      if (open?.delete(stepName) === true) {
        if (open.size === 0) stream.steps.delete(owner)
        return
      }
      for (const [other, names] of stream.steps) {
        if (!names.delete(stepName)) continue
        if (names.size === 0) stream.steps.delete(other)
        stream.report(
          stepRules["AGUI-STEP-003"],
          `Step ${quote(stepName)} is finished by ${by(owner)}; ${by(other)} started it.`
        )
        return
      }
      stream.report(stepRules["AGUI-STEP-002"], `Step ${quote(stepName)} is not open.`)
    },
    RUN_FINISHED: (_event, stream) => {
      const open = [...stream.steps.values()].flatMap((names) => [...names])
      if (open.length > 0)
        stream.report(
          stepRules["AGUI-STEP-004"],
          `RUN_FINISHED while steps are open: ${open.slice(0, 5).map(quote).join(", ")}.`
        )
    }
  }
}
