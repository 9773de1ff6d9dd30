/** Writes the pages of conformance rules: `npm run rules`. */
import { writeFileSync } from "node:fs"
import { appServerRuleList } from "../packages/cli/src/conform/appserver/index.ts"
import { rules } from "../packages/protocol/src/conform/Catalogue.ts"
import { appServerPage } from "./AppServerConformance.ts"
import { ruleTable } from "./RuleTable.ts"

const path = new URL("../docs/conformance-rules.md", import.meta.url)

writeFileSync(path, ruleTable(rules))
console.log(`docs/conformance-rules.md: ${rules.length} rules`)

const appServerFile = new URL("../docs/app-server-conformance.md", import.meta.url)

writeFileSync(appServerFile, appServerPage)
console.log(`docs/app-server-conformance.md: ${appServerRuleList.length} rules`)
