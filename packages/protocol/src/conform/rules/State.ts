/**
 * State: deltas apply to what the client holds.
 */
import * as Result from "effect/Result"
import { applyPatch } from "../../agui/Patch.ts"
import { rulesOf } from "../Rule.ts"
import type { Checks } from "../Stream.ts"

/** The rules of state. */
export const stateRules = rulesOf("state", {
  "AGUI-STATE-001": {
    level: "warning",
    requirement: "STATE_DELTA applies to the state the client holds: it keeps the old one otherwise.",
    spec: "1.0 basic/patterns/snapshots#when-a-patch-does-not-apply"
  }
})

/** Looks at state. Where neither request nor snapshot said what it is, deltas cannot be judged. */
export const stateChecks: Checks = {
  on: {
    RUN_STARTED: ({ input }, stream) => {
      if (input !== undefined) stream.state = { value: input.state ?? {} }
    },
    STATE_SNAPSHOT: ({ snapshot }, stream) => {
      stream.state = { value: snapshot }
    },
    STATE_DELTA: ({ delta }, stream) => {
      if (stream.state === undefined) return
      const applied = applyPatch(stream.state.value, delta)
      if (Result.isSuccess(applied)) stream.state = { value: applied.success }
      else
        stream.report(
          stateRules["AGUI-STATE-001"],
          `The patch does not apply to the current state: ${applied.failure}.`
        )
    }
  }
}
