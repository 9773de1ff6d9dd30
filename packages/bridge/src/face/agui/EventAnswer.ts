/**
 * Events of AG-UI as an answer. Data alone; `EventWriter.ts` writes it.
 */
import type * as Agui from "@agentwire/protocol/agui"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { ReadFailed } from "../../log/BoundedLog.ts"
import type { Outgoing } from "./RunEvents.ts"

/** Events as they come. */
export interface EventAnswer {
  readonly _tag: "Events"
  readonly dialect: Agui.Dialect
  readonly events: Stream.Stream<Outgoing, ReadFailed>
  /** Whether there is a run to end: then an answer that stops short is closed with `RUN_ERROR`. */
  readonly endsRun: boolean
  /** Called with what has been sent to the reader. */
  readonly onDelivered: (outgoing: Outgoing) => Effect.Effect<void>
  /** Runs when the reader goes away before the end. */
  readonly onReaderGone: Effect.Effect<void>
}
