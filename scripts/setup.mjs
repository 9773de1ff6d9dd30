/**
 * Makes a checkout ready to run, with Node and npm alone: installs when `node_modules` is
 * missing or older than the lock, builds the packages whose sources are newer than their
 * output. Quick when there is nothing to do. No dependencies: it runs before there are any.
 *
 *   node scripts/setup.mjs [--outsiders] [--force]
 *
 * `--outsiders` also installs what the tests in `test/` need: the official SDKs and clients,
 * which are heavy, a browser and a terminal. `--force` builds even what is current.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, statSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { ensureChromium } from "./chromium.mjs"
import { ensureTmux } from "./tmux.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))

/** Runs a command, shows its output, and stops everything when it fails. */
const run = (command, args, cwd) => {
  // On Windows npm and the tools are .cmd files, which only a shell starts.
  const { error, status } = spawnSync(command, args, {
    cwd,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32"
  })
  if (status === 0) return
  const where = relative(root, cwd) || "."
  console.error(
    `\nSetting up failed: \`${command} ${args.join(" ")}\` in ${where} ${error ? error.message : `ended with ${status}`}.`
  )
  process.exit(2)
}

const modified = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0)

/** The newest change below a folder, ignoring what is installed or built. */
const newest = (path) => {
  if (!existsSync(path)) return 0
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  const inner = readdirSync(path).filter((name) => name !== "node_modules" && name !== "dist")
  return Math.max(0, ...inner.map((name) => newest(join(path, name))))
}

const install = (folder) => {
  // npm writes this file last, so it also tells an install that was cut short from a whole one.
  const installed = modified(join(folder, "node_modules", ".package-lock.json"))
  if (installed >= modified(join(folder, "package-lock.json")) && installed > 0) return
  console.error(`Installing the dependencies of ${relative(root, folder) || "the workspace"} …`)
  run("npm", ["ci", "--no-audit", "--no-fund"], folder)
}

const [cli, ...libraries] = ["cli", "protocol", "fixtures", "bridge"].map((name) => join(root, "packages", name))
const packages = [...libraries, cli]

const bin = (name) => join(root, "node_modules", ".bin", name)

const build = (force) => {
  const sources = Math.max(
    ...packages.map((folder) => Math.max(newest(join(folder, "src")), modified(join(folder, "package.json"))))
  )
  const built = Math.min(...packages.map((folder) => modified(join(folder, "dist", "index.js"))))
  if (!force && built >= sources) return
  console.error("Building the packages …")
  for (const folder of libraries) run(bin("tsup"), ["--silent"], folder)
  run(process.execPath, [join(root, "scripts", "command.mjs")], root)
}

/** The types of the packages, for those who import them. `tsc` itself sees what is current. */
const buildTypes = () => run(bin("tsc"), ["-b"], root)

/** The page of `agentwire serve --page`, which has the rules of the protocol in it. */
const buildPage = (force) => {
  const folders = [join(root, "packages", "cli", "page"), join(root, "packages", "protocol", "src")]
  const built = modified(join(root, "packages", "cli", "dist", "page", "index.html"))
  if (!force && built >= Math.max(...folders.map(newest))) return
  console.error("Building the page …")
  run(process.execPath, [join(root, "scripts", "page.mjs")], root)
}

/** Does what the file's head says. */
export const setup = ({ force = false, outsiders = false, types = true } = {}) => {
  install(root)
  if (outsiders) {
    install(join(root, "test"))
    ensureChromium()
    ensureTmux()
  }
  build(force)
  if (types) buildTypes()
  buildPage(force)
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  setup({ outsiders: process.argv.includes("--outsiders"), force: process.argv.includes("--force") })
}
