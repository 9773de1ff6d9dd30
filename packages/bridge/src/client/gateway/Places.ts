/**
 * How far this client has come in each session, so that it goes on there when its connection broke.
 */
import type { EventFrame, Position, ResultOf } from "@agentwire/protocol/gateway"

/** Of how many sessions a client knows how far it has come: those that it heard of last. */
const maxSessions = 100

/** How far a client has come. */
export class Places {
  readonly #places = new Map<string, Position>()
  readonly #epochs = new Map<string, number>()

  /** An event has come. */
  note({ payload }: typeof EventFrame.Type): void {
    const { part, seq, sessionId } = (payload ?? {}) as Readonly<Record<string, unknown>>
    if (typeof sessionId !== "string" || typeof seq !== "number") return
    const epoch = this.#epochs.get(sessionId)
    // The newest is the last.
    this.#places.delete(sessionId)
    this.#places.set(sessionId, {
      seq,
      ...(typeof part === "number" && { part }),
      ...(epoch !== undefined && { epoch })
    })
    const [oldest] = this.#places.keys()
    if (this.#places.size > maxSessions && oldest !== undefined) this.#places.delete(oldest)
  }

  /** Somebody begins elsewhere. */
  set(after: Readonly<Record<string, Position>>): void {
    for (const [sessionId, position] of Object.entries(after)) this.#places.set(sessionId, position)
  }

  /** Where to go on. */
  after(): Readonly<Record<string, Position>> {
    return Object.fromEntries(this.#places)
  }

  /** What `subscribe` answered: the sessions that do not go on where they were. Their numbers are forgotten. */
  answered(
    sessions: NonNullable<ResultOf<"subscribe">["sessions"]>,
    asked: ReadonlyArray<string>
  ): ReadonlyArray<string> {
    for (const [sessionId, { epoch }] of Object.entries(sessions)) this.#epochs.set(sessionId, epoch)
    const lost = asked.filter((sessionId) => sessions[sessionId]?.resumed !== true)
    for (const sessionId of lost) this.#places.delete(sessionId)
    return lost
  }
}
