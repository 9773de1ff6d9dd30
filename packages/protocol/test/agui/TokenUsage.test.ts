import { expect, test } from "vitest"
import { TokenUsage } from "../../src/agui/TokenUsage.ts"
import { issues, wrongAt } from "./Decode.ts"

test("every field is optional", () => expect(issues(TokenUsage, {})).toEqual([]))

test.each([-1, 1.5, 2 ** 53, "1", null])("%j is no count", (count) => {
  const usage = { inputTokens: count, outputTokens: count, cacheWriteInputTokens: count }
  expect(wrongAt(TokenUsage, usage)).toEqual(["inputTokens", "outputTokens", "cacheWriteInputTokens"])
})
