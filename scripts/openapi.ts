/** Writes the OpenAPI document and the reference in the guide to the management API: `npm run openapi`. */
import { readFileSync, writeFileSync } from "node:fs"
import { withReference } from "./ManagementReference.ts"
import { openApiFile } from "./OpenApiFile.ts"

const guide = new URL("../docs/management-api.md", import.meta.url)

writeFileSync(new URL("../packages/bridge/schema/openapi.json", import.meta.url), openApiFile())
writeFileSync(guide, withReference(readFileSync(guide, "utf8")))
console.log("packages/bridge/schema/openapi.json, docs/management-api.md")
