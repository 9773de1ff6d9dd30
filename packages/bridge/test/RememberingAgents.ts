/**
 * Agents that remember what was said to them, in sessions that outlive their processes, as the real CLI does: resumed, gone
 * back in, and copied.
 */
import { type Decoded, decodeLine } from "@agentwire/protocol/claude"
import type * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { type AgentExit, AgentGone, AgentLauncher, type LaunchRequest } from "../src/runtime/claude/Agent.ts"
import { agreed, init, isPrompt, result, text, toolResult, toolUse } from "./AgentLines.ts"
import { greeting, type Line } from "./FakeAgent.ts"

/** A line of a session: its uuid, and what it says to the model. */
interface Remembered {
  readonly uuid: string
  readonly words: string
}

/** What a test sees of them. */
export interface RememberingAgents {
  readonly launched: ReadonlyArray<LaunchRequest>
  /** For each prompt, all that the model was told, the prompt included. */
  readonly told: ReadonlyArray<ReadonlyArray<string>>
  /** The sessions that they keep, by id. One that is taken away is not found any more. */
  readonly sessions: Map<string, ReadonlyArray<Remembered>>
  readonly layer: Layer.Layer<AgentLauncher>
}

const wordsIn = (line: Line): string => {
  const { content } = line["message"] as { readonly content: ReadonlyArray<{ readonly text: string }> | string }
  return typeof content === "string" ? content : content.map((part) => part.text).join("")
}

/** Agents that remember. A prompt with the word `tool` makes them call two tools before they answer. */
export const rememberingAgents = (): RememberingAgents => {
  const launched: Array<LaunchRequest> = []
  const told: Array<ReadonlyArray<string>> = []
  const sessions = new Map<string, ReadonlyArray<Remembered>>()
  let count = 0

  /** Where a process begins; a text says why it does not. */
  const beginning = ({ at, fork, resume }: LaunchRequest): readonly [string, ReadonlyArray<Remembered>] | string => {
    if (resume === undefined) return [`session-${++count}`, []]
    const lines = sessions.get(resume)
    if (lines === undefined) return `No conversation found with session ID: ${resume}`
    const end = at === undefined ? lines.length : lines.findIndex(({ uuid }) => uuid === at) + 1
    if (at !== undefined && end === 0) return `No message found with message.uuid of: ${at}`
    return [fork === true ? `session-${++count}` : resume, lines.slice(0, end)]
  }

  const answer = (words: string): ReadonlyArray<readonly [Line, string]> => {
    const n = ++count
    const said: readonly [Line, string] = [text(`Re ${words}`), `Re ${words}`]
    if (!words.includes("tool")) return [said]
    const [one, two] = [`call-${n}-1`, `call-${n}-2`]
    // The CLI says the parts of one message in a line each.
    const part = (line: Line): Line => ({ ...line, message: { ...(line["message"] as Line), id: `msg-${n}` } })
    return [
      ...(n % 2 === 0 ? [[part(text(`Look ${n}`)), `Look ${n}`] as const] : []),
      [part(toolUse(one, "Read")), `call ${one}`],
      [part(toolUse(two, "Read")), `call ${two}`],
      [toolResult(one, `Found ${n}`), `Found ${n}`],
      [toolResult(two, `Found more ${n}`), `Found more ${n}`],
      said
    ]
  }

  const layer = Layer.succeed(AgentLauncher, {
    projects: undefined,
    launch: (request) =>
      Effect.gen(function* () {
        launched.push(request)
        const messages = yield* Queue.unbounded<Decoded, Cause.Done>()
        const ended = yield* Deferred.make<AgentExit>()
        const begun = beginning(request)
        const [sessionId, lines] = typeof begun === "string" ? ["", []] : begun
        let remembered = lines
        let gone = false
        const say = (line: Line) =>
          Queue.offer(messages, decodeLine(JSON.stringify({ ...line, session_id: sessionId })))
        const exit = (code: number) =>
          Effect.gen(function* () {
            gone = true
            yield* Queue.end(messages)
            yield* Deferred.succeed(ended, { code, signal: null, stderr: "" })
          })
        const remember = (...more: ReadonlyArray<Remembered>) => {
          remembered = [...remembered, ...more]
          sessions.set(sessionId, remembered)
        }
        yield* Effect.addFinalizer(() => exit(143))
        if (typeof begun === "string") {
          yield* say(result({ subtype: "error_during_execution", is_error: true, errors: [begun] }))
          yield* exit(1)
        }
        return {
          version: "2.1.325",
          transport: "stdio",
          messages,
          exit: Deferred.await(ended),
          send: (message) =>
            Effect.gen(function* () {
              if (gone) return yield* new AgentGone({ message: "gone" })
              const line = message as Line
              const asked = line["request"] as Line | undefined
              if (asked?.["subtype"] === "initialize")
                return yield* Effect.asVoid(
                  say({
                    type: "control_response",
                    response: { subtype: "success", request_id: line["request_id"], response: greeting }
                  })
                )
              if (line["type"] === "control_request") return yield* Effect.asVoid(say(agreed(line)))
              if (!isPrompt(line)) return
              const words = wordsIn(line)
              remember({ uuid: String(line["uuid"]), words })
              told.push(remembered.map((each) => each.words))
              yield* say(init())
              for (const [reply, meaning] of answer(words)) {
                remember({ uuid: String(reply["uuid"]), words: meaning })
                yield* say(reply)
              }
              yield* say(result())
            })
        }
      })
  })
  return { launched, told, sessions, layer }
}
