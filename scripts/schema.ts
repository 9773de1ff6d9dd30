/** Writes the JSON Schema files of the packages: `npm run schema`. */
import { mkdirSync, writeFileSync } from "node:fs"
import { bridgeSchemaFiles, jsonSchemaFiles } from "./JsonSchema.ts"

const packages = { protocol: jsonSchemaFiles(), bridge: bridgeSchemaFiles() }

for (const [name, files] of Object.entries(packages)) {
  const folder = new URL(`../packages/${name}/schema/`, import.meta.url)
  mkdirSync(folder, { recursive: true })
  for (const [file, text] of Object.entries(files)) {
    writeFileSync(new URL(file, folder), text)
    console.log(`packages/${name}/schema/${file}: ${text.length} characters`)
  }
}
