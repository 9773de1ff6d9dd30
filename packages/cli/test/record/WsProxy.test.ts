import { createServer, type IncomingMessage } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { afterEach, describe, expect, it } from "vitest"
import { WebSocket, WebSocketServer } from "ws"
import type { Tap } from "../../src/record/TapEvent.ts"
import { startWsProxy } from "../../src/record/WsProxy.ts"

type Noted = Parameters<Tap>[0]

const cleanups: Array<() => Promise<unknown> | unknown> = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

interface Host {
  readonly url: string
  readonly sockets: Array<WebSocket>
  readonly requests: Array<IncomingMessage>
  /** Resolves with the next socket. */
  readonly next: () => Promise<WebSocket>
}

const startHost = async (): Promise<Host> => {
  const server = createServer()
  const wss = new WebSocketServer({ server })
  wss.on("headers", (lines) => lines.push("X-Last-Request-Id: 42"))
  const sockets: Array<WebSocket> = []
  const requests: Array<IncomingMessage> = []
  wss.on("connection", (socket, request) => {
    sockets.push(socket)
    requests.push(request)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  cleanups.push(() => {
    for (const socket of sockets) socket.terminate()
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sockets,
    requests,
    next: () => new Promise((resolve) => wss.once("connection", resolve))
  }
}

interface Proxy {
  readonly url: string
  readonly noted: Array<Noted>
  readonly said: Array<string>
}

const startProxy = async (to: string): Promise<Proxy> => {
  const noted: Array<Noted> = []
  const said: Array<string> = []
  const proxy = await startWsProxy({
    port: 0,
    to: new URL(to),
    tap: (event) => noted.push(event),
    onRefused: (message) => said.push(message)
  })
  cleanups.push(proxy.close)
  return { url: proxy.url, noted, said }
}

/** What comes back for a request as it is written, up to the end of the connection. */
const raw = (url: string, line: string, headers: ReadonlyArray<string> = []): Promise<string> =>
  new Promise((resolve) => {
    const port = Number(new URL(url).port)
    const socket = connect({ port, host: "127.0.0.1" })
    let got = ""
    socket.on("error", () => undefined)
    socket.on("data", (chunk) => {
      got += String(chunk)
      // What was let in does not end by itself.
      if (got.startsWith("HTTP/1.1 101")) socket.destroy()
    })
    socket.once("close", () => resolve(got))
    const upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"]
    const key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
    const host = headers.some((header) => header.startsWith("Host:")) ? [] : [`Host: 127.0.0.1:${port}`]
    socket.write([`${line} HTTP/1.1`, ...host, ...upgrade, key, ...headers, "", ""].join("\r\n"))
  })

const event = <A>(socket: WebSocket, name: string): Promise<A> => new Promise((resolve) => socket.once(name, resolve))

const dial = async (url: string, host: Host): Promise<{ readonly agent: WebSocket; readonly server: WebSocket }> => {
  const agent = new WebSocket(url, { headers: { authorization: "Bearer token" }, autoPong: true })
  agent.on("error", () => undefined)
  const [server] = await Promise.all([host.next(), event(agent, "open")])
  return { agent, server }
}

describe("the WebSocket recorder", () => {
  it("passes the upgrade, messages with their borders, pings and closes on, and notes them", async () => {
    const host = await startHost()
    const { noted, url } = await startProxy(host.url)
    const answered = new Promise<IncomingMessage>((resolve) => {
      const probe = new WebSocket(`${url}/ws/session?x=1`, { headers: { authorization: "Bearer token" } })
      probe.once("upgrade", resolve)
      probe.once("open", () => probe.close(4001, "enough"))
    })
    const first = await host.next()
    expect((await answered).headers["x-last-request-id"]).toBe("42")
    expect(host.requests[0]?.url).toBe("/ws/session?x=1")
    expect(host.requests[0]?.headers.authorization).toBe("Bearer token")
    expect(await new Promise((resolve) => first.once("close", (code, reason) => resolve(`${code} ${reason}`)))).toBe(
      "4001 enough"
    )
    expect(noted.map(({ _tag }) => _tag)).toEqual(["Open", "Close"])
    const { host: place, pathname: key } = new URL(url)
    expect(key).toMatch(/^\/[\w-]{32}$/)
    expect(noted[0]).toMatchObject({ url: `ws://${place}/ws/session?x=1`, headers: { authorization: "Bearer token" } })
    expect(noted[1]).toMatchObject({ from: "agent", ws: { code: 4001, reason: "enough" } })

    const { agent, server } = await dial(url, host)
    const heard = event<Buffer>(server, "message")
    agent.send('{"type":"x"}\n')
    expect(String(await heard)).toBe('{"type":"x"}\n')
    const told = event<Buffer>(agent, "message")
    server.send("half a li")
    expect(String(await told)).toBe("half a li")
    const binary = new Promise((resolve) =>
      server.once("message", (data, isBinary) => resolve([String(data), isBinary]))
    )
    agent.send(Buffer.from("bytes"))
    expect(await binary).toEqual(["bytes", true])
    const pong = event<Buffer>(agent, "pong")
    agent.ping("are you there")
    expect(String(await pong)).toBe("are you there")
    const closed = event<number>(agent, "close")
    server.close(1000)
    expect(await closed).toBe(1000)
    expect(noted.slice(2)).toEqual([
      expect.objectContaining({ _tag: "Open" }),
      { _tag: "Message", from: "agent", data: '{"type":"x"}\n' },
      { _tag: "Message", from: "host", data: "half a li" },
      { _tag: "Message", from: "agent", data: { base64: "Ynl0ZXM=" } },
      { _tag: "Marker", text: "ping of the agent" },
      { _tag: "Marker", text: "pong" },
      { _tag: "Close", from: "host", channel: "ws", ws: { code: 1000, reason: "" } }
    ])
  })

  it("breaks one side when the other breaks, either way", async () => {
    const host = await startHost()
    const { noted, url } = await startProxy(`${host.url}/fixed`)
    const one = await dial(url, host)
    expect(host.requests[0]?.url).toBe("/fixed")
    const lost = event<number>(one.agent, "close")
    one.server.terminate()
    expect(await lost).toBe(1006)
    const two = await dial(url, host)
    const gone = event<number>(two.server, "close")
    two.agent.terminate()
    expect(await gone).toBe(1006)
    expect(noted.map((each) => (each._tag === "Close" ? `${each.from} ${each.ws?.code}` : each._tag))).toEqual([
      "Open",
      "host 1006",
      "Open",
      "agent 1006"
    ])
  })

  it("passes a refusal on as it is, and hangs up when nobody is there", async () => {
    const server = createServer()
    server.on("upgrade", (_, socket) =>
      socket.end("HTTP/1.1 401 Unauthorized\r\nx-why: token\r\ncontent-length: 2\r\n\r\nno")
    )
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { noted, url } = await startProxy(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const refused = new WebSocket(url)
    refused.on("error", () => undefined)
    const response = await new Promise<IncomingMessage>((resolve) => {
      refused.once("unexpected-response", (_, answer) => resolve(answer))
    })
    let body = ""
    for await (const chunk of response) body += String(chunk)
    expect([response.statusCode, response.headers["x-why"], body]).toEqual([401, "token", "no"])
    await new Promise((resolve) => server.close(resolve))
    const lost = new WebSocket(url)
    const error = await event<Error>(lost, "error")
    expect(error.message).toContain("hang up")
    expect(noted.map(({ _tag }) => _tag)).toEqual(["Marker", "Marker"])
  })

  it("slows a side that sends faster than the other reads, and loses nothing", async () => {
    const host = await startHost()
    const { noted, url } = await startProxy(host.url)
    const { agent, server } = await dial(url, host)
    server.pause()
    const message = "x".repeat(100_000)
    for (let number = 0; number < 300; number++) agent.send(`${number} ${message}`)
    await expect.poll(() => agent.bufferedAmount > 0 && noted.length > 1).toBe(true)
    let count = 0
    const all = new Promise<void>((resolve) => {
      server.on("message", (data) => {
        expect(String(data)).toBe(`${count} ${message}`)
        if (++count === 300) resolve()
      })
    })
    server.resume()
    await all
    expect(noted).toHaveLength(301)
  })
})

describe("another program on the same machine", () => {
  const without: ReadonlyArray<readonly [what: string, line: (key: string) => string]> = [
    ["no key", () => "GET /"],
    ["another key", (key) => `GET ${"/x".padEnd(key.length, "x")}`],
    ["the beginning of the key", (key) => `GET ${key.slice(0, -1)}/ws`],
    ["more than the key", (key) => `GET ${key}x/ws`],
    ["the key further behind", (key) => `GET /ws${key}`],
    ["the key behind two slashes", (key) => `GET /${key}/ws`],
    ["the key in the query", (key) => `GET /ws?${key.slice(1)}`],
    ["the key in capitals", (key) => `GET ${key.toUpperCase() === key ? "/x" : key.toUpperCase()}`],
    ["the key and a dot segment", (key) => `GET /..${key}/ws`],
    ["another host in the address", (key) => `GET http://evil.example${key}/ws`],
    ["another host in the address, and two slashes", () => "GET //evil.example/ws"]
  ]

  it.each(without)("with %s is refused with a reason, noted, and reaches nobody", async (_, line) => {
    const host = await startHost()
    const { noted, said, url } = await startProxy(host.url)
    const got = await raw(url, line(new URL(url).pathname))
    expect(got).toMatch(/^HTTP\/1\.1 403 Forbidden/)
    expect(got).toContain("somebody else's session")
    expect(noted).toEqual([{ _tag: "Marker", text: "refused a WebSocket of another program" }])
    expect(said).toHaveLength(1)
    expect(host.requests).toEqual([])
  })

  it("is noted ten times and not more, told of once, and does not disturb the session", async () => {
    const host = await startHost()
    const { noted, said, url } = await startProxy(host.url)
    const { agent, server } = await dial(url, host)
    for (let times = 0; times < 15; times++) await raw(url, "GET /")
    const heard = event<Buffer>(server, "message")
    agent.send("still here")
    expect(String(await heard)).toBe("still here")
    expect(noted.filter(({ _tag }) => _tag === "Marker")).toHaveLength(10)
    expect(said).toHaveLength(1)
    expect(host.sockets).toHaveLength(1)
  })

  it("cannot read a page, either", async () => {
    const host = await startHost()
    const { url } = await startProxy(host.url)
    const { host: place, pathname } = new URL(url)
    expect((await fetch(`http://${place}/`)).status).toBe(403)
    expect((await fetch(`http://${place}${pathname}`)).status).toBe(426)
  })
})

describe("whatever the CLI asks for", () => {
  const paths: ReadonlyArray<readonly [asks: string, reaches: string]> = [
    ["", "/"],
    ["/ws/cli/1?x=1&y=//z", "/ws/cli/1?x=1&y=//z"],
    ["//evil.example/ws", "//evil.example/ws"],
    ["/../ws", "/ws"],
    ["/@evil.example", "/@evil.example"],
    ["/\\\\evil.example", "///evil.example"],
    ["/http://evil.example", "/http://evil.example"],
    ["?http://evil.example", "/?http://evil.example"]
  ]

  it.each(paths)("%j goes to the host that was given", async (asks, reaches) => {
    const host = await startHost()
    const { url } = await startProxy(host.url)
    expect(await raw(url, `GET ${new URL(url).pathname}${asks}`)).toMatch(/^HTTP\/1\.1 101/)
    expect(host.requests.map((request) => request.url)).toEqual([reaches])
  })

  it("another name as its host changes nothing", async () => {
    const host = await startHost()
    const { url } = await startProxy(host.url)
    expect(await raw(url, `GET ${new URL(url).pathname}/ws`, ["Host: evil.example"])).toMatch(/^HTTP\/1\.1 101/)
    expect(host.requests.map(({ headers }) => headers.host)).toEqual([new URL(host.url).host])
  })

  it("a path that was given stays, whatever is behind the key", async () => {
    const host = await startHost()
    const { url } = await startProxy(`${host.url}/fixed?a=1`)
    const [, key = ""] = new URL(url).pathname.split("/")
    expect(await raw(url, `GET /${key}/other?b=2`)).toMatch(/^HTTP\/1\.1 101/)
    expect(host.requests.map((request) => request.url)).toEqual(["/fixed?a=1"])
  })

  it("a redirect of the host is passed on, not followed", async () => {
    const other = await startHost()
    const server = createServer()
    server.on("upgrade", (_, socket) =>
      socket.end(`HTTP/1.1 302 Found\r\nlocation: ${other.url}/\r\ncontent-length: 0\r\n\r\n`)
    )
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    cleanups.push(() => new Promise((resolve) => server.close(resolve)))
    const { url } = await startProxy(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
    expect(await raw(url, `GET ${new URL(url).pathname}`)).toMatch(/^HTTP\/1\.1 302/)
    expect(other.requests).toEqual([])
  })
})
