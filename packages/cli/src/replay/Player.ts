/**
 * A replay in time: feeds the machine what the host does, and does what the machine says at the tape's pace, one
 * after the other. Where the bytes go and come from is up to the transport.
 */
import * as Tape from "@agentwire/protocol/tape"
import type { Pace } from "./Pace.ts"
import { describeMismatch } from "./Words.ts"

/** How a replayed agent ended. */
export interface Ending {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** Why, when it did not end as the tape does. */
  readonly words?: string
}

/** What a replay needs to know. */
export interface PlayOptions {
  readonly match: Tape.ReplayMatch
  readonly pace: Pace
  /** Ids known from elsewhere: those of the tape's command line with those of this one's. */
  readonly ids?: ReadonlyArray<readonly [taped: string, now: string]>
}

/** Where a replayed agent's acts go. */
export interface Outlet {
  readonly write: (channel: Tape.Channel, bytes: Uint8Array) => Promise<void>
  readonly shut: (channel: Tape.Channel) => void
}

/** A replay in time. */
export class Player {
  /** Settles when the agent ends: by the tape, by a line that does not fit, or by {@link Player.end}. */
  readonly ended: Promise<Ending>
  readonly #options: PlayOptions
  readonly #outlet: Outlet
  readonly #hurry = new AbortController()
  #replay: Tape.Replay
  #playing: Promise<void> = Promise.resolve()
  #settle: (ending: Ending) => void = () => {}
  #fail: (error: unknown) => void = () => {}
  #stopped = false

  constructor(script: Tape.Script, options: PlayOptions, outlet: Outlet) {
    this.#options = options
    this.#outlet = outlet
    this.ended = new Promise((resolve, reject) => {
      this.#settle = resolve
      this.#fail = reject
    })
    const { acts, replay } = Tape.beginReplay(script, options.match, options.ids)
    this.#replay = replay
    this.#play(acts)
  }

  /** What the tape waits for; undefined when it is over. */
  get awaitedCue(): Tape.Cue | undefined {
    return Tape.awaitedCue(this.#replay)
  }

  /** What of the tape was never asked for. */
  get missedLines(): ReturnType<typeof Tape.missedLines> {
    return Tape.missedLines(this.#replay)
  }

  /** The host does something. */
  receive(act: Tape.HostAct): void {
    if (this.#stopped) return
    const { acts, mismatch, replay } = Tape.stepReplay(this.#replay, act)
    this.#replay = replay
    this.#play(acts)
    if (mismatch !== undefined) {
      this.#stopped = true
      this.end({ code: 2, signal: null, words: describeMismatch(mismatch, this.#options.match) })
    }
  }

  /** Ends, after what is still to be said, unless the tape has an end by then. */
  end(ending: Ending): void {
    this.#playing = this.#playing.then(() => this.#settle(ending)).catch(this.#fail)
  }

  /** Waits no longer between frames. */
  skipWaits(): void {
    this.#hurry.abort()
  }

  #play(acts: ReadonlyArray<Tape.AgentAct>): void {
    if (acts.length === 0) return
    this.#playing = this.#playing
      .then(async () => {
        for (const act of acts) {
          await this.#options.pace.before(act.wait, this.#hurry.signal)
          await this.#do(act)
        }
      })
      .catch(this.#fail)
  }

  async #do(act: Tape.AgentAct): Promise<void> {
    switch (act._tag) {
      case "Say":
        return this.#outlet.write(act.channel, Tape.bytesOf(act.data))
      case "Shut":
        return this.#outlet.shut(act.channel)
      case "Quit":
        this.#stopped = true
        return this.#settle({ code: act.code, signal: act.signal as NodeJS.Signals | null })
    }
  }
}
