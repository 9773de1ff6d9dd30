/**
 * Whether a connection that broke has lost something.
 *
 * A CLI that connects again names the last message it wrote, whether it arrived or not (`X-Last-Request-Id`,
 * docs/wire/claude-code.md §2). One that was never heard was written into the cut. 2.1.37 does not send it again;
 * 2.1.120 sends its last 1000 messages again, and when even the first of those is new, others before it are gone.
 * Messages without a `uuid` (control requests and their answers) are never sent again: no version counts them. What the
 * CLI still asks has to be asked for (`PendingRequests.ts`).
 */
import type { Decoded } from "@agentwire/protocol/claude"
import { isRecord, parseJson } from "@agentwire/protocol/wire"

/** More than any version sends again. */
const maxRemembered = 2000

/** The messages heard from an agent, as far back as it may send them again. */
export class HeardMessages {
  readonly #uuids = new Set<string>()
  readonly #requests = new Set<string>()
  #isInDoubt = false

  /** Something was written that did not arrive, and nothing has been sent again yet. */
  get isInDoubt(): boolean {
    return this.#isInDoubt
  }

  /** Whether anything was heard that could have been lost. */
  get hasBegun(): boolean {
    return this.#uuids.size > 0
  }

  /** Whether a control request was heard. */
  hasRequest(id: string): boolean {
    return this.#requests.has(id)
  }

  /** Notes that the CLI is back, and which message it says it wrote last. */
  noteReconnect(lastWritten: string | undefined): void {
    this.#isInDoubt = lastWritten !== undefined && !this.#uuids.has(lastWritten)
  }

  /** Notes a message that has come. False when it shows that earlier ones never will. */
  noteMessage(decoded: Decoded): boolean {
    const message = messageOf(decoded)
    const uuid = textAt(message, "uuid")
    if (uuid === undefined) {
      const request = textAt(message, "request_id")
      if (request !== undefined) remember(this.#requests, request)
      return true
    }
    if (this.#isInDoubt && this.#uuids.size > 0 && !this.#uuids.has(uuid)) return false
    this.#isInDoubt = false
    remember(this.#uuids, uuid)
    return true
  }
}

/** Adds an id as the newest, and forgets the oldest when there are too many. */
const remember = (ids: Set<string>, id: string): void => {
  ids.delete(id)
  ids.add(id)
  if (ids.size <= maxRemembered) return
  for (const oldest of ids) {
    ids.delete(oldest)
    break
  }
}

const textAt = (message: unknown, key: string): string | undefined => {
  const value = isRecord(message) ? message[key] : undefined
  return typeof value === "string" ? value : undefined
}

const messageOf = (decoded: Decoded): unknown => {
  if (decoded._tag === "Known") return decoded.message
  if (decoded._tag === "Unknown" || typeof decoded.raw !== "string") return decoded.raw
  return parseJson(decoded.raw)
}
