/**
 * Reads the body of a request as JSON, within the limits, and without standing in anybody's way.
 *
 * A body must be declared as JSON: what a browser sends across origins without a preflight (forms, plain text) never is.
 * It is read as it comes (`BodyParts.ts`), and others have their turn between the pieces, and before and after the step
 * at the end.
 */
import type { IncomingMessage } from "node:http"
import { isRecord } from "@agentwire/protocol/wire"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { findInTurns, othersFirst } from "../../eventloop/Turns.ts"
import { type BodyBounds, type BodyFault, BodyParts } from "./BodyParts.ts"
import { defaultHttpLimits, type HttpLimits } from "./HttpLimits.ts"
import { type HttpRefusal, refuse } from "./HttpRefusal.ts"

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
    const all = { ...defaultHttpLimits, ...limits }
    const problem = mediaProblem(request)
    if (problem !== undefined) return yield* problem
    if (request.readableEnded) return yield* alreadyRead(request, all)
    const parts = yield* readParts(request, all).pipe(
      Effect.timeoutOrElse({
        duration: all.requestTimeout,
        orElse: () =>
          Effect.fail(
            refuse(
              "BODY_TIMEOUT",
              `The body did not arrive within ${Duration.format(Duration.fromInputUnsafe(all.requestTimeout))}.`
            )
          )
      })
    )
    if (sizeOf(request) <= littleBytes) return yield* bodyOf(parts, all)
    yield* othersFirst
    const value = yield* bodyOf(parts, all)
    yield* othersFirst
    return value
  })

/** A body of fewer bytes is no work to speak of: others need no turn between the steps it takes. */
const littleBytes = 50_000

/** A body of fewer bytes takes no room to speak of. */
const largeBytes = 500_000

/** Whether a body may be so large that there has to be room for it. */
export const isLarge = (request: Pick<IncomingMessage, "headers">): boolean => sizeOf(request) > largeBytes

/** How many bytes a body has, as far as it says so. */
const sizeOf = ({ headers }: Pick<IncomingMessage, "headers">): number =>
  headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : Number.POSITIVE_INFINITY

/** What a body parser made of the body before the request came here: Express and the like leave it on the request. */
const alreadyRead = (
  { body }: IncomingMessage & { readonly body?: unknown },
  bounds: BodyBounds
): Effect.Effect<unknown, HttpRefusal> => {
  if (body === undefined)
    return Effect.fail(
      refuse("INTERNAL", "Something read the body before this handler did and kept it. Mount the handler before that.")
    )
  if (typeof body === "string" || body instanceof Uint8Array) return parseBody(Buffer.from(body), bounds)
  return Effect.flatMap(faultIn(body, bounds), (fault) =>
    fault === undefined ? Effect.succeed(body) : Effect.fail(refusalOf(fault, bounds))
  )
}

/** What is too much in a body that was parsed elsewhere, by the same parts. */
const faultIn = (body: unknown, bounds: BodyBounds): Effect.Effect<BodyFault | undefined> => {
  const { maxPartValues, maxValues } = bounds
  let values = 0
  const look = (part: unknown, depth: number): BodyFault | undefined => {
    const count = countValues(part, bounds.maxDepth - depth, Math.min(maxPartValues, maxValues - values))
    if (count === "TOO_DEEP") return count
    values += count
    return values > maxValues ? "TOO_MANY_VALUES" : count > maxPartValues ? "PART_TOO_LARGE" : undefined
  }
  const lists: Array<ReadonlyArray<unknown>> = []
  const outer = withoutMessages(body, lists)
  const inner = isRecord(outer) && isRecord(outer["body"]) ? withoutMessages(outer["body"], lists) : undefined
  const fault = look(inner === undefined ? outer : { ...(outer as object), body: inner }, 0)
  return fault === undefined ? findInTurns(lists.flat(), (message) => look(message, 2)) : Effect.succeed(fault)
}

const withoutMessages = (value: unknown, lists: Array<ReadonlyArray<unknown>>): unknown => {
  if (!isRecord(value) || !Array.isArray(value["messages"])) return value
  lists.push(value["messages"])
  return { ...value, messages: [] }
}

/** How many values a value has; more than a number when it has more. Nothing recurses: it may be deeper than the stack. */
const countValues = (value: unknown, maxDepth: number, most: number): number | "TOO_DEEP" => {
  let level: ReadonlyArray<unknown> = [value]
  let values = 0
  for (let depth = 0; level.length > 0; depth++) {
    values += level.length
    if (values > most) return values
    const holders = level.filter((one) => typeof one === "object" && one !== null)
    if (holders.length > 0 && depth >= maxDepth) return "TOO_DEEP"
    level = holders.flatMap((holder) => Object.values(holder as object))
  }
  return values
}

/** The parser's own words quote the body, so they are not repeated. */
const refusalOf = (fault: BodyFault, bounds: BodyBounds): HttpRefusal => {
  const { maxDepth, maxPartLength, maxPartValues, maxValues } = bounds
  const words: Readonly<Record<BodyFault, string>> = {
    BAD_JSON: "The body is not JSON in UTF-8.",
    TOO_DEEP: `The body nests deeper than ${maxDepth} levels.`,
    TOO_MANY_VALUES: `The body has more than ${maxValues} values.`,
    PART_TOO_LARGE: `A message in the body, or all that is besides messages, has more than ${maxPartLength} characters or ${maxPartValues} values.`
  }
  return refuse(fault, words[fault])
}

const bodyOf = (parts: BodyParts, bounds: BodyBounds): Effect.Effect<unknown, HttpRefusal> =>
  Effect.suspend(() => {
    const read = parts.end()
    return read.isRead ? Effect.succeed(read.value) : Effect.fail(refusalOf(read.fault, bounds))
  })

/** How many bytes are read in one turn of the event loop: as many as a connection brings at once. */
const bytesInTurn = 65_536

/** Bytes as JSON within bounds. */
export const parseBody = (bytes: Uint8Array, bounds: BodyBounds): Effect.Effect<unknown, HttpRefusal> =>
  Effect.gen(function* () {
    const parts = new BodyParts(bounds)
    for (let from = 0; from < bytes.length; from += bytesInTurn) {
      if (from > 0) yield* othersFirst
      const fault = parts.push(bytes.subarray(from, from + bytesInTurn))
      if (fault !== undefined) return yield* refusalOf(fault, bounds)
    }
    return yield* bodyOf(parts, bounds)
  })

/**
 * A body, read to its end: a piece in each turn of the event loop, however fast they come. One that is refused is read on
 * for a while and dropped: otherwise a client that is still writing would see its connection break and never the answer.
 */
const readParts = (
  request: IncomingMessage,
  limits: BodyBounds & Pick<Required<HttpLimits>, "maxBodyBytes">
): Effect.Effect<BodyParts, HttpRefusal> =>
  Effect.callback<BodyParts, HttpRefusal>((resume) => {
    const max = limits.maxBodyBytes
    const mostRead = max + Math.min(max, 10_000_000)
    const tooLarge = refuse("BODY_TOO_LARGE", `The body is larger than ${max} bytes.`)
    const lost = refuse("BAD_REQUEST", "The body ended early.")
    if (request.destroyed) return resume(Effect.fail(lost))
    if (Number(request.headers["content-length"] ?? 0) > mostRead) return resume(Effect.fail(tooLarge))
    let parts: BodyParts | undefined = new BodyParts(limits)
    let problem: HttpRefusal | undefined
    let size = 0
    let pause: NodeJS.Immediate | undefined
    const read = (chunk: Buffer): HttpRefusal | undefined => {
      // What is wrong with the bytes that may be there comes before that there are more.
      const fault = parts?.push(chunk.subarray(0, Math.max(0, max + chunk.length - size)))
      if (fault !== undefined) return refusalOf(fault, limits)
      return size > max ? tooLarge : undefined
    }
    const onData = (chunk: Buffer): void => {
      size += chunk.length
      problem ??= read(chunk)
      if (problem !== undefined) parts = undefined
      if (problem !== undefined && size > mostRead) settle(Effect.fail(problem))
      else if (size >= bytesInTurn) {
        request.pause()
        pause = setImmediate(() => request.resume())
      }
    }
    const onEnd = (): void => settle(parts === undefined ? Effect.fail(problem ?? tooLarge) : Effect.succeed(parts))
    const onLoss = (): void => settle(Effect.fail(lost))
    const settle = (outcome: Effect.Effect<BodyParts, HttpRefusal>): void => {
      unlisten()
      request.pause()
      resume(outcome)
    }
    const unlisten = (): void => {
      clearImmediate(pause)
      request.off("data", onData).off("end", onEnd).off("close", onLoss).off("error", onLoss)
    }
    request.on("data", onData).on("end", onEnd).on("close", onLoss).on("error", onLoss)
    return Effect.sync(unlisten)
  })
