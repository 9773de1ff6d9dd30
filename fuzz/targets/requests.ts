/**
 * Requests to the bridge, from their first line to their body: every route of every face, without a socket. Threads have
 * a session that answers at once.
 */
import { IncomingMessage, ServerResponse } from "node:http"
import { Duplex } from "node:stream"
import { parseJson } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { refusalStatus } from "../../packages/bridge/src/face/http/HttpRefusal.ts"
import { paths } from "../../packages/bridge/src/face/management/Paths.ts"
import { type Handler, makeHandler } from "../../packages/bridge/src/server/HttpHandler.ts"
import { threadIdProblem } from "../../packages/bridge/src/session/SessionRegistry.ts"
import { SessionRefused, Sessions } from "../../packages/bridge/src/session/Sessions.ts"
import { type FakeSession, fakeSessions } from "../../packages/bridge/test/FakeSessions.ts"
import { nothingListed } from "../../packages/bridge/test/NothingListed.ts"
import { holds, type Target } from "../Target.ts"

const token = "token-of-the-fuzzer-0123456789"
const port = 3210

/** The request readers. */
export const requests: Target = {
  name: "requests",
  law: "any request is answered once; a refusal has its code, its status and short words; nobody enters without the token",
  shape: "lines",
  words: [
    ...Object.values(paths).map((path) => path.replaceAll(/:\w+/g, "t")),
    ...[
      "POST / ",
      "GET /info ",
      "POST /agent/default/run ",
      "POST /agent/default/connect ",
      "POST /agent/default/stop/t "
    ],
    ...["POST /mcp/t ", "?from=", "&", "%00", "%2f", "..", "Last-Event-ID: ", "Mcp-Session-Id: ", "Origin: ", "Host: "],
    ...[
      "Authorization: Bearer x",
      `Authorization: Bearer ${token}`,
      "Content-Encoding: gzip",
      "messages",
      "role",
      "content"
    ],
    ...[
      "tool",
      "user",
      "assistant",
      "resume",
      "interruptId",
      "payload",
      "method",
      "agent/run",
      "agent/stop",
      "params",
      "body"
    ]
  ],
  check: async (input) => {
    const asked = requestIn(input)
    if (asked === undefined) return ["unread"]
    const { body, head, type } = await answerTo(asked)
    const status = Number(head.slice(9, 12))
    const shown = asked.rawHeaders.filter(
      (_, at) => asked.rawHeaders[at - 1]?.toLowerCase() === "authorization" && at % 2 === 1
    )
    const mayEnter = shown.length === 1 && new RegExp(`^bearer +${token} *$`, "i").test(shown[0] ?? "")
    holds(status === 204 || status >= 400 || mayEnter, "nobody enters without the token, once", head)
    holds(status !== 500, "nothing breaks inside", `${asked.method} ${asked.url}: ${body}`)
    if (status < 400) return [`${status} ${type}`]
    const { code, message } =
      (parseJson(body) as { readonly error?: { readonly code?: unknown; readonly message?: unknown } } | undefined)
        ?.error ?? {}
    // MCP's own server answers in its own words.
    if (typeof code === "number") return [`${status} mcp ${code}`]
    holds(typeof code === "string" && Object.hasOwn(refusalStatus, code), "a refusal has a code", body)
    holds(refusalStatus[code as keyof typeof refusalStatus] === status, "a code has its status", body)
    holds(typeof message === "string" && message.length <= 1000, "a refusal is short", body.length)
    holds(!/[\p{Cc}\p{Zl}\p{Zp}]/u.test(String(message)), "a refusal has no control characters", body)
    return [`${status} ${code}`]
  }
}

interface Asked {
  readonly method: string
  readonly url: string
  readonly rawHeaders: ReadonlyArray<string>
  readonly body: Uint8Array
}

/** A request as Node's parser lets it through: what cannot be a method, an address or a header does not come here. */
const requestIn = (input: Uint8Array): Asked | undefined => {
  const end = Buffer.from(input).indexOf("\n\n")
  const [line = "", ...headers] = Buffer.from(input.subarray(0, end === -1 ? input.length : end))
    .toString("latin1")
    .split("\n")
  const [, method, url] = /^(GET|POST|PUT|DELETE|OPTIONS|HEAD|PATCH) (\S+)/.exec(line) ?? []
  if (method === undefined || url === undefined || line.length > 8000) return undefined
  const rawHeaders = headers.flatMap((header) => {
    const colon = header.indexOf(":")
    const [name, value] = [header.slice(0, Math.max(colon, 0)), header.slice(colon + 1).trim()]
    return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value) ? [name, value] : []
  })
  return { method, url, rawHeaders, body: input.subarray(end === -1 ? input.length : end + 2) }
}

/** The server's end of a connection, which keeps what is written. */
class Wire extends Duplex {
  readonly localAddress = "127.0.0.1"
  readonly localPort = port
  text = ""

  override _read(): void {}

  override _write(chunk: Buffer, _: unknown, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}

interface Answered {
  readonly head: string
  readonly type: string
  readonly body: string
}

const answerTo = async ({ body, method, rawHeaders, url }: Asked): Promise<Answered> => {
  const wire = new Wire()
  const request = new IncomingMessage(wire as unknown as IncomingMessage["socket"])
  Object.assign(request, { method, url, rawHeaders: [...rawHeaders], httpVersion: "1.1", complete: true })
  request.push(body)
  request.push(null)
  const response = new ServerResponse(request)
  response.assignSocket(wire as unknown as IncomingMessage["socket"])
  const answered = new Promise<void>((resolve) => {
    response.once("finish", resolve)
    response.once("close", resolve)
    const write = wire._write.bind(wire)
    wire._write = (chunk, encoding, done) => {
      write(chunk, encoding, done)
      // A stream may go on for ever; its head says enough.
      if (wire.text.includes("text/event-stream")) setImmediate(resolve)
    }
  })
  await startHandler().then((handle) => handle(request, response))
  await answered
  wire.destroy()
  response.destroy()
  const [head = "", text = ""] = wire.text.split("\r\n\r\n")
  return { head, type: /content-type: ([\w/-]+)/i.exec(head)?.[1] ?? "", body: text }
}

const endTurn = (fake: FakeSession): void => fake.finish()

const sessions: Sessions["Service"] = {
  ...nothingListed,
  agentName: "Fake Agent",
  create: (threadId) => sessions.open(threadId),
  open: (threadId) =>
    Effect.suspend(() => {
      const problem = threadIdProblem(threadId)
      return problem === undefined
        ? Effect.sync(() => fakeSessions(endTurn).get(threadId).session())
        : Effect.fail(new SessionRefused({ code: "BAD_THREAD_ID", message: problem }))
    }),
  find: (threadId) => Effect.sync(() => (threadId === "t" ? fakeSessions(endTurn).get(threadId).session() : undefined)),
  remove: () => Effect.succeed(false)
}

let handler: Promise<Handler> | undefined

const startHandler = (): Promise<Handler> => {
  handler ??= makeHandler({ access: { token: Redacted.make(token) }, limits: { maxBodyBytes: 64 * 1024 } }).pipe(
    Effect.provideService(Scope.Scope, Scope.makeUnsafe()),
    Effect.provide(Layer.merge(Layer.succeed(Sessions, sessions), Logger.layer([]))),
    Effect.runPromise
  )
  return handler
}
