/**
 * Where a reader of normalised events is: what it has been told that later events refer to. A value that no function
 * changes in place; it grows with what is open, not with the length of the conversation.
 */
import type { Action, Lane } from "../model/Event.ts"
import { emptySituation, type Situation } from "../model/Situation.ts"
import type { NormalisedEvent } from "./Event.ts"

/** A call that has no result yet. */
export interface OpenCall {
  readonly lane: Lane
  readonly tool: string
  readonly action: Action
  /** As far as they were streamed. */
  readonly arguments: string
  /** Whether the reader knows of it. */
  readonly told: boolean
  readonly denied: boolean
}

/** Where a reader is. */
export interface NormalisedCursor {
  readonly sessionId: string
  /** What people call the agent. */
  readonly runtime: string | undefined
  /** The agent's own session that the reader knows. */
  readonly provider: string | undefined
  readonly inTurn: boolean
  /** The newest message of the main conversation in this turn. */
  readonly answer: { readonly id: string; readonly text: string } | undefined
  readonly lanes: ReadonlySet<string>
  /** By id. */
  readonly calls: ReadonlyMap<string, OpenCall>
  /** Calls that have their results, and thoughts that are being thought, with their lanes. */
  readonly answered: ReadonlyMap<string, Lane>
  readonly thoughts: ReadonlyMap<string, Lane>
  readonly requests: Situation["requests"]
  /** What happened in the main conversation since the turn ended: it is told when the next one begins. */
  readonly held: ReadonlyArray<NormalisedEvent>
}

/** What a cursor is told about its session. */
export interface NormalisedOptions {
  readonly sessionId: string
  readonly runtime?: string
}

/** A reader that has had everything before a point where this was open. */
export const initialNormalised = (
  { runtime, sessionId }: NormalisedOptions,
  { items, lanes, requests, session, turn }: Situation = emptySituation
): NormalisedCursor => {
  const open = [...items]
  return {
    sessionId,
    runtime,
    provider: session?.sessionId,
    inTurn: turn !== undefined,
    answer: undefined,
    lanes: new Set(lanes.keys()),
    calls: new Map(
      open.flatMap(([id, { item, lane, phase }]) =>
        item.kind === "call"
          ? [
              [
                id,
                { lane, tool: item.tool, action: item.action, arguments: "", told: phase === "ended", denied: false }
              ]
            ]
          : []
      )
    ),
    answered: new Map(),
    thoughts: new Map(
      open.flatMap(([id, { item, lane, phase }]) =>
        item.kind === "thought" && phase === "growing" ? [[id, lane]] : []
      )
    ),
    requests,
    held: []
  }
}
