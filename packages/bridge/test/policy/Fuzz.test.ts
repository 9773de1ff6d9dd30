import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { corpusTexts } from "../../../../fuzz/policy/Corpus.ts"
import { type Finding, fuzz, inSandbox } from "../../../../fuzz/policy/Fuzz.ts"
import { unlisted } from "../../../../fuzz/policy/Judge.ts"
import { minimised } from "../../../../fuzz/policy/Minimise.ts"
import { makeSandbox, type Run, type Sandbox } from "../../../../fuzz/policy/Sandbox.ts"
import { readShellText } from "../../src/policy/shell/ShellText.ts"

describe("what the real bash runs", () => {
  let sandbox: Sandbox
  beforeAll(() => {
    sandbox = makeSandbox()
  })
  afterAll(() => sandbox.close())

  /** What ran and was not listed, though there was no doubt. */
  const missedIn = (texts: ReadonlyArray<string>, runs: ReadonlyArray<Run>): ReadonlyArray<string> =>
    texts.filter((text, at) => {
      const reading = readShellText(text)
      const run = runs[at]
      return run === undefined || (reading.doubts.length === 0 && unlisted(reading, run) !== undefined)
    })

  it("is listed, or there is a doubt, in all that once got past", async () => {
    const texts = corpusTexts("evasions")
    const runs = await sandbox.run(texts)
    expect(missedIn(texts, runs)).toEqual([])
    // They are worth nothing when they do not work.
    const working = runs.filter(({ calls }) => calls.some((call) => call.includes("rm")))
    expect(working.length).toBeGreaterThan(texts.length / 2)
  })

  it("is listed, or there is a doubt, in texts that others thought up", async () => {
    const texts = (["writing", "revealing", "looking"] as const).flatMap(corpusTexts).map(inSandbox)
    const runs = await sandbox.run(texts)
    expect(missedIn(texts, runs)).toEqual([])
    expect(runs.filter(({ calls }) => calls.length > 0).length).toBeGreaterThan(texts.length / 3)
  })

  it("is listed, or there is a doubt, in texts that a machine made", async () => {
    const findings: Array<Finding> = []
    // The same texts at each run: what only another million would find must not fail the build of somebody else.
    const { calls } = await fuzz({
      seed: 22,
      sandbox,
      isEnough: ({ texts }) => texts >= 3000,
      onFinding: (finding) => findings.push(finding)
    })
    expect(findings).toEqual([])
    expect(calls).toBeGreaterThan(100)
  })

  it("is told, with all files that are written, and ends", async () => {
    const [plain, quick, slow, after] = await sandbox.run([
      "rm 'a b' | nowhere; echo x > made; env rm c",
      "rm x &",
      "while :; do :; done",
      "rm y"
    ])
    expect(plain?.calls).toEqual(expect.arrayContaining([["rm", "a b"], ["nowhere"], ["rm", "c"]]))
    expect(plain?.files).toEqual(["made"])
    expect(quick?.calls).toEqual([["rm", "x"]])
    expect(slow?.calls).toEqual([])
    expect(after?.calls).toEqual([["rm", "y"]])
  })

  it("is shown in the shortest text", async () => {
    expect(await minimised("a very long text with (x) in it", async (text) => /\(x\)/.test(text))).toBe("(x)")
  })
})
