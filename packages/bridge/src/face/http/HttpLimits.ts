/**
 * How much a request and its connection may take. Every limit is an option; the defaults are for a bridge that strangers
 * on the same machine, or the same network, can reach.
 */
import type * as Duration from "effect/Duration"

/** How much a request may take. */
export interface HttpLimits {
  /** Bytes of a body. A run brings the whole conversation. Default 50,000,000. */
  readonly maxBodyBytes?: number
  /** How many values the JSON of a body may have, those in lists and objects included. Default 500,000. */
  readonly maxValues?: number
  /** Characters of one message of a run, and of all that a body has besides messages. Default 10,000,000. */
  readonly maxPartLength?: number
  /** How many values one message may have, and all that a body has besides messages. Default 20,000. */
  readonly maxPartValues?: number
  /**
   * How many messages a run may bring that may be new to the agent: those after the last thing it said, and all
   * instructions. Default 1,000.
   */
  readonly maxNewMessages?: number
  /** Characters of their text, of the state and of the context: no model reads as many. Default 4,000,000. */
  readonly maxNewText?: number
  /** Characters of all that, attachments (as base64) included. Default 10,000,000. */
  readonly maxNewLength?: number
  /**
   * Bytes of all large bodies (of more than 500,000 bytes) that are read at one time; others wait until there is room.
   * At least one is read, however large. Default 100,000,000.
   */
  readonly maxBodiesBytes?: number
  /** How deep JSON may nest. Default 200. */
  readonly maxDepth?: number
  /** Bytes of all headers. Default 16,384. */
  readonly maxHeaderBytes?: number
  /** How many headers. Default 100. */
  readonly maxHeaders?: number
  /** How long the headers may take. Default 10 seconds. */
  readonly headersTimeout?: Duration.Input
  /** How long a large body may wait for room, and how long a body may take to arrive. Default 30 seconds. */
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
  maxBodyBytes: 50_000_000,
  maxValues: 500_000,
  maxPartLength: 10_000_000,
  maxPartValues: 20_000,
  maxNewMessages: 1000,
  maxNewText: 4_000_000,
  maxNewLength: 10_000_000,
  maxBodiesBytes: 100_000_000,
  maxDepth: 200,
  maxHeaderBytes: 16_384,
  maxHeaders: 100,
  headersTimeout: "10 seconds",
  requestTimeout: "30 seconds",
  idleTimeout: "5 seconds",
  maxConnections: 1000
}
