/** Every shell command of the documents does what they say, as it is printed. Those of the README: test/clone.test.ts. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { expectedCode, isOwnScript, type Shown, shellBlocks, withoutNpx } from "./Blocks.ts"
import { makeWorld, type World } from "./World.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

const shownIn = (file: string): ReadonlyArray<Shown> => shellBlocks(readFileSync(join(root, file), "utf8")).flat()

const documents = readdirSync(join(root, "docs"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => join("docs", name))

/** What a document repeats, of itself, of another or of the README, need not be. */
const seen = new Set(shownIn("README.md").map(withoutNpx))
const isNew = (shown: Shown): boolean => !seen.has(withoutNpx(shown)) && seen.add(withoutNpx(shown)).size > 0

/** The commands of a document go on in one terminal, and what serves stays in another. */
const chapters = documents
  .map((file) => [file, shownIn(file).filter((each) => !isOwnScript(each) && isNew(each))] as const)
  .filter(([, shown]) => shown.length > 0)

describe("the commands of", () => {
  let world: World
  beforeAll(async () => {
    world = await makeWorld()
  })
  afterAll(() => world.close())

  it("all documents are found", () => {
    expect(chapters.flatMap(([, shown]) => shown).length).toBeGreaterThan(10)
  })

  describe.each(chapters)("%s", (_, shown) => {
    afterAll(() => world.settle())

    it.each(shown)("line $line: $command", { timeout: 300_000 }, async (each) => {
      const { code, output } = await world.run(each.command)
      expect(code, output).toBe(expectedCode(each))
    })
  })
})
