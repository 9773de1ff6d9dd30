/** Where a command writes and reads, so that tests can stand in for the terminal. */
import type { Readable } from "node:stream"
import { Failure } from "./Failure.ts"
import { type Paint, paintFor, visible } from "./Paint.ts"
import { progressLine } from "./ProgressLine.ts"

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
  /** Shows a line that the next one replaces, and an empty one takes away. Does nothing where nobody watches. */
  readonly progress: (text: string) => void
  /** The styles for results. */
  readonly paint: Paint
}

/** The console of this process. */
export const processConsole = (): Console => {
  // A failed write is told to whoever waits for it, below; without a listener Node would end the process.
  process.stdout.on("error", () => {})
  const line = progressLine(process.stderr, process.env)
  return {
    stdin: process.stdin,
    paint: paintFor(process.stdout, process.env),
    out: (text) =>
      new Promise((resolve, reject) => {
        line.clear()
        // What is piped on is data, and stays what it is.
        const shown = process.stdout.isTTY === true ? visible(text) : text
        process.stdout.write(`${shown}\n`, (error) => (error ? reject(outputFailure(error)) : resolve()))
      }),
    err: (text) => {
      line.clear()
      process.stderr.write(`${visible(text)}\n`)
    },
    progress: (text) => (text === "" ? line.clear() : line.show(text))
  }
}
