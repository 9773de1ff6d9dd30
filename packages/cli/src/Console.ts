/** Where a command writes and reads, so that tests can stand in for the terminal. */
import type { Readable } from "node:stream"

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
  // A reader that went away is the answer to the write; without a listener it would end the process, too.
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
        process.stdout.write(`${text}\n`, (error) => (error ? reject(error) : resolve()))
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
