/** The live scenarios against servers: one that does everything right, and the same broken on purpose. */
import { type AddressInfo, createServer } from "node:net"
import { HttpAgent } from "@ag-ui/client"
import { HttpAgent as HttpAgent059 } from "agui-client-059"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type LiveSelection, liveRules, liveScenarios, runLive } from "../../packages/cli/src/conform/live/index.ts"
import type { Transport } from "../../packages/cli/src/conform/live/Target.ts"
import type { ScenarioResult } from "../../packages/cli/src/conform/ScenarioResult.ts"
import { casesOf } from "../../packages/fixtures/test/Sweep.ts"
import { type Behaviour, CannedServer } from "./live/CannedServer.ts"
import { CopilotRuntime, installRuntime } from "./live/CopilotRuntime.ts"
import { defects } from "./live/defects.ts"

// The tests run side by side, mostly waiting. Each has servers of its own, which are closed when all are done.
const servers: Array<CannedServer> = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

const paths: Readonly<Record<Transport, string>> = {
  agui: "/agui",
  "copilotkit-rest": "/ck",
  "copilotkit-single": "/single"
}

const transports = ["agui", "copilotkit-rest", "copilotkit-single"] as const

interface Options extends Partial<LiveSelection> {
  readonly how?: Partial<Behaviour>
  readonly token?: string
}

const play = async (
  transport: Transport,
  { how = {}, token, ...selection }: Options = {}
): Promise<readonly [ReadonlyArray<ScenarioResult>, CannedServer]> => {
  const server = new CannedServer(how)
  servers.push(server)
  const url = (await server.listen()) + paths[transport]
  const target = { url, agent: "default", transport, ...(token !== undefined && { token }) }
  return [await runLive(target, { timeoutMs: 20_000, ...selection }), server]
}

/** What a result says, without the wire. */
const told = ({ findings, reason, scenario, verdict }: ScenarioResult) => ({
  scenario,
  verdict,
  reason,
  findings: findings.map(({ level, message, rule }) => `${rule} ${level}: ${message}`)
})

describe.concurrent("a good server", () => {
  it.each(transports)("has nothing to be told over %s", async (transport) => {
    const [results, server] = await play(transport, { how: { token: "s3cret" }, token: "s3cret" })
    expect(results.map(({ scenario }) => scenario)).toEqual(liveScenarios.map(({ id }) => id))
    expect(results.filter(({ findings }) => findings.length > 0).map(told)).toEqual([])
    const skipped = results.filter(({ verdict }) => verdict === "skip")
    // With plain AG-UI there is no stop, connect or info.
    expect(skipped.map(({ reason }) => reason)).toEqual(skipped.map(() => `not with the transport ${transport}`))
    await expect.poll(() => server.connections()).toBe(0)
  })
})

describe.concurrent("the good server", () => {
  const ask = (content: string, threadId: string) => ({
    threadId,
    initialMessages: [{ id: "u1", role: "user" as const, content }]
  })
  const prompts = ["Say hello.", "Count from 1 to 2000.", "Use one of your own tools.", "I give my approval."]

  it.each(prompts)("is taken as good by the real clients, too: %s", async (prompt) => {
    const server = new CannedServer()
    servers.push(server)
    const url = `${await server.listen()}/agui`
    const agents = [new HttpAgent({ url, ...ask(prompt, "new") }), new HttpAgent059({ url, ...ask(prompt, "old") })]
    for (const agent of agents) {
      const { newMessages } = await agent.runAgent()
      expect(newMessages.length).toBeGreaterThan(0)
    }
    expect(server.threads.get("new")?.runs[0]?.said[0]).toMatchObject({ protocolVersion: "1.0" })
    expect(server.threads.get("old")?.runs[0]?.said[0]).not.toHaveProperty("protocolVersion")
  })
})

describe.concurrent("a server broken on purpose", () => {
  it.each(defects)("that $name is found by $scenario, $rule", async (defect) => {
    const { how, maxAnswerBytes, rule, scenario, timeoutMs, token, transport = "agui" } = defect
    const [results, server] = await play(transport, {
      how,
      only: [scenario],
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(maxAnswerBytes !== undefined && { maxAnswerBytes }),
      ...(token !== undefined && { token })
    })
    expect(results.map(told)).toEqual([
      expect.objectContaining({ findings: expect.arrayContaining([expect.stringMatching(`^${rule} `)]) })
    ])
    await expect.poll(() => server.connections()).toBe(0)
  })

  it("has a way to break every rule of the live scenarios", () => {
    const found = new Set<string>(defects.map(({ rule }) => rule))
    expect(Object.keys(liveRules).filter((rule) => !found.has(rule))).toEqual([])
  })
})

describe.concurrent("the runner", () => {
  const token = "tok-9f8e7d6c5b4a"

  it("sends the token and shows it nowhere, also when the server repeats it", async () => {
    // Long texts are cut, and a cut must not leave a part of the token.
    const repeat = (n: number) => `${"x".repeat(n)} ${token} `
    const how: Partial<Behaviour> = {
      pieceMs: 0,
      head: (response) => response.writeHead(200, { "content-type": `text/plain; ${token}` }),
      refuse: (response, status) => {
        response.writeHead(status, { "content-type": "application/json" })
        response.end(JSON.stringify({ error: token, stack: `\n    at ${token} (x.js:1:1)` }))
      },
      events: (events, { threadId }) => [
        ...events.slice(0, 1),
        ...Array.from({ length: 50 }, (_, n) => ({ type: repeat(n + 45), value: token })),
        ...Array.from({ length: 70 }, (_, n) => ({ type: repeat(n + 240), value: token })),
        { type: "TEXT_MESSAGE_CONTENT", messageId: repeat(60 + threadId.length), delta: repeat(1990) },
        { type: "RUN_ERROR", message: `Wrong token: ${token}` }
      ]
    }
    for (const transport of transports) {
      const [results, server] = await play(transport, {
        how,
        token,
        only: ["LIVE-001", "LIVE-011", "LIVE-051", "LIVE-060"]
      })
      expect([...server.tokens]).toContain(token)
      const text = JSON.stringify(results)
      expect(text).toContain("***")
      expect(text).not.toContain(token)
      // Nor a part of it that would help to guess the rest.
      expect(text).not.toContain(token.slice(0, 8))
    }
  })

  it("comes to an end whatever bytes it gets, and finds fault with them", async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.string({ maxLength: 200, unit: "binary" }).map((text) => Buffer.from(text)),
      fc
        .array(fc.oneof(fc.json(), fc.string(), fc.constantFrom("\r", "{", "[", "[DONE]")), { maxLength: 20 })
        .map((frames) => Buffer.from(frames.map((frame) => `data: ${frame}\n\n`).join("")))
    )
    const heads = [
      "",
      "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n",
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
      "HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n",
      "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
      "HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n"
    ]
    let answer: Uint8Array = new Uint8Array()
    const server = createServer((socket) => {
      socket.on("error", () => socket.destroy())
      socket.once("data", () => socket.end(answer))
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/agui`
    try {
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...heads), bytes, async (head, body) => {
          answer = Buffer.concat([Buffer.from(head), body])
          const target = { url, agent: "default", transport: "agui" } as const
          const [result] = await runLive(target, { only: ["LIVE-001"], timeoutMs: 5000 })
          expect(result?.verdict).toBe("fail")
        }),
        { numRuns: casesOf(1_000), seed: 20261116 }
      )
    } finally {
      server.close()
    }
  })

  it("keeps of a long answer the first and the last", async () => {
    const how: Partial<Behaviour> = {
      pieceMs: 0,
      events: (events) => [
        ...events.slice(0, 1),
        ...Array.from({ length: 1000 }, (_, n) => ({ type: `NONSENSE_${n}`, value: "x".repeat(5000) })),
        ...events.slice(1)
      ]
    }
    const [[result]] = await play("agui", { how, only: ["LIVE-001"] })
    expect(result?.wire.length).toBeLessThan(250)
    expect(Math.max(...(result?.wire ?? []).map(({ text }) => text.length))).toBeLessThan(2100)
    expect(result?.wire.at(-1)?.text).toContain("RUN_FINISHED")
    expect(result?.findings.length).toBeLessThan(50)
    expect(result?.reason).toMatch(/\d+ more findings/)
  })

  it("asks what it is told to ask", async () => {
    const [[result]] = await play("agui", { only: ["LIVE-001"], prompts: { "LIVE-001": "Count from 1 to 3, please." } })
    expect(result?.wire[0]?.text).toContain("Count from 1 to 3, please.")
    expect(result?.wire.some(({ text }) => text.includes("two-hundred-and-1"))).toBe(true)
  })

  it("skips, with a reason, what the model did not do", async () => {
    const how: Partial<Behaviour> = {
      events: (events) => {
        const text = { type: "TEXT_MESSAGE_CHUNK", messageId: String(events[0]?.["runId"]), delta: "I cannot do that." }
        return [...events.slice(0, 1), text, { ...events.at(-1), outcome: { type: "success" } }]
      }
    }
    const [results] = await play("copilotkit-rest", { how })
    const skipped = results.filter(({ verdict }) => verdict === "skip")
    expect(skipped.map(({ scenario }) => scenario)).toEqual(
      expect.arrayContaining([
        "LIVE-002",
        "LIVE-003",
        "LIVE-010",
        "LIVE-011",
        "LIVE-012",
        "LIVE-013",
        "LIVE-020",
        "LIVE-040"
      ])
    )
    expect(skipped.every(({ reason }) => reason !== undefined && reason !== "")).toBe(true)
    expect(results.filter(({ verdict }) => verdict === "fail").map(told)).toEqual([])
  })

  it("leaves nothing open when the user stops it", async () => {
    const stop = new AbortController()
    const results: Array<ScenarioResult> = []
    const [played, server] = await play("agui", {
      // The first scenario passes, the second would never end.
      how: { first: (_server, _request, _response, body) => body.includes("Count from 1") && stopSoon(stop) },
      signal: stop.signal,
      onResult: (result) => results.push(result)
    })
    expect(played.map(({ scenario, verdict }) => [scenario, verdict])).toEqual([
      ["LIVE-001", "pass"],
      ["LIVE-002", "skip"]
    ])
    expect(results).toEqual(played)
    await expect.poll(() => server.connections()).toBe(0)
  })

  it("says when there is no server", async () => {
    const target = { url: "http://127.0.0.1:9/agui", agent: "default", transport: "agui" } as const
    await expect(runLive(target, { timeoutMs: 1000 })).rejects.toThrow("There is no server at 127.0.0.1:9")
    await expect(runLive({ ...target, url: "ftp://x" }, { timeoutMs: 1000 })).rejects.toThrow(
      "is not a URL of a server"
    )
  })

  it("plays what was chosen", async () => {
    const [only] = await play("agui", { only: ["LIVE-001", "LIVE-004"], skip: ["LIVE-004"] })
    expect(only.map(({ scenario }) => scenario)).toEqual(["LIVE-001"])
  })
})

/** Hangs, and has the user stop everything. */
const stopSoon = (stop: AbortController): true => {
  setImmediate(() => stop.abort())
  return true
}

describe.concurrent("a CopilotKit runtime in front of a good agent", () => {
  beforeAll(installRuntime)

  it.each([
    ["copilotkit-rest", "/rest"],
    ["copilotkit-single", "/single"]
  ] as const)("has one thing to be told over %s", async (transport, path) => {
    const agent = new CannedServer()
    servers.push(agent)
    const runtime = await CopilotRuntime.start(`${await agent.listen()}/agui`)
    try {
      const target = { url: runtime.url + path, agent: "default", transport }
      const results = await runLive(target, { timeoutMs: 30_000 })
      const wrong = results.filter(({ verdict }) => verdict === "fail" || verdict === "warn")
      // A run on a busy thread is answered with an empty stream (docs/wire/ag-ui.md §4.3).
      expect(wrong.map(told)).toEqual([
        {
          scenario: "LIVE-032",
          verdict: "fail",
          reason: undefined,
          findings: [
            expect.stringMatching(/^AGUI-RUN-006 error: run 2/),
            expect.stringMatching(/^LIVE-BUSY-001 error: run 2/)
          ]
        }
      ])
    } finally {
      await runtime.close()
    }
  })
})
