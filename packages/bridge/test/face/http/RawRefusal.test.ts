import { type IncomingMessage, request } from "node:http"
import { connect } from "node:net"
import { PassThrough } from "node:stream"
import { describe, expect, test } from "vitest"
import { refusalOf, tooManyHeaders, tunnelRefusal, writeRawRefusal } from "../../../src/face/http/RawRefusal.ts"
import { fakeSessions } from "../../FakeSessions.ts"
import { entering, serving, token } from "../../Serving.ts"

const error = (code: string): NodeJS.ErrnoException => Object.assign(new Error(`with ${token}`), { code })

describe("what node:http cannot read", () => {
  test("is refused by its kind, without what was sent", () => {
    const codeOf = (code: string) => refusalOf(error(code))?.code
    expect(codeOf("HPE_HEADER_OVERFLOW")).toBe("HEADERS_TOO_LARGE")
    expect(codeOf("ERR_HTTP_REQUEST_TIMEOUT")).toBe("REQUEST_TIMEOUT")
    expect(codeOf("HPE_INVALID_METHOD")).toBe("BAD_REQUEST")
    expect(refusalOf(error("HPE_INVALID_METHOD"))?.message).not.toContain(token)
  })
  test("is not refused when nobody is there any more", () => {
    expect(refusalOf(error("ECONNRESET"))).toBeUndefined()
    expect(refusalOf(error("EPIPE"))).toBeUndefined()
  })
})

test("headers are counted", () => {
  const having = (count: number, maxHeadersCount: number | null = null) =>
    ({
      rawHeaders: Array.from({ length: 2 * count }, () => "x"),
      socket: { server: { maxHeadersCount } }
    }) as unknown as IncomingMessage
  expect(tooManyHeaders(having(100), 100)).toBeUndefined()
  expect(tooManyHeaders(having(101), 100)?.code).toBe("HEADERS_TOO_LARGE")
  // As many as the server lets through: there may have been more.
  expect(tooManyHeaders(having(50, 50), 100)?.code).toBe("HEADERS_TOO_LARGE")
})

test("a refusal is a whole answer, and the connection is closed", async () => {
  const socket = new PassThrough()
  const closed = new Promise((resolve) => socket.once("close", resolve))
  let text = ""
  socket.on("data", (chunk) => (text += String(chunk)))
  writeRawRefusal(socket, tunnelRefusal)
  await closed
  const [head = "", body = ""] = text.split("\r\n\r\n")
  expect(head).toMatch(/^HTTP\/1\.1 405 /)
  expect(head).toContain("Allow: GET, POST")
  expect(head).toContain(`Content-Length: ${body.length}`)
  expect(JSON.parse(body)).toEqual(tunnelRefusal.body)
})

describe("a server", () => {
  const answerTo = (port: number, bytes: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1")
      let got = ""
      socket.on("data", (data) => (got += String(data)))
      socket.on("error", () => undefined)
      socket.on("close", () => resolve(got))
      socket.write(bytes)
    })

  test("refuses headers above its limit, whatever is among them", () =>
    serving(
      fakeSessions(),
      async ({ port }) => {
        const headers = Array.from({ length: 10 }, (_, n) => `X-${n}: 1\r\n`).join("")
        const asked = `GET /info HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n${headers}`
        expect(await answerTo(port, `${asked}Origin: http://evil.example\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /)
        expect(await answerTo(port, `${asked}Connection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /)
      },
      { limits: { maxHeaders: 12 } }
    ))

  test("closes a connection with bytes it cannot read, and does not write into an answer", async () => {
    const fakes = fakeSessions()
    await serving(fakes, async ({ port }) => {
      expect(await answerTo(port, "no HTTP\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"BAD_REQUEST"/)
      const body = JSON.stringify({
        threadId: "t",
        runId: "r",
        messages: [{ id: "u", role: "user", content: "Hi" }],
        tools: [],
        context: []
      })
      const run = [
        "POST / HTTP/1.1",
        `Host: 127.0.0.1:${port}`,
        `Authorization: ${entering.authorization}`,
        "Content-Type: application/json",
        `Content-Length: ${body.length}`
      ]
      const got = new Promise<string>((resolve) => {
        const socket = connect(port, "127.0.0.1")
        let text = ""
        socket.on("data", (data) => {
          text += String(data)
          if (text.includes("RUN_STARTED")) socket.write("no HTTP\r\n\r\n")
        })
        socket.on("error", () => undefined)
        socket.on("close", () => resolve(text))
        socket.write(`${run.join("\r\n")}\r\n\r\n${body}`)
      })
      expect(await got).not.toContain("BAD_REQUEST")
    })
  })

  test("is no proxy", () =>
    serving(fakeSessions(), async ({ host, port }) => {
      const status = await new Promise((resolve, reject) => {
        const asked = request({ host, port, method: "CONNECT", path: "evil.example:443" })
        asked.on("connect", ({ statusCode }) => resolve(statusCode)).on("error", reject)
        asked.end()
      })
      expect(status).toBe(405)
    }))
})
