/**
 * How long a bridge stands still for a body as large as it may be: `npm run bench:bodies`.
 *
 * The bridge is a process of its own. For each shape and each route, the longest delay of its event loop is measured while
 * somebody else asks for something small, again and again; of a few rounds the best counts, because the machine has
 * other work, too, and never makes anything faster.
 */
import { type ChildProcess, fork } from "node:child_process"
import { request } from "node:http"
import { parseArgs } from "node:util"
import { routes, shapes, token } from "./bodies/Shapes.ts"

const { values } = parseArgs({
  options: { bytes: { type: "string" }, rounds: { type: "string" }, routes: { type: "boolean" } }
})
const bytes = Number(values.bytes ?? 9_900_000)
const rounds = Number(values.rounds ?? 3)

interface Told {
  readonly port?: number
  readonly delayMs?: number
  readonly busyMs?: number
}

const server: ChildProcess = fork(new URL("./bodies/Server.ts", import.meta.url), {
  execArgv: [...process.execArgv, "--expose-gc"]
})
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
  readonly delayMs: number
  readonly busyMs: number
  readonly othersMs: number
}

const measure = async (route: string, shape: string, body: Buffer): Promise<Row> => {
  const [method = "", path = ""] = route.split(" ")
  let row: Row | undefined
  for (let round = 0; round < rounds; round++) {
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
    const answer = await ask(method, path, body)
    await ask("GET", "/health")
    over = true
    await others
    const { busyMs = 0, delayMs = 0 } = await order("read")
    // What was said on the thread is not measured with the next body.
    await ask("DELETE", "/api/sessions/bench")
    if (row === undefined || busyMs < row.busyMs) row = { route, shape, answer, delayMs, busyMs, othersMs }
  }
  if (row === undefined) throw new Error("no round")
  return row
}

const print = ({ answer, busyMs, delayMs, othersMs, route, shape }: Row): void =>
  console.log(
    [
      route.padEnd(36),
      shape.padEnd(24),
      answer.padEnd(24),
      `${busyMs.toFixed(0)} ms`.padStart(8),
      `${delayMs.toFixed(0)} ms`.padStart(8),
      `${othersMs.toFixed(0)} ms`.padStart(8)
    ].join("  ")
  )

console.log(
  `bodies of ${bytes} bytes, the best of ${rounds} rounds: the most processor time in one turn of the event loop, its longest delay, and that of a small request`
)
await ask("GET", "/health")
const worst: Array<Row> = []
for (const [route, around] of values.routes === true ? routes : routes.slice(0, 1))
  for (const [shape, make] of Object.entries(shapes)) {
    const row = await measure(route, shape, Buffer.from(around(make(bytes))))
    print(row)
    worst.push(row)
  }
const longest = worst.reduce((one, other) => (other.busyMs > one.busyMs ? other : one))
console.log(`longest: ${longest.busyMs.toFixed(0)} ms, ${longest.route}, ${longest.shape}`)
server.disconnect()
