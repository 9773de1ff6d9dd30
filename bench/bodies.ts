/**
 * How long a bridge stands still for a large body: `npm run bench:bodies`, for every route with `--routes`, for some shapes
 * with `--only PATTERN`, for some routes with `--on PATTERN`, and with threads in a database with `--kept`.
 *
 * The bridge is a process of its own, with an agent that says one word. For each shape and each route, the longest delay
 * of a timer in it is measured, and that of somebody else who asks for something small, again and again; of some rounds
 * the median and the worst of each count. Processor time is that of the process, its helpers included; what the machine
 * does besides makes it longer, and all else much longer. The first row is the floor: what they see of a bridge that has
 * nothing to do.
 */
import { type ChildProcess, fork } from "node:child_process"
import { request } from "node:http"
import { parseArgs } from "node:util"
import { type Large, routes, saying, shapes, thread, token, type Waits } from "./bodies/Shapes.ts"

const { values } = parseArgs({
  options: {
    bytes: { type: "string" },
    rounds: { type: "string" },
    routes: { type: "boolean" },
    kept: { type: "boolean" },
    only: { type: "string" },
    on: { type: "string" },
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
const headers = {
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
  accept: "application/json, text/event-stream"
}

/** What was answered, as far as it is kept. */
interface Heard {
  readonly status: string
  readonly text: string
}

const hear = (method: string, path: string, body?: Buffer): Promise<Heard> =>
  new Promise((resolve) => {
    const length = body === undefined ? {} : { "content-length": String(body.length) }
    const sent = request(
      { port, host: "127.0.0.1", method, path, agent: false, headers: { ...headers, ...length } },
      (answer) => {
        let text = ""
        answer.on("data", (chunk: Buffer) => (text += text.length < 1000 ? String(chunk) : ""))
        answer.once("close", () =>
          resolve({ status: `${answer.statusCode} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ""}`, text })
        )
      }
    )
    sent.once("error", () => resolve({ status: "cut", text: "" }))
    sent.end(body)
  })

const ask = async (method: string, path: string, body?: Buffer): Promise<string> =>
  (await hear(method, path, body)).status

interface Row {
  readonly route: string
  readonly shape: string
  readonly answer: string
  /** The most processor time in one turn of the event loop. */
  readonly busyMs: number
  /** The same, of the worst round. */
  readonly worstMs: number
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
  return { route, shape, answer, busyMs, worstMs: busyMs, delayMs, othersMs, tookMs, memory: memory / 1e6 }
}

const words: Readonly<Record<Waits | "for nothing", string>> = {
  "for nothing": "Hi",
  "for an answer": "Ask",
  "for a result": "Call"
}

/** Has something said on the thread, so that those who join are told, and gives the name of what the agent waits for. */
const prepare = async (waits: Waits | "for nothing"): Promise<string> => {
  await ask("POST", "/", Buffer.from(saying(words[waits])))
  if (waits === "for nothing") return ""
  const { text } = await hear("GET", `/api/sessions/${thread}/approvals`)
  const { requestId, toolCallId } = JSON.parse(text).approvals[0] ?? {}
  return String(waits === "for an answer" ? requestId : toolCallId)
}

type RouteRow = (typeof routes)[number]

const measure = async ([route, around, waits]: RouteRow, shape: string, large: Large): Promise<Row> => {
  const [method = "", path = ""] = route.split(" ")
  const rows: Array<Row> = []
  for (let round = 0; round < rounds; round++) {
    const waiting = await prepare(waits ?? "for nothing")
    const body = Buffer.from(around(large, waiting))
    const now = await watching(route, shape, async () => {
      const clients = Array.from({ length: Number(values.clients ?? 1) }, () =>
        ask(method, path.replace(":waiting", waiting), body)
      )
      const answers = await Promise.all(clients)
      // What goes on after the answer is measured, too.
      await new Promise((resolve) => setTimeout(resolve, 300))
      return [...new Set(answers)].join(", ")
    })
    rows.push({ ...now, tookMs: now.tookMs - 300 })
    // What was said on the thread is not measured with the next body.
    await ask("DELETE", `/api/sessions/${thread}`)
  }
  rows.sort((one, other) => one.busyMs - other.busyMs)
  const [middle, worst] = [rows[Math.floor((rows.length - 1) / 2)], rows.at(-1)]
  if (middle === undefined || worst === undefined) throw new Error("no round")
  return { ...middle, worstMs: worst.busyMs }
}

const print = ({ answer, busyMs, delayMs, memory, othersMs, route, shape, tookMs, worstMs }: Row): void =>
  console.log(
    [
      route.padEnd(44),
      shape.padEnd(26),
      answer.padEnd(20),
      ...[busyMs, worstMs, delayMs, othersMs, tookMs].map((ms) => `${ms.toFixed(0)} ms`.padStart(8)),
      `${memory.toFixed(0)} MB`.padStart(8)
    ].join("  ")
  )

console.log(
  `bodies of up to ${bytes} bytes, of ${rounds} rounds the most processor time in one turn of the event loop (the median, the worst), the most that a timer was late, the longest small request of another client, how long the body took, the most memory`
)
await ask("GET", "/health")
await prepare("for nothing")
// The first client of MCP has its library loaded, whatever it sends.
await ask("POST", `/mcp/${thread}`, Buffer.from('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}'))
print(await watching("(nothing)", "", () => new Promise((resolve) => setTimeout(() => resolve(""), 3000))))
const rows: Array<Row> = []
for (const row of values.routes === true || values.on !== undefined ? routes : routes.slice(0, 1))
  for (const [shape, make] of Object.entries(shapes)) {
    if (values.only !== undefined && !new RegExp(values.only).test(shape)) continue
    if (values.on !== undefined && !new RegExp(values.on).test(row[0])) continue
    const measured = await measure(row, shape, make(bytes))
    print(measured)
    rows.push(measured)
  }
const longest = (by: "busyMs" | "worstMs", what: string): void => {
  const { [by]: ms, route, shape } = rows.reduce((one, other) => (other[by] > one[by] ? other : one))
  console.log(`${what}: ${ms.toFixed(0)} ms, ${route}, ${shape}`)
}
longest("busyMs", "the longest median")
longest("worstMs", "the longest of all")
server.disconnect()
