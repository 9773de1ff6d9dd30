/** Where a command writes and reads, so that tests can stand in for the terminal. */
import type { Readable } from "node:stream"
import { Failure } from "./Failure.ts"

/** The reader of our output went away (`| head`): it has what it wanted. */
export class ReaderGone extends Error {
  override readonly name = "ReaderGone"
}

const outputFailure = (error: Error): Error =>
  "code" in error && error.code === "EPIPE"
    ? new ReaderGone()
    : new Failure(`Cannot write the output: ${error.message}.`, { cause: error })

/** The three streams of a command. */
export interface Console {
  readonly stdin: Readable
  /** Results. Resolves when the line is on its way, so that a slow reader slows us. */
  readonly out: (text: string) => Promise<void>
  /** Everything that is not a result. */
  readonly err: (text: string) => void
  /** Shows a line that the next one replaces. Does nothing where nobody watches. */
  readonly progress: (text: string) => void
}

/** The console of this process. */
export const processConsole = (): Console => {
  // A failed write is told to whoever waits for it, below; without a listener Node would end the process.
  process.stdout.on("error", () => {})
  let shown = 0
  const clear = () => {
    if (shown > 0) process.stderr.write(`\r${" ".repeat(shown)}\r`)
    shown = 0
  }
  return {
    stdin: process.stdin,
    out: (text) =>
      new Promise((resolve, reject) => {
        clear()
        process.stdout.write(`${text}\n`, (error) => (error ? reject(outputFailure(error)) : resolve()))
      }),
    err: (text) => {
      clear()
      process.stderr.write(`${text}\n`)
    },
    progress: (text) => {
      if (!process.stderr.isTTY) return
      clear()
      process.stderr.write(text)
      shown = text.length
    }
  }
}
