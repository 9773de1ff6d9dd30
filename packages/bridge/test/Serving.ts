/**
 * A server for the time of a test, on a free port of the loopback interface.
 */
import { type IncomingMessage, request } from "node:http"
import type { Agui } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type HttpServerOptions, type Listening, serveHttp } from "../src/server/HttpServer.ts"
import type { FakeSessions } from "./FakeSessions.ts"
import { linkedIfAsked } from "./link/Linked.ts"

/** The token of every server in the tests. */
export const token = "token-of-the-tests-0123456789"

/** The headers of a request that gets in. */
export const entering = { authorization: `Bearer ${token}`, "content-type": "application/json" }

/** Runs a test against a server, and closes it. */
export const serving = <A>(
  fakes: FakeSessions,
  use: (server: Listening) => Promise<A>,
  options: Partial<HttpServerOptions> = {}
): Promise<A> =>
  serveHttp({ port: 0, access: { token: Redacted.make(token) }, ...options }).pipe(
    Effect.flatMap((server) => Effect.promise(() => use(server))),
    Effect.scoped,
    Effect.provide(linkedIfAsked(fakes.layer)),
    Effect.runPromise
  )

/** An answer, whole. */
export interface Got {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

/** A request as `fetch` does not let one send it: any `Host`, any `Origin`, any path. */
export const ask = (
  { host, port }: Pick<Listening, "host" | "port">,
  method: string,
  path: string,
  headers: Readonly<Record<string, string | ReadonlyArray<string>>> = entering,
  body?: string | Uint8Array
): Promise<Got> =>
  new Promise((resolve, reject) => {
    const sent = request(
      { host, port, method, path, headers: headers as Record<string, string>, agent: false },
      (answer) => {
        const chunks: Array<Buffer> = []
        answer.on("data", (chunk: Buffer) => chunks.push(chunk))
        answer.on("error", reject)
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks).toString() })
        )
      }
    )
    sent.on("error", reject)
    sent.end(body)
  })

/** The code of a refusal. */
export const codeOf = ({ body }: Got): string => (JSON.parse(body) as { error: { code: string } }).error.code

/** The events of an answer. */
export const eventsIn = ({ body }: Pick<Got, "body">): ReadonlyArray<Agui.AguiEvent> =>
  body
    .split("\n\n")
    .filter((frame) => frame.startsWith("data: "))
    .map((frame) => JSON.parse(frame.slice(6)) as Agui.AguiEvent)

/** The body of a run on thread `t`. */
export const input = (runId: string, more: object = {}): string =>
  JSON.stringify({
    threadId: "t",
    runId,
    messages: [{ id: runId, role: "user", content: "Hi" }],
    tools: [],
    context: [],
    ...more
  })
