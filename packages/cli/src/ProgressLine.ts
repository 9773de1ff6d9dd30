/**
 * One line at the foot of a terminal that says what takes so long. The next one replaces it, and it is erased before
 * anything else is written. What is over within a second is not told, and in a pipe nothing is.
 */
import { escapeControls, isTerminal, type MaybeTerminal } from "./Paint.ts"

/** Where the line is drawn. */
export interface ProgressStream extends MaybeTerminal {
  readonly columns?: number
  readonly write: (text: string) => unknown
}

/** The line. */
export interface ProgressLine {
  /** Says what is being done now. */
  readonly show: (text: string) => void
  /** Takes away what is shown. */
  readonly clear: () => void
}

const second = 1000
const erase = "\r\u001b[K"

/** The line of a stream. It does nothing where nobody watches. */
export const progressLine = (
  stream: ProgressStream,
  env: Readonly<Record<string, string | undefined>>
): ProgressLine => {
  if (!isTerminal(stream, env)) return { show: () => undefined, clear: () => undefined }
  let begun: number | undefined
  let isDrawn = false
  let timer: NodeJS.Timeout | undefined
  const draw = (text: string, since: number): void => {
    const seconds = Math.floor((Date.now() - since) / second)
    stream.write(`${erase}${fitted(seconds === 0 ? text : `${text} ${seconds} s`, stream.columns)}`)
    isDrawn = true
    drawIn(second, text, since)
  }
  const drawIn = (wait: number, text: string, since: number): void => {
    timer = setTimeout(() => draw(text, since), wait)
    // Nobody waits for a progress line.
    timer.unref()
  }
  return {
    show: (text) => {
      clearTimeout(timer)
      const now = Date.now()
      begun ??= now
      const wait = begun + second - now
      if (wait > 0) drawIn(wait, text, now)
      else draw(text, now)
    },
    clear: () => {
      clearTimeout(timer)
      if (isDrawn) stream.write(erase)
      isDrawn = false
    }
  }
}

/** A line that goes over the edge of the terminal could not be erased, and neither could two. */
const fitted = (text: string, columns: number | undefined): string =>
  // A terminal that does not know its width says 0.
  [...escapeControls(text.replace(/\p{Cc}+/gu, " "))].slice(0, (columns || 80) - 1).join("")
