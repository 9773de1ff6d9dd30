/** What ends with a turn that is stopped, and what outlives it. */
import * as Model from "@agentwire/protocol/model"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { makePromptQueue, type QueuedPrompt } from "../../src/session/PromptQueue.ts"
import { makeRequests } from "../../src/session/Requests.ts"
import { makeStopping } from "../../src/session/Stopping.ts"

const pageTool = (id: string): Model.EventOf<"request_opened"> => ({
  type: "request_opened",
  lane: null,
  request: { id, kind: "page_tool", message: "Run it.", call: id, tool: "paint", input: {} }
})

const queued = (ticket: string): QueuedPrompt => {
  const said = [{ id: `m-${ticket}`, content: ticket }]
  return { ticket, said, prompt: { type: "prompt", said }, followsAnswers: false }
}

const setUp = Effect.gen(function* () {
  const scope = yield* Effect.scope
  let situation = Model.emptySituation
  const did: Array<string> = []
  const append = (events: ReadonlyArray<Model.Event>): void => {
    for (const event of events) situation = Model.applyToSituation(situation, event)
  }
  const inBackground = <A, E>(effect: Effect.Effect<A, E>) => Effect.forkIn(effect, scope)
  const requests = makeRequests({
    append,
    judge: () => undefined,
    answerUnasked: () => Effect.succeed(undefined),
    limitOf: () => "5 minutes",
    answer: (id, answer) => Effect.sync(() => void did.push(`${id}: ${answer.type}`)),
    inBackground,
    locked: (effect) => effect
  })
  const prompts = makePromptQueue(() => undefined)
  const stopping = makeStopping({
    log: { append, situation: () => situation },
    conversation: {
      interrupt: Effect.sync(() => void did.push("interrupt")),
      disconnect: Effect.sync(() => void did.push("disconnect"))
    },
    requests,
    prompts,
    isFromOutside: (id) => id.startsWith("outside"),
    worksOn: (ticket) => ticket === "ours",
    limit: "5 seconds",
    locked: (effect) => effect,
    inBackground
  })
  append([{ type: "turn_started", cause: "prompt" }])
  return { append, did, prompts, requests, stopping }
})

it.effect("the agent is asked once, and the application's calls end; those from outside wait on", () =>
  Effect.gen(function* () {
    const { did, requests, stopping } = yield* setUp
    yield* requests.open(pageTool("call"), undefined)
    yield* requests.open(pageTool("outside"), undefined)
    expect(yield* stopping.stop("ours")).toBe(true)
    yield* stopping.endTurn
    expect(did).toEqual(["interrupt", "call: result"])
    expect(requests.waiting().map(({ request }) => request.id)).toEqual(["outside"])
    expect(stopping.isUnderWay()).toBe(true)
  })
)

it.effect("an agent that does not end its turn in time is given up; one that does is not", () =>
  Effect.gen(function* () {
    const { append, did, stopping } = yield* setUp
    yield* stopping.endTurn
    append([
      { type: "turn_ended", outcome: { type: "cancelled" } },
      { type: "turn_started", cause: "prompt" }
    ])
    stopping.turnEnded()
    yield* TestClock.adjust("6 seconds")
    expect(did).toEqual(["interrupt"])
    yield* stopping.endTurn
    yield* TestClock.adjust("6 seconds")
    expect(did).toEqual(["interrupt", "interrupt", "disconnect"])
  })
)

it.effect("a ticket that nothing belongs to stops nothing; that of a waiting prompt drops that one alone", () =>
  Effect.gen(function* () {
    const { did, prompts, stopping } = yield* setUp
    prompts.add(queued("later"))
    expect(yield* stopping.stop("nobody's")).toBe(false)
    expect(yield* stopping.stop("later")).toBe(true)
    expect(yield* stopping.stop("later")).toBe(false)
    expect([prompts.take()?.prompt, did]).toEqual([undefined, []])
  })
)

it.effect("without a ticket the turn ends, and every prompt that waits is dropped", () =>
  Effect.gen(function* () {
    const { did, prompts, stopping } = yield* setUp
    prompts.add(queued("a"))
    prompts.add(queued("b"))
    expect(yield* stopping.stop(undefined)).toBe(true)
    expect(prompts.waiting().map(({ prompt }) => prompt)).toEqual([undefined, undefined])
    expect(did).toEqual(["interrupt"])
  })
)
