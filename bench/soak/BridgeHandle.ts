/** The bridge process as the soak holds it: starts it, gives it orders, and looks at what it holds. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import type { Answered, BridgeSetting, OrderName, Orders, Sent } from "./Orders.ts"
import { descendantsOf, descriptorsOf, type Resources, rssOf } from "./Resources.ts"

/** The argument that makes the soak's program its bridge process. */
export const bridgeFlag = "--bridge-process"

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: Error) => void
}

/** A bridge process. */
export class BridgeHandle {
  readonly pid: number
  readonly url: string
  /** How it ended, if it did. */
  ended: string | undefined
  readonly #child: ChildProcess
  readonly #waiting: Map<number, Waiting>
  #orders = 0

  private constructor(child: ChildProcess, url: string, waiting: Map<number, Waiting>) {
    this.#child = child
    this.#waiting = waiting
    this.pid = child.pid ?? 0
    this.url = url
    child.once("exit", (code, signal) => {
      this.ended = `the bridge ended with ${signal ?? code}`
      for (const { reject } of waiting.values()) reject(new Error(this.ended))
      waiting.clear()
    })
  }

  /** Starts a bridge process: this very program, told by its first argument. */
  static async start(program: string, setting: BridgeSetting): Promise<BridgeHandle> {
    // In a group of its own: Ctrl-C is for the soak, which ends it in order.
    const child = spawn(process.execPath, [...process.execArgv, program, bridgeFlag, JSON.stringify(setting)], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      detached: true
    })
    const waiting = new Map<number, Waiting>()
    const url = await new Promise<string>((resolve, reject) => {
      waiting.set(0, { resolve: (value) => resolve(String(value)), reject })
      child.on("message", ({ failure, id, value }: Answered) => {
        const found = waiting.get(id)
        waiting.delete(id)
        if (failure === undefined) found?.resolve(value)
        else found?.reject(new Error(failure))
      })
      child.once("exit", (code) => reject(new Error(`the bridge did not start: it ended with ${code}`)))
    })
    return new BridgeHandle(child, url, waiting)
  }

  /** Gives an order and waits for the answer. */
  tell<N extends OrderName>(name: N, order: Orders[N]["order"]): Promise<Orders[N]["answer"]> {
    const id = ++this.#orders
    return new Promise((resolve, reject) => {
      if (this.ended !== undefined) return reject(new Error(this.ended))
      this.#waiting.set(id, { resolve: (value) => resolve(value as Orders[N]["answer"]), reject })
      this.#child.send({ id, name, order } satisfies Sent<N>)
    })
  }

  /** What it holds, after a collection, and what it logged as errors. */
  async measure(): Promise<Resources & { readonly errors: ReadonlyArray<string> }> {
    const { errors, heapUsed } = await this.tell("collect", null)
    const { pid } = this
    return {
      heapUsed,
      errors,
      rss: rssOf(pid),
      descriptors: descriptorsOf(pid),
      processes: descendantsOf(pid).length
    }
  }

  /** Ends it, and waits until it is gone. */
  async end(): Promise<void> {
    if (this.ended !== undefined) return
    const gone = once(this.#child, "exit")
    this.#child.disconnect()
    await gone
  }
}
