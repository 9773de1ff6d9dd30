/** Going back to an earlier point: what the next process is started with, and what happens when it does not know the point. */
import type * as Model from "@agentwire/protocol/model"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Semaphore from "effect/Semaphore"
import { makeWireLog } from "../../../src/log/WireLog.ts"
import { layerClaudeRuntime } from "../../../src/runtime/claude/ClaudeRuntime.ts"
import { type Conversation, type ConversationOptions, Runtime } from "../../../src/session/Runtime.ts"
import { echo, init, isPrompt, result, text } from "../../AgentLines.ts"
import { type Behaviour, type FakeAgents, fakeAgents, type Line } from "../../FakeAgent.ts"

const anchor = "first-session/line-of-it"

interface Place {
  readonly agents: FakeAgents
  readonly conversation: Conversation
  readonly events: ReadonlyArray<Model.Event>
  readonly states: ReadonlyArray<string>
  /** Sends a prompt and waits for the end of its turn. */
  readonly ask: (id: string) => Effect.Effect<void>
}

const withConversation = <A, E>(
  behave: Behaviour,
  options: Partial<ConversationOptions>,
  use: (place: Place) => Effect.Effect<A, E>,
  launch: { readonly initially?: (agents: FakeAgents) => Effect.Effect<void> } = {}
): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    const { agents, layer } = fakeAgents(behave, launch.initially)
    const events: Array<Model.Event> = []
    const states: Array<string> = []
    const lock = yield* Semaphore.make(1)
    const turnEnds: Array<() => void> = []
    return yield* Effect.gen(function* () {
      const runtime = yield* Runtime
      const conversation = yield* runtime.open(
        {
          threadId: "t",
          sessionKey: "k",
          cwd: "/",
          folder: Effect.succeed("/"),
          agent: {},
          servers: undefined,
          resume: undefined,
          startTimeout: "60 seconds",
          ...options
        },
        {
          locked: lock.withPermits(1),
          wire: makeWireLog(),
          nextEvent: () => 0,
          now: () => 0,
          logEvents: (given) => void events.push(...given),
          handleEvents: (given) =>
            Effect.sync(() => {
              events.push(...given)
              if (given.some(({ type }) => type === "turn_ended")) turnEnds.shift()?.()
            }),
          judge: undefined,
          agentChanged: () => Effect.void,
          serversChanged: () => Effect.void,
          titled: () => Effect.void,
          kept: Effect.succeed(true),
          unheard: () => Effect.void,
          agentBecame: (state) => Effect.sync(() => void states.push(state))
        }
      )
      const ask = (id: string): Effect.Effect<void> =>
        Effect.gen(function* () {
          const ended = yield* Effect.forkChild(
            Effect.callback<void>((resume) => void turnEnds.push(() => resume(Effect.void))),
            { startImmediately: true }
          )
          yield* lock.withPermits(1)(conversation.send({ type: "prompt", said: [{ id, content: id }] }))
          yield* Fiber.join(ended)
        })
      return yield* use({ agents, conversation, events, states, ask })
    }).pipe(Effect.scoped, Effect.provide(layerClaudeRuntime), Effect.provide(layer))
  })

/** How a process is started, as far as it concerns where it begins. */
const beginning = ({
  at,
  fork,
  resume
}: {
  readonly at?: string
  readonly fork?: boolean
  readonly resume?: string
}) => ({
  at,
  fork,
  resume
})

describe("going back", () => {
  it.effect("ends the process, and starts one after that line, in a copy of its session", () =>
    withConversation(echo, {}, ({ agents, ask, conversation, events, states }) =>
      Effect.gen(function* () {
        yield* ask("one")
        yield* conversation.goBack(anchor)
        expect(agents.launched.map(beginning)).toEqual([
          { at: undefined, fork: undefined, resume: undefined },
          { at: "line-of-it", fork: true, resume: "first-session" }
        ])
        expect(states).toEqual(["starting", "ready", "gone", "starting", "ready"])
        yield* ask("two")
        // The agent knows that it is elsewhere: that it is in another session is no forgetting.
        expect(events.map(({ type }) => type)).not.toContain("context_reset")
        // From now on its own session is the one to resume.
        yield* conversation.disconnect
        yield* ask("three")
        expect(agents.launched.slice(2).map(beginning)).toEqual([
          { at: undefined, fork: undefined, resume: "provider-1" }
        ])
      })
    )
  )

  it.effect("to before everything begins a new session", () =>
    withConversation(echo, { resume: "first-session" }, ({ agents, conversation }) =>
      Effect.gen(function* () {
        yield* conversation.goBack(null)
        expect(agents.launched.map(beginning)).toEqual([{ at: undefined, fork: undefined, resume: undefined }])
      })
    )
  )

  it.effect("is not forgotten when the process ends before it was asked anything", () =>
    withConversation(echo, {}, ({ agents, ask, conversation }) =>
      Effect.gen(function* () {
        yield* conversation.goBack(anchor)
        yield* conversation.disconnect
        yield* ask("one")
        expect(agents.launched.map(beginning)).toEqual([
          { at: "line-of-it", fork: true, resume: "first-session" },
          { at: "line-of-it", fork: true, resume: "first-session" }
        ])
      })
    )
  )

  it.effect("is not forgotten over a restart of the bridge", () =>
    withConversation(echo, { resume: "other", goesOnAt: { anchor } }, ({ agents, ask }) =>
      Effect.gen(function* () {
        yield* ask("one")
        expect(agents.launched.map(beginning)).toEqual([{ at: "line-of-it", fork: true, resume: "first-session" }])
      })
    )
  )

  const refusal: Line = {
    ...result(),
    subtype: "error_during_execution",
    is_error: true,
    errors: ["No message found with message.uuid of: line-of-it"]
  }

  it.effect("to a line that the CLI does not know fails in its words, and changes nothing", () => {
    let starts = 0
    return withConversation(
      (line, say) => (isPrompt(line) ? say(init(), text("Hi"), result()) : Effect.void),
      {},
      ({ agents, ask, conversation, events, states }) =>
        Effect.gen(function* () {
          yield* ask("one")
          const before = events.length
          const failure = yield* Effect.flip(conversation.goBack(anchor))
          expect(failure).toMatchObject({ _tag: "StartFailed", code: "BRANCH_UNAVAILABLE" })
          expect(failure.message).toContain("No message found with message.uuid of: line-of-it")
          expect(events.slice(before)).toEqual([])
          expect(states.at(-1)).toBe("gone")
          yield* ask("two")
          expect(agents.launched.map(({ resume }) => resume)).toEqual([undefined, "first-session", "provider-1"])
          expect(agents.launched.at(-1)?.at).toBeUndefined()
        }),
      {
        // The second process says so and ends, before it greets anybody.
        initially: (agents) =>
          ++starts === 2 ? Effect.andThen(agents.say(refusal), agents.exit({ code: 1 })) : Effect.void
      }
    )
  })

  it.effect("by a name that no point of this CLI has fails", () =>
    withConversation(echo, {}, ({ agents, conversation }) =>
      Effect.gen(function* () {
        expect(yield* Effect.flip(conversation.goBack("nowhere"))).toMatchObject({ code: "BRANCH_UNAVAILABLE" })
        expect(agents.launched).toEqual([])
      })
    )
  )

  it.effect("that ends otherwise says how", () => {
    let starts = 0
    return withConversation(
      echo,
      {},
      ({ conversation }) =>
        Effect.gen(function* () {
          const failure = yield* Effect.flip(conversation.goBack(anchor))
          expect(failure).toMatchObject({ code: "START_FAILED" })
          expect(failure.message).toContain("error: unknown option '--resume-session-at'")
        }),
      {
        initially: (agents) =>
          ++starts === 1 ? agents.exit({ code: 1, stderr: "error: unknown option '--resume-session-at'" }) : Effect.void
      }
    )
  })
})
