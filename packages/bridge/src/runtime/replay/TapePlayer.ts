/**
 * A tape that is played to a host of now: what the recorded agent said, in answer to what the host says.
 *
 * The lines of the host need not be those of the recording, only of the same kinds: a prompt stands for the next
 * prompt of the tape, and an answer for the answer to the same question. Whatever else the recorded host said (a change
 * of the model, an interrupt) counts as said once the first prompt has come. What the tape has no more of is answered
 * without it. A prompt beyond those of the tape ends the agent with code 1.
 */
import * as Tape from "@agentwire/protocol/tape"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { AgentExit } from "../../process/AgentLife.ts"
import { LastLines } from "../../process/LastLines.ts"
import type { NamedTape } from "./TapeFolder.ts"

/** How tapes are played. */
export interface ReplayOptions {
  /** A tape's file, or a folder of tapes, or tapes. A session gets the tape of its name, else the next in turn. */
  readonly tapes: string | ReadonlyArray<NamedTape>
  /** How fast: the waits of the tape divided by this; `instant` leaves them out. Default `instant`. */
  readonly speed?: number | "instant"
}

/** What a line of a host is, as far as it decides what it can stand for. */
export interface HostLine {
  /** Lines of the same kind stand for each other. */
  readonly kind: string
  /** `prompt`: it begins a turn. `answer`: the agent asked for it. Both are waited for, unlike all else. */
  readonly role: "prompt" | "answer" | "other"
}

/** How the lines of one kind of agent are read in a replay. */
export interface ReplayedLines {
  readonly hostLine: (line: string) => HostLine
  /** A line of now as the one of the tape that it stands for; the same where that finds its place by itself. */
  readonly standIn: (recorded: string, now: string) => string
  /** Whether the agent ends a turn with a line. */
  readonly endsTurn: (line: string) => boolean
  /** The answer to a line that the tape has no more of; undefined where none is needed. */
  readonly answerTo: (line: string) => string | undefined
}

/** Where what the agent says goes. */
export interface ReplayOutput {
  readonly push: (bytes: Uint8Array) => void
  readonly end: () => void
  /** Waits until there is room for more. */
  readonly room: Effect.Effect<void>
}

/** A tape that is being played. */
export interface TapePlayer {
  /** The host says a line. */
  readonly hear: (line: string) => void
  /** How it ended; undefined while it plays. */
  readonly exited: () => AgentExit | undefined
  readonly exit: Effect.Effect<AgentExit>
}

/** What the agent does next: what the tape has, or an answer the tape does not have. */
type Act = Tape.AgentAct | { readonly _tag: "Answer"; readonly line: string }

/** Starts to play a tape. It ends as the tape does, or with its scope. */
export const playTape = (
  { frames, header }: Tape.Tape,
  speed: number | "instant",
  { answerTo, endsTurn, hostLine, standIn }: ReplayedLines,
  output: ReplayOutput
): Effect.Effect<TapePlayer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const acts = yield* Queue.unbounded<Act>()
    const ended = yield* Deferred.make<AgentExit>()
    const stderr = new LastLines(100)
    const first = Tape.beginReplay(Tape.scriptOf(frames, header.runtime.name), "none")
    let replay = first.replay
    let prompted = false
    let busy = false
    let exited: AgentExit | undefined

    const end = (code: number | null, signal: string | null) => {
      if (exited !== undefined) return
      exited = { code, signal, stderr: stderr.text }
      output.end()
      Deferred.doneUnsafe(ended, Effect.succeed(exited))
    }

    const perform = (act: Act): void => {
      switch (act._tag) {
        case "Answer":
          output.push(Buffer.from(act.line))
          break
        case "Say":
          if (act.channel === "stderr") stderr.push(Tape.bytesOf(act.data))
          else output.push(Tape.bytesOf(act.data))
          break
        case "Quit":
          end(act.code, act.signal)
          break
        case "Shut":
          break
      }
    }

    const take = (act: Tape.HostAct): void => {
      const step = Tape.stepReplay(replay, act)
      replay = step.replay
      Queue.offerAllUnsafe(acts, step.acts)
      if (act._tag === "Line" && hostLine(act.text).role === "prompt") busy = true
      if (step.acts.some(hasEnd)) busy = false
    }

    const hasEnd = (act: Tape.AgentAct): boolean =>
      act._tag === "Say" && typeof act.data === "string" && act.data.split("\n").some(endsTurn)

    /**
     * What the tape waits for that today's host will not do: everything but prompts and answers to what the agent asks.
     * In the middle of a turn also a prompt, an end of the input or a signal, because today's host waits then.
     */
    const unsaid = (cue: Tape.Cue | undefined): Tape.HostAct | undefined => {
      switch (cue?._tag) {
        case "Hear": {
          const { role } = hostLine(cue.line)
          return role === "answer" || (role === "prompt" && !busy) ? undefined : { _tag: "Line", text: cue.line }
        }
        case "HearEnd":
          return busy ? { _tag: "End" } : undefined
        case "HearSignal":
          return busy ? { _tag: "Signal" } : undefined
        default:
          return undefined
      }
    }

    const takeForHost = (): void => {
      for (let act = unsaid(Tape.awaitedCue(replay)); act; act = unsaid(Tape.awaitedCue(replay))) take(act)
    }

    /** The next line of this kind that the tape has. */
    const expected = (kind: string): string | undefined => {
      const { heard, script } = replay
      const cue = script.cues.find(
        (each, index) => each._tag === "Hear" && !heard.has(index) && hostLine(each.line).kind === kind
      )
      return cue?._tag === "Hear" ? cue.line : undefined
    }

    const hear = (line: string): void => {
      const { kind, role } = hostLine(line)
      prompted ||= role === "prompt"
      if (prompted) takeForHost()
      const recorded = expected(kind)
      if (recorded !== undefined) {
        take({ _tag: "Line", text: standIn(recorded, line.trimEnd()) })
        if (prompted) takeForHost()
      } else if (role === "prompt") {
        stderr.push(Buffer.from("The tape is over: it has no further prompt.\n"))
        Queue.offerUnsafe(acts, { _tag: "Quit", wait: 0, code: 1, signal: null })
      } else {
        const answer = answerTo(line)
        if (answer !== undefined) Queue.offerUnsafe(acts, { _tag: "Answer", line: answer })
      }
    }

    Queue.offerAllUnsafe(acts, first.acts)
    // A tape of a WebSocket that dropped: this connection never does.
    for (const { _tag } of frames) if (_tag === "Open") take({ _tag: "Reopened" })

    yield* Effect.forkScoped(
      Effect.forever(
        Effect.gen(function* () {
          yield* output.room
          const act = yield* Queue.take(acts)
          if (speed !== "instant" && "wait" in act) yield* Effect.sleep(Duration.millis(act.wait / speed))
          perform(act)
        })
      )
    )
    yield* Effect.addFinalizer(() => Effect.sync(() => end(0, null)))
    return { hear, exited: () => exited, exit: Deferred.await(ended) }
  })
