/**
 * The one place that knows what a version of the CLI does: looks up the facts of `VersionTable.ts` and
 * the answers of `ControlAnswers.ts`.
 */
import { compareVersions } from "../wire/CompareVersions.ts"
import { type Answer, controlAnswers } from "./ControlAnswers.ts"
import {
  hookEventVersions,
  type Knowledge,
  type KnowledgeRow,
  type LaunchOptionName,
  launchOptions,
  noHookEvent
} from "./LaunchOptions.ts"
import { type FactName, type FactRow, type Facts, type VersionRow, versionTable } from "./VersionTable.ts"

export { compareVersions } from "../wire/CompareVersions.ts"
export { type Answer, type AnswerRow, controlAnswers, measuredVersions } from "./ControlAnswers.ts"
export {
  hookEventVersions,
  type Knowledge,
  type KnowledgeRow,
  type LaunchOption,
  type LaunchOptionName,
  launchOptions
} from "./LaunchOptions.ts"
export { type FactName, type FactRow, type Facts, type VersionRow, versionTable } from "./VersionTable.ts"

/** What a version does, and how sure that is. */
export interface Finding<V> {
  readonly value: V
  /**
   * Nobody knows: the version was not measured, nor does it lie between two that were and agree. The value is that of
   * the nearest older one that was (before the first, of the first). What is assumed is to be tried, with a time limit,
   * and never to be refused.
   */
  readonly assumed: boolean
  readonly source: string
}

/** What was measured of one thing: a value and the versions that had it, oldest first. */
interface Measured<V> {
  readonly value: V
  readonly measured: ReadonlyArray<string>
}

/** The measurement that speaks for a version, and whether it is a guess; undefined where there is none at all. */
const nearest = <V, R extends Measured<V>>(
  rows: ReadonlyArray<R>,
  version: string
): { readonly row: R; readonly assumed: boolean } | undefined => {
  const older = rows.findLast(({ measured }) => measured.some((each) => compareVersions(each, version) <= 0))
  const newer = rows.find(({ measured }) => measured.some((each) => compareVersions(each, version) >= 0))
  const row = older ?? newer
  return row && { row, assumed: older !== newer }
}

const rowsOf = <N extends FactName>(name: N): ReadonlyArray<VersionRow & FactRow<N>> =>
  versionTable.filter((row): row is VersionRow & FactRow<N> => row.fact === name)

/** A fact about a version, whether it is a guess, and where it is from. */
export const lookup = <N extends FactName>(name: N, version: string): Finding<Facts[N]> => {
  const found = nearest<Facts[N], VersionRow & FactRow<N>>(rowsOf(name), version)
  if (found === undefined) throw new Error(`The table of versions has no row for ${name}.`)
  const { assumed, row } = found
  return { value: row.value, assumed, source: row.source }
}

/**
 * A fact about a version, such as `fact("subagentTool", "2.1.150")`. Where nobody knows it is a guess: {@link lookup}
 * tells.
 */
export const fact = <N extends FactName>(name: N, version: string): Facts[N] => lookup(name, version).value

/** What a version does with a control request of the host, as far as that is known. */
export interface AnswerFinding {
  /** `unknown` for subtypes nobody tried and for versions before the first that was tried. */
  readonly value: Answer | "unknown"
  /** As in {@link Finding}: the request is to be tried, with a time limit. */
  readonly assumed: boolean
}

/** What a version does with a control request of the host, and whether that is a guess. */
export const lookupAnswer = (subtype: string, version: string): AnswerFinding => {
  const { newer, older } = neighbours(Object.hasOwn(controlAnswers, subtype) ? controlAnswers[subtype] : {}, version)
  return older === undefined ? { value: "unknown", assumed: true } : { value: older, assumed: older !== newer }
}

/** What the nearest versions that were tried did: the one before or the same, and the one after or the same. */
const neighbours = <V>(
  row: Readonly<Record<string, V>> = {},
  version: string
): { readonly older: V | undefined; readonly newer: V | undefined } => {
  const tried = Object.entries(row).sort(([a], [b]) => compareVersions(a, b))
  return {
    older: tried.findLast(([each]) => compareVersions(each, version) <= 0)?.[1],
    newer: tried.find(([each]) => compareVersions(each, version) >= 0)?.[1]
  }
}

/** Whether a version answers a control request of the host. Where nobody knows it is a guess: {@link lookupAnswer} tells. */
export const answers = (subtype: string, version: string): Answer | "unknown" => lookupAnswer(subtype, version).value

/** Whether a version knows an option or an event, as far as that is known. */
export interface KnowledgeFinding {
  readonly value: Knowledge
  /** As in {@link Finding}: it is to be tried. */
  readonly assumed: boolean
}

const knowledgeIn = (row: KnowledgeRow, version: string): KnowledgeFinding => {
  const { newer, older } = neighbours(row, version)
  // What is older than all that were tried is like the oldest of them.
  return { value: older ?? newer ?? "unknown", assumed: older === undefined || older !== newer }
}

/** Whether a version knows an option that a session is started with, and whether that is a guess. */
export const lookupOption = (name: LaunchOptionName, version: string): KnowledgeFinding =>
  knowledgeIn(launchOptions[name].versions, version)

/** Whether a version calls hooks at an event, and whether that is a guess. */
export const lookupHookEvent = (event: string, version: string): KnowledgeFinding =>
  knowledgeIn(
    Object.hasOwn(hookEventVersions, event) ? hookEventVersions[event as keyof typeof hookEventVersions] : noHookEvent,
    version
  )
