/**
 * How much a request and its connection may take. Every limit is an option; the defaults are for a bridge that strangers
 * on the same machine, or the same network, can reach.
 */
import type * as Duration from "effect/Duration"

/** How much a request may take. */
export interface HttpLimits {
  /** Bytes of a body. Default 10,000,000. */
  readonly maxBodyBytes?: number
  /** How many values the JSON of a body may have, those in lists and objects included. Default 20,000. */
  readonly maxValues?: number
  /** How deep JSON may nest. Default 200. */
  readonly maxDepth?: number
  /** Bytes of all headers. Default 16,384. */
  readonly maxHeaderBytes?: number
  /** How many headers. Default 100. */
  readonly maxHeaders?: number
  /** How long the headers may take. Default 10 seconds. */
  readonly headersTimeout?: Duration.Input
  /** How long the whole request may take. Default 30 seconds. */
  readonly requestTimeout?: Duration.Input
  /** How long an unused connection stays. Default 5 seconds. */
  readonly idleTimeout?: Duration.Input
  /**
   * How many connections at once. When there are more, the oldest that never showed the token is closed, then the
   * oldest that has it and does nothing with it. Default 1,000.
   */
  readonly maxConnections?: number
}

/** The limits of a server without options. */
export const defaultHttpLimits: Required<HttpLimits> = {
  maxBodyBytes: 10_000_000,
  maxValues: 20_000,
  maxDepth: 200,
  maxHeaderBytes: 16_384,
  maxHeaders: 100,
  headersTimeout: "10 seconds",
  requestTimeout: "30 seconds",
  idleTimeout: "5 seconds",
  maxConnections: 1000
}
