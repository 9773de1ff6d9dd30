import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { PassThrough } from "node:stream"
import { listTapes, loadTape } from "@agentwire/fixtures"
import { Tape } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"
import { type WebSocket, WebSocketServer } from "ws"
import { replayOverSdkUrl } from "../../src/replay/AsSdkUrl.ts"
import { paceOf } from "../../src/replay/Pace.ts"

// The library's host numbers its requests.
const fresh = (text: string) => text.replaceAll(/"host-(\d+)"/g, '"today-$1"')
const textOf = (frame: Tape.DataFrame) => Buffer.from(Tape.bytesOf(frame.data)).toString("utf8")

/** Waits for things that were announced, in order, however early they came. */
class Mailbox<A> {
  readonly #items: Array<A> = []
  readonly #waiting: Array<(item: A) => void> = []
  put(item: A): void {
    const next = this.#waiting.shift()
    if (next) next(item)
    else this.#items.push(item)
  }
  take(): Promise<A> {
    const item = this.#items.shift()
    return item === undefined ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(item)
  }
}

/** Plays the host of a tape over a real WebSocket, and keeps what the replay says. */
const play = async (tape: Tape.Tape, env: Readonly<Record<string, string>> = {}) => {
  const http = createServer()
  const server = new WebSocketServer({ server: http })
  const connections = new Mailbox<{ readonly socket: WebSocket; readonly headers: NodeJS.Dict<string | string[]> }>()
  const heard = new Mailbox<string>()
  server.on("connection", (socket, { headers }) => {
    socket.on("message", (data) => heard.put(String(data)))
    connections.put({ socket, headers })
  })
  await once(http.listen(0, "127.0.0.1"), "listening")
  const signals: Array<(signal: "SIGTERM") => void> = []
  const ended = replayOverSdkUrl(
    tape,
    { match: "strict", pace: paceOf(), url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/ws`, env },
    {
      stdin: new PassThrough(),
      stdout: new PassThrough(),
      stderr: new PassThrough().resume(),
      shut: () => {},
      onSignal: (listener) => signals.push(listener)
    }
  )
  const upgrades: Array<NodeJS.Dict<string | string[]>> = []
  const said: Array<string> = []
  let socket: WebSocket | undefined
  try {
    for (const frame of tape.frames) {
      if (frame._tag === "Open") {
        const connection = await connections.take()
        socket = connection.socket
        upgrades.push(connection.headers)
      } else if (frame._tag === "Data" && frame.channel === "ws") {
        if (frame.from === "agent") said.push(await heard.take())
        else socket?.send(fresh(textOf(frame)))
      } else if (frame._tag === "Close" && frame.from === "host" && frame.channel === "ws") {
        if (frame.ws?.code === 1006) socket?.terminate()
        else socket?.close(frame.ws?.code)
      } else if (frame._tag === "Marker" && frame.text === "refuse") http.close()
      else if (frame._tag === "Marker" && frame.text.startsWith("signal ")) {
        for (const signal of signals) signal("SIGTERM")
      } else if (frame._tag === "Exit") return { said, upgrades, ending: await ended }
    }
    throw new Error("the tape has no end")
  } finally {
    for (const client of server.clients) client.terminate()
    http.close()
  }
}

const library = listTapes().filter(({ transport }) => transport === "ws")
const sample = library.filter(
  ({ scenario }, index) => (/^ws_/.test(scenario) && !/idle_keepalive/.test(scenario)) || index % 12 === 0
)

describe("a replay over a WebSocket", () => {
  it.concurrent.each(sample.map((entry) => [entry.version, entry.scenario, entry] as const))(
    "says what %s said in %s, drops and all",
    async (_, __, entry) => {
      const tape = loadTape(entry)
      const { ending, said } = await play(tape)
      const agent = tape.frames.filter(
        (frame): frame is Tape.DataFrame => frame._tag === "Data" && frame.from === "agent" && frame.channel === "ws"
      )
      expect(said).toEqual(agent.map((frame) => fresh(textOf(frame))))
      const exit = tape.frames.find((frame) => frame._tag === "Exit")
      expect(ending).toEqual({ code: exit?.code, signal: exit?.signal })
    }
  )

  it("upgrades as the CLI does: a token from the environment, the last message when it comes back", async () => {
    const entry = library.find(({ scenario, version }) => scenario === "ws_drop_reconnect" && version === "2.1.120")
    if (entry === undefined) throw new Error("no such tape")
    const tape = loadTape(entry)
    const { upgrades } = await play(tape, { CLAUDE_CODE_SESSION_ACCESS_TOKEN: "s3cret" })
    const recorded = tape.frames.flatMap((frame) => (frame._tag === "Open" ? [frame.headers["x-last-request-id"]] : []))
    expect(upgrades.map((headers) => headers["authorization"])).toEqual(upgrades.map(() => "Bearer s3cret"))
    expect(upgrades[0]?.["sec-websocket-extensions"]).toContain("permessage-deflate")
    // What was written offline counts on the tape, too, and is there only for the real CLI.
    expect(upgrades.map((headers) => typeof headers["x-last-request-id"])).toEqual(recorded.map((id) => typeof id))
    expect((await play(tape)).upgrades[0]?.["authorization"]).toBeUndefined()
  })

  const lines = ["1", "2"].map((uuid) => `{"type":"system","uuid":"${uuid}"}\n`)
  const question = '{"type":"control_request","request_id":"q","request":{}}\n'
  const interrupted = (version: string): Tape.Tape => ({
    header: {
      tape: 1,
      agentwire: "0.0.0",
      runtime: { name: "claude-code", version },
      transport: "ws",
      argv: [],
      startedAt: "2026-01-01T00:00:00Z",
      redacted: []
    },
    frames: [
      { _tag: "Open", wait: 0, url: "ws://127.0.0.1/", headers: {} },
      { _tag: "Data", wait: 0, from: "agent", channel: "ws", data: lines[0] ?? "" },
      { _tag: "Data", wait: 0, from: "agent", channel: "ws", data: question },
      { _tag: "Data", wait: 500, from: "agent", channel: "ws", data: lines[1] ?? "" },
      { _tag: "Data", wait: 0, from: "host", channel: "ws", data: '{"type":"keep_alive"}\n' },
      { _tag: "Data", wait: 0, from: "agent", channel: "ws", data: "end\n" },
      { _tag: "Exit", wait: 0, code: 0, signal: null }
    ]
  })

  it.each([
    ["2.1.37", "loses what it writes meanwhile", []],
    ["2.1.120", "says everything again that has a uuid", lines]
  ])("%s, dropped where the tape was not, %s", async (version, _, again) => {
    const http = createServer()
    const server = new WebSocketServer({ server: http })
    await once(http.listen(0, "127.0.0.1"), "listening")
    const heard: Array<Array<string>> = []
    const headers: Array<unknown> = []
    server.on("connection", (socket, request) => {
      const here: Array<string> = []
      const first = heard.push(here) === 1
      headers.push(request.headers["x-last-request-id"])
      socket.on("message", (data) => {
        here.push(String(data))
        if (first && String(data) === question) socket.terminate()
      })
      if (!first) socket.send('{"type":"keep_alive"}\n')
    })
    const wires = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
    const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/`
    const ending = await replayOverSdkUrl(
      interrupted(version),
      { match: "strict", pace: paceOf("real"), url, env: {} },
      { ...wires, shut: () => {}, onSignal: () => {} }
    )
    await Promise.all([...server.clients].map((client) => once(client, "close")))
    http.close()
    expect(ending).toEqual({ code: 0, signal: null })
    expect(heard).toEqual([
      [lines[0], question],
      [...again, "end\n"]
    ])
    expect(headers).toEqual([undefined, "2"])
  })

  it("plays a tape of stdio, which ends with the connection", async () => {
    const tape = loadTape({ scenario: "plain_text", version: "2.1.37" })
    const http = createServer()
    const server = new WebSocketServer({ server: http })
    await once(http.listen(0, "127.0.0.1"), "listening")
    const spoken = (from: Tape.Speaker) =>
      Tape.tapeLines(tape.frames).flatMap((each) => (each.from === from ? [`${each.line.text}\n`] : []))
    const heard: Array<string> = []
    server.on("connection", (socket) => {
      for (const line of spoken("host")) socket.send(line)
      socket.on("message", (data) => {
        if (heard.push(String(data)) === spoken("agent").length) socket.close()
      })
    })
    const wires = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
    const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/`
    const ending = await replayOverSdkUrl(
      tape,
      { match: "strict", pace: paceOf(), url, env: {} },
      { ...wires, shut: () => {}, onSignal: () => {} }
    )
    http.close()
    expect(heard).toEqual(spoken("agent"))
    expect(ending).toEqual({ code: 0, signal: null })
  })

  it("says that it cannot connect", async () => {
    const wires = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
    await expect(
      replayOverSdkUrl(
        interrupted("2.1.37"),
        { match: "strict", pace: paceOf(), url: "ws://127.0.0.1:1/", env: {} },
        { ...wires, shut: () => {}, onSignal: () => {} }
      )
    ).rejects.toThrow(/^Cannot connect to ws:\/\/127\.0\.0\.1:1\/: .*ECONNREFUSED/)
  })
})
