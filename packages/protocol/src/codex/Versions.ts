/** The one place that knows what a version of Codex does: looks it up in `VersionTable.ts`. */
import { compareVersions } from "../wire/CompareVersions.ts"
import { messages, requests } from "./Message.ts"
import {
  type FactName,
  type Facts,
  factTable,
  type MeasuredVersion,
  type MethodStage,
  measuredVersions,
  methodsSince,
  methodsUntil,
  stableSince
} from "./VersionTable.ts"

export {
  type FactName,
  type FactRow,
  type Facts,
  factTable,
  type MeasuredVersion,
  type MethodStage,
  measuredVersions
} from "./VersionTable.ts"

/** Something about a version, and how sure that is. */
export interface VersionFinding<V> {
  readonly value: V
  /**
   * Nobody knows: the version was not measured, nor does it lie between two that were and agree. The value is that of the
   * nearest older one (before the first, of the first). What is assumed is to be tried, and never to be refused.
   */
  readonly assumed: boolean
}

/** What a version makes of a method, and how sure that is. */
export interface MethodFinding extends VersionFinding<MethodStage> {}

/** A fact about a version, how sure that is, and where it is from. */
export interface FactFinding<V> extends VersionFinding<V> {
  readonly source: string
}

const has = (
  table: Readonly<Partial<Record<MeasuredVersion, ReadonlyArray<string>>>>,
  method: string,
  version: string
): boolean =>
  measuredVersions.some((each) => compareVersions(each, version) <= 0 && table[each]?.includes(method) === true)

const isIn = (table: Readonly<Partial<Record<MeasuredVersion, ReadonlyArray<string>>>>, method: string): boolean =>
  Object.values(table).some((methods) => methods.includes(method))

/** What a measured version makes of a method. */
const stageIn = (method: string, version: MeasuredVersion): MethodStage => {
  const isKnown = isIn(methodsUntil, method) || Object.hasOwn(messages, method)
  if (!isKnown || has(methodsUntil, method, version)) return "absent"
  if (isIn(methodsSince, method) && !has(methodsSince, method, version)) return "absent"
  if (isIn(stableSince, method) && !has(stableSince, method, version)) return "experimental"
  const rows: Readonly<Record<string, { readonly isExperimental: boolean }>> = { ...requests }
  return rows[method]?.isExperimental === true ? "experimental" : "stable"
}

/** What a version does, told by the measured versions around it. */
const nearest = <V>(version: string, valueIn: (version: MeasuredVersion) => V): VersionFinding<V> => {
  const older = measuredVersions.findLast((each) => compareVersions(each, version) <= 0)
  const newer = measuredVersions.find((each) => compareVersions(each, version) >= 0)
  const value = valueIn(older ?? measuredVersions[0])
  return { value, assumed: older === undefined || newer === undefined || valueIn(newer) !== value }
}

/** What a version makes of a method, such as `lookupMethod("thread/revert", "0.155.0")`. */
export const lookupMethod = (method: string, version: string): MethodFinding =>
  nearest(version, (measured) => stageIn(method, measured))

/** A fact about a version, such as `lookupFact("steerCutsText", "0.166.0")`. */
export const lookupFact = <N extends FactName>(name: N, version: string): FactFinding<Facts[N]> => {
  const { source, values } = factTable[name]
  return { ...nearest(version, (measured) => values[measured]), source }
}
