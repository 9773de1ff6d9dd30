/** Writes the JSON Schema files of `@agentwire/protocol`: `npm run schema`. */
import { mkdirSync, writeFileSync } from "node:fs"
import { jsonSchemaFiles } from "./JsonSchema.ts"

const folder = new URL("../packages/protocol/schema/", import.meta.url)

mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries(jsonSchemaFiles())) {
  writeFileSync(new URL(name, folder), text)
  console.log(`packages/protocol/schema/${name}: ${text.length} characters`)
}
