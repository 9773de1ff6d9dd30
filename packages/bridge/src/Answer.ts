/**
 * What a route answers: one JSON document, or events as they come. Data alone; `HttpServer.ts` and `SseWriter.ts`
 * write it.
 */
import type { Agui } from "@agentwire/protocol"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Outgoing } from "./Attach.ts"
import type { LogGap } from "./EventLog.ts"

/** Events as they come. */
export interface EventAnswer {
  readonly _tag: "Events"
  readonly dialect: Agui.Dialect
  readonly events: Stream.Stream<Outgoing, LogGap>
  /** Whether there is a run to end: then an answer that stops short is closed with `RUN_ERROR`. */
  readonly endsRun: boolean
  /** Told what the reader has had. */
  readonly delivered: (seq: number) => Effect.Effect<void>
  /** Done when the reader went away before the end. */
  readonly whenGone: Effect.Effect<void>
}

/** One JSON document. */
export interface JsonAnswer {
  readonly _tag: "Json"
  readonly body: unknown
}

/** What a route answers. */
export type Answer = EventAnswer | JsonAnswer
