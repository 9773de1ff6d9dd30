import { createServer } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { Agui } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import { describe, expect, test } from "vitest"
import { makeHandler } from "../../src/server/HttpHandler.ts"
import { serveHttp } from "../../src/server/HttpServer.ts"
import { Sessions } from "../../src/session/Sessions.ts"
import { fakeSessions, wholeText } from "../FakeSessions.ts"
import { nothingListed } from "../NothingListed.ts"
import { ask, codeOf, entering, eventsIn, input, serving, token } from "../Serving.ts"

const page = "http://localhost:3000"
const access = { token: Redacted.make(token), allowedOrigins: [page] }

const answering = () =>
  fakeSessions((fake) => {
    fake.say(...wholeText(`m-${fake.submissions.length}`, "Hello"))
    fake.finish()
  })

describe("who gets in", () => {
  test("nobody without the token, on any route", () =>
    serving(answering(), async (server) => {
      for (const [method, path] of [
        ["GET", "/info"],
        ["POST", "/"],
        ["POST", "/agent/default/run"],
        ["GET", "/nowhere"]
      ] as const) {
        const got = await ask(
          server,
          method,
          path,
          { "content-type": "application/json" },
          method === "POST" ? input("r") : undefined
        )
        expect([got.status, codeOf(got), got.headers["www-authenticate"]]).toEqual([401, "UNAUTHORIZED", "Bearer"])
      }
      expect((await ask(server, "GET", `/info?token=${token}`, {})).status).toBe(401)
      expect((await ask(server, "GET", "/info", entering)).status).toBe(200)
    }))
  test("no foreign host and no foreign page, and nothing runs", async () => {
    const fakes = answering()
    await serving(fakes, async (server) => {
      const host = `evil.example:${server.port}`
      expect(codeOf(await ask(server, "POST", "/", { ...entering, host }, input("r")))).toBe("HOST_REFUSED")
      for (const origin of ["http://evil.example", "null", page]) {
        const got = await ask(server, "POST", "/", { ...entering, origin }, input("r"))
        expect([got.status, codeOf(got), got.headers["access-control-allow-origin"]]).toEqual([
          403,
          "ORIGIN_REFUSED",
          undefined
        ])
      }
    })
    expect(fakes.get("t").submissions).toEqual([])
  })
  test("an allowed page, by CORS", () =>
    serving(
      answering(),
      async (server) => {
        const preflight = await ask(server, "OPTIONS", "/agent/default/run", {
          origin: page,
          "access-control-request-method": "POST",
          "access-control-request-headers": "authorization,content-type"
        })
        expect(preflight.status).toBe(204)
        expect(preflight.headers).toMatchObject({
          "access-control-allow-origin": page,
          "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
          vary: "Origin"
        })
        const got = await ask(server, "POST", "/", { ...entering, origin: page }, input("r"))
        expect([got.status, got.headers["access-control-allow-origin"]]).toEqual([200, page])
        const refused = await ask(
          server,
          "POST",
          "/",
          { ...entering, authorization: "Bearer x", origin: page },
          input("r")
        )
        expect([refused.status, refused.headers["access-control-allow-origin"]]).toEqual([401, page])
      },
      { access }
    ))
  test("everybody on loopback when there is no token", () =>
    serving(answering(), async (server) => expect((await ask(server, "GET", "/info", {})).status).toBe(200), {
      access: { token: "none" }
    }))
})

describe("a long conversation that is sent again", () => {
  const messages = Array.from({ length: 10_000 }, (_, at) => ({
    id: `message-${at}`,
    role: at % 2 === 0 ? "user" : "assistant",
    content: `${at} ${"x".repeat(2000)}`
  }))
  const body = (runId: string, prompt: string) =>
    input(runId, { messages: [...messages, { id: prompt, role: "user", content: prompt }] })

  test("is not refused, tells the agent what is new, and keeps nobody else waiting for its end", async () => {
    const fakes = answering()
    await serving(fakes, async (server) => {
      let isOver = false
      let answered = 0
      const others = (async () => {
        while (!isOver) {
          await ask(server, "GET", "/health")
          answered++
        }
      })()
      for (const prompt of ["first", "second"]) {
        const before = answered
        const got = await ask(server, "POST", "/", entering, body(`run-${prompt}`, prompt))
        expect(got.status).toBe(200)
        expect(eventsIn(got).at(-1)?.type).toBe("RUN_FINISHED")
        // There are some three hundred pieces of 64 kB, and others have their turn after each.
        expect(answered - before).toBeGreaterThan(20)
      }
      isOver = true
      await others
    })
    const said = fakes.get("t").submissions.map(({ prompt }) => prompt?.said.map(({ id }) => id))
    expect(said).toEqual([["first"], ["second"]])
  })
})

describe("what is refused", () => {
  test("bodies that are no JSON by their type, size, depth or text", () =>
    serving(
      answering(),
      async (server) => {
        const post = (headers: object, body: string) => ask(server, "POST", "/", { ...entering, ...headers }, body)
        expect(codeOf(await post({ "content-type": "text/plain" }, input("r")))).toBe("UNSUPPORTED_MEDIA_TYPE")
        expect(codeOf(await post({}, "{"))).toBe("BAD_JSON")
        expect(codeOf(await post({}, "[".repeat(300)))).toBe("TOO_DEEP")
        const large = await post({}, JSON.stringify("x".repeat(1500)))
        expect([large.status, codeOf(large)]).toEqual([413, "BODY_TOO_LARGE"])
        const larger = await post({ connection: "keep-alive" }, JSON.stringify("x".repeat(5000)))
        expect([larger.status, larger.headers.connection]).toEqual([413, "close"])
        const wrong = await post({}, input("r", { messages: [{ id: "u", role: "user" }] }))
        expect([wrong.status, codeOf(wrong)]).toEqual([400, "BAD_INPUT"])
        expect(wrong.body).toContain("$.messages[0].content")
      },
      { limits: { maxBodyBytes: 1000 } }
    ))
  test("what is too large in a body, or to be told at once", () =>
    serving(
      answering(),
      async (server) => {
        const post = async (body: string, path = "/") => codeOf(await ask(server, "POST", path, entering, body))
        const user = (content: string) => ({ id: `u-${content.length}`, role: "user", content })
        const long = "x".repeat(600)
        expect(await post(input("r", { messages: [user(long)] }))).toBe("PART_TOO_LARGE")
        expect(await post(input("r", { state: long }))).toBe("PART_TOO_LARGE")
        expect(await post(`{"content":"${long}"}`, "/api/sessions/t/messages")).toBe("PART_TOO_LARGE")
        expect(await post(input("r", { messages: [user("x".repeat(400))] }))).toBe("TOO_MUCH_NEW")
        const said = { id: "s", role: "assistant", content: "Well" }
        const history = [..."abcdefgh"].flatMap((name) => [{ ...user("x".repeat(400)), id: name }, said])
        const run = input("r", { messages: [...history, user("Hi")] })
        const envelope = (body: string) => `{"method":"agent/run","params":{"agentId":"default"},"body":${body}}`
        for (const body of [run, envelope(run)])
          expect((await ask(server, "POST", "/", entering, body)).status).toBe(200)
        const news = input("r", { messages: [...history, user("x".repeat(400))] })
        expect(await post(news)).toBe("TOO_MUCH_NEW")
        // A page of CopilotKit is told in an event.
        const told = await ask(server, "POST", "/", entering, envelope(news))
        expect([told.status, eventsIn(told).map((event) => "code" in event && event.code)]).toEqual([
          200,
          ["TOO_MUCH_NEW"]
        ])
        // Who only joins tells nothing.
        expect((await ask(server, "POST", "/agent/default/connect", entering, news)).status).toBe(200)
      },
      { limits: { maxPartLength: 500, maxNewText: 300 } }
    ))
  test("paths and methods that are none", () =>
    serving(answering(), async (server) => {
      expect(codeOf(await ask(server, "GET", "/nowhere"))).toBe("NOT_FOUND")
      expect(codeOf(await ask(server, "GET", "/agent/%zz/run"))).toBe("BAD_REQUEST")
      expect(codeOf(await ask(server, "GET", "http://evil.example/info"))).toBe("BAD_REQUEST")
      const got = await ask(server, "DELETE", "/info")
      expect([got.status, codeOf(got), got.headers.allow]).toEqual([405, "METHOD_NOT_ALLOWED", "GET"])
      expect(codeOf(await ask(server, "POST", "/agent/other/run", entering, input("r")))).toBe("AGENT_NOT_FOUND")
    }))
  test("a server that is asked after two hosts", () =>
    serving(answering(), async (server) => {
      const text = await new Promise<string>((resolve) => {
        const socket = connect(server.port, server.host)
        let got = ""
        socket.on("data", (data) => (got += String(data)))
        socket.on("close", () => resolve(got))
        socket.write(
          `GET /info HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`
        )
      })
      expect(text).toMatch(/^HTTP\/1\.1 400 /)
    }))
})

describe("runs", () => {
  test("are answered in the dialect of the request", () =>
    serving(answering(), async (server) => {
      const modern = await ask(server, "POST", "/", entering, input("r1", { protocolVersion: "1.0" }))
      expect(modern.headers["content-type"]).toBe("text/event-stream")
      expect(eventsIn(modern)[0]).toMatchObject({ type: "RUN_STARTED", protocolVersion: "1.0" })
      expect(eventsIn(modern).at(-1)).toMatchObject({ type: "RUN_FINISHED", outcome: { type: "success" } })
      const old = await ask(server, "POST", "/", entering, input("r2"))
      expect(eventsIn(old)[0]).not.toHaveProperty("protocolVersion")
      expect(eventsIn(old).at(-1)?.type).toBe("RUN_FINISHED")
    }))
  test("of a busy thread are 409 to plain clients and RUN_ERROR to CopilotKit's, by path and dialect", async () => {
    const fakes = fakeSessions()
    fakes.get("t").say({ type: "turn_started", cause: "prompt", ticket: "open" })
    const modern = input("r", { protocolVersion: "1.0" })
    await serving(fakes, async (server) => {
      expect(codeOf(await ask(server, "POST", "/", entering, input("r")))).toBe("THREAD_BUSY")
      expect(codeOf(await ask(server, "POST", "/agent/default/run", entering, modern))).toBe("THREAD_BUSY")
      const envelope = JSON.stringify({
        method: "agent/run",
        params: { agentId: "default" },
        body: JSON.parse(input("r"))
      })
      for (const [path, body] of [
        ["/agent/default/run", input("r")],
        ["/", envelope]
      ] as const)
        expect(eventsIn(await ask(server, "POST", path, entering, body))).toMatchObject([
          { type: "RUN_ERROR", code: "THREAD_BUSY" }
        ])
    })
    await serving(
      fakes,
      async (server) => {
        expect(codeOf(await ask(server, "POST", "/agent/default/run", entering, input("r")))).toBe("THREAD_BUSY")
        const got = await ask(server, "POST", "/copilotkit/agent/default/run", entering, modern)
        expect(eventsIn(got)).toMatchObject([{ type: "RUN_ERROR", code: "THREAD_BUSY" }])
        expect(codeOf(await ask(server, "GET", "/info"))).toBe("NOT_FOUND")
        expect((await ask(server, "GET", "/copilotkit/info")).status).toBe(200)
        expect((await ask(server, "POST", "/copilotkit", entering, '{"method":"info"}')).status).toBe(200)
        expect(codeOf(await ask(server, "POST", "/", entering, '{"method":"info"}'))).toBe("BAD_INPUT")
      },
      { basePath: "/copilotkit/" }
    )
  })
  test("are stopped without a body, and without a type for it", async () => {
    const fakes = fakeSessions()
    fakes.get("a/b").say({ type: "turn_started", cause: "prompt", ticket: "open" })
    await serving(fakes, async (server) => {
      const { authorization } = entering
      const got = await ask(server, "POST", "/agent/default/stop/a%2Fb", { authorization })
      expect(JSON.parse(got.body)).toMatchObject({ stopped: true })
    })
  })
})

describe("the base path", () => {
  test("may have several segments, all of which count", () =>
    serving(
      answering(),
      async (server) => {
        expect((await ask(server, "GET", "/api/kit/info")).status).toBe(200)
        for (const path of ["/api/info", "/info", "/kit/info", "/api/kit2/info"])
          expect((await ask(server, "GET", path)).status, path).toBe(404)
      },
      { basePath: "api/kit" }
    ))
})

describe("a client that leaves", () => {
  test("before its run has begun stops it nevertheless", async () => {
    const fakes = fakeSessions()
    const opened = Effect.runSync(Latch.make(false))
    const asked = Effect.runSync(Latch.make(false))
    const slow = Layer.effect(
      Sessions,
      Effect.map(Sessions, (sessions) => ({
        ...sessions,
        open: (threadId: string) =>
          asked.open.pipe(Effect.andThen(opened.await), Effect.andThen(sessions.open(threadId)))
      }))
    ).pipe(Layer.provide(fakes.layer))
    await serving({ ...fakes, layer: slow }, async ({ url }) => {
      const leaving = new AbortController()
      const answer = fetch(url, { method: "POST", headers: entering, body: input("r"), signal: leaving.signal })
      await Effect.runPromise(asked.await)
      leaving.abort()
      await expect(answer).rejects.toThrow()
      // The server has noticed when it answers another on a connection that came later.
      await fetch(`${url}/info`, { headers: entering })
      await Effect.runPromise(opened.open)
      await fakes.get("t").until(() => fakes.get("t").stops.length > 0)
      expect(fakes.get("t").stops).toEqual(["r"])
    })
  })
})

describe("a handler in another server", () => {
  test("serves what it is given", () =>
    Effect.gen(function* () {
      const handler = yield* makeHandler({ access })
      const server = createServer(handler)
      yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
      yield* Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)))
      const { port } = server.address() as AddressInfo
      const at = { host: "127.0.0.1", port, url: "" }
      const got = yield* Effect.promise(() => ask(at, "POST", "/", entering, input("r")))
      expect(Agui.foldEvents(eventsIn(got)).messages).toMatchObject([{ content: "Hi" }, { content: "Hello" }])
    }).pipe(Effect.scoped, Effect.provide(answering().layer), Effect.runPromise))
})

describe("what breaks inside", () => {
  test("is logged without the token, and told without details", async () => {
    const lines: Array<string> = []
    const logger = Logger.make((entry) => void lines.push(String(Logger.formatJson.log(entry))))
    const broken = Layer.succeed(Sessions, {
      ...nothingListed,
      agentName: "Fake Agent",
      open: () => Effect.die(new Error("the disk is on fire")),
      create: () => Effect.die("not asked"),
      find: () => Effect.succeed(undefined),
      remove: () => Effect.succeed(false)
    })
    await serveHttp({ access, port: 0 }).pipe(
      Effect.flatMap((server) => Effect.promise(() => ask(server, "POST", "/", entering, input("r")))),
      Effect.tap((got) =>
        Effect.sync(() => {
          expect([got.status, codeOf(got)]).toEqual([500, "INTERNAL"])
          expect(got.body).not.toContain("fire")
        })
      ),
      Effect.scoped,
      Effect.provide(Layer.merge(broken, Logger.layer([logger]))),
      Effect.runPromise
    )
    expect(lines.join("\n")).toContain("the disk is on fire")
    expect(lines.join("\n")).not.toContain(token)
  })
})
