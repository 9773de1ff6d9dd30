/**
 * What the management API asks of a Claude Code that a session runs, by the names of its control protocol.
 */
import type * as Claude from "@agentwire/protocol/claude"
import type * as Effect from "effect/Effect"
import type { NativeFailed } from "../../session/Runtime.ts"
import type { Session } from "../../session/Session.ts"

/** Asks the agent something of its control protocol. Its runtime has checked the answer. */
export const askAgent = <S extends Claude.ControlSubtype>(
  session: Session,
  subtype: S,
  body: Readonly<Record<string, unknown>> = {}
): Effect.Effect<Claude.ResponseOf<S>, NativeFailed> =>
  session.native.request(subtype, body) as Effect.Effect<Claude.ResponseOf<S>, NativeFailed>

/** What the agent said of itself: when it began its last turn, and when it was started. */
export const claudeFacts = (
  session: Session
): { readonly init?: Claude.SystemInit; readonly greeting?: Claude.ResponseOf<"initialize"> } => session.native.facts()
