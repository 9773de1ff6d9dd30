/**
 * One extension from its start to its end: loaded, checked, started, asked, and started again when it is gone or its
 * event loop stands still. Whatever it does costs others nothing but a line in its health.
 */
import { decodePayload } from "@agentwire/protocol/codec"
import { isRecord, parseJson } from "@agentwire/protocol/wire"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { BusSubscriptions } from "./BusSubscriptions.ts"
import type { EventBus } from "./EventBus.ts"
import type { ExtensionEvent } from "./Extension.ts"
import { ExtensionCalls } from "./ExtensionCalls.ts"
import { ExtensionFailed, extensionFailed } from "./ExtensionFailed.ts"
import type { ExtensionLimits } from "./ExtensionLimits.ts"
import type { AskedName, BridgeEnd, FromExtension, OpenExtension, WantedName } from "./ExtensionPort.ts"
import { heardMessage } from "./HeardMessage.ts"
import { LogBudget } from "./LogBudget.ts"
import { type Health, Manifest, Said } from "./Schemas.ts"
import { Tally } from "./Tally.ts"
import { wordsFor } from "./Words.ts"

/** What an extension is made of. */
export interface LifeParts {
  /** What it is called until it has said its name. */
  readonly place: string
  readonly open: OpenExtension
  readonly config: unknown
  readonly limits: ExtensionLimits
  readonly bus: EventBus
  /** Whether it may have these names: others may have them already. Asked once. */
  readonly admit: (manifest: Manifest, life: ExtensionLife) => Effect.Effect<void, ExtensionFailed>
  /** Does what it asks the bridge for. */
  readonly want: (life: ExtensionLife, name: WantedName, value: unknown) => Effect.Effect<unknown, ExtensionFailed>
}

/** An extension. */
export interface ExtensionLife {
  /** Undefined until it is loaded. */
  readonly manifest: () => Manifest | undefined
  readonly limits: ExtensionLimits
  readonly tally: Tally
  readonly isRunning: () => boolean
  /** Waits until it runs; for ever, when it will not any more. */
  readonly running: Effect.Effect<void>
  /** Waits until it runs for the first time, or will not. */
  readonly settled: Effect.Effect<void>
  /** Asks it something. */
  readonly ask: (name: AskedName, value: unknown, limitMs: number) => Effect.Effect<unknown, ExtensionFailed>
  readonly health: Effect.Effect<Omit<Health, "counters"> & { readonly counters: Tally["counters"] }>
}

type Status = Health["status"]

/** An event that waits for handlers of an extension, as it was begun last. */
interface WaitingEvent {
  readonly to: BridgeEnd | undefined
  readonly handlers: ReadonlyArray<number>
  readonly event: ExtensionEvent
}

/** How often what was told makes room for more. */
const roomEveryMs = 100

/** Begins an extension. It is stopped with the scope. */
export const beginExtension = (parts: LifeParts): Effect.Effect<ExtensionLife, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { admit, bus, limits, open, place, want } = parts
    const words = wordsFor(parts.config)
    const tally = new Tally()
    const run = yield* FiberSet.makeRuntime<never>()
    const events = yield* Queue.dropping<WaitingEvent>(limits.maxEvents)
    const budget = new LogBudget(limits.maxLogLines, (count) => tally.count("logsDropped", count))
    let manifest: Manifest | undefined
    let status: Status = "starting"
    let end: BridgeEnd | undefined
    let calls = new ExtensionCalls(() => undefined)
    let running = Deferred.makeUnsafe<void>()
    const settled = Deferred.makeUnsafe<void>()
    let restarts = 0
    let isOver = false

    const named = <A>(effect: Effect.Effect<A>): Effect.Effect<A> =>
      Effect.annotateLogs(effect, { extension: manifest?.id ?? place })

    const noteFailure = ({ code, message }: ExtensionFailed): void => {
      const reason = words(message)
      tally.failed(code, reason)
      if (budget.takeLine()) run(named(Effect.annotateLogs(Effect.logWarning("extension failed"), { code, reason })))
    }

    /** Told things make room a little later: however fast it tells, there are so many in a time and no more. */
    let told = 0
    const makeRoom = Effect.sync(() => {
      end?.send({ tag: "room", count: told })
      told = 0
    })
    /** Whether there was room for it: for what is told through the context, there always was. */
    const noteTold = (): boolean => {
      if (told++ === 0) run(Effect.delay(makeRoom, roomEveryMs))
      if (told <= limits.maxTold) return true
      if (end?.canEnd === true) run(beginAgain("it told more than it may, past its context"))
      return false
    }

    const writeLog = (level: string, message: string, facts: unknown): void => {
      if (!budget.takeLine()) return
      const log = logLevels[level] ?? Effect.logInfo
      const said = isRecord(facts) && Object.keys(facts).length > 0 ? `${message} ${JSON.stringify(facts)}` : message
      run(named(Effect.annotateLogs(log("extension says"), { words: words(said) })))
    }

    const subscriptions = new BusSubscriptions(bus, (handler, event) => {
      if (!Queue.offerUnsafe(events, { to: end, handlers: [handler], event })) tally.count("eventsDropped")
    })

    const answerWant = (id: number, name: WantedName, json: string, to: BridgeEnd | undefined): Effect.Effect<void> =>
      Effect.suspend(() => want(life, name, parseJson(json))).pipe(
        Effect.matchCause({
          onSuccess: (value) => to?.send({ tag: "answer", id, ok: true, value: JSON.stringify(value ?? null) }),
          onFailure: (cause) => {
            const failure = cause.reasons.find((reason) => reason._tag === "Fail")?.error
            const { code, message } =
              failure instanceof ExtensionFailed
                ? failure
                : extensionFailed("EXTENSION_FAILED", "Something broke inside the bridge.")
            to?.send({ tag: "answer", id, ok: false, code, value: message })
          }
        })
      )
    let wanted = 0

    /** What becomes of what it says. */
    const hears: { readonly [T in FromExtension["tag"]]: (message: FromExtension & { readonly tag: T }) => void } = {
      answer: (message) => calls.answered(message),
      emit: ({ type, value }) => {
        if (!noteTold()) return
        const refusal = emitRefusal(manifest?.events ?? [], type, value, limits)
        if (refusal === undefined) bus.publish({ type, payload: parseJson(value) })
        else {
          tally.count("emitsRefused")
          noteFailure(extensionFailed("EXTENSION_BAD_REQUEST", refusal))
        }
      },
      log: ({ level, message, value }) => {
        if (noteTold()) writeLog(level, message, parseJson(value))
      },
      dropped: (message) => {
        tally.count("emitsRefused", message.events)
        tally.count("logsDropped", message.lines)
      },
      on: ({ id, pattern }) => {
        const refusal = subscriptions.add(id, pattern)
        if (refusal !== undefined) noteFailure(extensionFailed("EXTENSION_BAD_REQUEST", refusal))
      },
      off: ({ id }) => subscriptions.remove(id),
      ask: ({ id, name, value }) => {
        if (wanted >= limits.maxCalls)
          end?.send({ tag: "answer", id, ok: false, code: "EXTENSION_BUSY", value: "It asks for too much at once." })
        else {
          wanted++
          run(
            Effect.ensuring(
              answerWant(id, name, value, end),
              Effect.sync(() => wanted--)
            )
          )
        }
      }
    }
    const hear = (said: unknown): void => {
      const message = heardMessage(said)
      if (message === undefined) run(beginAgain("it said something that nobody can read, past its context"))
      else (hears[message.tag] as (message: FromExtension) => void)(message)
    }

    const checked = <A>(schema: Schema.Codec<A>, value: unknown, what: string): Effect.Effect<A, ExtensionFailed> =>
      Effect.suspend(() => {
        const shape = decodePayload(schema, value)
        return shape._tag === "Invalid"
          ? Effect.fail(
              extensionFailed("EXTENSION_INVALID", `What it says about ${what} does not fit: ${shape.error.message}`)
            )
          : Effect.succeed(value as A)
      })

    const load: Effect.Effect<void, ExtensionFailed> = Effect.gen(function* () {
      const { maxAnswerCharacters, maxCalls, maxTold, startMs } = limits
      const said = yield* calls.ask(
        "load",
        { config: parts.config ?? null, maxTold, maxAnswerCharacters, maxWanted: maxCalls },
        startMs
      )
      const loaded = yield* checked(Manifest as Schema.Codec<Manifest>, said, "itself")
      const stray = [...loaded.methods, ...loaded.events].find((name) => !name.startsWith(`${loaded.id}.`))
      if (stray !== undefined)
        return yield* extensionFailed(
          "EXTENSION_INVALID",
          `Its methods and events begin with \`${loaded.id}.\`: ${stray} does not.`
        )
      if (manifest !== undefined && manifest.id !== loaded.id)
        return yield* extensionFailed("EXTENSION_INVALID", "It has another id than before.")
      if (manifest === undefined) yield* admit(loaded, life)
      manifest = loaded
      yield* calls.ask("start", null, startMs)
      status = "running"
      tally.succeeded()
      Deferred.doneUnsafe(running, Effect.void)
    })

    const giveUp = (failure: ExtensionFailed): Effect.Effect<void> =>
      Effect.gen(function* () {
        status = "failed"
        noteFailure(failure)
        yield* close
      })

    const close = Effect.suspend(() => {
      if (Deferred.isDoneUnsafe(running)) running = Deferred.makeUnsafe<void>()
      subscriptions.clear()
      const last = end
      end = undefined
      calls.gone("The extension has ended.")
      return last === undefined ? Effect.void : Effect.promise(() => last.end())
    })

    /** It is gone, or has to be ended: it is begun again after a pause, unless that was too often. */
    const beginAgain = (why: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (isOver || status === "failed" || status === "restarting") return Effect.void
        status = "restarting"
        tally.count("restarts")
        const failure = extensionFailed("EXTENSION_UNAVAILABLE", `It ended: ${why}`)
        return Effect.gen(function* () {
          noteFailure(failure)
          yield* close
          if (++restarts > limits.maxRestarts)
            return yield* giveUp(
              extensionFailed("EXTENSION_UNAVAILABLE", `It ended ${restarts} times, and is not begun again.`)
            )
          yield* Effect.sleep(Math.min(limits.restartMs * 2 ** (restarts - 1), 60_000))
          if (!isOver) yield* begin
        })
      })

    const begin: Effect.Effect<void> = Effect.suspend(() => {
      let mine: BridgeEnd | undefined
      told = 0
      const opened = Result.try(() =>
        open({
          hear: (message) => {
            if (end === mine) hear(message)
          },
          gone: (why) => {
            if (end === mine) run(beginAgain(why))
          },
          wrote: (text) => writeLog("info", text, {})
        })
      )
      if (Result.isFailure(opened)) return giveUp(extensionFailed("EXTENSION_FAILED", String(opened.failure)))
      mine = opened.success
      end = mine
      calls = new ExtensionCalls((message) => mine?.send(message))
      return load.pipe(
        Effect.catch((failure) =>
          Effect.suspend(() => {
            // It is gone, and begun again already.
            if (end !== mine) return Effect.void
            return giveUp(failure)
          })
        )
      )
    })

    /** After it was too late with something: whether its event loop turns. Where it does not, it is begun again. */
    let isChecking = false
    const checkAlive = Effect.suspend(() => {
      if (isChecking || end?.canEnd !== true) return Effect.void
      isChecking = true
      return calls.ask("alive", null, limits.aliveMs).pipe(
        Effect.asVoid,
        Effect.catch(({ code }) =>
          code === "EXTENSION_TIMEOUT" ? beginAgain("its event loop stood still") : Effect.void
        ),
        Effect.ensuring(Effect.sync(() => (isChecking = false)))
      )
    })

    const ask: ExtensionLife["ask"] = (name, value, limitMs) =>
      Effect.suspend(() => {
        if (status !== "running")
          return Effect.fail(extensionFailed("EXTENSION_UNAVAILABLE", `The extension is ${status}.`))
        if (calls.size >= limits.maxCalls)
          return Effect.fail(
            extensionFailed("EXTENSION_BUSY", `The extension has ${limits.maxCalls} things to do already.`)
          )
        tally.count("calls")
        return calls.ask(name, value, limitMs).pipe(
          Effect.tap(() =>
            Effect.sync(() => {
              tally.succeeded()
              restarts = 0
            })
          ),
          Effect.tapError((failure) =>
            Effect.sync(() => {
              noteFailure(failure)
              if (failure.code === "EXTENSION_TIMEOUT") run(checkAlive)
            })
          ),
          Effect.mapError(({ code, message }) => extensionFailed(code, words(message)))
        )
      })

    const life: ExtensionLife = {
      manifest: () => manifest,
      limits,
      tally,
      isRunning: () => status === "running",
      running: Effect.suspend(() => Deferred.await(running)),
      settled: Deferred.await(settled),
      ask,
      health: Effect.gen(function* () {
        const { events: told = [], id = place, methods = [], name = place, pages, sourceRoutes = [] } = manifest ?? {}
        const said =
          status === "running"
            ? yield* Effect.result(
                Effect.flatMap(calls.ask("health", null, limits.healthMs), (value) =>
                  checked(Said as Schema.Codec<typeof Said.Type>, value, "its health")
                )
              )
            : undefined
        if (said !== undefined && Result.isFailure(said)) {
          noteFailure(said.failure)
          if (said.failure.code === "EXTENSION_TIMEOUT") run(checkAlive)
        }
        const own = said !== undefined && Result.isSuccess(said) ? said.success : undefined
        return {
          id,
          name,
          status,
          ok: status === "running" && own?.ok === true && !tally.isTroubled,
          methods,
          events: told,
          sourceRoutes,
          pages: pages !== undefined || manifest?.handlesPages === true,
          counters: tally.counters,
          ...(own?.details !== undefined && { details: own.details }),
          ...(tally.lastError !== undefined && { lastError: tally.lastError })
        }
      })
    }

    // One that is begun again has other handlers.
    const handle = Effect.gen(function* () {
      const { event, handlers, to } = yield* Queue.take(events)
      if (to === end) yield* life.running
      if (to === end) yield* Effect.ignore(ask("event", { handlers, event }, limits.eventMs))
    })
    yield* Effect.forkScoped(Effect.forever(handle))
    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        isOver = true
        if (status === "running") yield* Effect.ignore(calls.ask("stop", null, limits.stopMs))
        status = "stopped"
        yield* close
      })
    )
    yield* Effect.forkScoped(Effect.ensuring(begin, Deferred.succeed(settled, undefined)))
    return life
  })

/** Why an event may not be told. */
const emitRefusal = (
  allowed: ReadonlyArray<string>,
  type: string,
  json: string,
  { maxEventCharacters }: ExtensionLimits
): string | undefined => {
  if (!allowed.includes(type))
    return `It told the event ${JSON.stringify(type.slice(0, 100))}, which is not in its \`events\`.`
  return json.length > maxEventCharacters ? `It told an event of ${json.length} characters: too many.` : undefined
}

const logLevels: Readonly<Record<string, typeof Effect.logInfo>> = {
  debug: Effect.logDebug,
  info: Effect.logInfo,
  warn: Effect.logWarning,
  error: Effect.logError
}
