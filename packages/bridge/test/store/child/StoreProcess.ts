/** Starts processes with a store, and ends what is left of them. */
import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, renameSync } from "node:fs"
import { createInterface } from "node:readline"
import type { Readable, Writable } from "node:stream"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { build } from "esbuild"
import type { Order, Reply } from "./StoreChild.ts"

// Where packages are found from.
const cache = new URL("../../../../../node_modules/.cache/agentwire/", import.meta.url)

/** The program in one file, which starts three times as fast as its sources do. */
const program: Effect.Effect<string> = Effect.runSync(
  Effect.cached(
    Effect.promise(async () => {
      mkdirSync(cache, { recursive: true })
      const outfile = fileURLToPath(new URL("store-child.mjs", cache))
      const draft = `${outfile}.${process.pid}`
      await build({
        entryPoints: [fileURLToPath(new URL("StoreChild.ts", import.meta.url))],
        bundle: true,
        platform: "node",
        format: "esm",
        conditions: ["agentwire-source"],
        external: ["libsql"],
        logLevel: "warning",
        outfile: draft
      })
      // Another worker may start the one that is there.
      renameSync(draft, outfile)
      return outfile
    })
  )
)

/** A process with a store. */
export class StoreProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #lines: AsyncIterator<string>

  constructor(child: ChildProcessByStdio<Writable, Readable, null>) {
    this.#child = child
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Gives an order. */
  order(order: Order): void {
    this.#child.stdin.write(`${JSON.stringify(order)}\n`)
  }

  /** The next line that it says; undefined when it will say no more. */
  async line(): Promise<string | undefined> {
    const { done, value } = await this.#lines.next()
    return done === true ? undefined : value
  }

  /** Gives an order, and waits for the answer. */
  async ask(order: Order): Promise<Reply> {
    this.order(order)
    return this.reply()
  }

  /** The next answer. */
  async reply(): Promise<Reply> {
    const line = await this.line()
    if (line === undefined) throw new Error("the process has ended")
    return JSON.parse(line)
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** Kills it, and waits until it is gone. What it has said before can still be read. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const gone = once(this.#child, "exit")
    this.#child.kill("SIGKILL")
    await gone
  }
}

/** A process with a store in a folder. It is killed when the scope closes. */
export const startStore = (
  folder: string,
  leaseMillis = 15_000,
  spawnOptions: { readonly uid?: number } = {}
): Effect.Effect<StoreProcess, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.map(
      program,
      (path) =>
        new StoreProcess(
          spawn(process.execPath, [path, folder, `${leaseMillis}`], {
            stdio: ["pipe", "pipe", "inherit"],
            ...spawnOptions
          })
        )
    ),
    (child) => Effect.promise(() => child.kill())
  )
