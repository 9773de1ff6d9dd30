/**
 * Which events a client wants, of which sessions: patterns, each of all sessions or of some.
 */
import { matchesEvent } from "@agentwire/protocol/gateway"

/** Which events a client wants. */
export class Interests {
  readonly #patterns = new Map<string, "all" | Set<string>>()
  /** By session, and by event: what was found out already. Without a session: the empty name. */
  #known = new Map<string, Map<string, boolean>>()

  /** Adds a pattern: of all sessions, or of these. */
  add(pattern: string, sessions: ReadonlyArray<string> | undefined): void {
    const before = this.#patterns.get(pattern)
    if (sessions === undefined || before === "all") this.#patterns.set(pattern, "all")
    else this.#patterns.set(pattern, new Set([...(before ?? []), ...sessions]))
    this.#known = new Map()
  }

  /** Takes a pattern back. */
  remove(pattern: string): void {
    this.#patterns.delete(pattern)
    this.#known = new Map()
  }

  /** How many patterns there are. */
  get size(): number {
    return this.#patterns.size
  }

  /** Whether an event of a session is wanted; or an event of none. */
  wants(event: string, sessionId = ""): boolean {
    const ofSession = this.#known.get(sessionId) ?? new Map<string, boolean>()
    if (ofSession.size === 0) this.#known.set(sessionId, ofSession)
    const known = ofSession.get(event)
    if (known !== undefined) return known
    const isWanted = this.#isWanted(event, sessionId)
    // The names of events are the gateway's own, but those of extensions are not.
    if (ofSession.size < maxKnown) ofSession.set(event, isWanted)
    return isWanted
  }

  /** Whether anything of a session is wanted. */
  wantsSession(sessionId: string): boolean {
    for (const [pattern, sessions] of this.#patterns)
      if (isOfSessions(pattern) && (sessions === "all" || sessions.has(sessionId))) return true
    return false
  }

  /** Whether anything of all sessions is wanted. */
  wantsAllSessions(): boolean {
    for (const [pattern, sessions] of this.#patterns) if (isOfSessions(pattern) && sessions === "all") return true
    return false
  }

  #isWanted(event: string, sessionId: string): boolean {
    for (const [pattern, sessions] of this.#patterns)
      if (matchesEvent(pattern, event) && (sessions === "all" || (sessionId !== "" && sessions.has(sessionId))))
        return true
    return false
  }
}

const maxKnown = 1000

const isOfSessions = (pattern: string): boolean => pattern === "*" || pattern.startsWith("session.")
