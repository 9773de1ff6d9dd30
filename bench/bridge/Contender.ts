/**
 * The servers that are compared, each in a process of its own: the bridge with a store in memory, the bridge with a
 * database, and a bare pipe, which gives what an agent writes to whoever asked, unread. All start an agent for each thread
 * with its first run and keep it.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { layerBridge } from "@agentwire/bridge"
import { cliLauncher, layerClaudeRuntime } from "@agentwire/bridge/claude"
import { HttpServer } from "@agentwire/bridge/http"
import { layerSqliteStore, type Store, type StoreFailed } from "@agentwire/bridge/store"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"

/** What is compared. */
export const contenders = ["bridge", "kept", "pipe"] as const

/** One of them. */
export type Contender = (typeof contenders)[number]

const serveBridge = (agent: string, store?: Layer.Layer<Store, StoreFailed>): Promise<never> =>
  Effect.gen(function* () {
    const { url } = yield* HttpServer
    yield* Effect.sync(() => console.log(url))
    return yield* Effect.never
  }).pipe(
    Effect.provide(
      layerBridge({
        session: { cwd: tmpdir() },
        sessions: { maxSessions: 1000 },
        http: { port: 0, access: { token: "none" } },
        ...(store !== undefined && { store })
      }).pipe(Layer.provide(layerClaudeRuntime), Layer.provide(cliLauncher({ cliPath: agent })))
    ),
    Effect.provide(Logger.layer([])),
    Effect.runPromise
  )

const prompt = (content: string): string =>
  `${JSON.stringify({ type: "user", message: { role: "user", content }, parent_tool_use_id: null, session_id: "" })}\n`

const pipe = async (agent: string): Promise<never> => {
  const agents = new Map<string, ChildProcess>()
  const start = (): ChildProcess => spawn(process.execPath, [agent], { stdio: ["pipe", "pipe", "inherit"] })
  const server = createServer(async (request, response) => {
    const { messages, threadId } = JSON.parse(await text(request)) as Asked
    const child = agents.get(threadId) ?? start()
    agents.set(threadId, child)
    response.writeHead(200, { "content-type": "application/octet-stream" })
    const pass = (chunk: Uint8Array): void => void response.write(chunk)
    child.stdout?.on("data", pass)
    response.on("close", () => child.stdout?.off("data", pass))
    child.stdin?.write(prompt(messages.at(-1)?.content ?? ""))
  })
  server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  return new Promise(() => undefined)
}

interface Asked {
  readonly threadId: string
  readonly messages: ReadonlyArray<{ readonly content: string }>
}

/** What is kept is in a folder of the system's, and goes with the process. */
const kept = (agent: string): Promise<never> => {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-bench-"))
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }))
  return serveBridge(agent, layerSqliteStore({ folder }))
}

const servers: Readonly<Record<Contender, (agent: string) => Promise<never>>> = { bridge: serveBridge, kept, pipe }

/** Serves, until the standard input ends. */
export const serve = (contender: Contender, agent: string): Promise<never> => {
  process.stdin.resume().on("end", () => process.exit(0))
  return servers[contender](agent)
}
