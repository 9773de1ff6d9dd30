/**
 * Stands between a CLI that connects with `--sdk-url` (2.1.120 and before) and its host, and shows the tape what
 * goes over the WebSocket.
 *
 * Each connection of the CLI becomes one to the host, with the same headers; the CLI's upgrade is answered only when
 * the host has answered, with what the host said. Messages keep their borders, pings and pongs go through, a close
 * is passed on with its code, and a socket that breaks breaks the other. Compression is not offered: it would
 * change no message.
 */
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
}

/** A running proxy. */
export interface WsProxy {
  /** Where the CLI connects to. */
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

/** Starts listening. */
export const startWsProxy = async ({ port, tap, to }: WsProxyOptions): Promise<WsProxy> => {
  const open = new Set<WebSocket>()
  const server = createServer((_, response) => response.writeHead(426, { connection: "close" }).end())
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on("error", () => undefined) // 'close' follows, and is what counts
    connect({ request, socket, head, to, tap, open })
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => {
      reject(new Failure(`Cannot listen on port ${port}: ${error.message}.`, { cause: error }))
    })
    server.listen(port, "127.0.0.1", resolve)
  })
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `ws://127.0.0.1:${taken}${to.pathname === "/" ? "" : to.pathname}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const each of open) each.terminate()
      server.closeAllConnections()
      await closed
    }
  }
}

interface Connection {
  readonly request: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
  readonly to: URL
  readonly tap: Tap
  readonly open: Set<WebSocket>
}

/** Opens the way to the host, then answers the CLI. */
const connect = ({ head, open, request, socket, tap, to }: Connection): void => {
  const address = to.pathname === "/" && to.search === "" ? new URL(request.url ?? "/", to) : to
  const protocols = request.headers["sec-websocket-protocol"]?.split(/\s*,\s*/) ?? []
  const host = new WebSocket(address, protocols, {
    headers: headersOf(request, ownHeaders),
    maxPayload,
    perMessageDeflate: false,
    autoPong: false
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
        url: `ws://${request.headers.host ?? ""}${request.url ?? ""}`,
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
