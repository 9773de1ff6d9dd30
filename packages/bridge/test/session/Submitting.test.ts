/** A submission goes where its session has room for it; what was read is refused before anything has changed. */
import * as Model from "@agentwire/protocol/model"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { makePromptQueue } from "../../src/session/PromptQueue.ts"
import type { Submission } from "../../src/session/Session.ts"
import type { BusyMode } from "../../src/session/SessionOptions.ts"
import { makeSubmitting } from "../../src/session/Submitting.ts"

const submission = (rest: Partial<Submission> = {}): Submission => ({
  ticket: "s",
  answers: [],
  results: [],
  tools: [],
  prompt: { type: "prompt", said: [{ id: "m", content: "Hi" }] },
  ...rest
})

const setUp = ({ busy = "reject", inTurn = false }: { readonly busy?: BusyMode; readonly inTurn?: boolean }) => {
  const did: Array<string> = []
  const note = (words: string) => Effect.sync(() => void did.push(words))
  let situation = inTurn
    ? Model.applyToSituation(Model.emptySituation, { type: "turn_started", cause: "prompt" })
    : Model.emptySituation
  const submit = makeSubmitting({
    threadId: "t",
    busy,
    log: {
      append: (events) => {
        for (const event of events) situation = Model.applyToSituation(situation, event)
        did.push(...events.map(({ type }) => type))
      },
      next: () => 7,
      situation: () => situation
    },
    requests: { answerEarly: (call) => note(`result of ${call}`), waiting: () => [] },
    prompts: {
      ...makePromptQueue(() => undefined),
      add: ({ ticket }) => void did.push(`${ticket} waits`)
    },
    branching: { isUnderWay: () => false },
    conversation: { canSteer: () => true },
    stopping: { endTurn: note("ends the turn"), isUnderWay: () => false },
    steering: { tell: ({ ticket }) => note(`${ticket} is said`) },
    isFromOutside: () => false,
    isWorking: () => inTurn,
    answer: (id) => note(`answers ${id}`),
    offerTools: (tools) => note(`${tools.length} tools`),
    owns: (ticket) => void did.push(`${ticket} owns`),
    begin: ({ ticket }) => note(`${ticket} begins`)
  })
  return { did, submit: (given: Submission) => submit(() => Result.succeed(given)) }
}

it.effect("state, tools and answers come before the prompt that begins", () =>
  Effect.gen(function* () {
    const { did, submit } = setUp({})
    const answer: Model.Answer = { type: "result", content: "", failed: false }
    const accepted = yield* submit(
      submission({ state: { state: { a: 1 } }, answers: [{ id: "q", answer }], results: [{ toolCallId: "c", answer }] })
    )
    expect([accepted.at, accepted.begins]).toEqual([7, "with_turn"])
    expect(did).toEqual(["state_changed", "0 tools", "answers q", "result of c", "s begins"])
  })
)

it.effect.each<readonly [busy: BusyMode, did: ReadonlyArray<string>]>([
  ["queue", ["0 tools", "s waits"]],
  ["steer", ["0 tools", "s is said"]],
  ["interrupt", ["0 tools", "s waits", "ends the turn"]]
])("to a busy thread, %s", ([busy, expected]) =>
  Effect.gen(function* () {
    const { did, submit } = setUp({ busy, inTurn: true })
    yield* submit(submission())
    expect(did).toEqual(expected)
  })
)

it.effect("what a busy thread refuses has changed nothing", () =>
  Effect.gen(function* () {
    const { did, submit } = setUp({ inTurn: true })
    const refused = yield* Effect.flip(submit(submission({ state: { state: { a: 1 } } })))
    expect([refused._tag, did]).toEqual(["ThreadBusy", []])
  })
)

it.effect("without a prompt there are no more words to wait for", () =>
  Effect.gen(function* () {
    const { did, submit } = setUp({})
    const { prompt: _, ...nothing } = submission()
    expect((yield* submit(nothing)).begins).toBe("now")
    expect(did).toEqual(["0 tools", "s owns"])
  })
)
