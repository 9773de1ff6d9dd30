/**
 * What the methods of a `Bridge` reject with: an error with a stable code, without Effect.
 */
import * as Cause from "effect/Cause"

/** What went wrong, as all failures of the bridge say it. */
export interface BridgeFailure {
  readonly code: string
  readonly message: string
  /** The stable code of what went wrong below, where there is one. */
  readonly why?: string | undefined
}

/** A call of a `Bridge` that failed, or a run that did. */
export class BridgeError extends Error {
  override readonly name = "BridgeError"
  /**
   * Stable: those of the HTTP refusals (`SESSION_NOT_FOUND`, `THREAD_BUSY`, `AGENT_TIMEOUT` and so on), those of a
   * bridge that does not start (`PORT_IN_USE`, `UNSAFE`, `CLI_NOT_FOUND` and so on), those of `RUN_ERROR` for runs,
   * and `NOT_STARTED`, `STOPPED`, `EVENTS_LOST`, `SESSION_CLOSED`, `INTERNAL`.
   */
  readonly code: string
  /** The stable code of what went wrong below, where there is one. */
  readonly why: string | undefined

  constructor({ code, message, why }: BridgeFailure, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.why = why
  }
}

/** The error for a failed effect. One that was interrupted ended because the bridge did. */
export const bridgeErrorOf = (cause: Cause.Cause<unknown>): BridgeError => {
  if (Cause.hasInterruptsOnly(cause)) return new BridgeError(bridgeStopped)
  const failure = Cause.squash(cause)
  if (failure instanceof BridgeError) return failure
  if (isFailure(failure)) return new BridgeError(inWordsOfTheClass(failure))
  return new BridgeError({ code: "INTERNAL", message: "Something broke inside the bridge." }, { cause: failure })
}

/** The bridge has ended. */
export const bridgeStopped: BridgeFailure = {
  code: "STOPPED",
  message: "The bridge was stopped. A bridge runs once: make another one."
}

/** The bridge has not begun. */
export const bridgeNotStarted: BridgeFailure = {
  code: "NOT_STARTED",
  message: "The bridge has not been started: await start(), or open() where another server serves its handler()."
}

const isFailure = (failure: unknown): failure is BridgeFailure =>
  typeof failure === "object" &&
  failure !== null &&
  "code" in failure &&
  typeof failure.code === "string" &&
  "message" in failure &&
  typeof failure.message === "string"

/** What the management API calls something, and what the class does. */
const words: ReadonlyArray<readonly [RegExp, string]> = [
  [/^The (?:body|query) does not fit/, "The arguments do not fit"],
  [/^The body is not an answer/, "This is not an answer"],
  [/POST …\/start/, "startSession()"],
  [/POST …\/interrupt/, "interrupt()"],
  [/POST \/api\/sessions/, "createSession()"]
]

const inWordsOfTheClass = ({ code, message, why }: BridgeFailure): BridgeFailure => ({
  code,
  message: words.reduce((text, [theirs, ours]) => text.replace(theirs, ours), message),
  why
})
