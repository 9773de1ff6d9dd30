/** Writes `packages/protocol/mapping.md`: `npm run mapping`. */
import { writeFileSync } from "node:fs"
import { mappingText } from "./Mapping.ts"

writeFileSync(new URL("../packages/protocol/mapping.md", import.meta.url), mappingText())
