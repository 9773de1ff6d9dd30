import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { type Progress, runCampaign } from "../Campaign.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-fuzz-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** A campaign that ends with its first finding, or with a number of runs. */
const run = async (target: string): Promise<Progress> => {
  mkdirSync(join(folder, target), { recursive: true })
  writeFileSync(join(folder, target, "hay.input"), '{"hay":"hay"}\n{"more":["hay"]}\n')
  const stop = new AbortController()
  return runCampaign({
    target,
    module: new URL("./Planted.ts", import.meta.url).href,
    corpus: folder,
    seed: 1,
    durationMs: 600_000,
    limitMs: 300,
    signal: stop.signal,
    onProgress: ({ findings, runs }) => {
      if (findings.length > 0 || runs > 2000) stop.abort()
    }
  })
}

describe("a campaign", () => {
  test("ends without findings where the law holds", async () => {
    const { findings, runs } = await run("sound")
    expect(findings).toEqual([])
    expect(runs).toBeGreaterThan(2000)
  })

  test.each([
    ["breaks", "LawBroken, no needle"],
    ["throws", "SyntaxError"],
    ["hangs", "it takes too long"]
  ])("finds a target that %s, and keeps the smallest input that does it", async (target, signature) => {
    const { findings } = await run(target)
    expect(findings[0]?.signature).toContain(signature)
    expect(readFileSync(findings[0]?.file ?? "", "utf8")).toContain("needle")
    // A hang is only tried a few times.
    expect(findings[0]?.bytes).toBeLessThanOrEqual(target === "hangs" ? 100 : "needle".length)
  })
})
