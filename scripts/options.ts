/** Writes the tables in the guides to the options of sessions, to what agents can do and to the gateway: `npm run options`. */
import { readFileSync, writeFileSync } from "node:fs"
import { withCapabilityTable } from "./CapabilityTable.ts"
import { withGatewayTables } from "./GatewayReference.ts"
import { withOptionTables } from "./OptionReference.ts"

const guide = new URL("../docs/session-options.md", import.meta.url)
writeFileSync(guide, withOptionTables(readFileSync(guide, "utf8")))
console.log("docs/session-options.md")

const capabilities = new URL("../docs/capabilities.md", import.meta.url)
writeFileSync(capabilities, withCapabilityTable(readFileSync(capabilities, "utf8")))
console.log("docs/capabilities.md")

const gateway = new URL("../docs/gateway.md", import.meta.url)
writeFileSync(gateway, withGatewayTables(readFileSync(gateway, "utf8")))
console.log("docs/gateway.md")
