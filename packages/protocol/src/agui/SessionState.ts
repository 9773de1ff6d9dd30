/** The shared state: the application's own, and beside it what the session says about itself. */
import { isRecord } from "../wire/Json.ts"

/** The key under which the state holds what the session says about itself. */
export const sessionStateKey = "agentwire"

/** A state of the application. */
export interface BroughtState {
  /** Without what the session says about itself. */
  readonly state: unknown
}

/**
 * The application's state in what a client sends. Undefined when it has none: a client that knows nothing of a state
 * sends an empty one. One that has been given the session's key knows better: what is empty then was emptied.
 */
export const broughtState = (sent: unknown): BroughtState | undefined => {
  if (sent === undefined || sent === null || sent === "") return undefined
  if (!isRecord(sent)) return { state: sent }
  const { [sessionStateKey]: session, ...state } = sent
  return session === undefined && Object.keys(state).length === 0 ? undefined : { state }
}
