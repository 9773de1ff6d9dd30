/** `agentwire serve` as a process of its own, in front of a small program that stands in for the CLI. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { agentwireCommand } from "../../packages/cli/test/AgentwireCommand.ts"
import { token } from "./RawRun.ts"

/** A server that was started. */
export interface ServeProcess {
  readonly child: ChildProcess
  readonly pid: number
  readonly url: string
  readonly port: number
  /** Holds `home`, `project` and whatever the test puts there. */
  readonly root: string
  readonly project: string
  /** What it wrote to standard error: its log, a JSON object a line. */
  readonly err: () => string
  readonly log: () => ReadonlyArray<Readonly<Record<string, unknown>>>
  /** Ends it, and gives its exit code. */
  readonly stop: () => Promise<number | null>
  /** Kills it at once, and waits until it is gone. */
  readonly kill: () => Promise<void>
}

/** How it is started. */
export interface ServeProcessOptions {
  /** Which command: `serve`, or one of the two tiers. A gateway has no agents, a runtime no port. */
  readonly command?: "serve" | "runtime" | "gateway"
  /** Further arguments; they get the folder that is this process's own. */
  readonly args?: (root: string) => ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  /** The program of the agent; `false` where there is none. Default: the small one that stands in for the CLI. */
  readonly cli?: string | false
  /** A command of the shell to run before, such as `ulimit -n 64`. */
  readonly before?: string
  /** Prepares the folder. */
  readonly prepare?: (root: string) => void | Promise<void>
  /** Looks at the folder before it is removed. */
  readonly onEnd?: (root: string) => void
  /** A folder that a server has had before. It is not prepared, and not removed. Default: a new one. */
  readonly root?: string
}

/** A folder with what every server has there. */
export const makeServeRoot = (): string => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-")))
  for (const folder of ["project", "home"]) mkdirSync(join(root, folder))
  return root
}

/** The program in the CLI's place. */
export const standInCli = fileURLToPath(new URL("faults/FaultyCli.mjs", import.meta.url))

/** Starts a server and waits until it listens. */
export const startServe = async ({
  args = () => ["--no-data"],
  before = ":",
  cli = standInCli,
  command: name = "serve",
  env = {},
  onEnd = () => undefined,
  prepare = () => undefined,
  root: given
}: ServeProcessOptions = {}): Promise<ServeProcess> => {
  const root = given ?? makeServeRoot()
  const project = join(root, "project")
  if (given === undefined) await prepare(root)
  const command = [...agentwireCommand, name]
  const port = name === "runtime" ? [] : ["--port", "0"]
  const agents = name === "gateway" ? [] : ["--cwd", project, ...(cli === false ? [] : ["--cli", cli])]
  const options = [...port, ...agents, ...args(root)]
  const child = spawn("/bin/sh", ["-c", `${before}; exec "$@"`, "sh", ...command, ...options], {
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: join(root, "home"),
      AGENTWIRE_TOKEN: token,
      ...env
    },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let out = ""
  let err = ""
  child.stderr.on("data", (chunk) => {
    err += chunk
  })
  const ended = once(child, "close").then(() => {
    onEnd(root)
    if (given === undefined) rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      out += chunk
      if (out.includes("Ctrl-C ends it")) resolve()
    })
    void ended.then(() => reject(new Error(`it ended with ${child.exitCode}: ${err}`)), reject)
  })
  const url = /Listens at +(\S+)/.exec(out)?.[1] ?? ""
  return {
    child,
    pid: child.pid ?? 0,
    url,
    port: url === "" ? 0 : Number(new URL(url).port),
    root,
    project,
    err: () => err,
    log: () =>
      err
        .split("\n")
        .slice(0, -1)
        .flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : [])),
    stop: async () => {
      const impatience = setTimeout(() => child.kill("SIGKILL"), 100_000)
      child.kill("SIGTERM")
      await ended
      clearTimeout(impatience)
      return child.exitCode
    },
    kill: async () => {
      child.kill("SIGKILL")
      await ended
    }
  }
}
