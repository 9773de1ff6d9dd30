import { connect } from "node:net"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { describe, expect, test } from "vitest"
import { HttpServer, serveHttp } from "../../src/server/HttpServer.ts"
import { fakeSessions, wholeText } from "../FakeSessions.ts"
import { ask, entering, eventsIn, input, serving, token } from "../Serving.ts"

const page = "http://localhost:3000"
const access = { token: Redacted.make(token), allowedOrigins: [page] }

const answering = () =>
  fakeSessions((fake) => {
    fake.say(...wholeText(`m-${fake.submissions.length}`, "Hello"))
    fake.finish()
  })

describe("closing", () => {
  test("ends open streams with an error, and leaves no connection", async () => {
    const fakes = fakeSessions()
    const scope = Effect.runSync(Scope.make())
    const server = await serveHttp({ port: 0, access, closeGrace: "100 millis" }).pipe(
      Scope.provide(scope),
      Effect.provide(fakes.layer),
      Effect.runPromise
    )
    const silent = connect(server.port, server.host)
    const cut = new Promise((resolve) => silent.on("close", resolve))
    const answer = await fetch(`${server.url}/`, { method: "POST", headers: entering, body: input("r") })
    await Effect.runPromise(Scope.close(scope, Exit.void))
    expect(eventsIn({ body: await answer.text() }).at(-1)).toMatchObject({ type: "RUN_ERROR", code: "SERVER_CLOSED" })
    await cut
    await expect(ask(server, "GET", "/info")).rejects.toThrow(/ECONNREFUSED/)
    // The server went, not the client: the run is not stopped.
    expect(fakes.get("t").stops).toEqual([])
  })
})

describe("starting", () => {
  const start = (options: Parameters<typeof serveHttp>[0]) =>
    serveHttp(options).pipe(Effect.scoped, Effect.provide(fakeSessions().layer), Effect.flip, Effect.runPromise)

  test("fails with a reason", () =>
    serving(answering(), async ({ port }) => {
      expect(await start({ access, port })).toMatchObject({ code: "PORT_IN_USE" })
      expect(await start({ access, host: "203.0.113.1", port: 0 })).toMatchObject({ code: "HOST_UNKNOWN" })
      expect(await start({ access: { token: "none" }, host: "0.0.0.0", port: 0 })).toMatchObject({ code: "UNSAFE" })
    }))
  test("as a layer", async () => {
    const layer = HttpServer.layer({ access, port: 0 }).pipe(Layer.provide(answering().layer))
    const status = await Effect.gen(function* () {
      const server = yield* HttpServer
      expect(server.url).toBe(`http://127.0.0.1:${server.port}`)
      return (yield* Effect.promise(() => ask(server, "GET", "/info"))).status
    }).pipe(Effect.provide(layer), Effect.runPromise)
    expect(status).toBe(200)
  })
})
