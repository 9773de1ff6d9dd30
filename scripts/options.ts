/** Writes the tables in the guide to the options of sessions: `npm run options`. */
import { readFileSync, writeFileSync } from "node:fs"
import { withOptionTables } from "./OptionReference.ts"

const guide = new URL("../docs/session-options.md", import.meta.url)
writeFileSync(guide, withOptionTables(readFileSync(guide, "utf8")))
console.log("docs/session-options.md")
