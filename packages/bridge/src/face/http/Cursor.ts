/**
 * Where a reader of a stream is: the last number it had, and what the number is from.
 *
 * The numbers of events belong to their thread and go on for ever; they begin again when a thread is removed and made
 * anew. The numbers of lines belong to an opening of the session: they begin again after a restart, or because its
 * place was needed. A reader that comes back must not continue in the middle of something else.
 */
import * as Effect from "effect/Effect"
import type { Session } from "../../session/Session.ts"
import { type HttpRefusal, refuse } from "./HttpRefusal.ts"
import type { Asked } from "./Route.ts"

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
  /** Its numbers are not from here. */
  | { readonly _tag: "Lost"; readonly from: number }

/** What the numbers of a stream are from: a time in milliseconds since 1970. */
export type Epoch = number

/** What the numbers of a session's events are from. */
export const eventEpoch = ({ createdAt }: Pick<Session, "createdAt">): Epoch => createdAt

/** What the numbers of a session's lines are from. */
export const lineEpoch = ({ openedAt }: Pick<Session, "openedAt">): Epoch => openedAt

/** The id of an entry, or of one of its parts before the last. */
export const idOf = (epoch: Epoch, seq: number, part?: number): string =>
  `${seq}${part === undefined ? "" : `.${part}`}-${epoch.toString(36)}`

/** Where the reader wants to begin: after `Last-Event-ID`, else at a number. */
export const startOf = (
  epoch: Epoch,
  headers: Asked["headers"],
  number: number | undefined
): Effect.Effect<Start, HttpRefusal> =>
  Effect.suspend((): Effect.Effect<Start, HttpRefusal> => {
    const last = headers["last-event-id"]
    if (last === undefined || last === "") {
      return Effect.succeed(number === undefined ? { _tag: "Fresh" } : { _tag: "At", from: number, had: 0 })
    }
    const found = typeof last === "string" ? /^(-1|\d{1,15})(?:\.(\d{1,6}))?(?:-([0-9a-z]{1,12}))?$/.exec(last) : null
    if (found === null) return Effect.fail(refuse("BAD_INPUT", "The header Last-Event-ID is not an id of this stream."))
    const [, seq = "", part, named] = found
    if (named !== undefined && named !== epoch.toString(36))
      return Effect.succeed({ _tag: "Lost", from: Number(seq) + 1 })
    return Effect.succeed(
      part === undefined
        ? { _tag: "At", from: Number(seq) + 1, had: 0 }
        : { _tag: "At", from: Number(seq), had: Number(part) + 1 }
    )
  })
