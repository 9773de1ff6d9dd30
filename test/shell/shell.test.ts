/** Every shell command of the README and the documents does what they say, as it is printed. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Shown, shellBlocks } from "./Blocks.ts"
import { makeWorld, type World } from "./World.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

const documents = ["README.md", ...readdirSync(join(root, "docs")).map((name) => join("docs", name))].filter((name) =>
  name.endsWith(".md")
)

/** Of this repository itself: what they do is tested where it is done. */
const ownScripts = /^(?:npm (?:start|test|run|install|ci)\b|git clone\b|cd\b)/

/** `npx agentwire x` and `agentwire x` are the same; what a document repeats need not be. */
const seen = new Set<string>()
const isNew = ({ command }: Shown): boolean => {
  const plain = command.replace(/^npx /, "")
  return !seen.has(plain) && seen.add(plain).size > 0
}

/** The commands of a document go on in one terminal, and what serves stays in another. */
const chapters = documents
  .map((file) => [file, shellBlocks(readFileSync(join(root, file), "utf8")).flat()] as const)
  .map(([file, shown]) => [file, shown.filter((each) => !ownScripts.test(each.command) && isNew(each))] as const)
  .filter(([, shown]) => shown.length > 0)

/** What a command may end with: 0, or what its comment says. */
const expectedCode = ({ comment }: Shown): number => Number(/exit code (\d)/.exec(comment)?.[1] ?? 0)

describe("the commands of", () => {
  let world: World
  beforeAll(async () => {
    world = await makeWorld()
  })
  afterAll(() => world.close())

  it("all documents are found", () => {
    expect(chapters.flatMap(([, shown]) => shown).length).toBeGreaterThan(20)
  })

  describe.each(chapters)("%s", (_, shown) => {
    afterAll(() => world.settle())

    it.each(shown)("line $line: $command", { timeout: 300_000 }, async (each) => {
      const { code, output } = await world.run(each.command)
      expect(code, output).toBe(expectedCode(each))
    })
  })
})
