/**
 * What a route answers: one document, or events as they come. Data alone; `HttpHandler.ts` and `SseWriter.ts` write
 * it.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Agui } from "@agentwire/protocol"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { LogGap } from "../../log/BoundedLog.ts"
import type { Outgoing } from "../agui/RunEvents.ts"

/** Events as they come. */
export interface EventAnswer {
  readonly _tag: "Events"
  readonly dialect: Agui.Dialect
  readonly events: Stream.Stream<Outgoing, LogGap>
  /** Whether there is a run to end: then an answer that stops short is closed with `RUN_ERROR`. */
  readonly endsRun: boolean
  /** Told what the reader has been sent. */
  readonly delivered: (outgoing: Outgoing) => Effect.Effect<void>
  /** Done when the reader went away before the end. */
  readonly whenGone: Effect.Effect<void>
}

/** Server-sent events that are text already, as they come. */
export interface FramesAnswer {
  readonly _tag: "Frames"
  readonly frames: Stream.Stream<string, LogGap>
}

/** One JSON document. */
export interface JsonAnswer {
  readonly _tag: "Json"
  /** Default 200. */
  readonly status?: number
  readonly body: unknown
}

/** A text or a file. */
export interface FileAnswer {
  readonly _tag: "File"
  readonly contentType: string
  readonly body: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer that somebody else writes, such as another protocol's own server. */
export interface OwnAnswer {
  readonly _tag: "Own"
  readonly write: (request: IncomingMessage, response: ServerResponse) => Effect.Effect<void>
}

/** What a route answers. */
export type Answer = EventAnswer | FramesAnswer | JsonAnswer | FileAnswer | OwnAnswer
