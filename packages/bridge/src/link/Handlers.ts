/**
 * What the runtime does when it is asked: the port of sessions, one function for each row of the table.
 */
import { createHash } from "node:crypto"
import * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { LogFailed } from "../log/BoundedLog.ts"
import type { Session, Submission, Waiting } from "../session/Session.ts"
import { SessionRefused } from "../session/SessionRefused.ts"
import type { Sessions } from "../session/Sessions.ts"
import { takeEvents, takeLines } from "./Cursors.ts"
import type { Instances } from "./Instances.ts"
import { SubmissionChanged } from "./LinkErrors.ts"
import type { Looks } from "./Looks.ts"
import type { FailureOf, MethodName, ParamsOf, ResultOf } from "./Methods.ts"
import type { News } from "./News.ts"
import type { GatewayReport, LinkStatus } from "./Values.ts"

/** What the handlers have. */
export interface Runtime {
  readonly sessions: Sessions["Service"]
  readonly instances: Instances
  readonly news: News
  readonly status: Effect.Effect<LinkStatus>
  /** Whether no new work is taken. */
  readonly isDraining: () => boolean
}

/** Who asks. */
export interface Asking {
  readonly looks: Looks
  readonly report: (report: GatewayReport) => void
}

/** The functions of the methods. */
export type Handlers = {
  readonly [M in MethodName]: (params: ParamsOf<M>, asking: Asking) => Effect.Effect<ResultOf<M>, FailureOf<M>>
}

/** How long a reader waits before it is told that nothing came. */
const pollTime = "20 seconds"

/** How large a page of a transcript is at most, in bytes. */
const maxPageBytes = 16_000_000

/** The version of what waits: another one when any of it is. */
const versionOf = (waiting: Waiting, resets: number): string =>
  createHash("sha256")
    .update(JSON.stringify([waiting, resets]))
    .digest("base64url")

const draining = "The runtime is ending: it lets turns end and takes no new work. Ask again when it is back."

/** What was done, with the number that the next event has now. */
const settledAt = <A>({ log }: Session, value: A) => ({ value, next: log.next() })

const doneAt = ({ log }: Session) => ({ next: log.next() })

/** The functions of the methods. */
export const makeHandlers = ({ instances, isDraining, news, sessions, status }: Runtime): Handlers => {
  const { workspaces } = sessions
  const of = instances.of

  const headIfAny = (session: Session | undefined, knows?: string | undefined) =>
    session === undefined ? Effect.succeed({}) : Effect.map(instances.headOf(session, knows), (head) => ({ head }))

  const unlessDraining = Effect.suspend(() =>
    isDraining() ? Effect.fail(new SessionRefused({ code: "CLOSING", message: draining })) : Effect.void
  )

  /** Looks at what waits under the lock of the session, and submits nothing. */
  const peek = (session: Session): Effect.Effect<Waiting> =>
    Effect.suspend(() => {
      let seen: Waiting | undefined
      return session
        .submit((waiting) => {
          seen = waiting
          return Result.fail("seen" as const)
        })
        .pipe(
          Effect.ignore,
          Effect.flatMap(() => (seen === undefined ? Effect.die("The session did not read.") : Effect.succeed(seen)))
        )
    })

  return {
    status: () => status,
    report: (report, asking) =>
      Effect.as(
        Effect.sync(() => asking.report(report)),
        {}
      ),
    news: ({ after }) =>
      news.after(
        after,
        Effect.map(instances.open, (open) => open.map(({ threadId }) => threadId))
      ),

    "sessions.open": ({ choices, knows, threadId }) =>
      Effect.gen(function* () {
        if (isDraining() && (yield* sessions.summary(threadId)) === undefined) yield* unlessDraining
        return yield* instances.headOf(yield* sessions.open(threadId, choices), knows)
      }),
    "sessions.create": ({ choices, threadId }) =>
      unlessDraining.pipe(
        Effect.andThen(sessions.create(threadId, choices)),
        Effect.flatMap((session) => instances.headOf(session))
      ),
    "sessions.find": ({ knows, threadId }) =>
      Effect.flatMap(sessions.find(threadId), (session) => headIfAny(session, knows)),
    "sessions.list": () => Effect.map(sessions.list, (all) => ({ sessions: all })),
    "sessions.page": (query) => sessions.page(query),
    "sessions.history": ({ query, threadId }) => Effect.map(sessions.history(threadId, query), (page) => ({ page })),
    "sessions.branches": ({ query, threadId }) => Effect.map(sessions.branches(threadId, query), (page) => ({ page })),
    "sessions.fork": ({ from, ...request }) =>
      unlessDraining.pipe(
        Effect.andThen(sessions.fork(from, request)),
        Effect.flatMap((session) => headIfAny(session))
      ),
    "sessions.summary": ({ threadId }) => Effect.map(sessions.summary(threadId), (summary) => ({ summary })),
    "sessions.change": ({ change, threadId }) =>
      Effect.map(sessions.change(threadId, change), (summary) => ({ summary })),
    "sessions.adoptable": (query) => sessions.adoptable(query),
    "sessions.adopt": (request) =>
      unlessDraining.pipe(
        Effect.andThen(sessions.adopt(request)),
        Effect.flatMap((session) => instances.headOf(session))
      ),
    "sessions.statuses": () => Effect.map(sessions.statuses, (statuses) => ({ statuses })),
    "sessions.remove": ({ threadId }) => Effect.map(sessions.remove(threadId), (removed) => ({ removed })),

    "workspaces.list": () => Effect.map(workspaces.list, (all) => ({ workspaces: all })),
    "workspaces.get": ({ id }) => Effect.map(workspaces.get(id), (workspace) => ({ workspace })),
    "workspaces.ofFolder": ({ folder, name }) =>
      Effect.map(workspaces.ofFolder(folder, name), (workspace) => ({ workspace })),
    "workspaces.change": ({ change, id }) => Effect.map(workspaces.change(id, change), (workspace) => ({ workspace })),
    "workspaces.remove": ({ id }) => Effect.map(workspaces.remove(id), (removed) => ({ removed })),

    "session.state": (asked) =>
      Effect.gen(function* () {
        const session = yield* of(asked)
        return {
          status: yield* session.status,
          agent: yield* session.agent,
          options: yield* session.options,
          title: yield* session.title,
          providerSessionId: yield* session.providerSessionId,
          facts: yield* session.native.facts
        }
      }),
    "session.asked": (asked) =>
      Effect.gen(function* () {
        const session = yield* of(asked)
        return { waiting: yield* session.waiting, next: session.log.next() }
      }),
    "session.tools": (asked) =>
      Effect.flatMap(of(asked), ({ tools }) => Effect.map(tools, (found) => ({ tools: found }))),
    "session.prompts": (asked) =>
      Effect.flatMap(of(asked), ({ prompts }) => Effect.map(prompts, (found) => ({ prompts: found }))),
    "session.waiting": (asked) =>
      Effect.gen(function* () {
        const session = yield* of(asked)
        const waiting = yield* peek(session)
        const { log } = session
        return { ...waiting, version: versionOf(waiting, log.situation().resets), next: log.next() }
      }),
    "session.submit": ({ submission, version, ...asked }) =>
      Effect.gen(function* () {
        const session = yield* of(asked)
        if (submission.prompt !== undefined && isDraining())
          return yield* new LogFailed({ code: "CLOSING", message: draining })
        const { situation, ...accepted } = yield* session.submit((waiting) =>
          versionOf(waiting, session.log.situation().resets) === version
            ? Result.succeed(withState(submission))
            : Result.fail(new SubmissionChanged({ message: "Something else happened meanwhile." }))
        )
        return settledAt(session, { ...accepted, situation: Model.situationToJson(situation) })
      }),
    "session.steer": ({ words, ...asked }) =>
      Effect.gen(function* () {
        const session = yield* of(asked)
        return settledAt(session, yield* session.steer(words))
      }),
    "session.goBack": ({ target, ...asked }) =>
      Effect.gen(function* () {
        const session = yield* of(asked)
        return settledAt(session, yield* session.goBack(target))
      }),
    "session.stop": ({ ticket, ...asked }) =>
      Effect.gen(function* () {
        const session = yield* of(asked)
        return settledAt(session, yield* session.stop(ticket))
      }),
    "session.answer": ({ answer, id, ...asked }) =>
      Effect.flatMap(of(asked), (session) => Effect.map(session.answer(id, answer), () => doneAt(session))),
    "session.rename": ({ title, ...asked }) =>
      Effect.flatMap(of(asked), (session) => Effect.map(session.rename(title), () => doneAt(session))),
    "session.callTool": ({ input, name, ...asked }) =>
      Effect.gen(function* () {
        const session = yield* of(asked)
        return settledAt(session, yield* session.callTool(name, input))
      }),
    "session.start": (asked) =>
      Effect.flatMap(of(asked), (session) => Effect.map(session.start, () => doneAt(session))),
    "session.set": ({ settings, ...asked }) =>
      Effect.flatMap(of(asked), (session) => Effect.map(session.set(settings), () => doneAt(session))),
    "session.nativeRequest": ({ body, method, ...asked }) =>
      Effect.gen(function* () {
        const session = yield* of(asked)
        return settledAt(session, yield* session.native.request(method, body))
      }),
    "session.nativeSend": ({ message, ...asked }) =>
      Effect.flatMap(of(asked), (session) => Effect.map(session.native.send(message), () => doneAt(session))),
    "session.disconnect": (asked) =>
      Effect.flatMap(of(asked), (session) => Effect.map(session.disconnect, () => doneAt(session))),

    "log.take": ({ from, limit, situation, ...asked }) =>
      Effect.flatMap(of(asked), ({ log }) => takeEvents(log, { from, limit, situation }, pollTime)),
    "log.settled": (asked) =>
      Effect.flatMap(of(asked), (session) => Effect.map(session.log.settled, () => doneAt(session))),
    "log.turnBefore": ({ seq, ...asked }) =>
      Effect.flatMap(of(asked), ({ log }) =>
        Effect.map(log.turnBefore(seq), (start) => ({
          seq: start.seq,
          situation: Model.situationToJson(start.situation)
        }))
      ),
    "look.open": (asked, { looks }) =>
      Effect.flatMap(of(asked), (session) =>
        Effect.map(looks.open(session), ({ look, seq, view: { nextPosition, path, situation } }) => ({
          look,
          seq,
          path,
          nextPosition,
          situation: Model.situationToJson(situation)
        }))
      ),
    "look.page": ({ before, look, maxBytes = maxPageBytes, maxEntries, path }, { looks }) =>
      Effect.flatMap(looks.at({ look, path }), (view) =>
        view.page({
          maxBytes: Math.min(maxBytes, maxPageBytes),
          ...(before !== undefined && { before }),
          ...(maxEntries !== undefined && { maxEntries })
        })
      ),
    "look.count": ({ messages, ...asked }, { looks }) =>
      Effect.flatMap(looks.at(asked), (view) =>
        Effect.map(messages ? view.countMessages : view.count(), (count) => ({ count }))
      ),
    "look.find": ({ except, ids, ...asked }, { looks }) =>
      Effect.flatMap(looks.at(asked), (view) => Effect.map(view.find(ids, except), (entries) => ({ entries }))),
    "look.parts": ({ except, ids, ...asked }, { looks }) =>
      Effect.flatMap(looks.at(asked), (view) => Effect.map(view.messageParts(ids, except), (entries) => ({ entries }))),
    "look.close": ({ look }, { looks }) =>
      Effect.as(
        Effect.sync(() => looks.close(look)),
        {}
      ),
    "wire.take": ({ from, ...asked }) => Effect.flatMap(of(asked), ({ wire }) => takeLines(wire, from, pollTime)),
    "wire.place": (asked) =>
      Effect.gen(function* () {
        const { wire } = yield* of(asked)
        return { oldest: yield* wire.oldest, next: yield* wire.next }
      })
  }
}

/** JSON leaves out what is undefined: it is there again. */
const withState = ({ state, ...rest }: ParamsOf<"session.submit">["submission"]): Submission => ({
  ...rest,
  ...(state !== undefined && { state: { state: state.state } })
})
