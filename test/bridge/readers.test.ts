/**
 * Readers of a thread that come, go, come twice and stop reading, while a real CLI answers.
 */
import { connect, type Socket } from "node:net"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { saysWith, text } from "@agentwire/fixtures/scenario"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import {
  agentAt,
  type Client,
  chosenWires,
  clients,
  conversationOf,
  headers,
  onBridge,
  type Place,
  run,
  say,
  wires,
  withEachClient
} from "./OnBridge.ts"

const isText = ({ type }: { readonly type: string }) => type === "TEXT_MESSAGE_CONTENT"

/** A page that was loaded again: it knows the thread and nothing else. */
const reload = async ({ kit }: Pick<Place, "kit">, client: Client) => {
  const agent = agentAt(`${kit}/connect`, client)
  const { error, events } = await run(agent)
  expect(error).toBeUndefined()
  return { agent, pieces: events.filter(isText).length }
}

describe.each(chosenWires)("with Claude Code %s over %s", (...wire) => {
  const words = Array.from({ length: 80 }, (_, index) => `word ${index}, `)
  const whole = [
    ["user", "Tell me"],
    ["assistant", words.join("")]
  ]

  it.live("a page that is loaded again in mid-answer, twice, has the whole answer once", () =>
    withEachClient((client) =>
      onBridge(wire, { replies: [saysWith({ dripMs: 30 }, text(...words))] }, {}, async (place) => {
        const page = say(agentAt(`${place.kit}/run`, client), "Tell me")
        await run(page, {}, (event) => void (isText(event) && page.abortRun()))
        expect(conversationOf(page)).not.toEqual(whole)
        for (const { agent, pieces } of await Promise.all([reload(place, client), reload(place, client)])) {
          expect(conversationOf(agent)).toEqual(whole)
          // It came in the middle: some of the answer was there, the rest came piece by piece.
          expect(pieces).toBeGreaterThan(0)
          expect(pieces).toBeLessThan(words.length)
        }
        page.url = `${place.kit}/connect`
        await run(page)
        expect(conversationOf(page)).toEqual(whole)
        const late = await reload(place, client)
        expect(conversationOf(late.agent)).toEqual(whole)
      })
    )
  )
})

describe("readers that stop reading", () => {
  setFlagsFromString("--expose-gc")
  const collectGarbage = runInNewContext("gc") as () => void
  const megabytes = () => {
    collectGarbage()
    const { arrayBuffers, heapUsed } = process.memoryUsage()
    return (arrayBuffers + heapUsed) / 1e6
  }

  /** Asks for an event stream and does not read it. */
  const stall = ({ kit }: Pick<Place, "kit">, path: string, body: object) => {
    const { hostname, pathname, port } = new URL(`${kit}${path}`)
    const json = JSON.stringify({ threadId: "thread-1", messages: [], tools: [], context: [], ...body })
    const socket = connect(Number(port), hostname)
    socket.pause()
    socket.write(
      [
        `POST ${pathname} HTTP/1.1`,
        `Host: ${hostname}:${port}`,
        `Authorization: ${headers.Authorization}`,
        "Content-Type: application/json",
        `Content-Length: ${Buffer.byteLength(json)}`,
        "",
        json
      ].join("\r\n")
    )
    return socket
  }

  /** The last characters a reader gets that reads again. */
  const lastOf = (socket: Socket) =>
    new Promise<string>((resolve) => {
      let last = ""
      socket.on("data", (data) => {
        last = (last + String(data)).slice(-10)
      })
      socket.on("error", () => resolve(last))
      socket.on("close", () => resolve(last))
      socket.resume()
    })

  it.live("cost little, are cut off, and have the whole answer when they come back", () => {
    // 7 MB: more than the sockets of the system take for one reader, less than a snapshot may have.
    const pieces = Array.from({ length: 350 }, (_, index) => `${index} ${"x".repeat(20_000)}`)
    return onBridge(
      wires[0],
      { replies: [saysWith({ dripMs: 2 }, text(...pieces))] },
      { session: { log: { maxCharacters: 1_000_000 } }, http: { sse: { stallLimit: "1 second" } } },
      async (place) => {
        const session = await place.session()
        const events = async () => session.log.next()
        const until = async (holds: () => Promise<boolean>) => {
          while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50))
        }
        const messages = [{ id: "u", role: "user", content: "Tell me" }]
        const sockets = [stall(place, "/run", { runId: "r", messages })]
        await until(async () => (await events()) > 5)
        const before = megabytes()
        for (let reader = 0; reader < 20; reader++) sockets.push(stall(place, "/connect", { runId: `c-${reader}` }))
        let most = 0
        let measured = await events()
        await until(async () => {
          const isOver = (await Effect.runPromise(session.status)) === "idle"
          // All of the garbage of a process with many tests behind it takes a second to collect: a few times in the answer.
          if (isOver || (await events()) >= measured + pieces.length / 10) {
            measured = await events()
            most = Math.max(most, megabytes() - before)
          }
          return isOver
        })
        // The answer, once in the conversation and in the last message of the CLI, not once for each reader.
        expect(most).toBeLessThan(50)

        // Their second is over, however fast the answer was: the timers of both are of this process.
        await new Promise((resolve) => setTimeout(resolve, 2_000))
        // An end in good order has the last chunk of a chunked body, and would look like the end of the answer.
        for (const last of await Promise.all(sockets.map(lastOf))) expect(last).not.toContain("\r\n0\r\n\r\n")
        for (const client of clients) {
          const { agent } = await reload(place, client)
          expect(conversationOf(agent)).toEqual([
            ["user", "Tell me"],
            ["assistant", pieces.join("")]
          ])
        }
      }
    )
  })
})
