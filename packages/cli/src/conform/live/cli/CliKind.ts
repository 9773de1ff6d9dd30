/**
 * A kind of CLI that can be judged: what is played to it, how, and what is known of its versions. `CliKinds.ts` has all of
 * them, a row each.
 */
import type { FoundCli } from "@agentwire/bridge/claude"
import type { WireLine } from "@agentwire/fixtures"
import type { Tape } from "@agentwire/protocol"
import type { CliRuleId } from "./CliRules.ts"

/** What both sides said in a scenario. */
export interface CliSession {
  readonly tapes: ReadonlyArray<Tape.Tape>
  /** The lines of all tapes. */
  readonly frames: ReadonlyArray<WireLine>
  /** What did not go as the scenario says. */
  readonly problems: ReadonlyArray<string>
}

/** What came of playing a scenario. */
export interface CliPlayed extends CliSession {
  readonly stderr: string
}

/** Who is played to, and until when. */
export interface CliTarget {
  readonly cli: FoundCli
  readonly signal: AbortSignal
}

/** A scenario that is played to a CLI. */
export interface CliScenario {
  readonly name: string
  readonly about: string
  readonly appliesTo: (version: string) => boolean
  readonly play: (target: CliTarget) => Promise<CliPlayed>
}

/** Something that a version does otherwise than is known of it. */
export interface Breach {
  readonly rule: CliRuleId
  readonly message: string
}

/** A kind of CLI. */
export interface CliKind {
  /** What the ids of its scenarios begin with. */
  readonly prefix: string
  readonly scenarios: ReadonlyArray<CliScenario>
  /** What a session of a scenario has that the version is known to do otherwise. */
  readonly breaches: (scenario: string, version: string, lines: ReadonlyArray<WireLine>) => ReadonlyArray<Breach>
}
