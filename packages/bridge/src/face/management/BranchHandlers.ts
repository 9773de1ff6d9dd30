/**
 * What the endpoints do that are about branches: list them, go back to a message, and make a session of another one.
 */
import { randomUUID } from "node:crypto"
import * as Agui from "@agentwire/protocol/agui"
import * as Effect from "effect/Effect"
import { entryAt, type PointTarget } from "../../session/PointTarget.ts"
import { Sessions } from "../../session/Sessions.ts"
import type { ThreadBranch } from "../../session/ThreadBranches.ts"
import { beforeIn, checkThread, existing, sessionOf } from "../http/Finding.ts"
import { type HttpRefusal, refuse } from "../http/HttpRefusal.ts"
import { logFailed, sessionRefused } from "../http/SessionRefusal.ts"
import type { BodyOf, OutputOf } from "./Api.ts"
import type { Handlers } from "./Handler.ts"
import { branchRefused } from "./Refusals.ts"
import { view } from "./SessionViews.ts"

/** Where somebody wants to be; undefined: nobody has said so. */
const targetOf = ({
  beforeMessageId,
  branch,
  messageId
}: BodyOf<"sessions.revert">): Effect.Effect<PointTarget | undefined, HttpRefusal> => {
  const [target, ...more]: ReadonlyArray<PointTarget> = [
    ...(messageId === undefined ? [] : [{ after: Agui.entryIdsOf(messageId) }]),
    ...(beforeMessageId === undefined ? [] : [{ before: Agui.entryIdsOf(beforeMessageId) }]),
    ...(branch === undefined ? [] : [{ branch }])
  ]
  return more.length === 0 ? Effect.succeed(target) : oneOfThem
}

const oneOfThem = Effect.fail(
  refuse("BAD_INPUT", "The body does not fit: say one of `messageId`, `beforeMessageId` and `branch`.")
)

const branchView = ({
  after,
  firstWords,
  ...branch
}: ThreadBranch): OutputOf<"sessions.branches">["branches"][number] => ({
  ...branch,
  ...(after !== undefined && { after: { branch: after.branch, messageId: Agui.messageIdOf(after.entry) } }),
  ...(firstWords !== undefined && { firstWords })
})

/** What the endpoints of branches do. */
export const branchHandlers: Pick<Handlers, "sessions.branches" | "sessions.revert" | "sessions.fork"> = {
  "sessions.branches": ({ params: { threadId }, query }) =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      yield* checkThread(threadId)
      const found = yield* Effect.mapError(sessions.branches(threadId, query), sessionRefused)
      const { branches, ...page } = yield* existing("SESSION_NOT_FOUND", found)
      return { branches: branches.map(branchView), ...beforeIn(page) }
    }),
  "sessions.revert": (call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call)
      const target = (yield* targetOf(call.body)) ?? (yield* oneOfThem)
      const { branch, point } = yield* Effect.mapError(session.goBack(target), branchRefused)
      const last = yield* Effect.mapError(
        session.log.look((view) => entryAt(view, point.from)),
        logFailed
      )
      return { branch, ...(last !== undefined && { messageId: Agui.messageIdOf(last) }) }
    }),
  "sessions.fork": ({ body, params: { threadId } }) =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      yield* checkThread(threadId)
      const { threadId: name = randomUUID(), title } = body
      const request = { threadId: name, title, target: yield* targetOf(body) }
      const forked = yield* Effect.mapError(sessions.fork(threadId, request), sessionRefused)
      return yield* view(yield* existing("SESSION_NOT_FOUND", forked))
    })
}
