/** Words for the turn that is open: where they go, and why they cannot go there. */
import * as Model from "@agentwire/protocol/model"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { makePromptQueue } from "../../src/session/PromptQueue.ts"
import { makeSteering } from "../../src/session/Steering.ts"

const said = [{ id: "m", content: "And?" }]

const inTurn: Model.Situation = Model.applyToSituation(
  { ...Model.emptySituation, turns: 2 },
  { type: "turn_started", cause: "prompt" }
)

interface At {
  readonly situation?: Model.Situation
  readonly isEnding?: boolean
  readonly canSteer?: boolean
}

const setUp = ({ canSteer = true, isEnding = false, situation = inTurn }: At) => {
  const sent: Array<unknown> = []
  const owned: Array<string> = []
  const prompts = makePromptQueue(() => undefined)
  const steering = makeSteering({
    threadId: "t",
    log: { next: () => 7, situation: () => situation },
    prompts,
    conversation: { canSteer: () => canSteer, send: (command) => Effect.sync(() => void sent.push(command)) },
    isEnding: () => isEnding,
    owns: (ticket) => void owned.push(ticket)
  })
  return { owned, prompts, sent, steering }
}

it.effect("they go to the agent, and wait among the prompts until it has heard them", () =>
  Effect.gen(function* () {
    const { owned, prompts, sent, steering } = setUp({})
    expect(yield* steering.steer({ ticket: "a", said, turn: 3 })).toEqual({ at: 7, turn: 3 })
    expect(sent).toEqual([{ type: "steer", id: "a", said }])
    expect(owned).toEqual(["a"])
    expect(prompts.steering().map(({ ticket }) => ticket)).toEqual(["a"])
    expect(prompts.heard("m")?.ticket).toBe("a")
  })
)

it.effect.each<readonly [why: string, code: string, at: At, turn?: number]>([
  ["no turn is open", "NOTHING_TO_STEER", { situation: Model.emptySituation }],
  ["another turn is meant", "NOTHING_TO_STEER", {}, 2],
  ["the turn is ending", "NOTHING_TO_STEER", { isEnding: true }],
  ["the agent hears nothing in the middle of one", "STEER_UNSUPPORTED", { canSteer: false }]
])("they are refused where %s, and nothing is sent", ([, code, at, turn]) =>
  Effect.gen(function* () {
    const { prompts, sent, steering } = setUp(at)
    const refused = yield* Effect.flip(steering.steer({ ticket: "a", said, ...(turn !== undefined && { turn }) }))
    expect([refused.code, sent, prompts.steering()]).toEqual([code, [], []])
  })
)
