/**
 * What a client and a server say to each other, kept beside the connection, and held against the schema that Codex prints
 * of itself: whatever a client lets pass.
 */
import { mkdir, readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { type RawData, WebSocket, WebSocketServer } from "ws"
import type { Line } from "../codex/AppServer.ts"
import { type Findings, printedFindings } from "../codex/Printed.ts"

/** What is heard of connections. */
export interface Tap {
  /** Where the lines of processes are kept: what a client has said in `ID.client`, what it was told in `ID.server`. */
  readonly folder: string
  /** A WebSocket that passes on what is said to a server, and by it. */
  readonly relay: (url: string) => Promise<{ readonly url: string; readonly close: () => Promise<void> }>
  /** What the server has said so far that does not fit. */
  readonly misfits: () => Promise<ReadonlyArray<string>>
}

/** Lines of a client that are no message are no news here. */
const isMessage = (text: string): boolean => text.startsWith("{") && text.endsWith("}")

let printed: Promise<Findings> | undefined

/** What the schema says of a connection. The client is right: it is Codex's own, or somebody else's. */
const misfitsIn = async (lines: ReadonlyArray<Line>): Promise<ReadonlyArray<string>> => {
  printed ??= printedFindings()
  const findings = await printed
  const own = new Set(findings(lines))
  for (const finding of findings(lines.filter(({ from }) => from === "client"))) own.delete(finding)
  return [...own]
}

/** Hears what is said in a folder that is not there yet, and on WebSockets. */
export const makeTap = async (folder: string): Promise<Tap> => {
  await mkdir(folder)
  const connections: Array<Array<Line>> = []
  return {
    folder,
    relay: (url) => relayTo(url, connections),
    misfits: async () => {
      const names = await readdir(folder)
      const piped = await Promise.all(
        names.filter((name) => name.endsWith(".server")).map((name) => linesOf(join(folder, name)))
      )
      const all = [...connections, ...piped]
      if (!all.some((lines) => lines.some(({ from }) => from === "server"))) return ["nothing was heard"]
      return (await Promise.all(all.map(misfitsIn))).flat()
    }
  }
}

/** The lines of a process: what its client has asked, then what it was told. The last one may have been cut. */
const linesOf = async (file: string): Promise<ReadonlyArray<Line>> => {
  const read = async (path: string, from: Line["from"]): Promise<ReadonlyArray<Line>> =>
    (await readFile(path, "utf8"))
      .split("\n")
      .filter(isMessage)
      .map((text) => ({ from, text }))
  return [...(await read(file.replace(/server$/, "client"), "client")), ...(await read(file, "server"))]
}

const relayTo = (url: string, connections: Array<Array<Line>>) =>
  new Promise<{ readonly url: string; readonly close: () => Promise<void> }>((resolve, reject) => {
    const server = new WebSocketServer({ port: 0, host: "127.0.0.1", maxPayload: 1 << 28 })
    server.once("error", reject)
    server.on("connection", (client, { headers: { authorization } }) => {
      const lines: Array<Line> = []
      connections.push(lines)
      const headers = authorization === undefined ? {} : { authorization }
      const upstream = new WebSocket(url, { headers, maxPayload: 1 << 28 })
      const opened = new Promise<void>((open) => upstream.once("open", () => open()))
      const pass = (from: Line["from"], to: WebSocket) => (data: RawData, isBinary: boolean) => {
        const text = String(data)
        if (!isBinary && isMessage(text)) lines.push({ from, text })
        if (to.readyState === WebSocket.OPEN) to.send(data, { binary: isBinary })
      }
      const toServer = pass("client", upstream)
      client.on("message", (data, isBinary) => void opened.then(() => toServer(data, isBinary)))
      upstream.on("message", pass("server", client))
      for (const [one, other] of [
        [client, upstream],
        [upstream, client]
      ] as const) {
        one.once("close", () => other.close())
        one.on("error", () => other.terminate())
      }
    })
    server.once("listening", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resolve({
        url: `ws://127.0.0.1:${port}`,
        close: () =>
          new Promise((closed) => {
            for (const client of server.clients) client.terminate()
            server.close(() => closed())
          })
      })
    })
  })
