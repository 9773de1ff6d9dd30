/**
 * Reads the body of a request as JSON, within the limits, and without standing in anybody's way.
 *
 * A body must be declared as JSON: what a browser sends across origins without a preflight (forms, plain text) never is.
 * It is decoded and looked at as it comes; what is too deep or has too many values is refused before it is parsed. Others
 * have their turn before it is parsed and after.
 */
import type { IncomingMessage } from "node:http"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { defaultHttpLimits, type HttpLimits } from "./HttpLimits.ts"
import { type HttpRefusal, refuse } from "./HttpRefusal.ts"
import { type JsonBounds, type JsonExcess, JsonScan } from "./JsonScan.ts"

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
    const { maxBodyBytes, requestTimeout, ...bounds } = { ...defaultHttpLimits, ...limits }
    const problem = mediaProblem(request)
    if (problem !== undefined) return yield* problem
    if (request.readableEnded) return yield* alreadyRead(request, bounds)
    const texts = yield* readTexts(request, maxBodyBytes, bounds).pipe(
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
    const givesWay = isLarge(request) ? othersFirst : Effect.void
    yield* givesWay
    const value = yield* parsed(texts.join(""))
    yield* givesWay
    return value
  })

/** A body of fewer bytes is no work to speak of. */
const largeBytes = 500_000

/** Whether a body may be so large that others should have their turn between the steps it takes. */
export const isLarge = ({ headers }: Pick<IncomingMessage, "headers">): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > largeBytes

/** Lets the event loop go round once. */
export const othersFirst: Effect.Effect<void> = Effect.callback<void>((resume) => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})

/** What a body parser made of the body before the request came here: Express and the like leave it on the request. */
const alreadyRead = (
  { body }: IncomingMessage & { readonly body?: unknown },
  bounds: JsonBounds
): Effect.Effect<unknown, HttpRefusal> => {
  if (body === undefined)
    return Effect.fail(
      refuse("INTERNAL", "Something read the body before this handler did and kept it. Mount the handler before that.")
    )
  if (typeof body === "string" || body instanceof Uint8Array) return parseBody(Buffer.from(body), bounds)
  const excess = excessOf(body, bounds)
  return excess === undefined ? Effect.succeed(body) : Effect.fail(refusalOf(excess, bounds))
}

/** What is too much in a value that was parsed elsewhere. Nothing recurses: it may be deeper than the stack. */
const excessOf = (value: unknown, { maxDepth, maxValues }: JsonBounds): JsonExcess | undefined => {
  let level: ReadonlyArray<unknown> = [value]
  let values = 0
  for (let depth = 0; level.length > 0; depth++) {
    values += level.length
    if (values > maxValues) return "TOO_MANY_VALUES"
    const holders = level.filter((one) => typeof one === "object" && one !== null)
    if (holders.length > 0 && depth >= maxDepth) return "TOO_DEEP"
    level = holders.flatMap((holder) => Object.values(holder as object))
  }
  return undefined
}

const refusalOf = (excess: JsonExcess, { maxDepth, maxValues }: JsonBounds): HttpRefusal =>
  excess === "TOO_DEEP"
    ? refuse(excess, `The body nests deeper than ${maxDepth} levels.`)
    : refuse(excess, `The body has more than ${maxValues} values.`)

/** The parser's own words quote the body, so they are not repeated. */
const notJson = (): HttpRefusal => refuse("BAD_JSON", "The body is not JSON in UTF-8.")

const parsed = (text: string): Effect.Effect<unknown, HttpRefusal> =>
  Effect.try({ try: (): unknown => JSON.parse(text), catch: notJson })

/** Bytes as JSON within bounds. */
export const parseBody = (bytes: Uint8Array, bounds: JsonBounds): Effect.Effect<unknown, HttpRefusal> =>
  Effect.suspend(() => {
    const texts = new BodyTexts(bounds)
    const problem = texts.push(bytes) ?? texts.end()
    return problem === undefined ? parsed(texts.texts.join("")) : Effect.fail(problem)
  })

/** Makes text of bytes as they come. */
class BodyTexts {
  readonly texts: Array<string> = []
  readonly #bounds: JsonBounds
  readonly #scan: JsonScan
  readonly #decoder = new TextDecoder("utf-8", { fatal: true })

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds
    this.#scan = new JsonScan(bounds)
  }

  push(bytes: Uint8Array): HttpRefusal | undefined {
    const excess = this.#scan.push(bytes)
    return excess === undefined ? this.#decode(bytes) : refusalOf(excess, this.#bounds)
  }

  end(): HttpRefusal | undefined {
    return this.#decode(undefined)
  }

  #decode(bytes: Uint8Array | undefined): HttpRefusal | undefined {
    try {
      this.texts.push(bytes === undefined ? this.#decoder.decode() : this.#decoder.decode(bytes, { stream: true }))
      return undefined
    } catch (error) {
      if (error instanceof TypeError) return notJson()
      throw error
    }
  }
}

/**
 * The text of a body, in pieces. One that is refused is read on for a while and dropped: otherwise a client that is
 * still writing would see its connection break and never the answer.
 */
const readTexts = (
  request: IncomingMessage,
  max: number,
  bounds: JsonBounds
): Effect.Effect<ReadonlyArray<string>, HttpRefusal> =>
  Effect.callback<ReadonlyArray<string>, HttpRefusal>((resume) => {
    const tooLarge = refuse("BODY_TOO_LARGE", `The body is larger than ${max} bytes.`)
    if (Number(request.headers["content-length"] ?? 0) > 2 * max) return resume(Effect.fail(tooLarge))
    const texts = new BodyTexts(bounds)
    let problem: HttpRefusal | undefined
    let size = 0
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      if (size > max) problem ??= tooLarge
      problem ??= texts.push(chunk)
      if (problem !== undefined) texts.texts.length = 0
      if (problem !== undefined && size > 2 * max) settle(Effect.fail(problem))
    }
    const onEnd = (): void => {
      problem ??= texts.end()
      settle(problem === undefined ? Effect.succeed(texts.texts) : Effect.fail(problem))
    }
    const onLoss = (): void => settle(Effect.fail(refuse("BAD_REQUEST", "The body ended early.")))
    const settle = (outcome: Effect.Effect<ReadonlyArray<string>, HttpRefusal>): void => {
      unlisten()
      request.pause()
      resume(outcome)
    }
    const unlisten = (): void => {
      request.off("data", onData).off("end", onEnd).off("close", onLoss).off("error", onLoss)
    }
    request.on("data", onData).on("end", onEnd).on("close", onLoss).on("error", onLoss)
    return Effect.sync(unlisten)
  })
