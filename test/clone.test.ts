/** A fresh clone: `npm start` sets it up, and then every command of the README does what it says, with npm's own `npx`. */
import { readFileSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { sweeping } from "../packages/fixtures/test/Sweep.ts"
import { asPlayed, expectedCode, isOwnScript, shellBlocks } from "./shell/Blocks.ts"
import { makeClone } from "./shell/Clone.ts"
import { makeWorld, type World } from "./shell/World.ts"

const shown = shellBlocks(readFileSync(new URL("../README.md", import.meta.url), "utf8"))
  .flat()
  .filter((each) => !isOwnScript(each))

describe("in a fresh clone", () => {
  let clone: string
  let world: World
  beforeAll(async () => {
    clone = makeClone()
    world = await makeWorld({ clone })
  })
  afterAll(async () => {
    await world.close()
    rmSync(dirname(clone), { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  })

  it("the command says what to do before anything is built", async () => {
    const { code, output } = await world.run("npx agentwire --version")
    expect(code, output).toBe(2)
    expect(output).toContain("agentwire is not built yet. Run `npm start` or `npm run build` in the checkout first.")
  })

  it("npm start builds and serves", { timeout: 300_000 }, async () => {
    const { code, output } = await world.run("npm start -- --port 0")
    expect(code, output).toBe(0)
    expect(output).toContain("Building the packages")
    expect(output).not.toContain("Installing")
    expect(output).toMatch(/Listens at +http:/)
  })

  it("the README shows commands", () => {
    expect(shown.filter(({ command }) => command.startsWith("npx agentwire ")).length).toBeGreaterThanOrEqual(20)
  })

  it.each(shown)("line $line: $command", { timeout: 300_000 }, async (each) => {
    const played = asPlayed(each.command)
    // npx takes as long as the command, to find the link that its first finds have shown to be there.
    const isFound = !sweeping && shown.indexOf(each) >= 3
    const link = join(clone, "node_modules", ".bin", "agentwire")
    const { code, output } = await world.run(isFound ? played.replaceAll("npx agentwire", link) : played)
    expect(code, output).toBe(expectedCode(each))
  })
})
