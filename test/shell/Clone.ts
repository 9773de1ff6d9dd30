/**
 * A clone of the repository, installed as `npm ci` leaves it. What is installed here already is linked, not fetched
 * again; the commands in `node_modules/.bin` are linked anew by npm, as an installation does it before anything is built.
 */
import { execFileSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Clones what is committed, and gives the folder. */
export const makeClone = (): string => {
  const folder = join(realpathSync(mkdtempSync(join(tmpdir(), "agentwire-clone-"))), "agentwire")
  const run = (command: string, ...args: ReadonlyArray<string>): string =>
    execFileSync(command, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })
  execFileSync("git", ["clone", "--quiet", root, folder], { stdio: "pipe" })
  linkModules(join(root, "node_modules"), join(folder, "node_modules"))
  rmSync(join(folder, "node_modules", ".bin", "agentwire"), { force: true })
  run("npm", "rebuild", "--ignore-scripts", "--offline", "agentwire")
  return folder
}

/** Hard links cost no room and little time. What is written to is copied, and caches stay behind. */
const linkModules = (from: string, to: string): void => {
  mkdirSync(to)
  const names = readdirSync(from).filter((name) => !name.startsWith("."))
  execFileSync("cp", ["-a", join(from, ".bin"), to])
  try {
    execFileSync("cp", ["-al", ...names.map((name) => join(from, name)), to], { stdio: "pipe" })
  } catch {
    // Another disk, perhaps.
    execFileSync("cp", ["-a", ...names.map((name) => join(from, name)), to])
  }
  // Later than the lock of the clone, which is how setup.mjs sees that all is installed.
  copyFileSync(join(from, ".package-lock.json"), join(to, ".package-lock.json"))
}
