/**
 * What a recorder notices of a session, before it is a frame of a tape: raw bytes in the chunks they came in.
 * Noticing must be cheap and must never fail: it happens between two reads of a live session.
 */
import type { Tape } from "@agentwire/protocol"

/** Something that happened, and when (as of `performance.now()`). */
export type TapEvent = { readonly at: number } & (
  | { readonly _tag: "Data"; readonly from: Tape.Speaker; readonly channel: Tape.Channel; readonly bytes: Uint8Array }
  /** One WebSocket message: not cut into lines, its borders are part of the wire. */
  | { readonly _tag: "Message"; readonly from: Tape.Speaker; readonly data: Tape.DataFrame["data"] }
  | {
      readonly _tag: "Close"
      readonly from: Tape.Speaker
      readonly channel: Tape.Channel
      readonly ws?: { readonly code: number; readonly reason: string }
    }
  | { readonly _tag: "Open"; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly _tag: "Exit"; readonly code: number | null; readonly signal: string | null }
  | { readonly _tag: "Marker"; readonly text: string }
)

type Untimed<A> = A extends unknown ? Omit<A, "at"> : never

/** Takes what happens. Never throws. */
export type Tap = (event: Untimed<TapEvent>) => void

/** How a tape ended up. */
export interface TapeOutcome {
  /** The tape has its end line. */
  readonly complete: boolean
  /** A write never came back: the process cannot end in the usual way, see `leave`. */
  readonly stuck: boolean
}

/** Takes events with their time, and ends. */
export interface TapeWriter {
  readonly note: (event: TapEvent) => void
  readonly end: () => Promise<TapeOutcome>
}

/** A tap that can be used at once, while the writer behind it is still being loaded. */
export interface LateTap {
  readonly tap: Tap
  /** Waits for the writer, gives it what it missed, and ends the tape. */
  readonly end: () => Promise<TapeOutcome>
}

/**
 * Passes events to a writer that comes later. A writer that fails ends the tape, not the session: `onFailure` is
 * told once, and everything after it is dropped.
 */
export const lateTap = (loading: Promise<TapeWriter>, onFailure: (error: unknown) => void): LateTap => {
  let waiting: Array<TapEvent> = []
  let writer: TapeWriter | undefined
  let failed = false
  const fail = (error: unknown) => {
    if (!failed) onFailure(error)
    failed = true
    waiting = []
  }
  const note = (event: TapEvent) => {
    if (failed) return
    if (writer === undefined) waiting.push(event)
    else {
      try {
        writer.note(event)
      } catch (error) {
        fail(error)
      }
    }
  }
  const loaded = loading.then((value) => {
    writer = value
    for (const event of waiting.splice(0)) note(event)
  }, fail)
  return {
    tap: (event) => note({ ...event, at: performance.now() }),
    end: async () => {
      await loaded
      try {
        return (await writer?.end()) ?? { complete: false, stuck: false }
      } catch (error) {
        fail(error)
        return { complete: false, stuck: false }
      }
    }
  }
}
