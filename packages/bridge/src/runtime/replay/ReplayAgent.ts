/**
 * An agent that is a tape: says what a recorded CLI said, in answer to what the host says now.
 *
 * The lines of the host need not be those of the recording, only of the same kinds: a prompt stands for the next
 * prompt of the tape, and an answer for the answer to the same question. Whatever else the recorded host said (a change
 * of the model, an interrupt) counts as said once the first prompt has come. A control request of a kind that the tape
 * has no more of is answered with an empty success. A prompt beyond those of the tape ends the agent with code 1.
 */
import * as Claude from "@agentwire/protocol/claude"
import { decodeLine, encodeLine } from "@agentwire/protocol/claude"
import * as Tape from "@agentwire/protocol/tape"
import { isRecord } from "@agentwire/protocol/wire"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import { describeExit } from "../../process/AgentProcess.ts"
import { LastLines } from "../../process/LastLines.ts"
import { type Agent, type AgentExit, AgentGone, AgentLauncher, LaunchFailed } from "../claude/Agent.ts"
import { makeInbox } from "../claude/Inbox.ts"
import { type NamedTape, readTapes } from "./TapeFolder.ts"

/** How tapes are played. */
export interface ReplayOptions {
  /** A tape's file, or a folder of tapes, or tapes. A session gets the tape of its name, else the next in turn. */
  readonly tapes: string | ReadonlyArray<NamedTape>
  /** How fast: the waits of the tape divided by this; `instant` leaves them out. Default `instant`. */
  readonly speed?: number | "instant"
}

/** The launcher of agents that are tapes. Fails with `NO_TAPE` at a launch when there is none. */
export const replayLauncher = ({ speed = "instant", tapes }: ReplayOptions): Layer.Layer<AgentLauncher> =>
  Layer.effect(
    AgentLauncher,
    Effect.gen(function* () {
      const all = yield* Effect.cached(typeof tapes === "string" ? readTapes(tapes) : Effect.succeed(tapes))
      let turn = 0
      return {
        launch: ({ sessionKey }) =>
          Effect.gen(function* () {
            const loaded = yield* all
            const chosen = loaded.find(({ name }) => name === sessionKey) ?? loaded[turn++ % loaded.length]
            if (chosen === undefined)
              return yield* new LaunchFailed({ code: "NO_TAPE", message: "There is no tape to replay." })
            return yield* startReplayAgent(chosen.tape, speed)
          })
      }
    })
  )

/** What the agent does next: what the tape has, or an answer the tape does not have. */
type Act = Tape.AgentAct | { readonly _tag: "Answer"; readonly line: string }

/** Starts to play a tape. It ends as the tape does, or with its scope. */
export const startReplayAgent = (
  tape: Tape.Tape,
  speed: number | "instant" = "instant"
): Effect.Effect<Agent, never, Scope.Scope> =>
  Effect.gen(function* () {
    const inbox = yield* makeInbox()
    const acts = yield* Queue.unbounded<Act>()
    const ended = yield* Deferred.make<AgentExit>()
    const stderr = new LastLines(100)
    const room = Latch.makeUnsafe(true)
    const feed = inbox.feed({ pause: () => room.closeUnsafe(), resume: () => room.openUnsafe() })
    const first = Tape.beginReplay(Tape.scriptOf(tape.frames), "none")
    let replay = first.replay
    let prompted = false
    let busy = false
    let exited: AgentExit | undefined

    const end = (code: number | null, signal: string | null) => {
      if (exited !== undefined) return
      exited = { code, signal, stderr: stderr.text }
      feed.end()
      inbox.end()
      Deferred.doneUnsafe(ended, Effect.succeed(exited))
    }

    const perform = (act: Act): void => {
      switch (act._tag) {
        case "Answer":
          feed.push(Buffer.from(act.line))
          break
        case "Say":
          if (act.channel === "stderr") stderr.push(Tape.bytesOf(act.data))
          else feed.push(Tape.bytesOf(act.data))
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
      if (act._tag === "Line" && kindOf(act.text) === "user") busy = true
      if (step.acts.some(hasResult)) busy = false
    }

    const takeForHost = (): void => {
      for (let act = unsaid(Tape.awaitedCue(replay), busy); act; act = unsaid(Tape.awaitedCue(replay), busy)) take(act)
    }

    Queue.offerAllUnsafe(acts, first.acts)
    // A tape of a WebSocket that dropped: this connection never does.
    for (const { _tag } of tape.frames) if (_tag === "Open") take({ _tag: "Reopened" })

    yield* Effect.forkScoped(
      Effect.forever(
        Effect.gen(function* () {
          yield* room.await
          const act = yield* Queue.take(acts)
          if (speed !== "instant" && "wait" in act) yield* Effect.sleep(Duration.millis(act.wait / speed))
          perform(act)
        })
      )
    )
    yield* Effect.addFinalizer(() => Effect.sync(() => end(0, null)))

    const send = (message: object): Effect.Effect<void, AgentGone> =>
      Effect.suspend(() => {
        if (exited !== undefined) return Effect.fail(new AgentGone({ message: describeExit(exited) }))
        const line = encodeLine(message)
        const isPrompt = kindOf(line) === "user"
        prompted ||= isPrompt
        if (prompted) takeForHost()
        if (expects(replay, line)) {
          take({ _tag: "Line", text: line.trimEnd() })
          if (prompted) takeForHost()
        } else if (isPrompt) {
          stderr.push(Buffer.from("The tape is over: it has no further prompt.\n"))
          Queue.offerUnsafe(acts, { _tag: "Quit", wait: 0, code: 1, signal: null })
        } else {
          const answer = emptyAnswer(line)
          if (answer !== undefined) Queue.offerUnsafe(acts, { _tag: "Answer", line: answer })
        }
        return Effect.void
      })

    return {
      version: tape.header.runtime.version ?? "0.0.0",
      transport: "replay",
      messages: inbox.messages,
      send,
      exit: Deferred.await(ended)
    }
  })

/** What a line is, as far as it decides what it can stand for. */
const kindOf = (line: string): string => {
  const decoded = decodeLine(line)
  if (decoded._tag === "Known") return decoded.name.startsWith("control_response/") ? "control_response" : decoded.name
  return decoded._tag === "Unknown" ? `${decoded.type}/${decoded.subtype}` : "invalid"
}

/**
 * What the tape waits for that today's host will not do: everything but prompts and answers to what the agent asks. In
 * the middle of a turn also a prompt, an end of the input or a signal, because today's host waits then.
 */
const unsaid = (cue: Tape.Cue | undefined, busy: boolean): Tape.HostAct | undefined => {
  switch (cue?._tag) {
    case "Hear": {
      const kind = kindOf(cue.line)
      return kind === "control_response" || (kind === "user" && !busy) ? undefined : { _tag: "Line", text: cue.line }
    }
    case "HearEnd":
      return busy ? { _tag: "End" } : undefined
    case "HearSignal":
      return busy ? { _tag: "Signal" } : undefined
    default:
      return undefined
  }
}

/** Whether the agent ends a turn with this. */
const hasResult = (act: Tape.AgentAct): boolean =>
  act._tag === "Say" &&
  typeof act.data === "string" &&
  act.data.includes('"type":"result"') &&
  act.data.split("\n").some((line) => kindOf(line).startsWith("result/"))

/** Whether the tape still has a line of this kind. */
const expects = ({ heard, script }: Tape.Replay, line: string): boolean => {
  const kind = kindOf(line)
  return script.cues.some((cue, index) => cue._tag === "Hear" && !heard.has(index) && kindOf(cue.line) === kind)
}

/** What every version answers `initialize` with at least. */
const emptyInitialize = {
  commands: [],
  output_style: "default",
  available_output_styles: ["default"],
  models: [],
  account: {}
}

const emptyAnswer = (line: string): string | undefined => {
  const decoded = decodeLine(line)
  if (decoded._tag === "Invalid") return undefined
  const message: unknown = decoded._tag === "Known" ? decoded.message : decoded.raw
  if (!isRequest(message)) return undefined
  const response = message.request.subtype === "initialize" ? emptyInitialize : {}
  return encodeLine(Claude.controlSuccess(message.request_id, response))
}

const isRequest = (
  message: unknown
): message is { readonly request_id: string; readonly request: { readonly subtype?: unknown } } =>
  isRecord(message) &&
  message["type"] === "control_request" &&
  typeof message["request_id"] === "string" &&
  isRecord(message["request"])
