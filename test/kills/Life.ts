/** One bridge, from its start until it is killed, as its clients know it. */
import { type Client as Management, makeClient } from "@agentwire/bridge/client"
import { token } from "../bridge/RawRun.ts"
import { type ServeProcess, type ServeProcessOptions, startServe } from "../bridge/ServeProcess.ts"
import { type Moment, Trigger } from "./Trigger.ts"

/** How long anything may take. It ends a hang, and a machine with much to do takes its time. */
const limit = 180_000

/** A promise, or an error that says what did not happen. */
export const within = async <A>(what: string, promise: Promise<A>): Promise<A> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${limit / 1000} s: ${what}`)), limit)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

/** One bridge. */
export class Life {
  readonly #process: ServeProcess
  readonly #trigger: Trigger
  #isOver = false
  readonly management: Management
  readonly headers = { Authorization: `Bearer ${token}` }
  readonly killed: Promise<void>

  private constructor(process: ServeProcess, moment: Moment) {
    this.#process = process
    let told = (): void => undefined
    this.killed = new Promise((resolve) => {
      told = resolve
    })
    this.#trigger = new Trigger(moment, () => {
      this.#isOver = true
      process.child.kill("SIGKILL")
      told()
    })
    this.management = makeClient({ url: process.url, token, fetch: (input, init) => this.fetch(input, init) })
  }

  /** Starts a bridge in a folder. */
  static async start(options: ServeProcessOptions, moment: Moment): Promise<Life> {
    return new Life(await within("the bridge listens", startServe(options)), moment)
  }

  get url(): string {
    return this.#process.url
  }

  /** What the bridge wrote to its log. */
  get log(): string {
    return this.#process.err()
  }

  /** Whether the bridge was killed: what fails from then on has a reason. */
  isOver(): boolean {
    return this.#isOver
  }

  /** All have rejoined: from here on it may be killed. */
  arm(): void {
    this.#trigger.arm()
  }

  /** An event that a client was sent. */
  heard(event: { readonly type?: string; readonly outcome?: { readonly type?: string } }): void {
    this.#trigger.note("event")
    if (event.type === "RUN_FINISHED" || event.type === "RUN_ERROR") this.#trigger.note("turn end")
    if (event.outcome?.type === "interrupt") this.#trigger.note("question")
  }

  /** Makes a request, and counts it and the bytes of its answer. */
  readonly fetch = async (input: string, init: RequestInit): Promise<Response> => {
    if (this.#isOver) throw new Error("the bridge is gone")
    const asked = fetch(input, init)
    this.#trigger.note("request")
    const response = await asked
    const { body, headers, status } = response
    return new Response(body === null ? null : this.#counted(body), { status, headers })
  }

  #counted(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader()
    return new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const { done, value } = await reader.read()
        if (done) return controller.close()
        controller.enqueue(value)
        this.#trigger.note("byte", value.length)
      },
      cancel: (reason) => reader.cancel(reason)
    })
  }

  /** Kills it, whether its moment came or not, and waits until it is gone. */
  async end(): Promise<void> {
    this.#isOver = true
    await within("the bridge is gone", this.#process.kill())
  }
}
