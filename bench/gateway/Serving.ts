/** The process that is measured: a bridge with a gateway, and beside it a server that sends the same to all, and does nothing else. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { layerBridge } from "@agentwire/bridge"
import { HttpServer } from "@agentwire/bridge/http"
import { Sessions } from "@agentwire/bridge/session"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type WebSocket, WebSocketServer } from "ws"
import { stamped } from "../bridge/Stamp.ts"
import { kinds, wants } from "./Kinds.ts"
import { speakers } from "./Speakers.ts"

/** What the process is told: to speak so often, so fast, in so many sessions, by one of the two. */
export interface Order {
  readonly by: "gateway" | "bare"
  readonly sessions: number
  readonly pieces: number
  readonly everyMs: number
}

/** What it answers. */
export type Report =
  | { readonly type: "ready"; readonly gateway: string; readonly bare: string }
  | { readonly type: "spoken"; readonly heapBytes: number }

const tell = (report: Report): void => void process.send?.(report)

/** A server whose clients are each of a kind, by the path that they ask for, and are sent the same bytes. */
const serveBare = async (): Promise<{ readonly url: string; readonly say: (sessions: number) => void }> => {
  const clients = new Map<string, Set<WebSocket>>(kinds.map(({ name }) => [name, new Set()]))
  const server = createServer()
  const sockets = new WebSocketServer({ server, perMessageDeflate: false })
  sockets.on("connection", (socket, { url = "" }) => clients.get(url.slice(1))?.add(socket))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    say: (sessions) => {
      // All of them have something to say at the same time, as in the bridge.
      const said = Array.from({ length: sessions }, (_, session) => {
        const place = { sessionId: `s-${session}`, seq: 1, parent_tool_use_id: null, index: 0 }
        const delta = { type: "text_delta", text: stamped() }
        const payload = { type: "content_block_delta", ...place, delta }
        return Buffer.from(JSON.stringify({ type: "event", event: "session.content_block_delta", payload }))
      })
      for (const [session, bytes] of said.entries())
        for (const kind of kinds)
          if (wants(kind, session))
            for (const socket of clients.get(kind.name) ?? []) socket.send(bytes, { binary: false })
    }
  }
}

/** Serves until the process that has started it is gone. */
export const serveUntilGone = async (sessionCount: number): Promise<void> => {
  const { layer, speak } = speakers()
  const bare = await serveBare()
  const serving = Effect.gen(function* () {
    const { url } = yield* HttpServer
    const sessions = yield* Sessions
    for (let session = 0; session < sessionCount; session++) yield* sessions.open(`s-${session}`)
    const obey = async ({ by, everyMs, pieces, sessions: count }: Order): Promise<void> => {
      for (let piece = 0; piece < pieces; piece++) {
        const next = new Promise((resolve) => setTimeout(resolve, everyMs))
        if (by === "bare") bare.say(count)
        else for (let session = 0; session < count; session++) speak(`s-${session}`)
        await next
      }
      globalThis.gc?.()
      tell({ type: "spoken", heapBytes: process.memoryUsage().heapUsed })
    }
    process.on("message", (order) => void obey(order as Order))
    tell({ type: "ready", gateway: url, bare: bare.url })
    yield* Effect.never
  })
  process.on("disconnect", () => process.exit(0))
  const http = { port: 0, access: { token: "none" }, gateway: {} } as const
  const bridge = layerBridge({ session: { cwd: process.cwd() }, http }).pipe(Layer.provide(layer))
  await Effect.runPromise(Effect.scoped(serving).pipe(Effect.provide(bridge)))
}
