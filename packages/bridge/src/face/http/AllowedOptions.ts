/**
 * Which options of sessions callers may choose over HTTP: those that are harmless, and those that the owner of the bridge
 * names.
 */
import * as Effect from "effect/Effect"
import { refusedOption, type SessionOptionName } from "../../session/OptionRules.ts"
import { type HttpRefusal, refuse } from "./HttpRefusal.ts"

/** What callers may choose about sessions. */
export interface AllowedOptions {
  /**
   * Besides what is harmless: the names of options, such as `env`. `all` is for the program that has the bridge. Default
   * none.
   */
  readonly sessionOptions?: ReadonlyArray<SessionOptionName> | "all"
}

/** Refuses options that the owner of the bridge does not let callers choose. */
export const checkAllowed = (
  { sessionOptions = [] }: AllowedOptions,
  chosen: Parameters<typeof refusedOption>[0]
): Effect.Effect<void, HttpRefusal> => {
  const refused = refusedOption(chosen, sessionOptions, "harmless")
  return refused === undefined ? Effect.void : Effect.fail(refuse("OPTION_REFUSED", refused.message))
}
