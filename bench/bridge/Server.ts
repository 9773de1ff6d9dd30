/** A contender's process as the benchmark holds it, and the runs that are asked of it. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { request } from "node:http"
import { createInterface } from "node:readline"
import type { Contender } from "./Contender.ts"
import { type Pace, StampReader } from "./Stamp.ts"

/** The argument that makes the benchmark's program a contender. */
const serverFlag = "--server"

/** What a run came to: how long each delta took to arrive, in milliseconds. */
export interface Ran {
  readonly latencies: ReadonlyArray<number>
}

/** Nothing may be waited for longer. */
const limitMs = 60_000

/** A contender that listens. */
export class Server {
  readonly contender: Contender
  readonly #child: ChildProcess
  readonly #url: string
  #runs = 0

  private constructor(contender: Contender, child: ChildProcess, url: string) {
    this.contender = contender
    this.#child = child
    this.#url = url
  }

  /** Starts a contender. `profile`: the folder for what it spends its time on. */
  static async start(contender: Contender, program: string, agent: string, profile?: string): Promise<Server> {
    const watched = profile === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profile}`]
    const child = spawn(process.execPath, [...watched, program, serverFlag, contender, agent], {
      stdio: ["pipe", "pipe", "inherit"]
    })
    const [url] = await once(createInterface({ input: child.stdout }), "line")
    return new Server(contender, child, String(url))
  }

  /** The processor's time it has used, without that of its agents, in milliseconds. */
  get processorMs(): number {
    const stat = readFileSync(`/proc/${this.#child.pid}/stat`, "utf8")
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    // In ticks, of which there are 100 in a second on every Linux that Node runs on.
    return (Number(fields[11]) + Number(fields[12])) * 10
  }

  /** How long its main thread had something to do and no core to do it on, in milliseconds. */
  get waitedMs(): number {
    return Number(readFileSync(`/proc/${this.#child.pid}/schedstat`, "utf8").split(" ")[1]) / 1e6
  }

  /** Asks for a run on a thread, and reads it to its end. */
  run(thread: number, pace: Pace): Promise<Ran> {
    const id = `r-${++this.#runs}`
    const body = {
      protocolVersion: "1.0",
      threadId: `t-${thread}`,
      runId: id,
      messages: [{ id, role: "user", content: JSON.stringify(pace) }],
      state: {},
      tools: [],
      context: [],
      forwardedProps: {}
    }
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`${this.contender}: a run did not end`)), limitMs)
      const sent = request(this.#url, {
        method: "POST",
        // A connection each: one that is kept may be closed by the server at the very moment it is used again.
        agent: false,
        headers: { "content-type": "application/json" }
      })
      sent.on("error", reject)
      sent.on("response", (response) => {
        const reader = new StampReader()
        const latencies: Array<number> = []
        let tail = ""
        response.setEncoding("latin1")
        response.on("error", reject)
        response.on("data", (piece: string) => {
          const now = Number(process.hrtime.bigint())
          // The pipe also has the whole message at the end.
          for (const at of reader.push(piece)) if (latencies.length < pace.events) latencies.push((now - at) / 1e6)
          tail = (tail + piece).slice(-2000)
          // Looked for in the text of both contenders: to parse it would be part of what is measured.
          if (!/"type":"(result|RUN_FINISHED)"/.test(tail)) return
          clearTimeout(late)
          if (latencies.length === pace.events) resolve({ latencies })
          else reject(new Error(`${this.contender}: ${latencies.length} of ${pace.events} deltas arrived`))
          // The pipe does not know that it was the end.
          if (this.contender === "pipe") sent.destroy()
        })
        response.on("end", () => reject(new Error(`${this.contender}: the answer ended early: ${tail}`)))
      })
      sent.end(JSON.stringify(body))
    })
  }

  /** Ends it. */
  async end(): Promise<void> {
    const gone = once(this.#child, "exit")
    this.#child.stdin?.end()
    await gone
  }
}
