/** Writes `docs/protocol/*.md`: `npm run reference`. */
import { mkdirSync, writeFileSync } from "node:fs"
import { protocolReference } from "./ProtocolReference.ts"

const folder = new URL("../docs/protocol/", import.meta.url)
mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries(protocolReference())) writeFileSync(new URL(name, folder), text)
