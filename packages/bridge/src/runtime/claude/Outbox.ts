/**
 * What was sent over a connection that can break, until it is known to have arrived.
 *
 * A line is forgotten when the other side has answered the ping that followed it. After a reconnect, what was
 * never written is written; what was written and may have been lost is written again where a repetition does no harm: a
 * control message names its request, and the CLI skips a `uuid` it has seen (docs/wire/claude-code.md §5.25, §5.38).
 * A prompt without a `uuid` is better lost than run twice.
 */
import { encodeLine } from "@agentwire/protocol/claude"

/** A line on its way. */
export interface Outgoing {
  readonly number: number
  readonly line: string
  readonly repeatable: boolean
  written: boolean
}

/** What may be on its way at a time. */
export interface OutboxLimits {
  /** How many messages. Default 256. */
  readonly maxUnconfirmed?: number
  /** How many characters. Default 16,000,000. */
  readonly maxUnconfirmedCharacters?: number
}

/** How many characters may be on their way where nothing else is said. */
export const defaultMaxCharacters = 16_000_000

/** The lines that are on their way. */
export class Outbox {
  readonly #maxLines: number
  readonly #maxCharacters: number
  #lines: Array<Outgoing> = []
  #characters = 0
  #last = 0

  constructor({ maxUnconfirmed = 256, maxUnconfirmedCharacters = defaultMaxCharacters }: OutboxLimits = {}) {
    this.#maxLines = maxUnconfirmed
    this.#maxCharacters = maxUnconfirmedCharacters
  }

  /** Whether nothing more should be added before something has arrived. */
  get isFull(): boolean {
    return this.#lines.length >= this.#maxLines || this.#characters >= this.#maxCharacters
  }

  /** Adds a message. */
  add(message: object): Outgoing {
    const line = encodeLine(message)
    const outgoing = { number: ++this.#last, line, repeatable: isRepeatable(message), written: false }
    this.#lines.push(outgoing)
    this.#characters += line.length
    return outgoing
  }

  /** Everything up to this number has arrived. */
  confirm(number: number): void {
    this.#keep((outgoing) => outgoing.number > number)
  }

  /** What a new connection has to get, oldest first. */
  unsent(): ReadonlyArray<Outgoing> {
    this.#keep(({ repeatable, written }) => repeatable || !written)
    return this.#lines
  }

  #keep(wanted: (outgoing: Outgoing) => boolean): void {
    this.#lines = this.#lines.filter(wanted)
    this.#characters = this.#lines.reduce((sum, { line }) => sum + line.length, 0)
  }
}

const isRepeatable = (message: object): boolean =>
  ("type" in message && typeof message.type === "string" && message.type.startsWith("control_")) ||
  ("uuid" in message && typeof message.uuid === "string")
