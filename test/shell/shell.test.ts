/**
 * Every shell command of the documents does what they say, as it is printed. The documents are read side by side, by
 * readers with a machine each; the commands of one document go on in one terminal, and what serves stays in another.
 * Those of the README: test/clone.test.ts.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, it } from "vitest"
import { sweeping } from "../../packages/fixtures/test/Sweep.ts"
import { asPlayed, expectedCode, isOwnScript, type Shown, shellBlocks, withoutNpx } from "./Blocks.ts"
import { makeWorld } from "./World.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

const shownIn = (file: string): ReadonlyArray<Shown> => shellBlocks(readFileSync(join(root, file), "utf8")).flat()

const documents = readdirSync(join(root, "docs"))
  .filter((name) => name.endsWith(".md"))
  .map((name) => join("docs", name))

/** What a document repeats, of itself, of another or of the README, need not be. */
const seen = new Set(shownIn("README.md").map(withoutNpx))
const isNew = (shown: Shown): boolean => !seen.has(withoutNpx(shown)) && seen.add(withoutNpx(shown)).size > 0

/** It judges a real CLI and a server by everything there is, which takes longer than all others together. */
const patient = join("docs", "conformance.md")

/** What later commands of the same terminal stand on: variables, and a server that stays. */
const isGround = ({ command }: Shown): boolean => /^(?:export )?\w+=|&$/.test(command)

/** The commands of a document that are new, and what they stand on. */
const toPlay = (file: string): ReadonlyArray<Shown> => {
  const shown = shownIn(file).filter((each) => !isOwnScript(each))
  const fresh = new Set(shown.filter(isNew))
  return shown.filter(
    (each, index) => fresh.has(each) || (isGround(each) && shown.slice(index).some((later) => fresh.has(later)))
  )
}

const chapters = documents
  .filter((file) => sweeping || file !== patient)
  .map((file) => [file, toPlay(file)] as const)
  .filter(([, shown]) => shown.length > 0)

describe.concurrent("the commands of", () => {
  it("all documents are found", ({ expect }) => {
    expect(chapters.flatMap(([, shown]) => shown).length).toBeGreaterThan(10)
  })

  it.for(chapters)("%s", { timeout: 900_000 }, async ([, shown], { expect }) => {
    const world = await makeWorld()
    try {
      for (const each of shown) {
        const { code, output } = await world.run(asPlayed(each.command))
        expect.soft(code, `line ${each.line}: ${each.command}\n${output}`).toBe(expectedCode(each))
      }
    } finally {
      await world.close()
    }
  })
})
