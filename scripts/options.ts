/** Writes the tables in the guides to the options of sessions and to what agents can do: `npm run options`. */
import { readFileSync, writeFileSync } from "node:fs"
import { withCapabilityTable } from "./CapabilityTable.ts"
import { withOptionTables } from "./OptionReference.ts"

const guide = new URL("../docs/session-options.md", import.meta.url)
writeFileSync(guide, withOptionTables(readFileSync(guide, "utf8")))
console.log("docs/session-options.md")

const capabilities = new URL("../docs/capabilities.md", import.meta.url)
writeFileSync(capabilities, withCapabilityTable(readFileSync(capabilities, "utf8")))
console.log("docs/capabilities.md")
