/**
 * Events as a response, in the reader's dialect and encoding. A run that is still open when the writing ends is
 * ended with `RUN_ERROR`, because clients wait for an end.
 */
import type { ServerResponse } from "node:http"
import * as Agui from "@agentwire/protocol/agui"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { weightOf } from "../../eventloop/Weight.ts"
import type { StreamAnswer } from "../http/Answer.ts"
import {
  type Send,
  type Sent,
  type StreamEnd,
  type StreamOptions,
  streamHeaders,
  writeWhileRead
} from "../http/StreamWriter.ts"
import type { EventAnswer } from "./EventAnswer.ts"
import { type EventEncoding, encodingFor, type ProtobufEncode, sse } from "./EventEncoding.ts"

/** How events are written. */
export interface EventOptions extends StreamOptions {
  /** Encodes events as Protocol Buffers for readers who ask for that; without it they get server-sent events. */
  readonly protobuf?: ProtobufEncode
}

/** Events as an answer that a handler of requests can write. */
export const streamOf = (answer: EventAnswer, options: EventOptions = {}): StreamAnswer => ({
  _tag: "Stream",
  write: (request, response, headers) =>
    writeEvents(response, answer, headers, options, encodingFor(request.headers.accept, options.protobuf)),
  onReaderGone: answer.onReaderGone
})

/** About how much is written at once. */
const batchSize = 65_536

/** Writes an answer of events to its end. */
export const writeEvents = (
  response: ServerResponse,
  answer: EventAnswer,
  headers: Readonly<Record<string, string>> = {},
  options: StreamOptions = {},
  encoding: EventEncoding = sse
): Effect.Effect<StreamEnd> =>
  Effect.suspend(() => {
    let runOpen = answer.endsRun
    /** Whether an event is being written in pieces. */
    let isMidway = false

    const pump = (send: Send) =>
      Stream.runForEachArray(answer.events, (outgoing) =>
        Effect.gen(function* () {
          let batch: string | Uint8Array = ""
          for (const [index, sent] of outgoing.entries()) {
            for (const event of sent.events) {
              if (event.type === "RUN_STARTED") runOpen = true
              else if (Agui.endsRun(event)) runOpen = false
            }
            for (const part of inParts(sent.events, encoding, answer.dialect)) {
              if (typeof part === "string" || part instanceof Uint8Array) {
                batch = joined(batch, part)
                continue
              }
              if (batch.length > 0) yield* send(batch)
              batch = ""
              isMidway = true
              yield* send(part)
              isMidway = false
            }
            if (batch.length < batchSize && index < outgoing.length - 1) continue
            if (batch.length > 0) yield* send(batch)
            yield* answer.onDelivered(sent)
            batch = ""
          }
        })
      )

    const farewell = (code: string, message: string): void => {
      // There is no place for an event within another: the reader sees that it was cut off.
      if (isMidway) return void response.destroy()
      if (runOpen && !response.destroyed) response.write(encoding.encode([{ type: "RUN_ERROR", code, message }]))
      response.end()
    }

    response.writeHead(200, { "content-type": encoding.contentType, ...streamHeaders, ...headers })
    return writeWhileRead(response, options, encoding.keepAlive, pump, farewell)
  })

/** About how long an event is. Pieces of texts are many, and need no closer look. */
const lengthOf = (event: Agui.AguiEvent): number =>
  event.type === "TEXT_MESSAGE_CONTENT" ? event.delta.length : weightOf(event)

/** Events as they are written: those that are short together, and each that is long in pieces. */
const inParts = (
  events: ReadonlyArray<Agui.AguiEvent>,
  { encode, encodeLong }: EventEncoding,
  dialect: Agui.Dialect
): ReadonlyArray<Sent> => {
  const parts: Array<Sent> = []
  let short: Array<Agui.AguiEvent> = []
  for (const event of events.map((each) => Agui.inDialect(each, dialect))) {
    if (encodeLong === undefined || lengthOf(event) < batchSize) short.push(event)
    else {
      if (short.length > 0) parts.push(encode(short))
      short = []
      parts.push(encodeLong(event))
    }
  }
  return short.length > 0 ? [...parts, encode(short)] : parts
}

const joined = (before: string | Uint8Array, more: string | Uint8Array): string | Uint8Array => {
  if (before.length === 0) return more
  return typeof before === "string" && typeof more === "string"
    ? before + more
    : Buffer.concat([Buffer.from(before), Buffer.from(more)])
}
