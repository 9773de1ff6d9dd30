/** Words for the turn that is open: sent once it has its id, and given up when the server does not take them. */
import { RequestFailed } from "@agentwire/protocol/jsonrpc"
import { expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { makeSteeredWords } from "../../../src/runtime/codex/SteeredWords.ts"

const setUp = (answer: Effect.Effect<unknown, RequestFailed>) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const asked: Array<unknown> = []
    const folded: Array<string> = []
    const unheard: Array<string> = []
    const at: { threadId: string | undefined; turnId: string | undefined } = { threadId: "t", turnId: undefined }
    const words = makeSteeredWords({
      host: {
        kept: Effect.succeed(true),
        locked: (effect) => effect,
        unheard: (ticket) => Effect.sync(() => void unheard.push(ticket))
      },
      request: (method, params) =>
        Effect.suspend(() => {
          asked.push([method, (params as { readonly expectedTurnId: string }).expectedTurnId])
          return answer
        }),
      turn: () => at,
      foldSteer: (_said, uuid) => void folded.push(uuid),
      foldUnheard: (uuid) => void folded.splice(folded.indexOf(uuid), 1),
      inBackground: (effect) => Effect.asVoid(Effect.forkIn(effect, scope, { startImmediately: true }))
    })
    const steer = (ticket: string) => words.steer({ type: "steer", id: ticket, said: [{ id: "m", content: "And?" }] })
    return { asked, at, folded, steer, unheard, words }
  })

it.effect("what is said before the turn has its id is sent once it has it, and once", () =>
  Effect.gen(function* () {
    const { asked, at, steer, words } = yield* setUp(Effect.void)
    yield* steer("a")
    expect(asked).toEqual([])
    at.turnId = "1"
    yield* words.sendWaiting
    yield* words.sendWaiting
    expect(asked).toEqual([["turn/steer", "1"]])
  })
)

it.effect("what the server refuses is given up", () =>
  Effect.gen(function* () {
    const refused = new RequestFailed({ reason: "REFUSED", method: "turn/steer", message: "No." })
    const { at, folded, steer, unheard } = yield* setUp(Effect.fail(refused))
    at.turnId = "1"
    yield* steer("a")
    expect([unheard, folded]).toEqual([["a"], []])
  })
)

it.effect("what the server took and has not repeated is given up with its turn; what it repeated is not", () =>
  Effect.gen(function* () {
    const { at, folded, steer, unheard, words } = yield* setUp(Effect.void)
    at.turnId = "1"
    yield* steer("heard")
    yield* steer("taken")
    words.forgetHeard((uuid) => uuid === folded[0])
    yield* words.turnEnded
    expect(unheard).toEqual(["taken"])
  })
)

it.effect("what is on its way when its turn ends waits for its answer, and is given up then", () =>
  Effect.gen(function* () {
    const answered = yield* Deferred.make<void>()
    const { at, steer, unheard, words } = yield* setUp(Deferred.await(answered))
    at.turnId = "1"
    yield* steer("a")
    at.turnId = undefined
    yield* words.turnEnded
    expect(unheard).toEqual([])
    yield* Deferred.succeed(answered, undefined)
    yield* Effect.yieldNow
    expect(unheard).toEqual(["a"])
  })
)
