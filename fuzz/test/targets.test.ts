/**
 * A small fixed part of every target, and its whole corpus: what was ever found stays found. `npm run fuzz` searches on.
 */
import { describe, expect, test } from "vitest"
import { keepFinding, readCorpus } from "../Corpus.ts"
import { checkInput, Search } from "../Search.ts"
import { targets } from "../targets/index.ts"

const seed = 1
const runs = 60

describe.each(targets)("$name: $law", (target) => {
  const corpus = readCorpus(target.name)

  test("there is something to begin with", () => {
    expect(corpus.length).toBeGreaterThan(0)
  })

  test.each(corpus.map(({ file, input }) => [file.split("/").at(-1) ?? "", input] as const))("%s", async (_, input) => {
    expect(await checkInput(target, input)).toMatchObject({ _tag: "Held" })
  })

  test(`${runs} inputs of --seed ${seed}`, async () => {
    const search = new Search(
      target,
      corpus.map(({ input }) => input),
      seed
    )
    for (let run = corpus.length; run < corpus.length + runs; run++) {
      const input = search.next(run)
      const outcome = await search.check(input)
      if (outcome._tag === "Broken") expect.fail(`${outcome.message}\n\nkept as ${keepFinding(target.name, input)}`)
    }
  })
})
