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

/** Something in the context of a model: what somebody said, a call by its id, or what one gave. */
export type Remembered = readonly [who: "user" | "assistant" | "call" | "result", what: string]

/** A line of a session: its uuid, and what it says to the model. */
interface Kept {
  readonly uuid: string
  readonly said: ReadonlyArray<Remembered>
}

/** A line of an answer, and what it says to the model. */
export type Reply = readonly [line: Line, said: Remembered]

/** What a test sees of them. */
export interface RememberingAgents {
  readonly launched: ReadonlyArray<LaunchRequest>
  /** For each prompt, all that the model was told, the prompt included. */
  readonly told: ReadonlyArray<ReadonlyArray<Remembered>>
  /** The sessions that they keep, by id. One that is taken away is not found any more. */
  readonly sessions: Map<string, ReadonlyArray<Kept>>
  readonly layer: Layer.Layer<AgentLauncher>
}

const wordsIn = (line: Line): ReadonlyArray<string> => {
  const { content } = line["message"] as { readonly content: ReadonlyArray<{ readonly text: string }> | string }
  return typeof content === "string" ? [content] : content.map((part) => part.text)
}

/** An answer in words. */
export const inWords = (words: string): Reply => [text(words), ["assistant", words]]

/** A call and its result, one after the other. */
export const callOf = (id: string, found: string): ReadonlyArray<Reply> => [
  [toolUse(id, "Read"), ["call", id]],
  [toolResult(id, found), ["result", found]]
]

/** Says the words again. The word `tool` among them makes two calls come first. */
const echoing = (words: string, n: number): ReadonlyArray<Reply> => {
  if (!words.includes("tool")) return [inWords(`Re ${words}`)]
  // The CLI says the parts of one message in a line each, and the results of its calls after them.
  const part = ([line, said]: Reply): Reply => [
    { ...line, message: { ...(line["message"] as Line), id: `msg-${n}` } },
    said
  ]
  const calls = [callOf(`call-${n}-1`, `Found ${n}`), callOf(`call-${n}-2`, `Found more ${n}`)]
  return [
    ...(n % 2 === 0 ? [part(inWords(`Look ${n}`))] : []),
    ...calls.flatMap((call) => call.slice(0, 1).map(part)),
    ...calls.flatMap((call) => call.slice(1)),
    inWords(`Re ${words}`)
  ]
}

/** What a model was told, in words. */
export const wordsTold = (context: ReadonlyArray<Remembered> = []): ReadonlyArray<string> =>
  context.map(([who, what]) => (who === "call" ? `call ${what}` : what))

/** Agents that remember. `answer`: what they say to the words of a prompt, of which this is the nth. */
export const rememberingAgents = (
  answer: (words: string, nth: number) => ReadonlyArray<Reply> = echoing
): RememberingAgents => {
  const launched: Array<LaunchRequest> = []
  const told: Array<ReadonlyArray<Remembered>> = []
  const sessions = new Map<string, ReadonlyArray<Kept>>()
  let count = 0

  /** Where a process begins; a text says why it does not. */
  const beginning = ({ at, fork, resume }: LaunchRequest): readonly [string, ReadonlyArray<Kept>] | string => {
    if (resume === undefined) return [`session-${++count}`, []]
    const lines = sessions.get(resume)
    if (lines === undefined) return `No conversation found with session ID: ${resume}`
    const end = at === undefined ? lines.length : lines.findIndex(({ uuid }) => uuid === at) + 1
    if (at !== undefined && end === 0) return `No message found with message.uuid of: ${at}`
    return [fork === true ? `session-${++count}` : resume, lines.slice(0, end)]
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
        const remember = (...more: ReadonlyArray<Kept>) => {
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
              remember({ uuid: String(line["uuid"]), said: words.map((each) => ["user", each]) })
              told.push(remembered.flatMap(({ said }) => said))
              yield* say(init())
              for (const [reply, said] of answer(words.join(""), ++count)) {
                remember({ uuid: String(reply["uuid"]), said: [said] })
                yield* say(reply)
              }
              yield* say(result())
            })
        }
      })
  })
  return { launched, told, sessions, layer }
}
