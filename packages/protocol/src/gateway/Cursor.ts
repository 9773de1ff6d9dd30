/**
 * Where a reader of the gateway is in a session: what it has been told that later events refer to. A value that no
 * function changes in place; it grows with what is open, not with the length of the conversation.
 */
import type { Action, Lane } from "../model/Event.ts"
import { emptySituation, type Situation } from "../model/Situation.ts"
import { noUsage, type Usage } from "../model/Usage.ts"

/** A message that is being said. */
export interface OpenMessage {
  readonly id: string
  /** It began with a reply of the model, and ends with that. Others end when a tool has run, or something else is said. */
  readonly isReply: boolean
  /** The index of its next block. */
  readonly next: number
  readonly hasCalls: boolean
}

/** A text, a thought or a call that may go on. */
export interface OpenBlock {
  readonly lane: Lane
  readonly kind: "text" | "thinking" | "tool_use"
  /** The message that it is begun in, where the reader has not seen it before. */
  readonly message: string
  /** Of a call. */
  readonly call: { readonly name: string; readonly action: Action } | undefined
  /** All of it until now. */
  readonly text: string
  readonly signature: string | undefined
  /** Its index in the message that is open; undefined while the reader takes it for ended. */
  readonly index: number | undefined
}

/** Where a reader is. */
export interface GatewayCursor {
  readonly sessionId: string
  /** The number of the entry that was read last; -1: none. */
  readonly seq: number
  readonly model: string
  readonly turn: { readonly cause: "prompt" | "agent"; readonly ticket: string | undefined } | undefined
  /** The turn was stopped: the reader takes it for ended. */
  readonly isStopped: boolean
  /** What the turn has spent so far. */
  readonly spent: Usage
  /** What the agent's program has cost so far, as it said last. */
  readonly cost: number | undefined
  readonly lanes: Situation["lanes"]
  /** By who speaks. */
  readonly messages: ReadonlyMap<Lane, OpenMessage>
  /** By id. */
  readonly blocks: ReadonlyMap<string, OpenBlock>
  readonly requests: Situation["requests"]
}

/**
 * A reader that has had everything before a point where this was open. Begin where nothing is being said: between two
 * turns, or at the beginning of one.
 */
export const initialGateway = (
  { seq = -1, sessionId }: { readonly sessionId: string; readonly seq?: number },
  { lanes, requests, session, turn }: Situation = emptySituation
): GatewayCursor => ({
  sessionId,
  seq,
  model: session?.model ?? "",
  turn: turn && { cause: "prompt", ticket: turn.ticket },
  isStopped: false,
  spent: turn?.spent ?? noUsage,
  cost: undefined,
  lanes,
  messages: new Map(),
  blocks: new Map(),
  requests
})
