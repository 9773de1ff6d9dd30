/**
 * Whether a connection that broke has lost something.
 *
 * A CLI that connects again names the last message it wrote, whether it arrived or not (`X-Last-Request-Id`,
 * docs/wire/claude-code.md §2). One that was never heard was written into the cut. 2.1.37 does not send it again;
 * 2.1.120 sends its last 1000 messages again, and when even the first of those is new, others before it are gone.
 * Messages without a `uuid` (control requests and their answers) cannot be accounted for: no version counts them.
 */
import type { Decoded } from "@agentwire/protocol/claude"
import { isRecord, parseJson } from "@agentwire/protocol/wire"

/** More than any version sends again. */
const maxRemembered = 2000

/** The messages heard from an agent, as far back as it may send them again. */
export class HeardMessages {
  readonly #uuids = new Set<string>()
  #isInDoubt = false

  /** Something was written that did not arrive, and nothing has been sent again yet. */
  get isInDoubt(): boolean {
    return this.#isInDoubt
  }

  /** Notes that the CLI is back, and which message it says it wrote last. */
  noteReconnect(lastWritten: string | undefined): void {
    this.#isInDoubt = lastWritten !== undefined && !this.#uuids.has(lastWritten)
  }

  /** Notes a message that has come. False when it shows that earlier ones never will. */
  noteMessage(decoded: Decoded): boolean {
    const uuid = uuidOf(decoded)
    if (uuid === undefined) return true
    if (this.#isInDoubt && this.#uuids.size > 0 && !this.#uuids.has(uuid)) return false
    this.#isInDoubt = false
    this.#remember(uuid)
    return true
  }

  #remember(uuid: string): void {
    this.#uuids.delete(uuid)
    this.#uuids.add(uuid)
    if (this.#uuids.size <= maxRemembered) return
    for (const oldest of this.#uuids) {
      this.#uuids.delete(oldest)
      break
    }
  }
}

const uuidOf = (decoded: Decoded): string | undefined => {
  const message = messageOf(decoded)
  return isRecord(message) && typeof message["uuid"] === "string" ? message["uuid"] : undefined
}

const messageOf = (decoded: Decoded): unknown => {
  if (decoded._tag === "Known") return decoded.message
  if (decoded._tag === "Unknown" || typeof decoded.raw !== "string") return decoded.raw
  return parseJson(decoded.raw)
}
