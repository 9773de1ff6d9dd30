/**
 * A session of the runtime, as the faces of the gateway have it: the same port, with every command done there.
 *
 * A submission is read here, against what waits there. The runtime takes it only when that is still what waits; otherwise it is
 * read again. So nothing changes in between, as where both are one process, and what a face remembers of a submission it
 * remembers of one that was accepted.
 */
import * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { LogFailed } from "../log/BoundedLog.ts"
import { NativeFailed, StartFailed } from "../session/Runtime.ts"
import {
  type Accepted,
  type Session,
  type Submission,
  type ThreadBusy,
  ToolCallFailed,
  type Waiting
} from "../session/Session.ts"
import { SessionRefused } from "../session/SessionRefused.ts"
import type { ThreadTitle } from "../session/ThreadTitle.ts"
import { Unreachable } from "../session/Unreachable.ts"
import type { LinkClient } from "./LinkClient.ts"
import type { SessionGone } from "./LinkErrors.ts"
import type { ResultOf } from "./Methods.ts"
import { goneFrom, makeRemoteLog } from "./RemoteLog.ts"
import { remoteWire } from "./RemoteWire.ts"
import type { Head } from "./Values.ts"

/** A session of the runtime. */
export interface RemoteSession {
  readonly session: Session
  readonly instance: string
  /** Waits until the events before a number are here. */
  readonly reach: (next: number) => Effect.Effect<void>
  /** Waits until it has ended in the runtime. */
  readonly ended: Effect.Effect<void>
  /** The thread was given a title. */
  readonly titled: (title: ThreadTitle) => void
}

/** A session that ends, or cannot be reached, as a command says it. */
type Gone = SessionGone | Unreachable

const isGone = (failed: unknown): failed is Gone =>
  failed instanceof Unreachable || (failed instanceof Error && "_tag" in failed && failed._tag === "SessionGone")

/** A session of the runtime. Its log is read on until the scope is closed. */
export const makeRemoteSession = (link: LinkClient, head: Head): Effect.Effect<RemoteSession, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { instance, threadId } = head
    const asked = { threadId, instance }
    const { boot } = link.runtime()
    const { ended, log, reach } = yield* makeRemoteLog(link, head)
    const titles = new Set<(title: ThreadTitle) => void>()
    // Who reads a submission remembers it when it is accepted: the next is read after that.
    const submitting = Semaphore.makeUnsafe(1)

    /** Why a command was not done, in the words of a log. */
    const goneWords = (failed: Gone): LogFailed =>
      failed instanceof Unreachable
        ? new LogFailed({ code: failed.code, message: failed.message })
        : goneFrom(link.runtime().boot !== boot)

    /** A command, whose failures to reach the session are told in one of its own words. */
    const command = <A, E, F>(
      work: Effect.Effect<A, E | Gone>,
      tell: (failed: LogFailed) => F
    ): Effect.Effect<A, Exclude<E, Gone> | F> =>
      Effect.mapError(work, (failed) => (isGone(failed) ? tell(goneWords(failed)) : (failed as Exclude<E, Gone>)))

    const asLog = (failed: LogFailed): LogFailed => failed
    const asStart = ({ code, message }: LogFailed): StartFailed => new StartFailed({ code, message })

    /** Waits until what a command has done is here. */
    const seen = <A>({ next, value }: { readonly value: A; readonly next: number }): Effect.Effect<A> =>
      Effect.as(reach(next), value)
    const doneThere = ({ next = 0 }: { readonly next?: number | undefined }): Effect.Effect<void> => reach(next)

    /** Something that can always be told. Of a session that has ended, what is left of it. */
    const told = <A>(work: Effect.Effect<A, Gone>, ended: A): Effect.Effect<A> =>
      Effect.catch(work, (failed) => (failed instanceof Unreachable ? Effect.die(failed) : Effect.succeed(ended)))

    const state = link.call("session.state", asked)
    const stateOr = <K extends keyof ResultOf<"session.state">>(
      key: K,
      ended: ResultOf<"session.state">[K]
    ): Effect.Effect<ResultOf<"session.state">[K]> =>
      told(
        Effect.map(state, (found) => found[key]),
        ended
      )

    const submitHere = <E>(
      read: (waiting: Waiting) => Result.Result<Submission, E>
    ): Effect.Effect<Accepted, E | ThreadBusy | LogFailed | Gone> =>
      Effect.gen(function* () {
        for (;;) {
          const { next, version, ...waiting } = yield* link.call("session.waiting", asked)
          // What a face remembers it has from the log: it must be as far as what waits.
          yield* reach(next)
          const reading = read({ ...waiting, state: waiting.state })
          if (Result.isFailure(reading)) return yield* Effect.fail(reading.failure)
          const { onAccepted, ...submission } = reading.success
          const answer = yield* Effect.result(
            link.call("session.submit", { ...asked, version, submission: bare(submission) })
          )
          if (Result.isSuccess(answer)) {
            onAccepted?.()
            const { situation, ...accepted } = yield* seen(answer.success)
            return { ...accepted, situation: Model.situationFromJson(situation) }
          }
          if (answer.failure._tag !== "SubmissionChanged") return yield* Effect.fail(answer.failure)
        }
      })

    const lastAgent = link.runtime().agents[0]

    const session: Session = {
      ...head,
      mode: head.mode,
      log,
      wire: remoteWire(link, asked),
      status: stateOr("status", "terminated"),
      agent: Effect.flatMap(Effect.result(state), (found) => {
        if (Result.isSuccess(found)) return Effect.succeed(found.success.agent)
        const { failure } = found
        return failure instanceof Unreachable || lastAgent === undefined
          ? Effect.die(failure)
          : Effect.succeed(lastAgent)
      }),
      options: stateOr("options", {}),
      title: stateOr("title", undefined),
      providerSessionId: stateOr("providerSessionId", undefined),
      onTitled: (heard) => {
        titles.add(heard)
        return () => void titles.delete(heard)
      },
      rename: (title) => Effect.flatMap(command(link.call("session.rename", { ...asked, title }), asLog), doneThere),
      submit: (read) =>
        submitting.withPermits(1)(
          Effect.mapError(submitHere(read), (failed) => (isGone(failed) ? goneWords(failed) : failed))
        ),
      steer: (words) => Effect.flatMap(command(link.call("session.steer", { ...asked, words }), asLog), seen),
      goBack: (target) =>
        Effect.flatMap(
          command(
            link.call("session.goBack", { ...asked, target }),
            ({ code, message }) => new SessionRefused({ code: code === "SESSION_CLOSED" ? "CLOSING" : code, message })
          ),
          seen
        ),
      stop: (ticket) =>
        Effect.flatMap(told(link.call("session.stop", { ...asked, ticket }), { value: false, next: 0 }), seen),
      waiting: Effect.flatMap(told(link.call("session.asked", asked), { waiting: [], next: 0 }), ({ next, waiting }) =>
        Effect.as(reach(next), waiting)
      ),
      prompts: Effect.map(told(link.call("session.prompts", asked), { prompts: [] }), ({ prompts }) => prompts),
      answer: (id, answer) =>
        Effect.flatMap(command(link.call("session.answer", { ...asked, id, answer }), asLog), doneThere),
      tools: Effect.map(told(link.call("session.tools", asked), { tools: [] }), ({ tools }) => tools),
      callTool: (name, input) =>
        Effect.flatMap(
          command(
            link.call("session.callTool", { ...asked, name, input }),
            ({ message }) => new ToolCallFailed({ code: "SESSION_CLOSED", message })
          ),
          seen
        ),
      start: Effect.flatMap(command(link.call("session.start", asked), asStart), doneThere),
      set: (settings) => Effect.flatMap(command(link.call("session.set", { ...asked, settings }), asStart), doneThere),
      native: {
        request: (method, body) =>
          Effect.flatMap(
            command(
              link.call("session.nativeRequest", { ...asked, method, body }),
              ({ message }) => new NativeFailed({ code: "GONE", method, message })
            ),
            ({ next, value }) => Effect.as(reach(next), value)
          ),
        send: (message) =>
          Effect.flatMap(
            command(
              link.call("session.nativeSend", { ...asked, message: message as Readonly<Record<string, unknown>> }),
              asStart
            ),
            doneThere
          ),
        facts: stateOr("facts", {})
      },
      disconnect: Effect.flatMap(told(link.call("session.disconnect", asked), {}), doneThere)
    }
    return {
      session,
      instance,
      reach,
      ended,
      titled: (title) => {
        for (const heard of titles) heard(title)
      }
    }
  })

/** A submission and no more: whoever has read it may have put what is only its own beside it. */
const bare = ({ answers, branch, prompt, results, state, ticket, tools }: Submission): Submission => ({
  ticket,
  answers,
  results,
  tools,
  ...(prompt !== undefined && { prompt }),
  ...(branch !== undefined && { branch }),
  ...(state !== undefined && { state })
})
