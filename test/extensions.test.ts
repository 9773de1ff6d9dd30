/**
 * Extensions of a real `agentwire serve`: what docs/extensions.md shows runs as it is shown, and an answer that is owed
 * outlives a bridge that is killed.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { defaultExtensionLimits } from "@agentwire/bridge/extension"
import { describe, expect, it, onTestFinished } from "vitest"
import { token } from "./bridge/RawRun.ts"
import { makeServeRoot, type ServeProcess, startServe } from "./bridge/ServeProcess.ts"

const folder = fileURLToPath(new URL("extensions/", import.meta.url))
const guide = readFileSync(new URL("../docs/extensions.md", import.meta.url), "utf8")
const examples = fileURLToPath(new URL("../examples/extensions/", import.meta.url))

const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }

const post = async ({ url }: ServeProcess, path: string, body: unknown): Promise<unknown> =>
  (await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).json()

const get = async ({ url }: ServeProcess, path: string): Promise<unknown> =>
  (await fetch(`${url}${path}`, { headers })).json()

describe("docs/extensions.md", () => {
  it("shows the files as they are", () => {
    const shown = [...guide.matchAll(/<!-- test\/extensions\/([\w.]+) -->\n```\w+\n([\s\S]*?)```/g)]
    expect(shown.map(([, name]) => name).sort()).toEqual(readdirSync(folder).sort())
    for (const [, name = "", text] of shown) expect(text).toBe(readFileSync(join(folder, name), "utf8"))
    expect(shown[0]?.[2]?.trim().split("\n").length).toBeLessThanOrEqual(10)
  })

  it("names every limit, with its default", () => {
    for (const [name, value] of Object.entries(defaultExtensionLimits))
      expect(guide.replaceAll("\n", " ")).toContain(`\`${name}\` ${value.toLocaleString("en-US")}`)
  })

  it("has a first extension that runs", async () => {
    const server = await startServe({
      prepare: (root) => cpSync(folder, join(root, "extensions"), { recursive: true }),
      args: (root) => ["--no-data", "--extensions", join(root, "extensions", "extensions.json")]
    })
    onTestFinished(() => server.kill())
    expect(await get(server, "/extensions")).toMatchObject({
      extensions: [{ id: "greeter", status: "running", ok: true }]
    })
    expect(await post(server, "/ext/greeter/call/greet", { name: "Ada" })).toMatchObject({
      result: { id: expect.any(String), threadId: "greetings" }
    })
    const listed = JSON.stringify(await get(server, "/api/sessions/greetings/messages"))
    expect(listed).toContain("Greet Ada.")
  })
})

describe("an answer that is owed", () => {
  it("is posted by the next bridge when the one that was asked was killed", async () => {
    const got: Array<Readonly<Record<string, unknown>>> = []
    let status = 503
    const receiver = createServer(async (request, response) => {
      const chunks: Array<Buffer> = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      got.push(JSON.parse(Buffer.concat(chunks).toString()))
      response.writeHead(status).end()
    })
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => void receiver.close().closeAllConnections())
    const root = makeServeRoot()
    mkdirSync(join(root, "extensions"))
    cpSync(join(examples, "webhook.mjs"), join(root, "extensions", "webhook.mjs"))
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    writeFileSync(
      join(root, "extensions", "extensions.json"),
      JSON.stringify({
        extensions: [{ module: "webhook.mjs", config: { hooks: { a: { url } } }, limits: { retryMs: 100 } }]
      })
    )
    const start = () =>
      startServe({
        root,
        args: () => ["--data", join(root, "data"), "--extensions", join(root, "extensions", "extensions.json")]
      })
    const first = await start()
    onTestFinished(() => first.kill())
    const accepted = (await post(first, "/ext/webhook/a", { text: "Hello" })) as { readonly id: string }
    await expect.poll(() => got.length).toBeGreaterThan(0)
    await first.kill()
    const before = got.length
    status = 204
    const second = await start()
    onTestFinished(() => second.kill())
    await expect.poll(() => got.length).toBe(before + 1)
    expect(got.at(-1)).toEqual(got[0])
    expect(got[0]).toMatchObject({ id: accepted.id, outcome: "completed" })
    await expect.poll(async () => JSON.stringify(await get(second, "/extensions"))).toContain('"owed":0')
    expect(await second.stop()).toBe(0)
  })
})
