/**
 * The machine of a reader of the documents: a folder with what they talk of, `agentwire` and `claude` in the PATH (the
 * real CLI with a scripted model behind it), the real Codex, codex-acp and wscat, and AG-UI servers where the examples have
 * theirs. Or a clone of the repository, where `npx agentwire` is whatever npm finds there.
 */
import { type ChildProcess, spawn } from "node:child_process"
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"
import { findTape, installCli, installCodex, type ModelScript, startModel } from "@agentwire/fixtures"
import { schemaVersion } from "@agentwire/protocol/codex"
import { installPackage } from "../../packages/fixtures/src/InstallPackage.ts"
import { answer, prompt } from "../../packages/protocol/test/claude/transcript/Write.ts"
import { codexAcp, installClient } from "../appserver/Headless.ts"
import { Terminal } from "../appserver/Terminal.ts"
import { enterTui } from "../appserver/Tui.ts"
import { CannedServer } from "../conform/live/CannedServer.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const agentwire = join(root, "packages", "cli", "bin", "agentwire.mjs")

/** A command that came to its end, or that serves until it is stopped. */
export interface Outcome {
  readonly code: number | null
  readonly output: string
}

/** The machine of a reader. */
export interface World {
  readonly folder: string
  /** Runs a command to its end. One that serves is left running once it has said where. */
  readonly run: (command: string) => Promise<Outcome>
  /** Stops what serves, as Ctrl-C does, and removes everything. */
  readonly close: () => Promise<void>
}

const model: ModelScript = {
  replies: [{ kind: "message", blocks: [{ kind: "text", deltas: ["Hello ", "there."] }] }]
}

/** What an editor says to an agent first. */
const editorHello = `${JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: 1, clientCapabilities: {} }
})}\n`

/** Commands that serve until they are stopped, what they print when they are ready, and what they are told before. */
const serving: ReadonlyArray<readonly [command: RegExp, ready: RegExp, told?: string]> = [
  [/^npm start\b/, /"event":"listening"/],
  [/agentwire serve\b/, /Authorization|token/i],
  [/agentwire runtime\b/, /Ctrl-C ends it/],
  [/agentwire gateway\b/, /Ctrl-C ends it/],
  [/\bapp-server --listen ws:/, /Ctrl-C ends it|listening on:/],
  // It tells whose account there is once it has asked the app-server, which is ours.
  [/codex-acp$/, /"detail":"claude"/, editorHello],
  [/agentwire model --api responses\b/, /wire_api/],
  [/agentwire model\b/, /ANTHROPIC_BASE_URL/],
  [/curl -sN .*\/events/, /RUN_FINISHED|"type":"done"/]
]

/** How long a command may take to come to its end, or to be ready. One that does not has failed, and what it said shows. */
const patience = 300_000

/** Somebody types to the gateway, and sees its answer. */
const typeToGateway = async (terminal: Terminal): Promise<void> => {
  await terminal.until((screen) => screen.includes("Connected"), "a connection")
  await terminal.type('{"type":"req","id":"1","method":"subscribe","params":{"events":["session.*"]}}')
  await terminal.press("Enter")
  await terminal.until((screen) => screen.includes('"subscribed":["session.*"]'), "the answer to subscribe")
}

/** Clients that want a terminal, and what somebody does there who sees that they are in. */
const terminalClients: ReadonlyArray<readonly [command: RegExp, enter: (terminal: Terminal) => Promise<void>]> = [
  [/\bcodex --remote\b/, enterTui],
  [/\bwscat\b/, typeToGateway]
]

/** The servers of the examples, and where the canned one has the same. */
const exampleServers: ReadonlyArray<readonly [shown: string, path: string]> = [
  ["localhost:8000/agent", "/agui"],
  ["localhost:9000/agent", "/agui"],
  ["localhost:4000/api/copilotkit", "/ck"]
]

const recalling = "[ ! -f .variables ] || . ./.variables"

/** A command in a shell that knows the variables of the commands before it. */
const remembering = (command: string): string =>
  `${recalling}; set -a\n${command}\ncode=$?; export -p > .variables; exit $code`

/** What a machine may have. */
export interface WorldOptions {
  /** A clone of the repository: the commands run in it, with npm's own `npx`. Without one, `agentwire` is installed. */
  readonly clone?: string
}

/** Sets a machine up. */
export const makeWorld = async ({ clone }: WorldOptions = {}): Promise<World> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-shell-")))
  const bin = join(folder, ".bin")
  const home = join(folder, ".home")
  const work = clone ?? join(folder, "work")
  for (const path of [bin, home, work]) mkdirSync(path, { recursive: true })
  keepSession(home)
  const api = await startModel({ script: model })
  await furnish(work)
  await programs(bin, clone === undefined)
  const servers = exampleServers.map(() => new CannedServer())
  const urls = await Promise.all(servers.map((server) => server.listen()))
  const [port, codexPort] = [await freePort(), await freePort()]
  let token = ""
  const children = new Set<ChildProcess>()

  const env = {
    PATH: `${bin}:${process.env["PATH"] ?? ""}`,
    HOME: home,
    TMPDIR: folder,
    ANTHROPIC_API_KEY: "sk-dummy-000000000000000000000000",
    ANTHROPIC_BASE_URL: api.url,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    // What is not in the clone is not found: nothing is fetched under the name of `agentwire`.
    npm_config_offline: "true",
    XDG_CACHE_HOME: process.env["XDG_CACHE_HOME"] ?? join(process.env["HOME"] ?? "", ".cache")
  }

  /** The servers, the examples' and our own, are wherever there was room. */
  const here = (command: string): string =>
    exampleServers
      .reduce(
        (text, [shown, path], index) => text.replaceAll(shown, `${new URL(urls[index] ?? "").host}${path}`),
        command
      )
      .replaceAll("127.0.0.1:3210", `127.0.0.1:${port}`)
      .replaceAll("--port 3210", `--port ${port}`)
      .replaceAll("127.0.0.1:4500", `127.0.0.1:${codexPort}`)
      // The one that a server has printed.
      .replaceAll("AGENTWIRE_TOKEN=…", `AGENTWIRE_TOKEN=${token}`)
      .replace(/agentwire serve(?!.*--port)/, `agentwire serve --port ${port}`)

  const run = async (command: string): Promise<Outcome> => {
    const [, enter] = terminalClients.find(([client]) => client.test(command)) ?? []
    if (enter !== undefined) return inTerminal(command, enter)
    const [, ready, told] = serving.find(([served]) => served.test(command)) ?? []
    // A reader who tries the next server has ended the one before.
    if (/agentwire serve\b|^npm start\b/.test(command)) await stop()
    return start(command, ready, told)
  }

  /** A person in front of a terminal sees that a client is in. */
  const inTerminal = async (command: string, enter: (terminal: Terminal) => Promise<void>): Promise<Outcome> => {
    const terminal = await Terminal.start({
      folder: mkdtempSync(join(folder, "terminal-")),
      words: ["bash", "-c", `cd ${work}; ${recalling}; ${here(command)}`],
      env
    })
    try {
      await enter(terminal)
      return { code: 0, output: await terminal.screen() }
    } catch (error) {
      return { code: null, output: String(error) }
    } finally {
      await terminal.close()
    }
  }

  const start = (command: string, ready: RegExp | undefined, told: string | undefined): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      const lines = ready === undefined ? remembering(here(command)) : `${recalling}; ${here(command)}`
      const child = spawn("bash", ["-c", lines], { cwd: work, env, detached: true })
      let output = ""
      children.add(child)
      const limit = setTimeout(() => {
        resolve({ code: null, output: `${output}\n(neither ready nor at its end after ${patience / 1000} s)` })
      }, patience)
      const hear = (chunk: Buffer): void => {
        output += chunk.toString()
        token = /^ +Token +(\S+)$/m.exec(output)?.[1] ?? token
        if (!ready?.test(output)) return
        clearTimeout(limit)
        resolve({ code: 0, output })
      }
      child.stdout.on("data", hear)
      child.stderr.on("data", hear)
      child.on("error", reject)
      child.on("close", (code) => {
        clearTimeout(limit)
        children.delete(child)
        resolve({ code, output })
      })
      // Who is told something stays for as long as it may be told more.
      if (told === undefined) child.stdin.end()
      else child.stdin.write(told)
    })

  const stop = async (): Promise<void> => {
    await Promise.all(
      [...children].map(
        (child) =>
          new Promise<void>((resolve) => {
            child.on("close", () => resolve())
            if (child.pid !== undefined) interruptGroup(child.pid)
          })
      )
    )
  }

  return {
    folder: work,
    run,
    close: async () => {
      await stop()
      await Promise.all([api.close(), ...servers.map((server) => server.close())])
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
    }
  }
}

/** Interrupts a process and all that it started. One that ended a moment ago is closed next. */
const interruptGroup = (pid: number): void => {
  try {
    process.kill(-pid, "SIGINT")
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "ESRCH")) throw cause
  }
}

/** A port below those that systems give to whoever asks for any: nobody gets it between now and its use. */
const freePort = async (): Promise<number> => {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000)
    if (await isFree(port)) return port
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })

/** The files that the documents talk of. */
const furnish = async (folder: string): Promise<void> => {
  for (const name of ["my-project", "tapes", "agui"]) mkdirSync(join(folder, name))
  for (const name of ["examples", "docs"])
    if (!existsSync(join(folder, name))) cpSync(join(root, name), join(folder, name), { recursive: true })
  for (const name of ["greeter.mjs", "extensions.json"])
    cpSync(join(root, "test", "extensions", name), join(folder, name))
  const entry = findTape({ scenario: "tool_approved", version: "2.1.325" })
  const tape = gunzipSync(readFileSync(entry?.file ?? ""))
  writeFileSync(join(folder, "session.tape"), tape)
  cpSync(entry?.file ?? "", join(folder, "tapes", "one.tape.gz"))
  cpSync(join(root, "examples", "tool_approved.ndjson"), join(folder, "session.ndjson"))
  writeFileSync(
    join(folder, "input.json"),
    JSON.stringify({ threadId: "t", runId: "r", messages: [{ id: "u", role: "user", content: "Hello" }] })
  )
  writeFileSync(join(folder, "scenario.json"), JSON.stringify({ model }))
}

/** `claude`, `codex`, `codex-acp`, and where it is installed `agentwire`, also as `npx agentwire`. */
const programs = async (bin: string, isInstalled: boolean): Promise<void> => {
  const { args, program } = await installCli("2.1.325")
  const script = (name: string, body: string): void => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  script("claude", `exec "${program}" ${args.join(" ")} "$@"`)
  const codex = await installCodex(schemaVersion)
  script("codex", `exec "${codex.program}" ${codex.args.join(" ")} "$@"`)
  const adapter = join(await installClient(codexAcp), "node_modules", "@agentclientprotocol", "codex-acp", "dist")
  script("codex-acp", `exec "${process.execPath}" "${join(adapter, "index.js")}" "$@"`)
  if (!isInstalled) return
  script("agentwire", `exec "${process.execPath}" "${agentwire}" "$@"`)
  const entry = join("wscat", "bin", "wscat")
  const wscat = await installPackage({ spec: "wscat@6.1.0", folder: "wscat-6.1.0", entry })
  script("wscat", `exec "${process.execPath}" "${join(wscat, "node_modules", entry)}" "$@"`)
  script("npx", `case "$1" in agentwire|wscat) exec "$@";; esac\necho "npx $1 is not here" >&2\nexit 127`)
}

/** A session that Claude Code has kept, whose id begins as the README says. */
const keepSession = (home: string): void => {
  const project = join(home, ".claude", "projects", "-project")
  mkdirSync(project, { recursive: true })
  const sessionId = "3f2a6c1e-0b5d-4c53-9a77-2f64c1f0c9de"
  const lines = [
    prompt("11111111-1111-4111-8111-111111111111", null, "Say hello.", { sessionId, cwd: "/project" }),
    answer("22222222-2222-4222-8222-222222222222", "11111111-1111-4111-8111-111111111111", "msg_1", "Hello.", {
      sessionId,
      cwd: "/project"
    })
  ]
  writeFileSync(join(project, `${sessionId}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
}
