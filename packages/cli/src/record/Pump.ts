/**
 * One direction of a session: passes bytes on as they come, and only then shows them to the tape.
 *
 * A slow reader slows the writer (back-pressure), the end of one is the end of the other, and a reader that goes
 * away is felt by the writer at its next write, as if there were no recorder in between.
 */
import type { Readable, Writable } from "node:stream"

/** What a pump tells while it runs. */
export interface PumpEvents {
  readonly onData: (chunk: Uint8Array) => void
  /** The writer closed its end. */
  readonly onEnd: () => void
  /** The reader went away first. */
  readonly onGone: () => void
}

/** A running pump. */
export interface Pump {
  /** Resolves when all that came has been handed over. Never rejects. */
  readonly done: Promise<void>
  /** Whether nothing has come for this long, though the reader would take it. */
  readonly idleFor: (ms: number) => boolean
  /** Stops reading; what was read is still handed over. */
  readonly stop: () => void
}

/** Options of {@link startPump}. */
export interface PumpOptions extends PumpEvents {
  readonly source: Readable
  readonly sink: Writable
  /** Close the sink with the source. Default true. */
  readonly endSink?: boolean
}

/** Starts a pump. */
export const startPump = ({ endSink = true, onData, onEnd, onGone, sink, source }: PumpOptions): Pump => {
  let last = performance.now()
  let waiting = false
  let over = false
  let finish: () => void = () => undefined
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })

  const ended = () => {
    if (over) return
    over = true
    onEnd()
    // Both come after what is still buffered: the end, and the empty write to a stream that stays open.
    if (endSink) sink.end()
    else sink.write(new Uint8Array(), () => finish())
  }
  const gone = () => {
    if (!over) {
      over = true
      onGone()
      source.destroy()
    }
    finish()
  }

  source.on("data", (chunk: Buffer) => {
    last = performance.now()
    if (over) return
    if (!sink.write(chunk)) {
      waiting = true
      source.pause()
    }
    onData(chunk)
  })
  sink.on("drain", () => {
    waiting = false
    last = performance.now()
    source.resume()
  })
  source.on("end", ended)
  source.on("close", ended)
  // A source that breaks (a terminal that hangs up) has ended.
  source.on("error", ended)
  sink.on("finish", () => finish())
  sink.on("error", gone)
  sink.on("close", gone)

  return {
    done,
    idleFor: (ms) => !waiting && performance.now() - last > ms,
    stop: () => source.destroy()
  }
}
