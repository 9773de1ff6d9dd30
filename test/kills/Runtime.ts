/** A runtime that goes on while the gateways before it are killed, and what its agents were told. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type ServeProcess, type ServeProcessOptions, startServe } from "../bridge/ServeProcess.ts"
import * as Laws from "./Laws.ts"
import { within } from "./Life.ts"

/** A runtime. */
export class Runtime {
  readonly #process: ServeProcess
  readonly #ledger: string

  private constructor(process: ServeProcess, ledger: string) {
    this.#process = process
    this.#ledger = ledger
  }

  /** Starts one in a folder. */
  static async start({ env = {}, root = "", ...options }: ServeProcessOptions): Promise<Runtime> {
    const ledger = join(root, "told.txt")
    const started = startServe({ ...options, root, command: "runtime", env: { ...env, LEDGER: ledger } })
    return new Runtime(await within("the runtime listens", started), ledger)
  }

  /** What it wrote to its log. */
  get log(): string {
    return this.#process.err()
  }

  /** Ends it, and says what was not as it has to be: with its agents, with itself, and with its socket. */
  async end(): Promise<Laws.Breaches> {
    const code = await within("the runtime ends", this.#process.stop())
    const log = this.#process.log()
    const threads = new Set(log.flatMap((line) => (line["event"] === "session started" ? [line["thread"]] : [])))
    const starts = log.filter((line) => line["event"] === "agent started").length
    const socket = join(this.#process.root, "data", "link", "runtime.sock")
    return [
      ...(code === 0 ? [] : [`the runtime ended with ${code}`]),
      ...(existsSync(socket) ? ["the socket of the runtime is left"] : []),
      ...(starts > threads.size ? [`${starts} agents were started for ${threads.size} threads`] : []),
      ...(existsSync(this.#ledger) ? Laws.toldOnce(readFileSync(this.#ledger, "utf8"), threads.size) : [])
    ]
  }

  /** Kills it, where it still runs. */
  async kill(): Promise<void> {
    if (this.#process.child.exitCode === null && this.#process.child.signalCode === null) await this.#process.kill()
  }
}
