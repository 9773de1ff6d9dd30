/**
 * An app-server that is a tape of Codex: says what a recorded one said, in answer to what the host says now
 * (`TapePlayer.ts`). A request that the tape has no more of is answered with an empty result, and one that would begin a
 * thread with an error.
 */
import { randomUUID } from "node:crypto"
import { lineChannel } from "@agentwire/protocol/jsonrpc"
import type * as Tape from "@agentwire/protocol/tape"
import { isRecord, parseJson } from "@agentwire/protocol/wire"
import type { Done } from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { describeExit } from "../../process/AgentProcess.ts"
import { CodexLauncher, type CodexServer } from "../codex/Server.ts"
import { chooseTape } from "./ChooseTape.ts"
import { playTape, type ReplayedLines, type ReplayOptions } from "./TapePlayer.ts"

/** The launcher of app-servers that are tapes of Codex. Fails with `NO_TAPE` at a launch when there is none. */
export const replayCodexLauncher = ({ speed = "instant", tapes }: ReplayOptions): Layer.Layer<CodexLauncher> =>
  Layer.effect(
    CodexLauncher,
    Effect.map(chooseTape(tapes, "codex"), (choose) => ({
      launch: ({ sessionKey }) => Effect.flatMap(choose(sessionKey), (tape) => startReplayServer(tape, speed))
    }))
  )

/** Starts to play a tape of `codex app-server`. It ends as the tape does, or with its scope. */
export const startReplayServer = (
  tape: Tape.Tape,
  speed: number | "instant" = "instant"
): Effect.Effect<CodexServer, never, Scope.Scope> =>
  Effect.gen(function* () {
    const bytes = yield* Queue.unbounded<Uint8Array, Done>()
    const player = yield* playTape(tape, speed, codexLines(tape), {
      push: (chunk) => void Queue.offerUnsafe(bytes, chunk),
      end: () => void Queue.endUnsafe(bytes),
      room: Effect.void
    })
    return {
      version: tape.header.runtime.version ?? "0.0.0",
      channel: lineChannel(Stream.fromQueue(bytes), (text) =>
        Effect.suspend(() => {
          const exited = player.exited()
          if (exited !== undefined) return Effect.fail(describeExit(exited))
          player.hear(text)
          return Effect.void
        })
      ),
      exit: player.exit
    }
  })

interface Message {
  readonly id?: unknown
  readonly method: string | undefined
  readonly threadId: unknown
  /** What the host calls the prompt. */
  readonly message: unknown
}

const read = (line: string): Message => {
  const value = parseJson(line)
  const { id, method, params } = isRecord(value) ? value : {}
  return {
    id,
    method: typeof method === "string" ? method : undefined,
    threadId: isRecord(params) ? params["threadId"] : undefined,
    message: isRecord(params) ? params["clientUserMessageId"] : undefined
  }
}

/** A session has one thread, however the recorded one came by its own. */
const beginnings = new Set(["thread/start", "thread/resume", "thread/fork"])

const codexLines = ({ frames }: Tape.Tape): ReplayedLines => {
  /** Prompts of other threads are of the recording alone. */
  const thread = frames
    .flatMap((frame) => (frame._tag === "Data" && frame.from === "host" ? String(frame.data).split("\n") : []))
    .map(read)
    .find(({ method }) => method === "turn/start")?.threadId
  const recordedThreads = new Set([thread])
  return {
    hostLine: (line) => {
      const { id, method = "", threadId } = read(line)
      if (method === "") return { kind: `response ${JSON.stringify(id)}`, role: "answer" }
      if (beginnings.has(method)) return { kind: "thread", role: "other" }
      if (method !== "turn/start") return { kind: method, role: "other" }
      return { kind: method, role: recordedThreads.has(threadId) ? "prompt" : "other" }
    },
    // The recorded line with the ids of now: the answer to it has the one, and the echo of a prompt the other.
    standIn: (recorded, now) => {
      const { id, message, method } = read(now)
      const line = parseJson(recorded)
      if (method === undefined || id === undefined || !isRecord(line)) return now
      const { params } = line
      const isNamed = message !== undefined && isRecord(params) && params["clientUserMessageId"] !== undefined
      return JSON.stringify({ ...line, id, ...(isNamed && { params: { ...params, clientUserMessageId: message } }) })
    },
    endsTurn: (line) => line.includes('"turn/completed"') && read(line).method === "turn/completed",
    answerTo: (line) => {
      const { id, method } = read(line)
      if (id === undefined || method === undefined) return undefined
      const answer = beginnings.has(method)
        ? { error: { code: -32600, message: "The tape has no thread to begin." } }
        : { result: method === "initialize" ? { userAgent: `replay/${randomUUID()}` } : {} }
      return `${JSON.stringify({ id, ...answer })}\n`
    }
  }
}
