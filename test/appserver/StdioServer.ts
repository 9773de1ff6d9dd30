/** `agentwire app-server` on its standard input and output, with the real Claude Code and a scripted model behind it. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { installCli, type JsonObject, type ModelScript, startModel } from "@agentwire/fixtures"
import { CodexClient } from "../../packages/bridge/test/face/appserver/CodexClient.ts"
import { agentwireCommand } from "../../packages/cli/test/AgentwireCommand.ts"

/** A place for servers, one after the other: folders, a model, the CLI. */
export interface StdioPlace {
  readonly project: string
  readonly root: string
  readonly env: Readonly<Record<string, string>>
  /** What the model was asked, in order. */
  readonly asked: ReadonlyArray<JsonObject>
  /** Starts a server. */
  readonly start: (...args: ReadonlyArray<string>) => StdioServer
}

/** A server that was started. */
export interface StdioServer {
  readonly client: CodexClient
  readonly err: () => string
  /** Closes its standard input, and waits for its exit code. */
  readonly end: () => Promise<number | null>
  /** Kills it, as `kill -9` does, and waits until it is gone. */
  readonly kill: () => Promise<void>
}

/** The version of Claude Code behind it. */
export const cliVersion = "2.1.325"

/** Uses a place, and removes it. */
export const inStdioPlace = async <A>(script: ModelScript, use: (place: StdioPlace) => Promise<A>): Promise<A> => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-")))
  const [home, project, tmp, data] = ["home", "project", "tmp", "data"].map((name) => join(root, name)) as [
    string,
    string,
    string,
    string
  ]
  for (const folder of [home, project, tmp]) mkdirSync(folder)
  const asked: Array<JsonObject> = []
  const model = await startModel({
    script,
    onRequest: (path, body) => void (path === "/v1/messages" && asked.push(body))
  })
  const { args, program } = await installCli(cliVersion)
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    TMPDIR: tmp,
    ANTHROPIC_API_KEY: "sk-dummy-000000000000000000000000",
    ANTHROPIC_BASE_URL: model.url,
    DISABLE_TELEMETRY: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1"
  }
  const servers: Array<StdioServer> = []
  const start = (...more: ReadonlyArray<string>): StdioServer => {
    const [node, ...words] = agentwireCommand
    const given = ["app-server", "--cli", args[0] ?? program, "--data", data, "--cwd", project, ...more]
    const child = spawn(node, [...words, ...given], { env, cwd: project, stdio: ["pipe", "pipe", "pipe"] })
    const closed = once(child, "close")
    let err = ""
    child.stderr.on("data", (chunk: Buffer) => {
      err += chunk.toString()
    })
    child.stdin.on("error", () => undefined)
    const client = new CodexClient((line) => void child.stdin.write(`${line}\n`))
    createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY }).on("line", (line) =>
      client.receive(line)
    )
    void closed.then(() => client.end())
    const server: StdioServer = {
      client,
      err: () => err,
      end: async () => {
        child.stdin.end()
        await closed
        return child.exitCode
      },
      kill: async () => {
        child.kill("SIGKILL")
        await closed
      }
    }
    servers.push(server)
    return server
  }
  try {
    const value = await use({ root, project, env, asked, start })
    // `thread/rollback` is of an older Codex: the schemas do not know it.
    const faults = servers.flatMap(({ client }) => client.faults.filter((fault) => !fault.includes("thread/rollback")))
    if (faults.length > 0) throw new Error(faults.join("\n"))
    return value
  } finally {
    for (const server of servers) await server.end()
    await model.close()
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}
