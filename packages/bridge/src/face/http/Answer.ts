/**
 * What a route answers: one document, or a stream. `AnswerWriter.ts` writes it.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { LogGap } from "../../log/BoundedLog.ts"
import type { Frame, StreamEnd } from "./StreamWriter.ts"

/** A stream, written until it ends. */
export interface StreamAnswer {
  readonly _tag: "Stream"
  /** Writes it to its end, with these headers besides its own. */
  readonly write: (
    request: IncomingMessage,
    response: ServerResponse,
    headers: Readonly<Record<string, string>>
  ) => Effect.Effect<StreamEnd>
  /** Runs when the reader goes away before the end. */
  readonly onReaderGone: Effect.Effect<void>
}

/** Server-sent events that are text already, as they come. */
export interface FramesAnswer {
  readonly _tag: "Frames"
  readonly frames: Stream.Stream<Frame, LogGap>
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
export type Answer = StreamAnswer | FramesAnswer | JsonAnswer | FileAnswer | OwnAnswer
