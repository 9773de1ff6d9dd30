/**
 * An extension in a thread of its own: what it throws, how long it takes, what it fills its memory with and whether it ends
 * the process is its own affair, and it can be ended in the middle of anything.
 */
import { pathToFileURL } from "node:url"
import { Worker } from "node:worker_threads"
import type { OpenExtension } from "./ExtensionPort.ts"
import { serveExtension } from "./ServeExtension.ts"

/** Variables of the bridge that are nobody else's: they let callers in. */
const hidden: ReadonlySet<string> = new Set(["AGENTWIRE_TOKEN"])

/** How many characters of what it writes are passed on at a time. */
const maxWritten = 4000

/**
 * What the thread runs. Some builds name functions by a helper that is not there. `import` is outside of the function,
 * so that no build changes it.
 */
const programOf = (): string => `
const __name = (made) => made
const { parentPort, workerData } = require("node:worker_threads")
const end = { send: (message) => parentPort.postMessage(message), listen: (hear) => parentPort.on("message", hear) }
;(${serveExtension.toString()})(end, () => import(workerData))
`

/** Begins the extension of a module in a thread of its own. */
export const inWorker =
  (module: string, memoryMb: number): OpenExtension =>
  ({ gone, hear, wrote }) => {
    const worker = new Worker(programOf(), {
      eval: true,
      workerData: pathToFileURL(module).href,
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !hidden.has(name))),
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      stdin: false,
      stdout: true,
      stderr: true
    })
    let why: string | undefined
    let isTold = false
    const tell = (): void => {
      if (isTold) return
      isTold = true
      gone(why ?? "It ended itself.")
    }
    worker.on("message", hear)
    worker.on("messageerror", () => undefined) // It said what cannot be passed on.
    worker.on("error", (error: unknown) => {
      why = error instanceof Error ? error.message : String(error)
    })
    worker.on("exit", tell)
    for (const stream of [worker.stdout, worker.stderr])
      stream.on("data", (chunk: Buffer) => wrote(chunk.toString("utf8", 0, Math.min(chunk.length, maxWritten))))
    return {
      send: (message) => worker.postMessage(message),
      end: async () => {
        isTold = true
        await worker.terminate()
      },
      canEnd: true
    }
  }
