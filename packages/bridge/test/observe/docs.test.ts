/** The page on observability has what there is, and nothing else. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { metrics } from "../../src/observe/Metrics.ts"

const page = readFileSync(new URL("../../../../docs/observability.md", import.meta.url), "utf8")

describe("docs/observability.md", () => {
  it("has a row for each metric, with its kind and its labels", () => {
    const rows = [...page.matchAll(/^\| `(agentwire_\w+)` \| (\w+) \|(.*?)\| /gm)].map(
      ([, name, kind, labels = ""]) => ({
        name,
        kind,
        labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label)
      })
    )
    const all = Object.values(metrics).map((series) => {
      const { attributes = {}, id, type } = series("docs", "docs", "docs")
      return { name: id, kind: type.toLowerCase(), labels: Object.keys(attributes) }
    })
    const byName = (a: { readonly name?: string | undefined }, b: { readonly name?: string | undefined }) =>
      String(a.name).localeCompare(String(b.name))
    expect(rows.sort(byName)).toEqual(all.sort(byName))
  })
})
