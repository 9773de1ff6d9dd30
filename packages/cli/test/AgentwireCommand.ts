/**
 * The command line of `agentwire`, for tests that start it as a process of its own: as it is built when that is newer
 * than every source, which starts in a quarter of the time, and from its sources otherwise.
 */
import { existsSync, readdirSync, statSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const packages = fileURLToPath(new URL("../../", import.meta.url))
const names = ["protocol", "fixtures", "bridge", "cli"]

const modified = (path: string): number => (existsSync(path) ? statSync(path).mtimeMs : 0)

const newest = (folder: string): number =>
  Math.max(
    ...readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => modified(join(entry.parentPath, entry.name)))
  )

const isBuilt = (): boolean =>
  Math.min(...names.map((name) => modified(join(packages, name, "dist", "index.js")))) >
  Math.max(...names.map((name) => newest(join(packages, name, "src"))))

const isCurrent = isBuilt()

/** What Node is given to run a script in TypeScript that has these packages by their names. The script follows. */
export const scriptArgs: ReadonlyArray<string> = [
  "--import",
  pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href,
  ...(isCurrent ? [] : ["--conditions=agentwire-source"])
]

/** What Node is given to be `agentwire`; what follows are its own arguments. */
export const agentwireArgs: ReadonlyArray<string> = isCurrent
  ? [join(packages, "cli", "dist", "index.js")]
  : [...scriptArgs, join(packages, "cli", "src", "index.ts")]

/** Node, and {@link agentwireArgs}. */
export const agentwireCommand: readonly [program: string, ...args: ReadonlyArray<string>] = [
  process.execPath,
  ...agentwireArgs
]
