/**
 * How much a request may take, and reading a body within it.
 *
 * A body must be declared as JSON: what a browser sends across origins without a preflight (forms, plain text)
 * never is. It is read up to its limit, must be UTF-8, and may not nest deeper than what follows can recurse into.
 */
import type { IncomingMessage } from "node:http"
import { nestsDeeper } from "@agentwire/protocol/wire"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { type HttpRefusal, refuse } from "./HttpRefusal.ts"

/** How much a request may take. */
export interface HttpLimits {
  /** Bytes of a body. Default 10,000,000. */
  readonly maxBodyBytes?: number
  /** How deep JSON may nest. Default 200. */
  readonly maxDepth?: number
  /** Bytes of all headers. Default 16,384. */
  readonly maxHeaderBytes?: number
  /** How many headers. Default 100. */
  readonly maxHeaders?: number
  /** How long the headers may take. Default 10 seconds. */
  readonly headersTimeout?: Duration.Input
  /** How long the whole request may take. Default 30 seconds. */
  readonly requestTimeout?: Duration.Input
  /** How long an unused connection stays. Default 5 seconds. */
  readonly idleTimeout?: Duration.Input
  /** How many connections at once. Default 1,000. */
  readonly maxConnections?: number
}

/** The limits of a server without options. */
export const defaultHttpLimits: Required<HttpLimits> = {
  maxBodyBytes: 10_000_000,
  maxDepth: 200,
  maxHeaderBytes: 16_384,
  maxHeaders: 100,
  headersTimeout: "10 seconds",
  requestTimeout: "30 seconds",
  idleTimeout: "5 seconds",
  maxConnections: 1000
}

/** Whether a request has a body at all. */
export const hasBody = ({ headers }: Pick<IncomingMessage, "headers">): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0

/** What is wrong with how a body is declared; undefined when nothing is. */
export const mediaProblem = ({ headers }: Pick<IncomingMessage, "headers">): HttpRefusal | undefined => {
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase()
  if (type !== "application/json") return refuse("UNSUPPORTED_MEDIA_TYPE", "Send JSON: Content-Type: application/json.")
  return (headers["content-encoding"] ?? "identity") === "identity"
    ? undefined
    : refuse("UNSUPPORTED_MEDIA_TYPE", "Send the body as it is, without Content-Encoding.")
}

/** The body of a request as JSON, read within the limits. */
export const readJson = (request: IncomingMessage, limits: HttpLimits = {}): Effect.Effect<unknown, HttpRefusal> =>
  Effect.gen(function* () {
    const { maxBodyBytes, maxDepth, requestTimeout } = { ...defaultHttpLimits, ...limits }
    const problem = mediaProblem(request)
    if (problem !== undefined) return yield* problem
    if (request.readableEnded) return yield* alreadyRead(request, maxDepth)
    const bytes = yield* readBytes(request, maxBodyBytes).pipe(
      Effect.timeoutOrElse({
        duration: requestTimeout,
        orElse: () =>
          Effect.fail(
            refuse(
              "BODY_TIMEOUT",
              `The body did not arrive within ${Duration.format(Duration.fromInputUnsafe(requestTimeout))}.`
            )
          )
      })
    )
    return yield* parseBody(bytes, maxDepth)
  })

/** What a body parser made of the body before the request came here: Express and the like leave it on the request. */
const alreadyRead = (
  { body }: IncomingMessage & { readonly body?: unknown },
  maxDepth: number
): Effect.Effect<unknown, HttpRefusal> => {
  if (typeof body === "string") return parseBody(Buffer.from(body), maxDepth)
  if (body instanceof Uint8Array) return parseBody(body, maxDepth)
  if (body === undefined)
    return Effect.fail(
      refuse("INTERNAL", "Something read the body before this handler did and kept it. Mount the handler before that.")
    )
  return nestsDeeper(body, maxDepth)
    ? Effect.fail(refuse("TOO_DEEP", `The body nests deeper than ${maxDepth} levels.`))
    : Effect.succeed(body)
}

/** Bytes as JSON that does not nest too deep. */
export const parseBody = (bytes: Uint8Array, maxDepth: number): Effect.Effect<unknown, HttpRefusal> => {
  // The parser's own words quote the body, so they are not repeated.
  const notJson = () => refuse("BAD_JSON", "The body is not JSON in UTF-8.")
  return Effect.try({ try: () => new TextDecoder("utf-8", { fatal: true }).decode(bytes), catch: notJson }).pipe(
    Effect.filterOrFail(
      (text) => !depthExceeds(text, maxDepth),
      () => refuse("TOO_DEEP", `The body nests deeper than ${maxDepth} levels.`)
    ),
    Effect.flatMap((text) => Effect.try({ try: (): unknown => JSON.parse(text), catch: notJson }))
  )
}

/** Whether JSON nests deeper than a limit. Looks at the text alone, so that nothing is built that deep. */
export const depthExceeds = (text: string, maxDepth: number): boolean => {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (inString) {
      if (code === 0x5c) i++
      else if (code === 0x22) inString = false
    } else if (code === 0x22) inString = true
    else if (code === 0x5b || code === 0x7b) {
      if (++depth > maxDepth) return true
    } else if (code === 0x5d || code === 0x7d) depth--
  }
  return false
}

/**
 * All bytes of a body. One that is too large is read on for as much again and dropped: otherwise a client that
 * is still writing would see its connection break and never the answer.
 */
const readBytes = (request: IncomingMessage, max: number): Effect.Effect<Uint8Array, HttpRefusal> =>
  Effect.callback<Uint8Array, HttpRefusal>((resume) => {
    const tooLarge = Effect.fail(refuse("BODY_TOO_LARGE", `The body is larger than ${max} bytes.`))
    if (Number(request.headers["content-length"] ?? 0) > 2 * max) return resume(tooLarge)
    const chunks: Array<Buffer> = []
    let size = 0
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      if (size <= max) chunks.push(chunk)
      else chunks.length = 0
      if (size > 2 * max) settle(tooLarge)
    }
    const onEnd = (): void => settle(size > max ? tooLarge : Effect.succeed(Buffer.concat(chunks)))
    const onLoss = (): void => settle(Effect.fail(refuse("BAD_REQUEST", "The body ended early.")))
    const settle = (outcome: Effect.Effect<Uint8Array, HttpRefusal>): void => {
      request.off("data", onData).off("end", onEnd).off("close", onLoss).off("error", onLoss)
      request.pause()
      resume(outcome)
    }
    request.on("data", onData).on("end", onEnd).on("close", onLoss).on("error", onLoss)
    return Effect.sync(() => {
      request.off("data", onData).off("end", onEnd).off("close", onLoss).off("error", onLoss)
    })
  })
