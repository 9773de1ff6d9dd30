/**
 * How hard an agent thinks, and what that is in tokens where an agent is told a number.
 */
import * as Schema from "effect/Schema"

/** How hard an agent thinks. */
export const Effort = Schema.Literals(["low", "medium", "high", "max"])

/** How hard an agent thinks. */
export type Effort = typeof Effort.Type

/** The budget of each effort, in tokens. */
export const thinkingTokens: { readonly [E in Effort]: number } = {
  low: 4000,
  medium: 8000,
  high: 16_000,
  max: 32_000
}
