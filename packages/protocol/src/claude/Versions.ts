/**
 * The one place that knows what a version of the CLI does: looks up the facts of `VersionTable.ts` and
 * the answers of `ControlAnswers.ts`.
 */
import { type Answer, controlAnswers, measuredVersions } from "./ControlAnswers.ts"
import { type FactName, type FactRow, type Facts, type VersionRow, versionTable } from "./VersionTable.ts"

export { type Answer, type AnswerRow, controlAnswers, measuredVersions } from "./ControlAnswers.ts"
export { type FactName, type FactRow, type Facts, type VersionRow, versionTable } from "./VersionTable.ts"

/** The numbers of a version: of `2.1.150`, and of `2.1.150 (Claude Code)` as `claude --version` prints it. */
const numbers = (version: string): ReadonlyArray<number> =>
  (/\d+(?:\.\d+)*/.exec(version)?.[0] ?? "").split(".").map(Number)

/**
 * Compares two versions number by number: negative when `a` is older. Missing numbers count as 0, and
 * what is not a version is older than all.
 */
export const compareVersions = (a: string, b: string): number => {
  const left = numbers(a)
  const right = numbers(b)
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** A fact about a version, and how sure it is. */
export interface Finding<V> {
  readonly value: V
  /** The version itself was not measured: the value is that of the nearest older one that was. */
  readonly assumed: boolean
  readonly source: string
}

/** A fact about a version with its provenance; undefined before the first version measured. */
export const lookup = <N extends FactName>(name: N, version: string): Finding<Facts[N]> | undefined => {
  const row = versionTable
    .filter((row): row is VersionRow & FactRow<N> => row.fact === name)
    .findLast(({ from }) => compareVersions(from, version) <= 0)
  return (
    row && {
      value: row.value,
      assumed: !row.measured.some((measured) => compareVersions(measured, version) === 0),
      source: row.source
    }
  )
}

/**
 * A fact about a version, such as `fact("subagentTool", "2.1.150")`; undefined before the first version
 * measured. Between two measured versions it is the older one's: {@link lookup} says when that is a guess.
 */
export const fact = <N extends FactName>(name: N, version: string): Facts[N] | undefined => lookup(name, version)?.value

/**
 * Whether a version answers a control request of the host; `unknown` for subtypes nobody tried and
 * for versions before the first measured one. Between two measured versions it is the older one's answer.
 */
export const answers = (subtype: string, version: string): Answer | "unknown" => {
  const row = Object.hasOwn(controlAnswers, subtype) ? controlAnswers[subtype] : undefined
  const measured = measuredVersions.findLastIndex(
    (candidate, i) => (row?.[i] ?? null) !== null && compareVersions(candidate, version) <= 0
  )
  return row?.[measured] ?? "unknown"
}
