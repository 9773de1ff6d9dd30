/**
 * What a client asks of turns: to begin one, to say something in the middle of one, to end one.
 */
import * as AppServer from "@agentwire/protocol/appserver"
import type { ParamsOf } from "@agentwire/protocol/codex"
import type { Refusal } from "@agentwire/protocol/jsonrpc"
import type * as Model from "@agentwire/protocol/model"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { LogFailed } from "../../log/BoundedLog.ts"
import type { Session, ThreadBusy } from "../../session/Session.ts"
import { Sessions } from "../../session/Sessions.ts"
import type { Call, Ephemeral, Handlers } from "./Call.ts"
import { readInput } from "./Input.ts"
import { refusals, refuse, sessionRefused } from "./Refusals.ts"
import { newId, wireIdOf } from "./ThreadIds.ts"
import { followed, sessionOf } from "./Threads.ts"
import type { WireTurn } from "./ThreadView.ts"
import { asksForTitle } from "./TitleThread.ts"
import { tellTitle } from "./TitleTurn.ts"
import { changeSettings } from "./TurnSettings.ts"

/** A turn that is in progress, as it is answered. */
const openTurn = (id: string): WireTurn => ({
  id,
  rootTurnId: id,
  items: [],
  itemsView: "notLoaded",
  status: "inProgress",
  error: null,
  startedAt: null,
  completedAt: null,
  durationMs: null
})

/** The id of the turn that is open; undefined where none is. */
const openTurnId = ({ log, threadId }: Session): string | undefined => {
  const { turn, turns } = log.situation()
  return turn === undefined ? undefined : AppServer.turnIdOf(wireIdOf(threadId), turns)
}

/** What a prompt is besides the person's words: context that the client has, and how the answer is to look. */
const asideOf = ({ additionalContext, outputSchema }: ParamsOf<"turn/start">): string | undefined => {
  const context = Object.entries(additionalContext ?? {}).map(
    ([source, entry]) => `${source}: ${JSON.stringify(entry)}`
  )
  const schema =
    outputSchema === undefined || outputSchema === null
      ? []
      : [`Answer with JSON that fits this JSON Schema, and with nothing else: ${JSON.stringify(outputSchema)}`]
  const aside = [...context, ...schema].join("\n\n")
  return aside === "" ? undefined : aside
}

/** Tells the agent of the tools that a client has brought, where it has not been told: a session may be another one now. */
const offerTools = (session: Session, { client }: Call): Effect.Effect<void, Refusal> =>
  Effect.gen(function* () {
    const { tools } = client.shared.tools.of(session.threadId) ?? { tools: [] }
    const known = new Set((yield* session.tools).map(({ name }) => name))
    if (tools.every(({ name }) => known.has(name))) return
    const ticket = newId(yield* Clock.currentTimeMillis)
    yield* Effect.mapError(
      session.submit(() => Result.succeed({ ticket, answers: [], results: [], tools })),
      notSubmitted
    )
  })

const notSubmitted = (failed: ThreadBusy | LogFailed): Refusal =>
  refuse(failed.message, failed._tag === "LogFailed" ? failed.code : "THREAD_BUSY")

/** Submits a prompt. The id of its turn. */
export const begin = (session: Session, prompt: Model.Prompt, ticket: string): Effect.Effect<string, Refusal> =>
  session
    .submit(() => Result.succeed({ ticket, answers: [], results: [], tools: [], prompt }))
    .pipe(
      Effect.map(({ situation }) => AppServer.turnIdOf(wireIdOf(session.threadId), situation.turns + 1)),
      Effect.mapError(notSubmitted)
    )

/** Says something to the turn that is open. Its id. */
const steer = (
  session: Session,
  said: ReadonlyArray<Model.Said>,
  ticket: string,
  turn?: number
): Effect.Effect<string, Refusal> =>
  session.steer({ ticket, said, ...(turn !== undefined && { turn }) }).pipe(
    Effect.map((steered) => AppServer.turnIdOf(wireIdOf(session.threadId), steered.turn)),
    Effect.mapError(({ code, message }) => refuse(message, code))
  )

/** The session of a thread that is gone with its connection: begun with its first turn. */
const ephemeralSession = (wireId: string, ephemeral: Ephemeral): Effect.Effect<Session, Refusal, Sessions> =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    if (ephemeral.isBegun)
      return (yield* Effect.mapError(sessions.find(wireId), sessionRefused)) ?? (yield* refusals.notFound(wireId))
    ephemeral.isBegun = true
    return yield* Effect.mapError(sessions.create(wireId, ephemeral.choices), sessionRefused)
  })

/** What is asked of turns. */
export const turnHandlers = {
  "turn/start": (params, call) =>
    Effect.gen(function* () {
      const { threadId: wireId } = params
      const ephemeral = call.client.ephemerals.get(wireId)
      const now = yield* Clock.currentTimeMillis
      if (ephemeral !== undefined && !ephemeral.isBegun && asksForTitle(params.outputSchema)) {
        const turn = openTurn(newId(now))
        call.afterwards(tellTitle(call.client, wireId, turn.id, params.input, now))
        return { turn }
      }
      const session =
        ephemeral === undefined
          ? yield* sessionOf(call, wireId, refusals.notFound)
          : yield* ephemeralSession(wireId, ephemeral)
      const follow = yield* followed(call, session)
      yield* follow.hold
      call.afterwards(follow.release)
      const id = params.clientUserMessageId ?? newId(now)
      const said = [{ id, content: yield* readInput(params.input) }]
      // A turn on a busy thread is a steer (docs/wire/codex.md §3.20).
      const busy = openTurnId(session)
      if (busy !== undefined) return { turn: openTurn(yield* steer(session, said, id)) }
      yield* offerTools(session, call)
      yield* changeSettings(session, params, call)
      const aside = asideOf(params)
      return {
        turn: openTurn(yield* begin(session, { type: "prompt", said, ...(aside !== undefined && { aside }) }, id))
      }
    }),
  "turn/steer": (params, call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call, params.threadId, refusals.notFound)
      const open = openTurnId(session)
      if (open === undefined) return yield* refusals.nothingToSteer
      if (open !== params.expectedTurnId) return yield* refusals.otherTurn(params.expectedTurnId, open)
      const follow = yield* followed(call, session)
      yield* follow.hold
      call.afterwards(follow.release)
      const id = params.clientUserMessageId ?? newId(yield* Clock.currentTimeMillis)
      const said = [{ id, content: yield* readInput(params.input) }]
      return { turnId: yield* steer(session, said, id, session.log.situation().turns) }
    }),
  "turn/interrupt": ({ threadId, turnId }, call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call, threadId, refusals.notFound)
      const open = openTurnId(session)
      // Codex does not answer this at all (docs/wire/codex.md §3.29): a client would wait for ever.
      if (open === undefined) return yield* refusals.nothingToInterrupt
      if (open !== turnId) return yield* refusals.otherTurn(turnId, open)
      const follow = call.client.follows.get(session.threadId)
      if (follow !== undefined) {
        yield* follow.hold
        call.afterwards(follow.release)
      }
      yield* session.stop()
      return {}
    }),
  "review/start": ({ target, threadId: wireId }, call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call, wireId, refusals.notFound)
      const prompt = AppServer.reviewPrompt(target)
      if (prompt === undefined) return yield* refuse("Invalid request: unknown review target")
      const follow = yield* followed(call, session)
      yield* follow.hold
      call.afterwards(follow.release)
      const id = AppServer.reviewIdOf(newId(yield* Clock.currentTimeMillis))
      const turn = yield* begin(session, { type: "prompt", said: [{ id, content: prompt }] }, id)
      return { reviewThreadId: wireId, turn: openTurn(turn) }
    })
} as const satisfies Handlers
