/**
 * Attacks by patience and by number, within limits that are short so that the tests are: connections that say nothing,
 * or say it byte by byte, and thousands of them. A run that is open all along is not disturbed.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import type { HttpLimits } from "../../../packages/bridge/src/face/http/HttpLimits.ts"
import { cliLauncher } from "../../../packages/bridge/src/runtime/claude/CliLauncher.ts"
import { eventually, livingIn, scratch } from "../../../packages/bridge/test/FakeCli.ts"
import { sweeping } from "../../../packages/fixtures/test/Sweep.ts"
import { backTo, countsOf, megabytes } from "../Counts.ts"
import { listening } from "../OnBridge.ts"
import {
  eventsIn,
  hasFinished,
  head,
  postRun,
  runBody,
  runRequest,
  textIn,
  token,
  type Wire,
  wireTo
} from "../RawRun.ts"
import { standInCli } from "../ServeProcess.ts"

const short = {
  headersTimeout: "1 second",
  requestTimeout: "2 seconds",
  idleTimeout: "300 millis",
  maxConnections: 200
} as const

const attacked = ["flooded 0", "flooded 1", "flooded 2", "late"]

interface Place {
  readonly url: string
  readonly port: number
  readonly folder: string
  /** The codes of the log's lines. */
  readonly logged: ReadonlyArray<unknown>
}

/** Attacks a bridge while a run is open on it, which must then end with exactly its text. */
const attacking = (limits: HttpLimits, use: (place: Place) => Promise<void>) =>
  Effect.gen(function* () {
    const logged: Array<unknown> = []
    const logger = Logger.map(Logger.formatStructured, ({ annotations }) => void logged.push(annotations["code"]))
    const before = countsOf()
    const folder = yield* scratch
    const launcher = cliLauncher({
      cliPath: standInCli,
      inherit: { PATH: process.env["PATH"] ?? "" },
      graceMs: 300
    })
    const options = { session: { cwd: folder, stopTimeout: "2 seconds" }, http: { limits } } as const
    yield* listening(launcher, options, async ({ url }) => {
      const port = Number(new URL(url).port)
      const open = wireTo(port)
      open.socket.write(runRequest(port, runBody("open all along", "count")))
      await open.until((got) => got.includes("TEXT_MESSAGE_CONTENT"))
      // Threads keep their processes: those that the attacks use have theirs before.
      for (const threadId of attacked) await postRun(url, runBody(threadId, "one"))
      const during = countsOf()
      await use({ url, port, folder, logged })
      await Effect.runPromise(backTo(during))
      writeFileSync(join(folder, "stop-counting"), "")
      await open.until(hasFinished)
      // The marks between the chunks of the answer.
      const text = open.got().replace(/\r\n[0-9a-f]+\r\n/g, "")
      expect(textIn(eventsIn(text))).toBe(readFileSync(join(folder, "counted"), "utf8"))
      open.socket.destroy()
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([logger])))
    expect(livingIn(folder)).toEqual([])
    yield* backTo(before)
  })

/** Sends a text byte by byte for as long as there is somebody to send it to. */
const drip = ({ socket }: Wire, text: string): void => {
  let at = 0
  const timer = setInterval(() => {
    if (socket.destroyed || at === text.length) clearInterval(timer)
    else socket.write(text.slice(at, ++at))
  }, 20)
  socket.once("close", () => clearInterval(timer))
}

const json = { "Content-Type": "application/json" }

const slow: ReadonlyArray<readonly [name: string, act: (wire: Wire, port: number) => void, code: string | undefined]> =
  [
    ["says nothing", () => undefined, "REQUEST_TIMEOUT"],
    ["says half of its headers", ({ socket }, port) => void socket.write(head(port).slice(0, 30)), "REQUEST_TIMEOUT"],
    ["says its headers byte by byte", (wire, port) => drip(wire, head(port)), "REQUEST_TIMEOUT"],
    ["says empty lines", (wire) => drip(wire, "\r\n".repeat(1000)), "REQUEST_TIMEOUT"],
    [
      "says nothing of its body",
      ({ socket }, port) => void socket.write(head(port, { ...json, "Content-Length": "100" })),
      "BODY_TIMEOUT"
    ],
    [
      "says its body byte by byte",
      (wire, port) => {
        wire.socket.write(head(port, { ...json, "Content-Length": "1000" }))
        drip(wire, " ".repeat(1000))
      },
      "BODY_TIMEOUT"
    ],
    [
      "says its body in chunks of a byte",
      (wire, port) => {
        wire.socket.write(head(port, { ...json, "Transfer-Encoding": "chunked" }))
        drip(wire, "1\r\n \r\n".repeat(1000))
      },
      "BODY_TIMEOUT"
    ],
    [
      "says a body nobody wants",
      (wire, port) => {
        wire.socket.write(head(port, { Authorization: "Bearer wrong", "Content-Length": "1000" }))
        drip(wire, " ".repeat(1000))
      },
      "UNAUTHORIZED"
    ],
    [
      "asks once, and stays",
      ({ socket }, port) => void socket.write(head(port, {}, "GET /kit/info HTTP/1.1")),
      undefined
    ]
  ]

describe("a slow connection", () => {
  it.live("is closed with its code, whatever it is slow with", () =>
    attacking(short, async ({ logged, port }) => {
      await Promise.all(
        slow.map(async ([name, act, code]) => {
          const wire = wireTo(port)
          act(wire, port)
          await wire.closed
          if (code === undefined) expect(wire.got(), name).toMatch(/^HTTP\/1\.1 200 /)
          else {
            expect(wire.got(), name).toMatch(new RegExp(`^HTTP/1\\.1 40[18] [^]*"code":"${code}"`))
            expect(logged, name).toContain(code)
          }
        })
      )
    })
  )
})

/** What each connection of a flood sends before it is left open. */
const halfOpen: ReadonlyArray<(port: number, n: number) => string> = [
  () => "",
  (port) => head(port).slice(0, 50),
  (port) => runRequest(port, runBody("t", "one")).slice(0, -30),
  (port) => head(port, { Authorization: "Bearer wrong", ...json, "Content-Length": "1000000" }),
  // Three threads, which one run at a time gets; nobody reads it.
  (port, n) => runRequest(port, runBody(`flooded ${n % 3}`, "count for nobody"))
]

describe("thousands of connections", () => {
  it.live("that never finish what they say are within the limits, and leave nothing behind", () =>
    attacking(short, async ({ port, url }) => {
      const wave = async () => {
        const wires = Array.from({ length: sweeping ? 1000 : 500 }, (_, n) => {
          const wire = wireTo(port)
          // Nobody reads the runs.
          if (n % halfOpen.length === halfOpen.length - 1) wire.socket.pause()
          wire.socket.write(halfOpen[n % halfOpen.length]?.(port, n) ?? "")
          return wire
        })
        await Promise.all(wires.map(({ socket }) => (socket.connecting ? connected(socket) : undefined)))
        for (const { socket } of wires) socket.destroy()
        await Promise.all(wires.map(({ closed }) => closed))
      }
      await wave()
      await untilServed(url)
      const before = megabytes()
      for (let n = 1; n < (sweeping ? 10 : 3); n++) await wave()
      await untilServed(url)
      // The runs that were open said something, too, which their logs keep.
      expect(megabytes() - before).toBeLessThan(30)
    })
  )

  it.live("are too many: those above the limit are closed at once, in one line of the log", () =>
    attacking(short, async ({ logged, port }) => {
      const wires = Array.from({ length: short.maxConnections + 100 }, () => wireTo(port))
      await Promise.all(wires.map(({ closed }) => closed))
      const closedAtOnce = wires.filter(({ got }) => got() === "")
      expect(closedAtOnce.length).toBeGreaterThan(0)
      await Effect.runPromise(eventually(() => logged.includes("CONNECTION_LIMIT")))
    })
  )

  it.live("that vanish in the middle of an answer are not kept in memory", () =>
    attacking({}, async ({ port }) => {
      const body = runBody("open all along", "")
      const request = runRequest(port, body).replace("POST /", "POST /kit/agent/default/connect")
      const readers = (count: number) =>
        Promise.all(
          Array.from({ length: count }, async () => {
            const { closed, socket, until } = wireTo(port)
            socket.write(request)
            await until((got) => got.includes("TEXT_MESSAGE_CONTENT"))
            socket.resetAndDestroy()
            await closed
          })
        )
      await readers(100)
      const before = megabytes()
      for (let n = 0; n < (sweeping ? 10 : 4); n++) await readers(100)
      expect(megabytes() - before).toBeLessThan(5)
    })
  )
})

const connected = (socket: Wire["socket"]): Promise<void> =>
  new Promise((resolve) => socket.once("connect", () => resolve()).once("close", () => resolve()))

/** Waits until those who come late are served again. */
const untilServed = async (url: string): Promise<void> => {
  for (let attempt = 0; attempt < 100; attempt++) {
    const text = await fetch(`${url}/kit/info`, { headers: { authorization: `Bearer ${token}` } })
      .then((response) => response.text())
      .catch(() => "") // there are too many still
    if (text.includes("version")) {
      expect(textIn(await postRun(url, runBody("late", "one")))).toBe("You said one.")
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error("nobody is served any more")
}
