/**
 * What is open at a point of a conversation: the turn, items, sub-agents, tasks and requests; and which of its branches
 * it is on.
 *
 * It is all that a reader who joins there needs besides the transcript, and it is small: it grows with what is open,
 * not with the length of the conversation. A value that no function changes in place.
 */
import { type BranchBeginning, noBranches, type Origins, pathOf, type Segment } from "./Branch.ts"
import type { Event, EventOf, ItemStart, Lane, SessionInfo, TurnOutcome } from "./Event.ts"
import type { Request } from "./Request.ts"
import { noUsage, type Usage } from "./Usage.ts"

/** An item that may still change. A call stays until it has its result, what was abandoned until the turn ends. */
export interface OpenItem {
  readonly lane: Lane
  readonly item: ItemStart
  /** `ended`: the arguments of a call are complete. */
  readonly phase: "growing" | "ended" | "abandoned"
}

/** A sub-agent that works. */
export interface OpenLane {
  readonly parent: Lane
  readonly name: string
  readonly description: string | undefined
}

/** A request that nobody has answered. */
export interface OpenRequest {
  readonly lane: Lane
  readonly request: Request
}

/** The turn in progress. */
export interface OpenTurn {
  /** The name that whoever asked for it gave the request. */
  readonly ticket: string | undefined
  readonly spent: Usage
  readonly provider: string | undefined
  readonly model: string | undefined
}

/** Why a turn did not come to its end, with a stable code and in words. */
export interface TurnFailure {
  readonly code: string
  readonly message: string
}

/** What is open. */
export interface Situation {
  /** How many turns have begun. */
  readonly turns: number
  readonly turn: OpenTurn | undefined
  /** Why the newest turn failed, or was cut short at a limit; undefined while one is open, and after any other end. */
  readonly failure: TurnFailure | undefined
  /** The reply that the main thread is giving: more of it may come before anybody acts. */
  readonly reply: string | undefined
  readonly items: ReadonlyMap<string, OpenItem>
  /** By lane, the outer ones first. */
  readonly lanes: ReadonlyMap<string, OpenLane>
  readonly requests: ReadonlyMap<string, OpenRequest>
  readonly session: SessionInfo | undefined
  /** The application's shared state; undefined until there is one. */
  readonly state: unknown
  /** How often the agent has forgotten what was said before. */
  readonly resets: number
  /**
   * The newest of what was said on the main thread: a prompt, a text, a thought or a call. Undefined before the first, and
   * after going back until the next.
   */
  readonly newest: string | undefined
  /** The branch that the conversation is on. */
  readonly branch: number
  /** Where each branch began. */
  readonly origins: Origins
  /** By branch, where and when it begins; null where nobody has said so. */
  readonly beginnings: ReadonlyArray<BranchBeginning | null>
  /**
   * The conversation went back, and the agent has not said since then which conversation of its provider it is in: the
   * runtime's name for the point where it continues, null for a conversation that begins anew.
   */
  readonly goesOnAt: { readonly anchor: string | null } | undefined
}

/** Before the first event. */
export const emptySituation: Situation = {
  turns: 0,
  turn: undefined,
  failure: undefined,
  reply: undefined,
  items: new Map(),
  lanes: new Map(),
  requests: new Map(),
  session: undefined,
  state: undefined,
  resets: 0,
  newest: undefined,
  branch: 0,
  origins: noBranches,
  beginnings: [null],
  goesOnAt: undefined
}

/** The conversation as a path through its branches. */
export const pathIn = ({ branch, origins }: Situation): ReadonlyArray<Segment> => pathOf(origins, branch)

/** What is open after an event; the same value when nothing about it changes. */
export const applyToSituation = (before: Situation, event: Event): Situation => {
  switch (event.type) {
    case "item_grew":
      return regrown(before, event.id)
    case "turn_started":
      return {
        ...before,
        turns: before.turns + 1,
        turn: { ticket: event.ticket, spent: noUsage, provider: undefined, model: undefined },
        failure: undefined
      }
    case "turn_ended":
      return {
        ...before,
        turn: undefined,
        failure: failureOf(event.outcome),
        reply: undefined,
        items: outliving(before)
      }
    case "reply_started":
      return event.lane === null ? { ...before, reply: event.id } : before
    case "reply_ended":
      return event.lane === null && before.reply === event.id ? { ...before, reply: undefined } : before
    case "spent":
      return before.turn === undefined ? before : { ...before, turn: spending(before.turn, event) }
    case "item_started":
      return begun(before, event)
    case "item_changed":
      return changed(before, event.id, event.content)
    case "item_ended":
      return ended(before, event.id, event.abandoned === true)
    case "call_answered":
      return before.items.has(event.id) ? { ...before, items: withoutEntry(before.items, event.id) } : before
    case "request_opened":
      return {
        ...before,
        requests: withEntry(before.requests, event.request.id, { lane: event.lane, request: event.request })
      }
    case "request_closed":
      return before.requests.has(event.id) ? { ...before, requests: withoutEntry(before.requests, event.id) } : before
    case "lane_opened":
      return {
        ...before,
        lanes: withEntry(before.lanes, event.lane, {
          parent: event.parent,
          name: event.name,
          description: event.description
        })
      }
    case "lane_closed":
      return { ...before, lanes: withoutEntry(before.lanes, event.lane), items: withoutLane(before.items, event.lane) }
    case "session_changed":
      return { ...before, session: event.info, goesOnAt: undefined }
    case "state_changed":
      return { ...before, state: event.state }
    case "context_reset":
      return { ...before, resets: before.resets + 1 }
    case "branched":
      return branchedOff(before, event)
    default:
      return before
  }
}

/** Nothing that was open before grows any more, and the agent knows nothing of what it was told since. */
const branchedOff = (before: Situation, { anchor, begins, branch, from }: EventOf<"branched">): Situation => {
  const origins = before.origins.slice()
  origins[branch] = from
  const beginnings = before.beginnings.slice()
  beginnings[branch] = begins ?? null
  return {
    ...before,
    failure: undefined,
    reply: undefined,
    items: new Map(),
    lanes: new Map(),
    resets: before.resets + 1,
    newest: undefined,
    branch,
    origins,
    beginnings,
    goesOnAt: { anchor }
  }
}

const begun = (before: Situation, { id, item, lane }: EventOf<"item_started">): Situation => ({
  ...before,
  ...(lane === null && item.kind !== "task" && { newest: id }),
  ...(item.kind !== "prompt" && { items: withEntry(before.items, id, { lane, item, phase: "growing" }) })
})

const failureOf = (outcome: TurnOutcome): TurnFailure | undefined =>
  outcome.type === "failed" || outcome.type === "limited" ? { code: outcome.code, message: outcome.message } : undefined

const spending = (before: OpenTurn, { model, provider, usage }: EventOf<"spent">): OpenTurn => ({
  ticket: before.ticket,
  spent: usage,
  provider: provider ?? before.provider,
  model: model ?? before.model
})

/** An item that was abandoned, or whose arguments were complete, and continues after all. */
const regrown = (before: Situation, id: string): Situation => {
  const open = before.items.get(id)
  return open === undefined || open.phase === "growing"
    ? before
    : { ...before, items: withEntry(before.items, id, { ...open, phase: "growing" }) }
}

const changed = (before: Situation, id: string, content: Readonly<Record<string, unknown>>): Situation => {
  const open = before.items.get(id)
  if (open?.item.kind !== "task") return before
  const item: ItemStart = { kind: "task", content: { ...open.item.content, ...content } }
  return { ...before, items: withEntry(before.items, id, { ...open, item }) }
}

const ended = (before: Situation, id: string, abandoned: boolean): Situation => {
  const open = before.items.get(id)
  if (open === undefined) return before
  if (abandoned) return { ...before, items: withEntry(before.items, id, { ...open, phase: "abandoned" }) }
  return {
    ...before,
    items:
      open.item.kind === "call"
        ? withEntry(before.items, id, { ...open, phase: "ended" })
        : withoutEntry(before.items, id)
  }
}

/** Nobody answers the calls of a sub-agent that is over. Its tasks may go on. */
const withoutLane = (items: Situation["items"], lane: string): Situation["items"] =>
  [...items.values()].some((open) => open.lane === lane && open.item.kind !== "task")
    ? new Map([...items].filter(([, { item, lane: own }]) => own !== lane || item.kind === "task"))
    : items

/** What outlives a turn: tasks, and the open items of background sub-agents. */
const outliving = ({ items, lanes }: Situation): Situation["items"] =>
  new Map([...items].filter(([, { item, lane }]) => item.kind === "task" || (lane !== null && lanes.has(lane))))

/** Whether a lane is one that the turn does not wait for: the call that started its sub-agent has its result already. */
export const isInBackground = (situation: Situation, lane: Lane): boolean =>
  lane !== null && (!situation.items.has(lane) || isInBackground(situation, situation.lanes.get(lane)?.parent ?? null))

/** A map with an entry set. */
export const withEntry = <K, V>(map: ReadonlyMap<K, V>, key: K, value: V): ReadonlyMap<K, V> =>
  new Map(map).set(key, value)

/** A map without an entry. */
export const withoutEntry = <K, V>(map: ReadonlyMap<K, V>, key: K): ReadonlyMap<K, V> => {
  if (!map.has(key)) return map
  const rest = new Map(map)
  rest.delete(key)
  return rest
}
