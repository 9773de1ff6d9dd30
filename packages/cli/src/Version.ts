/** Which agentwire this is. */
import { createRequire } from "node:module"

/** The version of the package, as its manifest says. */
export const version = (): string => {
  const manifest: unknown = createRequire(import.meta.url)("../package.json")
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "unknown"
}
