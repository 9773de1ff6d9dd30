/**
 * What a call of the gateway fails with.
 */

/** What went wrong. */
export interface GatewayFailure {
  /**
   * Stable: a code of the server (docs/errors.md), `TIMEOUT`, `DISCONNECTED` (the connection broke before there was an
   * answer: it may have been done) or `CLOSED` (this client is).
   */
  readonly code: string
  readonly message: string
  /** The stable code of what went wrong below, where there is one. */
  readonly why?: string
}

/** A call that failed. */
export class GatewayError extends Error {
  override readonly name = "GatewayError"
  /** Stable: a code of the server (docs/errors.md), `TIMEOUT`, `DISCONNECTED` or `CLOSED`. */
  readonly code: string
  /** The stable code of what went wrong below, where there is one. */
  readonly why: string | undefined

  constructor({ code, message, why }: GatewayFailure) {
    super(message)
    this.code = code
    this.why = why
  }
}
