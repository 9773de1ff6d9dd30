/** The pages of rules are made from the catalogues. */
import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { appServerPage } from "../../../../scripts/AppServerConformance.ts"
import { ruleTable } from "../../../../scripts/RuleTable.ts"
import { rules } from "../../src/conform/Catalogue.ts"

test("docs/conformance-rules.md is current (`npm run rules` writes it)", () => {
  const page = readFileSync(new URL("../../../../docs/conformance-rules.md", import.meta.url), "utf8")
  expect(page).toBe(ruleTable(rules))
  for (const { id } of rules) expect(page).toContain(`| ${id} |`)
})

test("docs/app-server-conformance.md is current (`npm run rules` writes it)", () => {
  const page = readFileSync(new URL("../../../../docs/app-server-conformance.md", import.meta.url), "utf8")
  expect(page).toBe(appServerPage)
})
