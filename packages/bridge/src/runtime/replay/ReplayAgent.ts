/**
 * An agent that is a tape of Claude Code: says what a recorded CLI said, in answer to what the host says now
 * (`TapePlayer.ts`). A control request of a kind that the tape has no more of is answered with an empty success.
 */
import * as Claude from "@agentwire/protocol/claude"
import { decodeLine, encodeLine } from "@agentwire/protocol/claude"
import type * as Tape from "@agentwire/protocol/tape"
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { describeExit } from "../../process/AgentProcess.ts"
import { type Agent, AgentGone, AgentLauncher } from "../claude/Agent.ts"
import { makeInbox } from "../claude/Inbox.ts"
import { chooseTape } from "./ChooseTape.ts"
import { playTape, type ReplayedLines, type ReplayOptions } from "./TapePlayer.ts"

/** The launcher of agents that are tapes of Claude Code. Fails with `NO_TAPE` at a launch when there is none. */
export const replayLauncher = ({ speed = "instant", tapes }: ReplayOptions): Layer.Layer<AgentLauncher> =>
  Layer.effect(
    AgentLauncher,
    Effect.map(chooseTape(tapes, "claude-code"), (choose) => ({
      launch: ({ sessionKey }) => Effect.flatMap(choose(sessionKey), (tape) => startReplayAgent(tape, speed))
    }))
  )

/** Starts to play a tape. It ends as the tape does, or with its scope. */
export const startReplayAgent = (
  tape: Tape.Tape,
  speed: number | "instant" = "instant"
): Effect.Effect<Agent, never, Scope.Scope> =>
  Effect.gen(function* () {
    const inbox = yield* makeInbox()
    const room = Latch.makeUnsafe(true)
    const feed = inbox.feed({ pause: () => room.closeUnsafe(), resume: () => room.openUnsafe() })
    const player = yield* playTape(tape, speed, claudeLines, {
      push: (bytes) => feed.push(bytes),
      end: () => {
        feed.end()
        inbox.end()
      },
      room: room.await
    })
    return {
      version: tape.header.runtime.version ?? "0.0.0",
      transport: "replay",
      messages: inbox.messages,
      send: (message) =>
        Effect.suspend(() => {
          const exited = player.exited()
          if (exited !== undefined) return Effect.fail(new AgentGone({ message: describeExit(exited) }))
          player.hear(encodeLine(message))
          return Effect.void
        }),
      exit: player.exit
    }
  })

const roles: Readonly<Record<string, "prompt" | "answer">> = { user: "prompt", control_response: "answer" }

const kindOf = (line: string): string => {
  const decoded = decodeLine(line)
  if (decoded._tag === "Known") return decoded.name.startsWith("control_response/") ? "control_response" : decoded.name
  return decoded._tag === "Unknown" ? `${decoded.type}/${decoded.subtype}` : "invalid"
}

/** What every version answers `initialize` with at least. */
const emptyInitialize = {
  commands: [],
  output_style: "default",
  available_output_styles: ["default"],
  models: [],
  account: {}
}

const claudeLines: ReplayedLines = {
  hostLine: (line) => {
    const kind = kindOf(line)
    return { kind, role: roles[kind] ?? "other" }
  },
  standIn: (_, now) => now,
  endsTurn: (line) => line.includes('"type":"result"') && kindOf(line).startsWith("result/"),
  answerTo: (line) => {
    const decoded = decodeLine(line)
    if (decoded._tag === "Invalid") return undefined
    const message: unknown = decoded._tag === "Known" ? decoded.message : decoded.raw
    if (!isRequest(message)) return undefined
    const response = message.request.subtype === "initialize" ? emptyInitialize : {}
    return encodeLine(Claude.controlSuccess(message.request_id, response))
  }
}

const isRequest = (
  message: unknown
): message is { readonly request_id: string; readonly request: { readonly subtype?: unknown } } =>
  isRecord(message) &&
  message["type"] === "control_request" &&
  typeof message["request_id"] === "string" &&
  isRecord(message["request"])
