/**
 * What a rule of the catalogue is. A rule says what a producer of AG-UI owes, how badly, where that is written and
 * to which clients it matters. The code that finds a breach is beside the table of its family, in `rules/`.
 */
import type { Dialect } from "../agui/Dialect.ts"

/** How bad a breach is: `error` is a MUST or what a client rejects, `warning` a SHOULD or lost content, `info` neither. */
export type Level = "error" | "warning" | "info"

/** What a rule is about: the second part of its id, in lower case. */
export type Family =
  | "run"
  | "text"
  | "tool-call"
  | "tool-result"
  | "reasoning"
  | "state"
  | "messages"
  | "activity"
  | "step"
  | "subagent"
  | "interrupt"
  | "chunk"
  | "custom"
  | "identity"
  | "usage"
  | "version"
  | "wire"
  | "fidelity"
  | "schema"

/** A rule. */
export interface Rule {
  /** Stable, and never given to another rule: `AGUI-RUN-003`. */
  readonly id: string
  readonly family: Family
  readonly level: Level
  /** What a producer owes, in one sentence. */
  readonly requirement: string
  /** Where that is from: version and section of the specification, or the stage of a client that rejects it. */
  readonly spec: string
  /** The dialects it holds in. */
  readonly dialects: ReadonlyArray<Dialect>
}

/** A rule as its family's table writes it: the id is the key, and both dialects are meant where none is named. */
export interface RuleText extends Pick<Rule, "level" | "requirement" | "spec"> {
  readonly dialects?: ReadonlyArray<Dialect>
}

/** The dialects of a rule that holds for every client. */
const bothDialects: ReadonlyArray<Dialect> = ["1.0", "0.0"]

/** The rules of a family, from their table. */
export const rulesOf = <K extends string>(
  family: Family,
  table: Readonly<Record<K, RuleText>>
): { readonly [P in K]: Rule } =>
  Object.fromEntries(
    Object.entries<RuleText>(table).map(([id, text]) => [id, { id, family, dialects: bothDialects, ...text }])
  ) as { readonly [P in K]: Rule }
