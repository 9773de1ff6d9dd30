/**
 * Plays the agent's side of a tape to a host: a state machine without a clock or I/O.
 *
 * Give it what the host does, take what the agent does. The agent continues until the tape has a line of the host
 * that has not come yet. Lines may come in another order than they were recorded, and earlier: each is matched
 * with the first line of the tape it fits, and what the agent said is held back only by what had come before it.
 * Ids that the agent invented are said as recorded, and must come back like that; ids of the host become today's.
 */
import { isRecord } from "../wire/Json.ts"
import { IdBijection } from "./IdBijection.ts"
import { isIdKey } from "./IdKeys.ts"
import { linesOf } from "./lines/index.ts"
import type { RuntimeLines } from "./lines/RuntimeLines.ts"
import { makeRenamer } from "./Rename.ts"
import type { ReplayMatch } from "./ReplayMatch.ts"
import { type Cue, type Hear, parseLine, type Quit, type Say, type Script, type Shut } from "./ReplayScript.ts"
import type { Difference, MatchMode } from "./Trial.ts"

/** What a host does. */
export type HostAct =
  | { readonly _tag: "Line"; readonly text: string }
  /** Its end of the input is closed: nothing more will come. */
  | { readonly _tag: "End" }
  /** It asks the process to end. */
  | { readonly _tag: "Signal" }
  /** Its WebSocket was gone and is open again. */
  | { readonly _tag: "Reopened" }

/** What the agent does next, in order, each after its `wait`. */
export type AgentAct = Say | Shut | Quit

/** A line of the host that the tape does not have. */
export interface Mismatch {
  readonly line: string
  /** The line of the tape that is most like it, and what differs; undefined when the tape expects nothing more. */
  readonly nearest: { readonly expected: Hear; readonly differences: ReadonlyArray<Difference> } | undefined
}

/** How far a replay is. */
export interface Replay {
  readonly script: Script
  readonly match: ReplayMatch
  /** The cue that is next. */
  readonly position: number
  /** The cues whose lines have come. */
  readonly heard: ReadonlySet<number>
  readonly ended: boolean
  readonly signalled: boolean
  /** How many gaps in the connection there have been that the tape has not reached. */
  readonly gaps: number
  /** The ids of the tape and today's. Never changed in place. */
  readonly ids: IdBijection
}

/** What came of a step. */
export interface Step {
  readonly replay: Replay
  readonly acts: ReadonlyArray<AgentAct>
  readonly mismatch?: Mismatch
}

/** The beginning: what the agent does before it has heard anything. `pairs` are ids known from elsewhere. */
export const beginReplay = (
  script: Script,
  match: ReplayMatch,
  pairs: Iterable<readonly [taped: string, now: string]> = []
): Step => {
  const ids = new IdBijection()
  for (const [taped, now] of pairs) ids.bind(taped, now)
  for (const id of script.agentIds) ids.bind(id, id)
  return advance({
    script,
    match,
    position: 0,
    heard: new Set(),
    ended: false,
    signalled: false,
    gaps: 0,
    ids
  })
}

/** The host does something. */
export const stepReplay = (replay: Replay, act: HostAct): Step => {
  switch (act._tag) {
    case "Line":
      return act.text.trim() === "" ? { replay, acts: [] } : hear(replay, act.text)
    case "End":
      return advance({ ...replay, ended: true })
    case "Signal":
      return advance({ ...replay, signalled: true })
    case "Reopened":
      return advance({ ...replay, gaps: replay.gaps + 1 })
  }
}

/** Is the tape over? */
export const isOver = ({ position, script }: Replay): boolean => position === script.cues.length

/** What the tape waits for; undefined when it is over. */
export const awaitedCue = ({ position, script }: Replay): Cue | undefined => script.cues[position]

/** The lines of the host that never came, and how many frames of the agent they held back. */
export const missedLines = ({
  heard,
  position,
  script
}: Replay): { readonly lines: ReadonlyArray<Hear>; readonly heldBack: number } => ({
  lines: script.cues.filter((cue, index): cue is Hear => cue._tag === "Hear" && !heard.has(index)),
  heldBack: script.cues.slice(position).filter(({ _tag }) => _tag === "Say").length
})

const hear = (replay: Replay, text: string): Step => {
  const { heard, ids, match, script } = replay
  const { named } = linesOf(script.runtime)
  const readAsHost = (line: string): unknown => named(parseLine(line), "host")
  const actual = readAsHost(text)
  const { compareValue } = makeRenamer(ids)
  const mode = match === "none" ? "shape" : match
  let nearest:
    | { readonly index: number; readonly expected: Hear; readonly differences: ReadonlyArray<Difference> }
    | undefined
  for (const [index, expected] of script.cues.entries()) {
    if (expected._tag !== "Hear" || heard.has(index)) continue
    const differences = compareValue(readAsHost(expected.line), actual, mode)
    if (nearest === undefined || rank(differences) < rank(nearest.differences))
      nearest = { index, expected, differences }
    if (differences.length === 0) break
  }
  if (nearest !== undefined && (match === "none" || nearest.differences.length === 0)) {
    const bound = bindIds(ids, readAsHost(nearest.expected.line), actual, mode)
    return advance({ ...replay, heard: new Set(heard).add(nearest.index), ids: bound })
  }
  // With `none`, a line that the tape does not have is ignored.
  return match === "none" ? { replay, acts: [] } : { replay, acts: [], mismatch: { line: text, nearest } }
}

/** A different message differs more than a different wording of the same one. */
const rank = (differences: ReadonlyArray<Difference>): number =>
  differences.reduce(
    (sum, { path }) => sum + (/\.(?:type|subtype|request_id|method)$|^\$\.id$/.test(path) ? 100 : 1),
    0
  )

const bindIds = (ids: IdBijection, expected: unknown, actual: unknown, mode: MatchMode): IdBijection => {
  const bound = new IdBijection()
  for (const [taped, now] of ids.entries()) bound.bind(taped, now)
  if (makeRenamer(bound).matchValue(expected, actual, mode).length === 0) return bound
  if (!isRecord(expected) || !isRecord(actual)) return bound
  for (const [key, id] of Object.entries(expected)) {
    const now = actual[key]
    if (isIdKey(key) && typeof id === "string" && typeof now === "string") bound.bind(id, now)
  }
  return bound
}

/** An end by a signal is the answer to one that the tape does not show: it is waited for. */
const bySignal = ({ code, signal }: Quit): boolean => signal !== null || (code !== null && code > 128)

const advance = (replay: Replay): Step => {
  const { ended, heard, script, signalled } = replay
  const acts: Array<AgentAct> = []
  const say = rewriter(replay.ids, linesOf(script.runtime))
  let { gaps, position } = replay
  for (; position < script.cues.length; position++) {
    const cue = script.cues[position]
    if (cue === undefined) break
    if (cue._tag === "Hear") {
      if (!heard.has(position)) break
    } else if (cue._tag === "HearEnd") {
      if (!ended && !signalled) break
    } else if (cue._tag === "HearSignal") {
      if (!signalled) break
    } else if (cue._tag === "Gap") {
      if (gaps === 0) break
      gaps--
    } else if (cue._tag === "Quit") {
      if (bySignal(cue) && !signalled && !ended) break
      acts.push(cue)
    } else acts.push(cue._tag === "Say" ? say(cue) : cue)
  }
  return { replay: { ...replay, position, gaps }, acts }
}

/** Most lines have no id of the host in them: those are not looked at any closer. */
const rewriter = (ids: IdBijection, { renumbered }: RuntimeLines): ((say: Say) => Say) => {
  const changed = [...ids.entries()].filter(([taped, now]) => taped !== now).map(([taped]) => taped)
  const { rewrite } = makeRenamer(ids)
  return (say) => {
    const { channel, data } = say
    if (typeof data !== "string" || channel === "stderr" || changed.length === 0) return say
    const renamed = changed.some((id) => data.includes(id)) ? rewrite(data) : data
    const now = renamed
      .split("\n")
      .map((line) => renumbered(line, "agent", (name) => ids.get(name)))
      .join("\n")
    return now === data ? say : { ...say, data: now }
  }
}
