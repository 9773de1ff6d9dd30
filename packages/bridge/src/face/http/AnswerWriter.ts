/**
 * Writes answers and refusals.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import * as Effect from "effect/Effect"
import { countStream } from "../../observe/HttpMetrics.ts"
import type { Answer } from "./Answer.ts"
import type { HttpRefusal } from "./HttpRefusal.ts"
import { type StreamOptions, writeFrames } from "./StreamWriter.ts"

/** Writes an answer to its end. */
export const writeAnswer = (
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  headers: Readonly<Record<string, string>>,
  stream: StreamOptions | undefined
): Effect.Effect<void> => {
  switch (answer._tag) {
    case "Json":
      return Effect.sync(() => writeJson(response, answer.status ?? 200, answer.body, headers))
    case "File":
      return Effect.sync(() => {
        response.writeHead(200, {
          "content-type": answer.contentType,
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
          ...headers,
          ...answer.headers
        })
        response.end(answer.body)
      })
    case "Frames":
      return Effect.asVoid(countStream(writeFrames(response, answer.frames, headers, stream)))
    case "Own":
      return Effect.andThen(
        Effect.sync(() => {
          for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
        }),
        answer.write(request, response)
      )
    case "Stream":
      return Effect.flatMap(countStream(answer.write(request, response, headers)), (end) =>
        end === "gone" ? answer.onReaderGone : Effect.void
      )
  }
}

/** Writes a refusal, unless there is nobody to tell. */
export const writeRefusal = (
  request: IncomingMessage,
  response: ServerResponse,
  refusal: HttpRefusal,
  headers: Readonly<Record<string, string>>
): void => {
  if (response.destroyed) return
  const more: Record<string, string> = { ...headers }
  if (refusal.code === "UNAUTHORIZED") more["www-authenticate"] = "Bearer"
  if (refusal.allow !== undefined) more["allow"] = refusal.allow
  // The rest of a body that nobody reads would be taken for the next request.
  if (!request.complete || refusal.code === "HEADERS_TOO_LARGE") more["connection"] = "close"
  writeJson(response, refusal.status, refusal.body, more)
}

const writeJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>>
): void => {
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...headers
  })
  response.end(JSON.stringify(body))
}
