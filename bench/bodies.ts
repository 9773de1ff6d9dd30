/**
 * How long a bridge stands still for a large body: `npm run bench:bodies`, for every route with `--routes`, for some shapes
 * with `--only TEXT`, and with threads in a database with `--kept`.
 *
 * The bridge is a process of its own, with an agent that says one word. For each shape and each route, the longest delay
 * of a timer in it is measured, and that of somebody else who asks for something small, again and again; of a few rounds
 * the best counts, because the machine has other work, too, and never makes anything faster. The first row is the floor:
 * what they see of a bridge that has nothing to do.
 */
import { type ChildProcess, fork } from "node:child_process"
import { request } from "node:http"
import { parseArgs } from "node:util"
import { routes, shapes, thread, token } from "./bodies/Shapes.ts"

const { values } = parseArgs({
  options: {
    bytes: { type: "string" },
    rounds: { type: "string" },
    routes: { type: "boolean" },
    kept: { type: "boolean" },
    only: { type: "string" },
    clients: { type: "string" }
  }
})
const bytes = Number(values.bytes ?? 49_000_000)
const rounds = Number(values.rounds ?? 3)

interface Told {
  readonly port?: number
  readonly delayMs?: number
  readonly busyMs?: number
  readonly memory?: number
}

const server: ChildProcess = fork(
  new URL("./bodies/Server.ts", import.meta.url),
  values.kept === true ? ["--kept"] : [],
  {
    execArgv: [...process.execArgv, "--expose-gc"]
  }
)
const told = (): Promise<Told> => new Promise((resolve) => server.once("message", (news) => resolve(news as Told)))
const order = (what: "reset" | "read"): Promise<Told> => {
  const answer = told()
  server.send(what)
  return answer
}

const { port = 0 } = await told()
const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }

const ask = (method: string, path: string, body?: Buffer): Promise<string> =>
  new Promise((resolve) => {
    const length = body === undefined ? {} : { "content-length": String(body.length) }
    const sent = request(
      { port, host: "127.0.0.1", method, path, agent: false, headers: { ...headers, ...length } },
      (answer) => {
        let text = ""
        answer.on("data", (chunk: Buffer) => (text += text.length < 1000 ? String(chunk) : ""))
        answer.once("close", () => resolve(`${answer.statusCode} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ""}`))
      }
    )
    sent.once("error", () => resolve("cut"))
    sent.end(body)
  })

interface Row {
  readonly route: string
  readonly shape: string
  readonly answer: string
  /** The most processor time in one turn of the event loop. */
  readonly busyMs: number
  /** The longest that a timer of 5 ms was late. */
  readonly delayMs: number
  /** The longest that a small request of another client took. */
  readonly othersMs: number
  /** How long the request took. */
  readonly tookMs: number
  /** The most memory of the process, in MB. */
  readonly memory: number
}

/** Measures what others see while something is done. */
const watching = async (route: string, shape: string, work: () => Promise<string>): Promise<Row> => {
  await order("reset")
  let othersMs = 0
  let over = false
  const others = (async () => {
    while (!over) {
      const start = performance.now()
      await ask("GET", "/health")
      othersMs = Math.max(othersMs, performance.now() - start)
    }
  })()
  const start = performance.now()
  const answer = await work()
  const tookMs = performance.now() - start
  await ask("GET", "/health")
  over = true
  await others
  const { busyMs = 0, delayMs = 0, memory = 0 } = await order("read")
  return { route, shape, answer, busyMs, delayMs, othersMs, tookMs, memory: memory / 1e6 }
}

const small = Buffer.from(
  `{"threadId":"${thread}","runId":"first","messages":[{"id":"f","role":"user","content":"Hi"}],"tools":[],"context":[]}`
)

const measure = async (route: string, shape: string, body: Buffer, clients: number): Promise<Row> => {
  const [method = "", path = ""] = route.split(" ")
  let row: Row | undefined
  for (let round = 0; round < rounds; round++) {
    // Something was said on the thread before, so that those who join are told.
    await ask("POST", "/", small)
    const now = await watching(route, shape, async () => {
      const answers = await Promise.all(Array.from({ length: clients }, () => ask(method, path, body)))
      return [...new Set(answers)].join(", ")
    })
    // What was said on the thread is not measured with the next body.
    await ask("DELETE", `/api/sessions/${thread}`)
    if (row === undefined || now.busyMs < row.busyMs) row = now
  }
  if (row === undefined) throw new Error("no round")
  return row
}

const print = ({ answer, busyMs, delayMs, memory, othersMs, route, shape, tookMs }: Row): void =>
  console.log(
    [
      route.padEnd(36),
      shape.padEnd(26),
      answer.padEnd(20),
      ...[busyMs, delayMs, othersMs, tookMs].map((ms) => `${ms.toFixed(0)} ms`.padStart(8)),
      `${memory.toFixed(0)} MB`.padStart(8)
    ].join("  ")
  )

console.log(
  `bodies of up to ${bytes} bytes, the best of ${rounds} rounds: the most processor time in one turn of the event loop, the most that a timer was late, the longest small request of another client, how long the body took, the most memory`
)
await ask("GET", "/health")
await ask("POST", "/", small)
print(await watching("(nothing)", "", () => new Promise((resolve) => setTimeout(() => resolve(""), 3000))))
const worst: Array<Row> = []
for (const [route, around] of values.routes === true ? routes : routes.slice(0, 1))
  for (const [shape, make] of Object.entries(shapes)) {
    if (values.only !== undefined && !shape.includes(values.only)) continue
    const row = await measure(route, shape, Buffer.from(around(make(bytes))), Number(values.clients ?? 1))
    print(row)
    worst.push(row)
  }
const longest = worst.reduce((one, other) => (other.busyMs > one.busyMs ? other : one))
console.log(`longest: ${longest.busyMs.toFixed(0)} ms, ${longest.route}, ${longest.shape}`)
server.disconnect()
