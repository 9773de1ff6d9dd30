/** Writes the page of conformance rules: `npm run rules`. */
import { writeFileSync } from "node:fs"
import { rules } from "../packages/protocol/src/conform/Catalogue.ts"
import { ruleTable } from "./RuleTable.ts"

const path = new URL("../docs/conformance-rules.md", import.meta.url)

writeFileSync(path, ruleTable(rules))
console.log(`docs/conformance-rules.md: ${rules.length} rules`)
