/**
 * How much an extension may take, and for how long. Times are in milliseconds.
 */
import * as Schema from "effect/Schema"

/** The limits of an extension without options. */
export const defaultExtensionLimits = {
  /** To be loaded and started. */
  startMs: 30_000,
  stopMs: 5000,
  /** To answer a method. */
  methodMs: 30_000,
  /** To handle an event: others wait meanwhile, and are dropped when there are too many. */
  eventMs: 10_000,
  /** To take an answer. */
  sourceMs: 30_000,
  pageMs: 30_000,
  healthMs: 2000,
  /** To show that its event loop turns, after it was too late with something. */
  aliveMs: 5000,
  /** Methods, pages and answers that it may have to do at a time. */
  maxCalls: 100,
  /** Events that may wait for it. */
  maxEvents: 1000,
  /** Characters of JSON in an answer, and in an event. */
  maxAnswerCharacters: 10_000_000,
  maxEventCharacters: 1_000_000,
  /** Events and lines of the log that it may tell in a tenth of a second. */
  maxTold: 1000,
  /** Lines of the log in a second. */
  maxLogLines: 20,
  /** What it may keep, and characters of JSON in each of that. */
  maxDocuments: 1000,
  maxDocumentCharacters: 1_000_000,
  /** Prompts whose answers are owed to it. */
  maxOwed: 100,
  /** How often an answer is given before it is given up, and how long the pause after the first try is. */
  maxAttempts: 20,
  retryMs: 1000,
  /** How often in a row it is started again, and how long the pause before the first time is. */
  maxRestarts: 5,
  restartMs: 1000,
  /** Megabytes of memory, where it has a thread of its own. */
  memoryMb: 256
} as const

/** The limits of an extension. */
export type ExtensionLimits = { readonly [K in keyof typeof defaultExtensionLimits]: number }

const limit = Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000_000 })))

/** Limits as they are chosen: those that are left out have their default. */
export const ChosenLimits = Schema.Struct(
  Object.fromEntries(Object.keys(defaultExtensionLimits).map((name) => [name, limit])) as {
    readonly [K in keyof ExtensionLimits]: typeof limit
  }
)

/** All limits. */
export const limitsFor = (chosen: Partial<ExtensionLimits> = {}): ExtensionLimits => ({
  ...defaultExtensionLimits,
  ...chosen
})
