/**
 * `npm start`: sets the checkout up and runs `agentwire`. Without a command it serves a chat page; the agent behind
 * it is the demo agent, which needs no account, unless the options are for another one.
 *
 *   npm start
 *   npm start -- --cli claude
 *   npm start -- decode my-session.ndjson
 */
import { spawn } from "node:child_process"
import { constants } from "node:os"
import { fileURLToPath } from "node:url"
import { setup } from "./setup.mjs"

/** Options that say which agent it is. */
const agentOptions = ["--demo", "--cli", "--replay", "--record", "--transport", "--model", "--permission-mode"]

/** The command line of `agentwire` for that of `npm start`. */
const commandLine = (args) => {
  const [first] = args
  const isAboutAll = first === "--help" || first === "-h" || first === "--version"
  if (isAboutAll || (first !== undefined && !first.startsWith("-"))) return args
  const own = args.includes("--") ? args.slice(0, args.indexOf("--")) : args
  const isChosen = own.some((arg) => agentOptions.includes(arg.split("=")[0]))
  return ["serve", "--page", ...(isChosen ? [] : ["--demo"]), ...args]
}

const start = (args) => {
  // Whoever runs it does not need the types, which take longest.
  setup({ types: false })
  const line = commandLine(args)
  if (line.includes("--demo"))
    console.error("demo agent: recorded sessions; use `npm start -- --cli claude` for a live one")
  const program = fileURLToPath(new URL("../packages/cli/dist/index.js", import.meta.url))
  const child = spawn(process.execPath, [program, ...line], { stdio: "inherit" })
  // A terminal sends Ctrl-C to both of us, and a second one means not to wait. This process only outlives the first.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"))
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
  child.on("error", ({ message }) => {
    console.error(`agentwire did not start: ${message}`)
    process.exitCode = 2
  })
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0)
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) start(process.argv.slice(2))
