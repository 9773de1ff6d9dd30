import { expect, it } from "vitest"
import { compareVersions } from "../../src/wire/CompareVersions.ts"

it("compares versions number by number, as programs print them", () => {
  expect(compareVersions("0.160.1", "0.166.0")).toBeLessThan(0)
  expect(compareVersions("codex-cli 0.166.0", "0.166.0")).toBe(0)
  expect(compareVersions("2.1.9", "2.1.150 (Claude Code)")).toBeLessThan(0)
  expect(compareVersions("1.2", "1.2.0")).toBe(0)
  expect(compareVersions("1.10", "1.9")).toBeGreaterThan(0)
  expect(compareVersions("no version", "0.0.1")).toBeLessThan(0)
})
