/**
 * A thousand real connections that say nothing, or not enough, or do not listen: whoever has the token gets in.
 */
import { connect, type Socket } from "node:net"
import { describe, expect, test } from "vitest"
import { fakeSessions, openText } from "../FakeSessions.ts"
import { ask, entering, input, serving, token } from "../Serving.ts"

const many = 1000

interface Wire {
  readonly socket: Socket
  readonly closed: Promise<void>
}

const dial = (port: number, says: string): Promise<Wire> =>
  new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" })
    const closed = new Promise<void>((gone) => socket.once("close", () => gone()))
    socket.on("error", () => undefined)
    socket.once("close", () => resolve({ socket, closed }))
    socket.once("connect", () => {
      socket.write(says)
      resolve({ socket, closed })
    })
  })

const host = (port: number): string => `Host: 127.0.0.1:${port}\r\n`
const bearer = `Authorization: Bearer ${token}\r\n`

/** What each of them says before it falls silent. None of them has shown the token. */
const silent: Readonly<Record<string, (port: number) => string>> = {
  nothing: () => "",
  "a byte of a header": () => "G",
  "half a head": (port) => `GET /info HTTP/1.1\r\n${host(port)}`,
  "an upgrade without the token": (port) =>
    `GET / HTTP/1.1\r\n${host(port)}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n`,
  "a body that does not come": (port) =>
    `POST / HTTP/1.1\r\n${host(port)}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
  "a wrong token, and stays": (port) => `GET /info HTTP/1.1\r\n${host(port)}Authorization: Bearer no\r\n\r\n`
}

const end = (wires: ReadonlyArray<Wire>): Promise<unknown> => {
  for (const { socket } of wires) socket.destroy()
  return Promise.all(wires.map(({ closed }) => closed))
}

describe("a thousand connections", () => {
  test.each(Object.entries(silent))("that say %s do not lock out who has the token", (_, says) =>
    serving(
      fakeSessions((fake) => fake.finish()),
      async (server) => {
        const wires = await Promise.all(Array.from({ length: many }, () => dial(server.port, says(server.port))))
        expect((await ask(server, "GET", "/info")).status).toBe(200)
        expect((await ask(server, "POST", "/", entering, input("r"))).status).toBe(200)
        await end(wires)
      }
    )
  )

  test("that say nothing: the oldest go, and only as many as have to", () =>
    serving(
      fakeSessions(),
      async (server) => {
        const wires: Array<Wire> = []
        for (let at = 0; at < 10; at++) wires.push(await dial(server.port, ""))
        expect((await ask(server, "GET", "/info")).status).toBe(200)
        await wires[0]?.closed
        expect(wires.slice(1).map(({ socket }) => socket.destroyed)).toEqual(Array.from({ length: 9 }, () => false))
        await end(wires)
      },
      { limits: { maxConnections: 10 } }
    ))

  test("that have the token and nothing to ask make room for one that asks", () =>
    serving(
      fakeSessions(),
      async (server) => {
        const says = `GET /info HTTP/1.1\r\n${host(server.port)}${bearer}\r\n`
        const wires = await Promise.all(Array.from({ length: 50 }, () => dial(server.port, says)))
        await Promise.all(wires.map(({ socket }) => new Promise((resolve) => socket.once("data", resolve))))
        expect((await ask(server, "GET", "/info")).status).toBe(200)
        await wires[0]?.closed
        await end(wires)
      },
      { limits: { maxConnections: 50, idleTimeout: "1 minute" } }
    ))

  test("that are at work are left alone: a stream goes on, strangers go", () =>
    serving(
      fakeSessions((fake) => fake.say(...openText("m", "first"))),
      async (server) => {
        const body = input("r")
        const head = `POST / HTTP/1.1\r\n${host(server.port)}${bearer}Content-Type: application/json\r\n`
        const reader = await dial(server.port, `${head}Content-Length: ${body.length}\r\n\r\n${body}`)
        await new Promise((resolve) => reader.socket.once("data", resolve))
        const wires = await Promise.all(Array.from({ length: 100 }, () => dial(server.port, "")))
        expect((await ask(server, "GET", "/info")).status).toBe(200)
        expect(reader.socket.destroyed).toBe(false)
        await end([...wires, reader])
      },
      { limits: { maxConnections: 10 } }
    ))

  test("that are all at work: the newcomer has to go", () =>
    serving(
      fakeSessions((fake) => fake.say(...openText("m", "first"))),
      async (server) => {
        const readers = await Promise.all(
          Array.from({ length: 5 }, async (_, at) => {
            const body = input(`r${at}`, { threadId: `t${at}` })
            const head = `POST / HTTP/1.1\r\n${host(server.port)}${bearer}Content-Type: application/json\r\n`
            const reader = await dial(server.port, `${head}Content-Length: ${body.length}\r\n\r\n${body}`)
            await new Promise((resolve) => reader.socket.once("data", resolve))
            return reader
          })
        )
        await expect(ask(server, "GET", "/info")).rejects.toThrow()
        for (const { socket } of readers) expect(socket.destroyed).toBe(false)
        await end(readers)
      },
      { limits: { maxConnections: 5 } }
    ))
})
