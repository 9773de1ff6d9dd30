/**
 * An agent that says what a test tells it to say.
 */
import { type Decoded, decodeLine } from "@agentwire/protocol/claude"
import type * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import { type AgentExit, AgentGone, AgentLauncher, type LaunchRequest } from "../src/runtime/claude/Agent.ts"

/** A message as a test reads it. */
export type Line = Readonly<Record<string, unknown>>

/** How a fake agent behaves: what it says to each message. */
export type Behaviour = (
  message: Line,
  say: (...lines: ReadonlyArray<Line>) => Effect.Effect<void>
) => Effect.Effect<void>

/** What a test sees of the agents that were launched. */
export interface FakeAgents {
  readonly launched: Array<LaunchRequest>
  /** All that was sent, in order. */
  readonly sent: Array<Line>
  /** Makes the running agent say something. */
  say: (...lines: ReadonlyArray<Line>) => Effect.Effect<void>
  /** Ends the running agent. */
  exit: (exit: Partial<AgentExit>) => Effect.Effect<void>
}

/** What an agent says of itself when it is started. */
export const greeting: Line = {
  commands: [],
  output_style: "default",
  available_output_styles: ["default"],
  models: [],
  account: {}
}

/** A launcher of fake agents. It answers `initialize` by itself. `initially`: what each does before anything is sent to it. */
export const fakeAgents = (
  behave: Behaviour,
  initially: (agents: FakeAgents) => Effect.Effect<void> = () => Effect.void,
  projects?: string
): { readonly agents: FakeAgents; readonly layer: Layer.Layer<AgentLauncher> } => {
  const agents: FakeAgents = {
    launched: [],
    sent: [],
    say: () => Effect.die("no agent runs"),
    exit: () => Effect.die("no agent runs")
  }
  const layer = Layer.succeed(AgentLauncher, {
    projects,
    launch: (request) =>
      Effect.gen(function* () {
        agents.launched.push(request)
        const messages = yield* Queue.unbounded<Decoded, Cause.Done>()
        const ended = yield* Deferred.make<AgentExit>()
        let gone = false
        agents.say = (...lines) =>
          Effect.forEach(lines, (line) => Queue.offer(messages, decodeLine(JSON.stringify(line))), { discard: true })
        agents.exit = (exit) =>
          Effect.gen(function* () {
            gone = true
            yield* Queue.end(messages)
            yield* Deferred.succeed(ended, { code: 0, signal: null, stderr: "", ...exit })
          })
        yield* Effect.addFinalizer(() => agents.exit({ code: 143 }))
        yield* initially(agents)
        return {
          version: "2.1.325",
          transport: "stdio",
          messages,
          exit: Deferred.await(ended),
          send: (message) =>
            Effect.gen(function* () {
              if (gone) return yield* new AgentGone({ message: "gone" })
              const line = message as Line
              agents.sent.push(line)
              const request = line["request"] as Line | undefined
              if (line["type"] === "control_request" && request?.["subtype"] === "initialize")
                return yield* agents.say({
                  type: "control_response",
                  response: { subtype: "success", request_id: line["request_id"], response: greeting }
                })
              yield* behave(line, agents.say)
            })
        }
      })
  })
  return { agents, layer }
}
