/**
 * `npm start`: sets the checkout up and runs `agentwire`. Without arguments it shows what the
 * main job is on a session that a real CLI wrote, so no account is needed.
 *
 *   npm start
 *   npm start -- decode my-session.ndjson
 */
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { setup } from "./setup.mjs"

const path = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url))

setup()
const args = process.argv.slice(2)
const example = "examples/tool_approved.ndjson"
if (args.length === 0) {
  console.error(`A recorded session of Claude Code 2.1.325 (${example}), decoded.`)
  console.error("Your own: `npm start -- decode FILE`. All commands: `npm start -- --help`.\n")
}
const { status } = spawnSync(
  process.execPath,
  [path("packages/cli/dist/index.js"), ...(args.length > 0 ? args : ["decode", example])],
  { stdio: "inherit", cwd: args.length > 0 ? undefined : path(".") }
)
process.exitCode = status ?? 2
