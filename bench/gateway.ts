/**
 * How long an event takes to the clients of the gateway, beside a bare broadcast in the same run: `npm run bench:gateway`,
 * or for another number of clients: `npm run bench:gateway -- 500`.
 *
 * Clients of several kinds are connected to one process, which has a bridge with a gateway and, beside it, a server that
 * sends the same bytes to the same number of clients and does nothing else: no log, no store, no model. The two take
 * turns; of the rounds of each the best counts, because other programs of the machine slow them alike. Agents are
 * functions of that process, so that nothing but the way from the session to the client is measured.
 */
import { fork } from "node:child_process"
import { cpus } from "node:os"
import { fileURLToPath } from "node:url"
import { WebSocket } from "ws"
import { StampReader } from "./bridge/Stamp.ts"
import { type Kind, kinds, wants } from "./gateway/Kinds.ts"
import { type Order, type Report, serveUntilGone } from "./gateway/Serving.ts"

const sessions = 5
const pieces = 60
const everyMs = 100
const rounds = 3

/** What may be: the p99 of an event, in milliseconds, or so much more than the bare broadcast, where the machine is slow. */
const floor = { p99Ms: 50, ratio: 2 }

/** How much the heap may grow from the first round to the last, in bytes. */
const maxGrowth = 20_000_000

const quantile = (sorted: ReadonlyArray<number>, q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN

/** Clients that note how long each event took. */
class Crowd {
  latencies: Array<number> = []
  readonly #sockets: Array<WebSocket> = []
  #missing = 0
  #complete: (() => void) | undefined

  static async connect(count: number, open: (kind: Kind) => Promise<WebSocket>): Promise<Crowd> {
    const crowd = new Crowd()
    for (const kind of kinds)
      for (let nth = 0; nth < Math.round((count * kind.share) / 100); nth++) {
        const socket = await open(kind)
        socket.on("message", (data) => crowd.#hear(String(data)))
        crowd.#sockets.push(socket)
      }
    return crowd
  }

  get size(): number {
    return this.#sockets.length
  }

  #hear(text: string): void {
    const now = Number(process.hrtime.bigint())
    for (const at of new StampReader().push(text)) {
      this.latencies.push((now - at) / 1e6)
      if (--this.#missing === 0) this.#complete?.()
    }
  }

  /** Waits for so many events. */
  expect(count: number): Promise<void> {
    this.latencies = []
    this.#missing = count
    return new Promise((resolve) => {
      this.#complete = resolve
    })
  }

  close(): void {
    for (const socket of this.#sockets) socket.terminate()
  }
}

const opened = (url: string): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url.replace("http", "ws"), { perMessageDeflate: false })
    socket.on("open", () => resolve(socket))
    socket.on("error", reject)
  })

const subscribed = async (url: string, { events, session }: Kind): Promise<WebSocket> => {
  const socket = await opened(`${url}/ws`)
  const answered = new Promise<void>((resolve) => socket.once("message", () => resolve()))
  const params = { events, ...(session !== undefined && { sessionIds: [`s-${session}`] }) }
  socket.send(JSON.stringify({ type: "req", id: "1", method: "subscribe", params }))
  await answered
  return socket
}

const main = async (count: number): Promise<boolean> => {
  const child = fork(fileURLToPath(import.meta.url), ["--serve"], { execArgv: ["--expose-gc"] })
  const report = () => new Promise<Report>((resolve) => child.once("message", (said) => resolve(said as Report)))
  const ready = await report()
  if (ready.type !== "ready") throw new Error("It did not begin.")
  const crowds = {
    bare: await Crowd.connect(count, ({ name }) => opened(`${ready.bare}/${name}`)),
    gateway: await Crowd.connect(count, (kind) => subscribed(ready.gateway, kind))
  }
  const perTick = kinds.reduce(
    (sum, kind) =>
      sum +
      Math.round((count * kind.share) / 100) * [...Array(sessions).keys()].filter((each) => wants(kind, each)).length,
    0
  )
  const best = { bare: [Number.NaN, Number.POSITIVE_INFINITY], gateway: [Number.NaN, Number.POSITIVE_INFINITY] }
  const heaps: Array<number> = []
  for (let round = 0; round < rounds; round++)
    for (const by of ["bare", "gateway"] as const) {
      const order: Order = { by, sessions, pieces, everyMs }
      const all = crowds[by].expect(perTick * pieces)
      const spoken = report()
      child.send(order)
      const [said] = await Promise.all([spoken, all])
      if (by === "gateway" && said.type === "spoken") heaps.push(said.heapBytes)
      const sorted = [...crowds[by].latencies].sort((a, b) => a - b)
      const p99 = quantile(sorted, 0.99)
      if (p99 < (best[by][1] ?? 0)) best[by] = [quantile(sorted, 0.5), p99]
    }
  for (const crowd of Object.values(crowds)) crowd.close()
  child.disconnect()
  const [[, bare = 0], [, gateway = 0]] = [best.bare, best.gateway]
  const growth = (heaps.at(-1) ?? 0) - (heaps[0] ?? 0)
  const isMet = gateway < floor.p99Ms || gateway < floor.ratio * bare
  const ms = (values: ReadonlyArray<number>) => values.map((value) => value.toFixed(1)).join(" / ")
  console.log(
    [
      `${crowds.gateway.size} clients, ${sessions} sessions, ${(perTick * 1000) / everyMs} messages a second; ${cpus().length} cores`,
      `bare broadcast   p50 / p99 in ms: ${ms(best.bare)}`,
      `gateway          p50 / p99 in ms: ${ms(best.gateway)}`,
      `ratio of p99     ${(gateway / bare).toFixed(2)}`,
      `floor            p99 below ${floor.p99Ms} ms, or below ${floor.ratio} times the bare broadcast: ${isMet ? "met" : "NOT MET"}`,
      `heap             ${heaps.map((bytes) => (bytes / 1e6).toFixed(1)).join(", ")} MB after each round`
    ].join("\n")
  )
  return isMet && growth < maxGrowth
}

if (process.argv[2] === "--serve") await serveUntilGone(sessions)
else process.exitCode = (await main(Number(process.argv[2] ?? 500))) ? 0 : 1
