/** So many lines in a second, and the others are counted. */
import { expect, it } from "vitest"
import { LogBudget } from "../../src/extension/LogBudget.ts"

it("LogBudget lets so many through in each second", () => {
  let now = 0
  let dropped = 0
  const budget = new LogBudget(
    2,
    (count) => (dropped += count),
    () => now
  )
  expect([budget.takeLine(), budget.takeLine(), budget.takeLine(), budget.takeLine()]).toEqual([
    true,
    true,
    false,
    false
  ])
  now = 1000
  expect(budget.takeLine()).toBe(true)
  expect(dropped).toBe(2)
})
