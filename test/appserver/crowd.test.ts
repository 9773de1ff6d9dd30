/**
 * `agentwire app-server` on a WebSocket, as a program of its own, in front of the demo's agent: many clients, slow ones,
 * long messages, and clients that are gone.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { isRecord } from "@agentwire/protocol/wire"
import * as Schema from "effect/Schema"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { WebSocket } from "ws"
import { CodexClient, type Message } from "../../packages/bridge/test/face/appserver/CodexClient.ts"
import { agentwireCommand } from "../../packages/cli/test/AgentwireCommand.ts"

const token = "crowd-0123456789abcdef0123456789abcdef"

/** What the server prints with `--json`. */
const Listens = Schema.fromJsonString(Schema.Struct({ url: Schema.String }))

let folder = ""
let server: ChildProcess
let url = ""

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-")))
  const [node, ...words] = agentwireCommand
  const options = ["--listen", "ws://127.0.0.1:0", "--demo", "--speed", "instant", "--no-data", "--json"]
  const child = spawn(node, [...words, "app-server", ...options], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, AGENTWIRE_TOKEN: token },
    stdio: ["ignore", "pipe", "ignore"]
  })
  server = child
  for await (const line of createInterface({ input: child.stdout })) {
    url = Schema.decodeUnknownSync(Listens)(line).url
    break
  }
})

afterAll(async () => {
  const closed = once(server, "close")
  server.kill("SIGTERM")
  await closed
  rmSync(folder, { recursive: true, force: true })
})

let clients: Array<CodexClient> = []

afterEach(() => {
  const faults = clients.flatMap((client) => client.faults)
  clients = []
  assert.deepStrictEqual(faults, [])
})

/** A client, and its end of the connection. */
const connect = async (): Promise<{ readonly client: CodexClient; readonly socket: WebSocket }> => {
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } })
  const client = new CodexClient((line) => socket.send(line))
  clients.push(client)
  socket.on("message", (data) => client.receive(String(data)))
  socket.on("close", () => client.end())
  await once(socket, "open")
  await client.hello()
  return { client, socket }
}

/** Begins to follow a thread. */
const follow = (client: CodexClient, threadId: string) => client.ask("thread/resume", { threadId })

/** What a client was told of the items of a turn, in order. */
const itemsOf = (client: CodexClient, turnId: string): ReadonlyArray<unknown> =>
  client.heard.flatMap(({ method, params }) =>
    method === "item/completed" && isRecord(params) && params["turnId"] === turnId ? [params["item"]] : []
  )

/** The question that a client was asked, and has not been told the end of. */
const asked = (client: CodexClient, from = 0): Promise<Message> =>
  client.until(({ id, method }) => id !== undefined && String(method).endsWith("/requestApproval"), from)

describe("a crowd", () => {
  it("of a hundred hears the same, and each its own", { timeout: 60_000 }, async () => {
    const all = await Promise.all(Array.from({ length: 100 }, connect))
    const [first] = all
    assert.isDefined(first)
    const shared = await first.client.start()
    // A thread is there for others once something was said in it.
    await first.client.turn(shared, "Hello")
    await Promise.all(all.slice(1).map(({ client }) => follow(client, shared)))
    const turnId = await first.client.say(shared, "Explain how agentwire works")
    await Promise.all(all.map(({ client }) => client.ended(turnId)))
    const items = itemsOf(first.client, turnId)
    assert.isAbove(items.length, 1)
    for (const { client } of all) {
      assert.deepStrictEqual(itemsOf(client, turnId), items)
    }
    // And while others look on, each has a conversation that nobody else hears of.
    const busy = all.slice(0, 10)
    const own = await Promise.all(
      busy.map(async ({ client }) => {
        const thread = await client.start()
        await client.turn(thread, "Hello")
        return thread
      })
    )
    assert.strictEqual(new Set(own).size, busy.length)
    for (const [index, { client }] of all.entries()) {
      const told = new Set(
        client.heard.flatMap(({ method, params }) =>
          method === "item/completed" && isRecord(params) ? [params["threadId"]] : []
        )
      )
      assert.deepStrictEqual([...told].sort(), [shared, ...own.slice(index, index + 1)].sort())
    }
    for (const { socket } of all) socket.terminate()
  })
})

describe("a client that takes nothing", () => {
  it("holds nobody up, and has everything once it does", { timeout: 60_000 }, async () => {
    const [quick, slow] = await Promise.all([connect(), connect()])
    const thread = await quick.client.start()
    await quick.client.turn(thread, "Hello")
    await follow(slow.client, thread)
    slow.socket.pause()
    // Each prompt is told to whoever follows: more than any buffer of the network holds.
    const long = "x".repeat(1 << 20)
    const turns = []
    for (let round = 0; round < 12; round++) {
      const turnId = await quick.client.say(thread, `${round} ${long}`)
      await quick.client.ended(turnId)
      turns.push(turnId)
    }
    const heard = slow.client.heard.length
    assert.isFalse(turns.some((turnId) => itemsOf(slow.client, turnId).length > 0))
    slow.socket.resume()
    await Promise.all(turns.map((turnId) => slow.client.ended(turnId)))
    assert.isAbove(slow.client.heard.length, heard)
    for (const turnId of turns) assert.deepStrictEqual(itemsOf(slow.client, turnId), itemsOf(quick.client, turnId))
    assert.include(JSON.stringify(itemsOf(slow.client, turns[0] ?? "")), long)
    for (const { socket } of [quick, slow]) socket.terminate()
  })
})

describe("a client that is gone", () => {
  const question = "Write a haiku into a file"

  it("leaves its question to the others", async () => {
    const [gone, other] = await Promise.all([connect(), connect()])
    const thread = await gone.client.start()
    await gone.client.turn(thread, "Hello")
    await follow(other.client, thread)
    const turnId = await gone.client.say(thread, question)
    await Promise.all([asked(gone.client), asked(other.client)])
    gone.socket.terminate()
    const { id } = await asked(other.client)
    other.client.send({ id, result: { decision: "accept" } })
    assert.strictEqual((await other.client.ended(turnId))["status"], "completed")
    assert.lengthOf(
      other.client.methods().filter((method) => method === "serverRequest/resolved"),
      1
    )
    other.socket.terminate()
  })

  it("leaves it to whoever comes next, if it was the only one", async () => {
    const gone = await connect()
    const thread = await gone.client.start()
    await gone.client.turn(thread, "Hello")
    const turnId = await gone.client.say(thread, question)
    await asked(gone.client)
    gone.socket.terminate()
    const next = await connect()
    await follow(next.client, thread)
    const { id } = await asked(next.client)
    next.client.send({ id, result: { decision: "decline" } })
    assert.strictEqual((await next.client.ended(turnId))["status"], "completed")
    next.socket.terminate()
  })
})
