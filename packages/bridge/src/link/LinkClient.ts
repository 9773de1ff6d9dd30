/**
 * The gateway's end of the link: connected whenever there is a runtime, and again after every cut. A request whose connection
 * broke is made again on the next one; what is done once has a number by which the runtime knows it.
 */
import { randomUUID } from "node:crypto"
import { errorCodes, makePeer, overloaded, type Peer, type RequestFailed } from "@agentwire/protocol/jsonrpc"
import * as Deferred from "effect/Deferred"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { weightOf } from "../eventloop/Weight.ts"
import { Unreachable } from "../session/Unreachable.ts"
import { HelloBack, lacks, versionProblem, versionsOf, Welcome } from "./Hello.ts"
import { LinkRefused } from "./LinkErrors.ts"
import { type FailureOf, features, type MethodName, type ParamsOf, type ResultOf, rowOf } from "./Methods.ts"
import { type LinkAddress, placeWords } from "./Place.ts"
import { refusalCodes } from "./RefusalCodes.ts"
import { isProof, nonce, proofOf, readSecret } from "./Secret.ts"
import { connectTo, maxMessageBytes } from "./Socket.ts"

/** What a gateway says of itself, and its patience. */
export interface LinkClientOptions {
  readonly address: LinkAddress
  /** The program and its version, for people. */
  readonly program: string
  /** Whether it serves clients. Default true. */
  readonly serves?: boolean
  /** How long a request waits for a runtime that is not there. Default 3 seconds. */
  readonly patience?: Duration.Input
}

/** How the link is. */
export type LinkState =
  | { readonly _tag: "Up"; readonly runtime: Welcome }
  /** Since when, in milliseconds since 1970, and why it cannot be reached. */
  | { readonly _tag: "Down"; readonly since: number; readonly why: string }

/** How a request is made. */
export interface CallOptions {
  /** It waits for a runtime however long that takes: it reads on where it was. Default no. */
  readonly patient?: boolean
}

/** A gateway's end of the link. */
export interface LinkClient {
  readonly call: <M extends MethodName>(
    method: M,
    params: ParamsOf<M>,
    options?: CallOptions
  ) => Effect.Effect<ResultOf<M>, FailureOf<M> | Unreachable>
  readonly state: () => LinkState
  /** The runtime that is connected, or was last. */
  readonly runtime: () => Welcome
  /** Calls a function with each runtime that is reached, as long as the scope lives. */
  readonly onUp: (heard: (runtime: Welcome) => void) => Effect.Effect<void, never, Scope.Scope>
}

/** How long connecting may take. */
const meetingLimit = "5 seconds"

/**
 * How long one request may take. Whoever reads on is answered long before, also when nothing has come: a runtime that says
 * nothing for so long does not answer any more.
 */
const answerLimit = "45 seconds"

/** What waits for an agent or a person is answered when they are done. */
const waitLimit = "1 day"

/** How soon the first further attempt is made, and the last one. In milliseconds. */
const [soon, late] = [25, 1000]

const maxWaiting = 4096

const decodeBack = Schema.decodeUnknownResult(HelloBack)
const decodeWelcome = Schema.decodeUnknownResult(Welcome)

interface Meeting {
  readonly peer: Peer
  readonly runtime: Welcome
  readonly destroy: () => void
}

/** Meets a runtime, for as long as the scope lives. */
export const meetRuntime = (
  { address, program, serves = true }: LinkClientOptions,
  id: string
): Effect.Effect<Meeting, LinkRefused, Scope.Scope> =>
  Effect.gen(function* () {
    const where = placeWords(address.place)
    const refused = (code: LinkRefused["code"], message: string) => new LinkRefused({ code, message })
    const secret = yield* Effect.try({
      try: () => readSecret(address.folder),
      catch: (cause) => refused("LINK_FAILED", `The secret of the link cannot be read: ${String(cause)}.`)
    })
    const link = yield* connectTo(address.place)
    if (secret === undefined)
      return yield* refused("LINK_SECRET", `There is no secret in ${address.folder}: that is not the runtime's folder.`)
    link.trust()
    const peer = yield* makePeer(link.channel, {
      maxWaiting,
      limit: answerLimit,
      cancellation: ({ id }) => ({ method: "drop", params: { id } })
    })
    const said = (method: string, params: unknown) =>
      Effect.mapError(peer.request(method, params, { limit: meetingLimit }), ({ code, message }) =>
        refused(
          code === refusalCodes.version ? "LINK_VERSION" : code === refusalCodes.secret ? "LINK_SECRET" : "LINK_FAILED",
          `The runtime at ${where} does not let this gateway in: ${message}`
        )
      )
    const own = nonce()
    const back = decodeBack(yield* said("hello", { protocol: "agentwire-link", ...versionsOf(program), nonce: own }))
    if (Result.isFailure(back))
      return yield* refused("LINK_FAILED", `What listens at ${where} is no agentwire runtime.`)
    const problem = versionProblem(versionsOf(program), back.success)
    if (problem !== undefined) return yield* refused("LINK_VERSION", problem)
    if (!isProof(back.success.proof, proofOf(secret, "runtime", back.success.nonce, own)))
      return yield* refused("LINK_SECRET", `What listens at ${where} does not know the secret: it is not this runtime.`)
    const proof = proofOf(secret, "gateway", own, back.success.nonce)
    const welcome = decodeWelcome(yield* said("enter", { proof, id, pid: process.pid, serves }))
    if (Result.isFailure(welcome))
      return yield* refused(
        "LINK_FAILED",
        `What the runtime at ${where} says cannot be read: ${welcome.failure.message}`
      )
    return { peer, runtime: welcome.success, destroy: link.destroy }
  })

/** Connects to a runtime, waits for the first one, and stays connected until the scope is closed. */
export const makeLinkClient = (options: LinkClientOptions): Effect.Effect<LinkClient, never, Scope.Scope> =>
  Effect.gen(function* () {
    const id = randomUUID()
    const patience = options.patience ?? "3 seconds"
    let meeting: Meeting | undefined
    let last: Welcome | undefined
    let down: Extract<LinkState, { readonly _tag: "Down" }> = { _tag: "Down", since: Date.now(), why: "not tried yet" }
    let up = Latch.makeUnsafe(false)
    const listeners = new Set<(runtime: Welcome) => void>()
    const first = yield* Deferred.make<Welcome>()
    const open = new Set<number>()
    let count = 0
    let told = ""

    /** One connection, from its beginning to its end. */
    const connection = Effect.gen(function* () {
      const met = yield* Effect.timeoutOrElse(meetRuntime(options, id), {
        duration: meetingLimit,
        orElse: () => Effect.fail(new LinkRefused({ code: "LINK_FAILED", message: "The runtime does not answer." }))
      })
      meeting = met
      last = met.runtime
      const words = lacks(features, met.runtime)
      if (told !== met.runtime.boot) yield* Effect.forEach(words, (each) => Effect.logWarning(each), { discard: true })
      told = met.runtime.boot
      yield* Deferred.succeed(first, met.runtime)
      for (const heard of listeners) heard(met.runtime)
      up.openUnsafe()
      yield* Effect.log("The runtime is reached.").pipe(Effect.annotateLogs({ runtime: met.runtime.program }))
      yield* met.peer.closed
      return yield* new LinkRefused({ code: "LINK_FAILED", message: "The connection to the runtime is gone." })
    }).pipe(
      Effect.scoped,
      Effect.catch((refused) =>
        Effect.gen(function* () {
          const wasUp = meeting !== undefined
          const isNews = wasUp || down.why !== refused.message
          if (wasUp) up = Latch.makeUnsafe(false)
          down = { _tag: "Down", since: wasUp || last === undefined ? Date.now() : down.since, why: refused.message }
          meeting = undefined
          if (isNews) yield* Effect.logWarning(refused.message).pipe(Effect.annotateLogs({ code: refused.code }))
          return wasUp
        })
      )
    )

    yield* Effect.gen(function* () {
      for (let wait = soon; ; wait = Math.min(2 * wait, late)) {
        if (yield* connection) wait = soon
        yield* Effect.sleep(wait)
      }
    }).pipe(Effect.forkScoped)

    const gone = (): Unreachable =>
      new Unreachable({
        code: "RUNTIME_UNREACHABLE",
        message: `The sessions are in another process, which cannot be reached now. ${down.why} Ask again when it is back.`
      })

    /** The connection, once there is one. */
    const reached = (patient: boolean): Effect.Effect<Meeting, Unreachable> =>
      Effect.suspend(() => {
        if (meeting !== undefined) return Effect.succeed(meeting)
        const waiting = Effect.flatMap(
          Effect.suspend(() => up.await),
          () => reached(true)
        )
        return patient
          ? waiting
          : Effect.timeoutOrElse(waiting, { duration: patience, orElse: () => Effect.fail(gone()) })
      })

    const call: LinkClient["call"] = (method, params, { patient = false } = {}) => {
      const row = rowOf(method)
      const ask = (number: number | undefined): Effect.Effect<unknown, FailureOf<typeof method> | Unreachable> =>
        Effect.gen(function* () {
          let sentTo: string | undefined
          for (;;) {
            const { destroy, peer, runtime } = yield* reached(patient)
            if (!Object.hasOwn(runtime.features, method))
              return yield* new Unreachable({
                code: "RUNTIME_TOO_OLD",
                message: `The runtime (${runtime.program}) is too old: it cannot ${row.what}. Update it.`
              })
            // Nobody knows whether the one before has done it.
            if (number !== undefined && sentTo !== undefined && sentTo !== runtime.boot)
              return yield* new Unreachable({
                code: "RUNTIME_RESTARTED",
                message: "The runtime was started again before it answered: look whether that was done."
              })
            sentTo = runtime.boot
            const envelope =
              number === undefined ? { args: params } : { args: params, call: number, answered: Math.min(...open) }
            const answer = yield* Effect.result(
              peer.request(method, envelope, { limit: row.waits === true ? waitLimit : answerLimit })
            )
            if (Result.isSuccess(answer)) return answer.success
            const { failure } = answer
            if (failure.reason === "REFUSED") return yield* refusalOf(method, failure)
            if (failure.reason === "BUSY")
              return yield* new Unreachable({ code: "LINK_BUSY", message: "Too much is asked of the runtime already." })
            // It is connected, and says nothing any more.
            if (failure.reason === "TIMEOUT") destroy()
            // The end of the connection is noticed by whoever keeps it.
            yield* Effect.yieldNow
          }
        })
      return Effect.gen(function* () {
        if (weightOf(params) > maxMessageBytes / 2)
          return yield* new Unreachable({
            code: "LINK_TOO_LARGE",
            message: "That is too large for the link to the runtime."
          })
        const number = row.once === true ? count++ : undefined
        if (number !== undefined) open.add(number)
        const result = yield* ask(number).pipe(
          Effect.onInterrupt(() =>
            number === undefined || row.waits !== true || meeting === undefined
              ? Effect.void
              : Effect.ignore(meeting.peer.notify("cancel", { call: number }))
          ),
          Effect.ensuring(Effect.sync(() => number !== undefined && open.delete(number)))
        )
        const read = Schema.decodeUnknownResult(row.result)(result)
        if (Result.isSuccess(read)) return read.success
        return yield* new Unreachable({
          code: "LINK_BROKEN",
          message: `What the runtime answers to ${method} cannot be read: ${read.failure.message}`
        })
      })
    }

    yield* Deferred.await(first)
    return {
      call,
      state: () => (meeting === undefined ? down : { _tag: "Up", runtime: meeting.runtime }),
      runtime: () => {
        if (last === undefined) throw new Error("A client is made when it has reached a runtime.")
        return last
      },
      onUp: (heard) =>
        Effect.acquireRelease(
          Effect.sync(() => void listeners.add(heard)),
          () => Effect.sync(() => listeners.delete(heard))
        )
    }
  })

/** What a refusal says: the failure of the method, or that the two do not understand each other. */
const refusalOf = <M extends MethodName>(
  method: M,
  { code, data, message }: RequestFailed
): Effect.Effect<never, FailureOf<M> | Unreachable> => {
  if (code === refusalCodes.failed) {
    const read = Schema.decodeUnknownExit(rowOf(method).failure)(data)
    if (Exit.isSuccess(read)) return Effect.fail(read.value)
  }
  const row = rowOf(method)
  if (code === errorCodes.methodNotFound)
    return new Unreachable({
      code: "RUNTIME_TOO_OLD",
      message: `The runtime is too old: it cannot ${row.what}. Update it.`
    })
  if (code === refusalCodes.tooLarge) return new Unreachable({ code: "LINK_TOO_LARGE", message })
  if (code === overloaded) return new Unreachable({ code: "LINK_BUSY", message })
  return new Unreachable({ code: "LINK_BROKEN", message: `The runtime does not understand ${method}: ${message}` })
}
