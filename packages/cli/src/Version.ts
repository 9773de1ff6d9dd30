/** Which agentwire this is. */
import { createRequire } from "node:module"
import { isRecord } from "@agentwire/protocol/wire"

/** The version of the package, as its manifest says. */
export const version = (): string => {
  const manifest: unknown = createRequire(import.meta.url)("../package.json")
  return isRecord(manifest) && "version" in manifest ? String(manifest["version"]) : "unknown"
}
