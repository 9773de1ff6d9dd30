/**
 * Every place in which a request could carry the token, and what comes of it. One opens the door, and only alone:
 * `Authorization`, once. None of the others does, and none of them closes a door that is open: browsers send cookies of
 * other ports, and proxies add headers of their own.
 */
import { connect } from "node:net"
import { describe, expect, test } from "vitest"
import { fakeSessions } from "../FakeSessions.ts"
import { serving, token } from "../Serving.ts"

const right = `Authorization: Bearer ${token}`
const wrong = "Authorization: Bearer wrong-wrong-wrong-wrong"

interface Case {
  readonly line?: string
  readonly headers: ReadonlyArray<string>
  readonly status: number
}

const cases: Readonly<Record<string, Case>> = {
  "the header": { headers: [right], status: 200 },
  "the header in another case": { headers: [right.toLowerCase().replace(token.toLowerCase(), token)], status: 200 },
  "no header": { headers: [], status: 401 },
  "a wrong header": { headers: [wrong], status: 401 },
  "the right header, then a wrong one": { headers: [right, wrong], status: 401 },
  "a wrong header, then the right one": { headers: [wrong, right], status: 401 },
  "the right header twice": { headers: [right, right], status: 401 },
  "the right header, then an empty one": { headers: [right, "Authorization:"], status: 401 },
  "both in one header": { headers: [`${right}, Bearer wrong-wrong-wrong`], status: 401 },
  "the query": { line: `/info?token=${token}&access_token=${token}`, headers: [], status: 401 },
  "a wrong header and the query": { line: `/info?token=${token}`, headers: [wrong], status: 401 },
  "the right header and a wrong query": { line: "/info?token=wrong", headers: [right], status: 200 },
  "a cookie": { headers: [`Cookie: token=${token}; authorization=Bearer ${token}`], status: 401 },
  "the right header and a wrong cookie": { headers: [right, "Cookie: token=wrong"], status: 200 },
  "the proxy's header": { headers: [`Proxy-Authorization: Bearer ${token}`], status: 401 },
  "a subprotocol of a WebSocket": {
    headers: ["Connection: upgrade", "Upgrade: websocket", `Sec-WebSocket-Protocol: ${token}`],
    status: 401
  },
  "MCP, without it": { line: "/mcp/t", headers: ["Mcp-Session-Id: x"], status: 401 },
  "MCP's session in its place": { line: "/mcp/t", headers: [`Mcp-Session-Id: ${token}`], status: 401 },
  "MCP, right and wrong": { line: "/mcp/t", headers: [right, wrong], status: 401 },
  "metrics, without it": { line: "/metrics", headers: [], status: 401 },
  "metrics, right and wrong": { line: "/metrics", headers: [right, wrong], status: 401 },
  "the page, which has no secrets": { line: "/", headers: [], status: 200 },
  "what the page asks for, without it": { line: "/api/sessions", headers: [], status: 401 },
  "what the page asks for, right and wrong": { line: "/api/sessions", headers: [right, wrong], status: 401 }
}

const answerOf = (port: number, { headers, line = "/info" }: Case): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" })
    let got = ""
    socket.on("error", () => undefined)
    socket.on("data", (chunk) => {
      got += String(chunk)
      if (got.includes("\r\n\r\n")) socket.destroy()
    })
    socket.once("close", () => resolve(got))
    const own = headers.some((header) => header.startsWith("Connection")) ? [] : ["Connection: close"]
    socket.write([`GET ${line} HTTP/1.1`, `Host: 127.0.0.1:${port}`, ...own, ...headers, "", ""].join("\r\n"))
  })

const page = new Map([["/", { _tag: "File", contentType: "text/html", body: "<p>" } as const]])

describe("the token", () => {
  test.each(Object.entries(cases))("in %s", (_, asked) =>
    serving(
      fakeSessions(),
      async ({ port }) => {
        expect(Number((await answerOf(port, asked)).slice(9, 12))).toBe(asked.status)
      },
      { page }
    )
  )
})

/** Headers that may be there once: who refuses a second one, Node's parser or this server. */
const doubled: Readonly<Record<string, readonly [headers: ReadonlyArray<string>, status: number]>> = {
  "Host, by this server": [[right, "Host: evil.example"], 400],
  "Origin, by this server": [[right, "Origin: http://a.example", "Origin: http://b.example"], 403],
  "Content-Length, by Node": [[right, "Content-Length: 0", "Content-Length: 1"], 400],
  "Content-Length beside Transfer-Encoding, by Node": [[right, "Content-Length: 5", "Transfer-Encoding: chunked"], 400],
  "Transfer-Encoding with chunked not last, by Node": [
    [right, "Transfer-Encoding: chunked", "Transfer-Encoding: x"],
    400
  ]
}

describe("a second header", () => {
  test.each(Object.entries(doubled))("%s", (_, [headers, status]) =>
    serving(fakeSessions(), async ({ port }) => {
      expect(Number((await answerOf(port, { headers, status })).slice(9, 12))).toBe(status)
    })
  )
})
