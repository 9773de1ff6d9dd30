/**
 * The turns of a conversation with `codex exec`, a process each, one after the other: the next one starts when the last is
 * gone, because both would write to the same thread.
 */
import type { ExecDecoded } from "@agentwire/protocol/codex"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { AgentExit } from "../../process/AgentLife.ts"
import { ExecLauncher, type ExecProcess, type ExecTurnRequest } from "./ExecLauncher.ts"

/** Why a turn could not be started. */
export interface StartFailure {
  readonly code: string
  readonly message: string
}

/** What the turns tell their conversation. All of it is called under the session's lock. */
export interface TurnEvents {
  /** The process of a turn runs. */
  readonly launched: (process: Pick<ExecProcess, "spent" | "version">) => Effect.Effect<void>
  readonly heard: (decoded: ExecDecoded) => Effect.Effect<void>
  /** The process is gone. `wasStopped`: because it was told to. */
  readonly ended: (exit: AgentExit, wasStopped: boolean) => Effect.Effect<void>
  readonly failed: (failure: StartFailure) => Effect.Effect<void>
}

/** The turns of a conversation. All but `whenGone` is called under the session's lock. */
export interface ExecTurns {
  /** Starts a turn when the last process is gone. */
  readonly begin: (request: Effect.Effect<ExecTurnRequest, StartFailure>) => Effect.Effect<void>
  /** Tells the process of the turn to end. False: there is none yet, and there will be none. */
  readonly interrupt: Effect.Effect<boolean>
  /** Lets go of the turn: its conversation hears nothing more of it. Waits until the process is gone. */
  readonly drop: Effect.Effect<void>
  /** The turn has said all: its process is gone soon, or is ended. */
  readonly settle: Effect.Effect<void>
}

interface Turn {
  readonly scope: Scope.Closeable
  readonly gone: Deferred.Deferred<void>
  isLaunched: boolean
  wasStopped: boolean
}

/** How long a process may take to end that has said the end of its turn: it writes its thread down. */
const lastWords = Duration.seconds(10)

/** No turns yet. */
export const makeExecTurns = (
  locked: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>,
  events: TurnEvents
): Effect.Effect<ExecTurns, never, ExecLauncher | Scope.Scope> =>
  Effect.gen(function* () {
    const launcher = yield* ExecLauncher
    const scope = yield* Effect.scope
    let current: Turn | undefined
    /** When the process that was started last is gone. */
    let lastGone: Effect.Effect<void> = Effect.void

    const ifCurrent = (turn: Turn, tell: Effect.Effect<void>): Effect.Effect<void> =>
      locked(Effect.suspend(() => (current === turn ? tell : Effect.void)))

    /** A line that breaks us costs that line: who stops listening would leave its session waiting for ever. */
    const hear = (turn: Turn, decoded: ExecDecoded): Effect.Effect<void> =>
      Effect.suspend(() =>
        current !== turn
          ? Effect.void
          : Effect.catchDefect(
              Effect.suspend(() => events.heard(decoded)),
              (defect) => Effect.logError("A line of the agent could not be handled, and is left out.", defect)
            )
      )

    const play = (turn: Turn, asked: Effect.Effect<ExecTurnRequest, StartFailure>): Effect.Effect<void> =>
      Effect.gen(function* () {
        const started = yield* Effect.exit(
          Scope.provide(
            Effect.flatMap(asked, (request) => launcher.launch(request)),
            turn.scope
          )
        )
        if (Exit.isFailure(started))
          return yield* ifCurrent(
            turn,
            Effect.suspend(() => {
              current = undefined
              return events.failed(failureOf(Cause.squash(started.cause)))
            })
          )
        const process = started.value
        yield* ifCurrent(
          turn,
          Effect.suspend(() => {
            turn.isLaunched = true
            return events.launched(process)
          })
        )
        yield* Stream.runForEach(process.events, (decoded) =>
          locked(Effect.forEach(decoded, (each) => hear(turn, each), { discard: true }))
        )
        const exit = yield* process.exit
        yield* ifCurrent(
          turn,
          Effect.suspend(() => {
            current = undefined
            return events.ended(exit, turn.wasStopped)
          })
        )
      })

    return {
      begin: (request) =>
        Effect.gen(function* () {
          const before = lastGone
          const turn: Turn = {
            scope: yield* Scope.fork(scope),
            gone: Deferred.makeUnsafe(),
            isLaunched: false,
            wasStopped: false
          }
          current = turn
          lastGone = Deferred.await(turn.gone)
          yield* Effect.forkIn(
            before.pipe(
              Effect.andThen(Effect.suspend(() => (current === turn ? play(turn, request) : Effect.void))),
              Effect.ensuring(Scope.close(turn.scope, Exit.void)),
              Effect.ensuring(Deferred.succeed(turn.gone, undefined))
            ),
            scope
          )
        }),
      interrupt: Effect.suspend(() => {
        const turn = current
        if (turn === undefined) return Effect.succeed(false)
        if (!turn.isLaunched) {
          current = undefined
          return Effect.as(Effect.forkIn(Scope.close(turn.scope, Exit.void), scope), false)
        }
        turn.wasStopped = true
        return Effect.as(Effect.forkIn(Scope.close(turn.scope, Exit.void), scope), true)
      }),
      drop: Effect.suspend(() => {
        const turn = current
        current = undefined
        return turn === undefined ? Effect.void : Scope.close(turn.scope, Exit.void)
      }),
      settle: Effect.suspend(() => {
        const turn = current
        return turn === undefined
          ? Effect.void
          : Effect.asVoid(
              Effect.forkIn(
                Deferred.await(turn.gone).pipe(
                  Effect.timeoutOption(lastWords),
                  Effect.andThen(Scope.close(turn.scope, Exit.void))
                ),
                scope
              )
            )
      })
    }
  })

const failureOf = (cause: unknown): StartFailure => {
  const { code, message } = (cause ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  return { code: typeof code === "string" ? code : "START_FAILED", message: String(message ?? cause) }
}
