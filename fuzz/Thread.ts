/** The handle of the thread that inputs are checked in: it is given orders, watched, and ended when it hangs. */
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { Worker } from "node:worker_threads"
import { maxInputBytes } from "./mutate/Bytes.ts"
import type { Outcome } from "./Search.ts"

/** What a thread is started with. */
export interface ThreadData {
  readonly memory: SharedArrayBuffer
  /** The address of the module whose `targets` has the target. */
  readonly module: string
  readonly name: string
}

/** What a thread is told to do. */
export type ThreadOrder =
  | {
      readonly _tag: "Search"
      readonly corpus: ReadonlyArray<Uint8Array>
      readonly seed: number
      /** The number of the first run: after a hang the corpus itself is not run again. */
      readonly from: number
      readonly until: number
    }
  | { readonly _tag: "Try"; readonly input: Uint8Array }

/** What a thread says. */
export type ThreadNews =
  | { readonly _tag: "Ready" }
  | { readonly _tag: "Over" }
  | (Outcome & { readonly input: Uint8Array })

/** What a thread is at: the number of its runs, how many inputs it keeps, and the input. */
export class Current {
  static readonly bytes = 16 + maxInputBytes
  readonly memory: SharedArrayBuffer
  readonly #numbers: Int32Array
  readonly #input: Uint8Array

  constructor(memory = new SharedArrayBuffer(Current.bytes)) {
    this.memory = memory
    this.#numbers = new Int32Array(memory, 0, 4)
    this.#input = new Uint8Array(memory, 16)
  }

  /** Notes that an input is begun. */
  begin(input: Uint8Array, kept: number): void {
    this.#input.set(input.subarray(0, maxInputBytes))
    Atomics.store(this.#numbers, 1, input.length)
    Atomics.store(this.#numbers, 2, kept)
    Atomics.add(this.#numbers, 0, 1)
  }

  get runs(): number {
    return Atomics.load(this.#numbers, 0)
  }

  get kept(): number {
    return Atomics.load(this.#numbers, 2)
  }

  get input(): Uint8Array {
    return this.#input.slice(0, Atomics.load(this.#numbers, 1))
  }
}

const tsx = pathToFileURL(
  createRequire(import.meta.url)
    .resolve("tsx/esm/api")
    .replace(/\.cjs$/, ".mjs")
).href

/** A thread does not inherit the loader of TypeScript, so it begins with it. */
const opening = `
  import(${JSON.stringify(tsx)}).then(({ register }) => {
    register()
    return import(${JSON.stringify(new URL("./Worker.ts", import.meta.url).href)})
  })
`

/** A thread. One that has ended is not used again. */
export class Thread {
  readonly current = new Current()
  readonly #worker: Worker
  #listener: (news: ThreadNews) => void = () => undefined

  private constructor(module: string, name: string) {
    const data: ThreadData = { memory: this.current.memory, module, name }
    this.#worker = new Worker(opening, {
      eval: true,
      workerData: data,
      execArgv: ["--conditions=agentwire-source"],
      resourceLimits: { maxOldGenerationSizeMb: 1024 }
    })
    this.#worker.on("message", (news: ThreadNews) => this.#listener(news))
    this.#worker.on("error", (error) => {
      this.#listener({
        _tag: "Broken",
        signature: `the thread ended: ${error.name}`,
        message: error.stack ?? error.message,
        input: this.current.input
      })
    })
  }

  /** Starts a thread, and waits until it takes orders. */
  static async start(module: string, name: string): Promise<Thread> {
    const thread = new Thread(module, name)
    const news = await thread.#heard()
    if (news._tag === "Broken") throw new Error(news.message)
    return thread
  }

  #heard(): Promise<ThreadNews> {
    return new Promise((resolve) => {
      this.#listener = resolve
    })
  }

  /** Gives an order, and hears what comes of it. */
  order(order: ThreadOrder, listener: (news: ThreadNews) => void): void {
    this.#listener = listener
    this.#worker.postMessage(order)
  }

  /** Checks one input; undefined when it takes longer than allowed. The thread is of no use then. */
  async check(input: Uint8Array, limitMs: number): Promise<Outcome | undefined> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), limitMs)
    })
    const heard = this.#heard()
    this.#worker.postMessage({ _tag: "Try", input } satisfies ThreadOrder)
    const news = await Promise.race([heard, late])
    clearTimeout(timer)
    return news?._tag === "Held" || news?._tag === "Broken" ? news : undefined
  }

  /** Ends it, whatever it is at. */
  async end(): Promise<void> {
    this.#listener = () => undefined
    await this.#worker.terminate()
  }
}
