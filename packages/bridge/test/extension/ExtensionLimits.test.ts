/** What is not chosen has its default. */
import * as Schema from "effect/Schema"
import { expect, it } from "vitest"
import { ChosenLimits, defaultExtensionLimits, limitsFor } from "../../src/extension/ExtensionLimits.ts"

it("limits are those that are chosen, and the others as they are", () => {
  expect(limitsFor()).toEqual(defaultExtensionLimits)
  expect(limitsFor({ methodMs: 1 })).toEqual({ ...defaultExtensionLimits, methodMs: 1 })
  const isLimits = Schema.is(ChosenLimits)
  expect(
    [{}, { methodMs: 5 }, { methodMs: 0 }, { methodMs: 1.5 }, { methodMs: "5" }].map((each) => isLimits(each))
  ).toEqual([true, true, false, false, false])
})
