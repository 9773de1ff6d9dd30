/**
 * What happens to sessions, for the other process: it asks for what came after what it has. Only the newest are kept; who has
 * missed some is told which sessions are open.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { makeBoundedLog } from "../log/BoundedLog.ts"
import type { Sessions } from "../session/Sessions.ts"
import type { NewsJson } from "./Values.ts"

/** What happens to sessions. */
export interface News {
  /** What came after a number, once there is anything; all that is open where nothing is known of what came before. */
  readonly after: (
    number: number | undefined,
    open: Effect.Effect<ReadonlyArray<string>>
  ) => Effect.Effect<{
    readonly news: ReadonlyArray<NewsJson>
    readonly next: number
    readonly open?: ReadonlyArray<string>
  }>
}

const limits = { maxEntries: 1000, maxCharacters: 1_000_000 }

/** How long nothing may happen before that is told, too. */
const patience = "10 seconds"

/** The news of sessions. */
export const makeNews = (sessions: Sessions["Service"]): Effect.Effect<News, never, Scope.Scope> =>
  Effect.gen(function* () {
    const log = makeBoundedLog<{ readonly seq: number; readonly news: NewsJson }>(limits)
    const tell = (news: NewsJson, size: number): void => {
      log.add((seq) => ({ seq, news }), size)
      log.wake()
    }
    yield* sessions.onOpen?.(({ threadId }) =>
      Effect.sync(() => tell({ type: "opened", threadId }, threadId.length))
    ) ?? Effect.void
    yield* sessions.onTitled((titled) => tell({ type: "titled", titled }, titled.title.length + titled.threadId.length))
    const anew = (open: Effect.Effect<ReadonlyArray<string>>) =>
      Effect.suspend(() => {
        const next = log.next()
        return Effect.map(open, (threads) => ({ news: [], next, open: threads }))
      })
    return {
      after: (number, open) => {
        if (number === undefined || number > log.next()) return anew(open)
        return log.take(number).pipe(
          Effect.map((found) => ({ news: found.map(({ news }) => news), next: number + found.length })),
          Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed({ news: [], next: number }) }),
          Effect.catchTag("LogGap", () => anew(open))
        )
      }
    }
  })
