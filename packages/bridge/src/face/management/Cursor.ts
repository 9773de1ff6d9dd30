/**
 * Where a reader of a stream is: the last number it had, and the opening of the session that the number is from.
 *
 * The numbers of a session begin again when it is reopened, after a restart or because its place was needed. A
 * reader that comes back then must not continue in the middle of something else.
 */
import * as Effect from "effect/Effect"
import type { Session } from "../../session/Session.ts"
import { type HttpRefusal, refuse } from "../http/HttpRefusal.ts"
import type { Asked } from "../http/Route.ts"

/** Where a reader wants to begin. */
export type Start =
  /** It has nothing. */
  | { readonly _tag: "Fresh" }
  | {
      readonly _tag: "At"
      readonly from: number
      /** How much of the entry there it has had. */
      readonly had: number
    }
  /** It was in an opening of the session that is over. */
  | { readonly _tag: "Lost"; readonly from: number }

const epochOf = ({ openedAt }: Pick<Session, "openedAt">): string => openedAt.toString(36)

/** The id of an entry, or of one of its parts before the last. */
export const idOf = (session: Pick<Session, "openedAt">, seq: number, part?: number): string =>
  `${seq}${part === undefined ? "" : `.${part}`}-${epochOf(session)}`

/** Where the reader wants to begin: after `Last-Event-ID`, else at a number. */
export const startOf = (
  session: Pick<Session, "openedAt">,
  headers: Asked["headers"],
  from: number | undefined
): Effect.Effect<Start, HttpRefusal> =>
  Effect.suspend((): Effect.Effect<Start, HttpRefusal> => {
    const last = headers["last-event-id"]
    if (last === undefined || last === "") {
      return Effect.succeed(from === undefined ? { _tag: "Fresh" } : { _tag: "At", from, had: 0 })
    }
    const found = typeof last === "string" ? /^(-1|\d{1,15})(?:\.(\d{1,6}))?(?:-([0-9a-z]{1,12}))?$/.exec(last) : null
    if (found === null) return Effect.fail(refuse("BAD_INPUT", "The header Last-Event-ID is not an id of this stream."))
    const [, seq = "", part, epoch] = found
    if (epoch !== undefined && epoch !== epochOf(session))
      return Effect.succeed({ _tag: "Lost", from: Number(seq) + 1 })
    return Effect.succeed(
      part === undefined
        ? { _tag: "At", from: Number(seq) + 1, had: 0 }
        : { _tag: "At", from: Number(seq), had: Number(part) + 1 }
    )
  })
