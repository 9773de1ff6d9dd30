/**
 * Stands between a CLI that connects with `--sdk-url` (2.1.120 and before) and its host, and shows the tape what
 * goes over the WebSocket.
 *
 * Each connection of the CLI becomes one to the host, with the same headers; the CLI's upgrade is answered only when
 * the host has answered, with what the host said. Messages keep their borders, pings and pongs go through, a close
 * is passed on with its code, and a socket that breaks breaks the other. Compression is not offered: it would
 * change no message.
 *
 * It is no relay for others: everything goes to the one host, whatever a request says, and only those are let in that
 * know the address of this recording, whose first segment nobody can guess. The CLI has nothing else that it could show:
 * it takes an address and headers from its environment, which belong to the host.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import type { Duplex } from "node:stream"
import type { Tape } from "@agentwire/protocol"
import { type RawData, WebSocket, WebSocketServer } from "ws"
import { Failure } from "../Failure.ts"
import type { Tap } from "./TapEvent.ts"

/** Options of {@link startWsProxy}. */
export interface WsProxyOptions {
  /** The loopback port to listen on; 0 takes a free one. */
  readonly port: number
  /** The host. Without a path, the CLI's own is used. */
  readonly to: URL
  readonly tap: Tap
  /** Is told, in words, of the first that is refused. */
  readonly onRefused?: (message: string) => void
}

/** A running proxy. */
export interface WsProxy {
  /** Where the CLI connects to. Whoever knows it is taken for the CLI. */
  readonly url: string
  /** Ends all connections and stops listening. */
  readonly close: () => Promise<void>
}

/** The largest message that is passed on: as large as a line of the tape can be, with room for the rest. */
const maxPayload = 256 * 1024 * 1024

/** How much may wait for a slow side before the other is paused. */
const highWater = 1024 * 1024

/** Headers that are the handshake itself: each connection has its own. */
const handshake = new Set(["connection", "upgrade", "sec-websocket-key", "sec-websocket-version"])

/** Other headers that are not passed on: they name the proxy, or are negotiated again. */
const ownHeaders = new Set([...handshake, "host", "sec-websocket-extensions", "sec-websocket-protocol"])

/** How many refusals the tape notes: others can ask as often as they like. */
const maxNoted = 10

/** What who is refused is told. */
const refusal = "This port records somebody else's session. Use the address that `agentwire record` printed.\n"

/** Starts listening. */
export const startWsProxy = async ({ onRefused, port, tap, to }: WsProxyOptions): Promise<WsProxy> => {
  const open = new Set<WebSocket>()
  const key = randomBytes(24).toString("base64url")
  let refused = 0
  const note = (what: string): void => {
    if (refused === 0) onRefused?.(`Another program asked for ${what} and was refused. It is noted on the tape.`)
    if (refused++ < maxNoted) tap({ _tag: "Marker", text: `refused ${what} of another program` })
  }
  const server = createServer(timeouts, ({ url = "" }, response) => {
    if (pathAfter(key, url) !== undefined) return response.writeHead(426, { connection: "close" }).end()
    note("a page")
    return response.writeHead(403, { connection: "close", "content-type": "text/plain" }).end(refusal)
  })
  server.maxConnections = maxConnections
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => undefined) // 'close' follows, and is what counts
    const path = pathAfter(key, request.url ?? "")
    if (path !== undefined) return connect({ request, path, socket, head, to, tap, open })
    note("a WebSocket")
    const lines = ["HTTP/1.1 403 Forbidden", "connection: close", "content-type: text/plain"]
    // The other side may never close its half.
    socket.end([...lines, `content-length: ${refusal.length}`, "", refusal].join("\r\n"), () => socket.destroy())
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => {
      reject(new Failure(`Cannot listen on port ${port}: ${error.message}.`, { cause: error }))
    })
    server.listen(port, "127.0.0.1", resolve)
  })
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${taken}/${key}${to.pathname === "/" ? "" : to.pathname}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const each of open) each.terminate()
      server.closeAllConnections()
      await closed
    }
  }
}

/** A CLI has one connection, or two for a moment. */
const maxConnections = 100

/** How long a request may take to arrive. */
const timeouts = { headersTimeout: 10_000, requestTimeout: 10_000, connectionsCheckingInterval: 2000 }

/** What follows the key in the address of a request; undefined when the key is not there. */
const pathAfter = (key: string, url: string): string | undefined => {
  const [, shown = "", path = ""] = /^\/([^/?]*)(.*)$/s.exec(url) ?? []
  return timingSafeEqual(digest(shown), digest(key)) ? path : undefined
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Where a connection leads: to the host, whatever the path says. A host that was given without a path has the CLI's. */
const addressFor = (to: URL, path: string): URL => {
  if (to.pathname !== "/" || to.search !== "") return to
  const address = new URL(to)
  // Set, not resolved: `//other.example/` is a path here, not a host.
  const [place = "", ...query] = path.split("?")
  address.pathname = place
  address.search = query.join("?")
  return address
}

interface Connection {
  readonly request: IncomingMessage
  /** What the CLI asked for, without the key. */
  readonly path: string
  readonly socket: Duplex
  readonly head: Buffer
  readonly to: URL
  readonly tap: Tap
  readonly open: Set<WebSocket>
}

/** Opens the way to the host, then answers the CLI. */
const connect = ({ head, open, path, request, socket, tap, to }: Connection): void => {
  const protocols = request.headers["sec-websocket-protocol"]?.split(/\s*,\s*/) ?? []
  const host = new WebSocket(addressFor(to, path), protocols, {
    headers: headersOf(request, ownHeaders),
    maxPayload,
    perMessageDeflate: false,
    autoPong: false,
    followRedirects: false
  })
  open.add(host)
  host.on("close", () => open.delete(host))
  let answer: IncomingMessage | undefined
  host.on("upgrade", (response) => {
    answer = response
  })
  const giveUp = () => host.terminate()
  socket.once("close", giveUp)
  const refused = (error: Error) => {
    // What is refused is not part of the session, but explains a reconnect that comes late.
    tap({ _tag: "Marker", text: `the host cannot be reached: ${error.message}` })
    socket.destroy()
  }
  host.once("error", refused)
  host.on("error", () => undefined) // 'close' follows, and is what counts
  host.once("unexpected-response", (_, response) => {
    host.off("error", refused)
    tap({ _tag: "Marker", text: `the host refuses the upgrade: ${response.statusCode}` })
    passResponse(response, socket)
  })
  host.once("open", () => {
    host.off("error", refused)
    socket.off("close", giveUp)
    host.pause()
    const sockets = new WebSocketServer({
      noServer: true,
      maxPayload,
      autoPong: false,
      handleProtocols: () => host.protocol || false
    })
    sockets.on("headers", (lines: Array<string>) => {
      for (const [name, value] of Object.entries(headersOf(answer, answerHeaders))) lines.push(`${name}: ${value}`)
    })
    let answered = false
    sockets.handleUpgrade(request, socket, head, (agent) => {
      answered = true
      open.add(agent)
      agent.on("close", () => open.delete(agent))
      tap({
        _tag: "Open",
        url: `ws://${request.headers.host ?? ""}${path}`,
        headers: headersOf(request, handshake)
      })
      join(agent, host, tap)
      host.resume()
    })
    // An upgrade that is none has been refused by now.
    if (!answered) host.terminate()
  })
}

/** Headers of the host's answer that our own answer has already. */
const answerHeaders = new Set([
  "connection",
  "upgrade",
  "date",
  "sec-websocket-accept",
  "sec-websocket-extensions",
  "sec-websocket-protocol"
])

/** Passes everything between two open sockets. */
const join = (agent: WebSocket, host: WebSocket, tap: Tap): void => {
  let over = false
  const way = (from: Tape.Speaker, source: WebSocket, sink: WebSocket) => {
    source.on("message", (data: RawData, binary: boolean) => {
      const bytes = toBuffer(data)
      sink.send(bytes, { binary }, () => {
        if (source.isPaused && sink.bufferedAmount < highWater) source.resume()
      })
      if (sink.bufferedAmount >= highWater) source.pause()
      tap({
        _tag: "Message",
        from,
        data: binary ? { base64: bytes.toString("base64") } : bytes.toString("utf8")
      })
    })
    const who = from === "agent" ? " of the agent" : ""
    source.on("ping", (data: Buffer) => {
      if (sink.readyState === WebSocket.OPEN) sink.ping(data)
      tap({ _tag: "Marker", text: `ping${who}` })
    })
    source.on("pong", (data: Buffer) => {
      if (sink.readyState === WebSocket.OPEN) sink.pong(data)
      tap({ _tag: "Marker", text: `pong${who}` })
    })
    source.on("error", () => undefined) // 'close' follows, with a code that says it
    source.on("close", (code: number, reason: Buffer) => {
      if (over) return
      over = true
      tap({ _tag: "Close", from, channel: "ws", ws: { code, reason: reason.toString("utf8") } })
      passClose(sink, code, reason)
    })
  }
  way("agent", agent, host)
  way("host", host, agent)
}

/** 1005 is a close without a code, 1006 and 1015 are sockets that broke: none of them can be sent. */
const passClose = (sink: WebSocket, code: number, reason: Buffer): void => {
  if (code === 1005) sink.close()
  else if (code === 1006 || code === 1015) sink.terminate()
  else sink.close(code, reason)
}

const passResponse = (response: IncomingMessage, socket: Duplex): void => {
  const lines = [`HTTP/1.1 ${response.statusCode} ${response.statusMessage}`]
  for (let at = 0; at < response.rawHeaders.length; at += 2) {
    const [name = "", value = ""] = response.rawHeaders.slice(at, at + 2)
    // The body comes to us decoded, and ends with the connection.
    if (!/^(transfer-encoding|connection)$/i.test(name)) lines.push(`${name}: ${value}`)
  }
  socket.write(`${[...lines, "connection: close"].join("\r\n")}\r\n\r\n`)
  response.pipe(socket)
}

const headersOf = (
  message: IncomingMessage | undefined,
  without: ReadonlySet<string>
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(message?.headers ?? {})
      .filter(([name]) => !without.has(name))
      .map(([name, value]) => [name, [value].flat().join(", ")])
  )

const toBuffer = (data: RawData): Buffer => {
  if (Array.isArray(data)) return Buffer.concat(data)
  return data instanceof ArrayBuffer ? Buffer.from(data) : data
}
