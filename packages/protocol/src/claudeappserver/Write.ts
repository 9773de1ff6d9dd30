/**
 * The model's events as notifications of the dialect: a cursor and an event give a cursor and what the client is told.
 * A text is told piece by piece and then whole; a call is told when its arguments are complete, and its result when it is
 * there. Sub-agents are told like the agent itself: the dialect has no word for them.
 */
import { callActions, wordsOf } from "../actions/Call.ts"
import type { Action, Event, EventOf, EventType, TurnOutcome } from "../model/Event.ts"
import { emptySituation, type Situation, withEntry, withoutEntry } from "../model/Situation.ts"
import { isRecord } from "../wire/Json.ts"
import { readJson } from "../wire/ReadJson.ts"
import type { Item, Notification } from "./Message.ts"
import { toolName } from "./Tools.ts"

/** What is open: a text or a thought with what it says so far, or a call with its arguments so far. */
type Open =
  | { readonly kind: "text" | "thought"; readonly text: string }
  | {
      readonly kind: "call"
      readonly tool: string
      readonly action: Action
      readonly text: string
      readonly told: boolean
    }

/** Where a client is. A value that no function changes in place. */
export interface ClaudeAppCursor {
  readonly threadId: string
  /** How many turns there were. */
  readonly turns: number
  readonly inTurn: boolean
  /** How many items were told in this turn. */
  readonly count: number
  readonly open: ReadonlyMap<string, Open>
}

/** A cursor, and what its client is told. */
export type ClaudeAppWritten = readonly [ClaudeAppCursor, ReadonlyArray<Notification>]

/** The name of a turn, by its number in the thread, from 1. */
export const turnName = (number: number): string => `turn_${number}`

/** A client that has had everything before a point where this was open. */
export const initialClaudeApp = (threadId: string, situation: Situation = emptySituation): ClaudeAppCursor => ({
  threadId,
  turns: situation.turns,
  inTurn: situation.turn !== undefined,
  count: 0,
  open: new Map(
    [...situation.items].flatMap(([id, { item, phase }]): Array<readonly [string, Open]> => {
      if (item.kind === "call")
        return [[id, { kind: "call", tool: item.tool, action: item.action, text: "", told: phase === "ended" }]]
      return item.kind === "text" || item.kind === "thought" ? [[id, { kind: item.kind, text: "" }]] : []
    })
  )
})

/** What the client is told of an event that happened at a time, in milliseconds since 1970. */
export const writeClaudeApp = (
  cursor: ClaudeAppCursor,
  { at, event }: { readonly at: number; readonly event: Event }
): ClaudeAppWritten => {
  const draft: Draft = { cursor, at: new Date(at).toISOString(), out: [] }
  ;(writers[event.type] as (draft: Draft, event: Event) => void)?.(draft, event)
  return [draft.cursor, draft.out]
}

/** A step that is being taken. */
interface Draft {
  cursor: ClaudeAppCursor
  readonly at: string
  readonly out: Array<Notification>
}

const place = ({ cursor: { threadId, turns } }: Draft) => ({ thread_id: threadId, turn_id: turnName(turns) })

const create = (draft: Draft, item: Item): void => {
  draft.cursor = { ...draft.cursor, count: draft.cursor.count + 1 }
  draft.out.push({ method: "item/created", params: { ...place(draft), item } })
}

const keep = (draft: Draft, id: string, open: Open | undefined): void => {
  const { cursor } = draft
  draft.cursor = {
    ...cursor,
    open: open === undefined ? withoutEntry(cursor.open, id) : withEntry(cursor.open, id, open)
  }
}

const inputOf = (text: string): Readonly<Record<string, unknown>> => {
  const read = readJson(text === "" ? "{}" : text)
  return read.isRead && isRecord(read.value) ? read.value : {}
}

/** Tells a call, unless the client knows of it. */
const tellCall = (draft: Draft, id: string): void => {
  const call = draft.cursor.open.get(id)
  if (call?.kind !== "call" || call.told) return
  keep(draft, id, { ...call, told: true })
  const { action, text, tool } = call
  create(draft, {
    id,
    type: "tool_call",
    created_at: draft.at,
    tool_name: toolName(tool, action),
    input: inputOf(text)
  })
}

const statusOf: { readonly [T in TurnOutcome["type"]]: "completed" | "interrupted" | "failed" } = {
  completed: "completed",
  cancelled: "interrupted",
  limited: "failed",
  failed: "failed"
}

/** What each event is to the client; what is not here is not told. */
const writers: { readonly [T in EventType]?: (draft: Draft, event: EventOf<T>) => void } = {
  turn_started: (draft) => {
    draft.cursor = { ...draft.cursor, turns: draft.cursor.turns + 1, inTurn: true, count: 0 }
    draft.out.push({ method: "turn/started", params: place(draft) })
  },
  turn_ended: (draft, { outcome }) => {
    const { count } = draft.cursor
    if (outcome.type === "failed" || outcome.type === "limited") {
      const { code, message } = outcome
      draft.out.push({ method: "turn/error", params: { ...place(draft), error: { code, message } } })
    }
    const params = { ...place(draft), status: statusOf[outcome.type], items_count: count, completed_at: draft.at }
    draft.out.push({ method: "turn/completed", params })
    draft.cursor = { ...draft.cursor, inTurn: false, open: new Map() }
  },
  item_started: (draft, { id, item }) => {
    if (draft.cursor.open.has(id)) return
    if (item.kind === "call")
      keep(draft, id, { kind: "call", tool: item.tool, action: item.action, text: "", told: false })
    else if (item.kind === "text" || item.kind === "thought") keep(draft, id, { kind: item.kind, text: "" })
  },
  item_grew: (draft, { delta, id }) => {
    const open = draft.cursor.open.get(id)
    if (open === undefined) return
    keep(draft, id, { ...open, text: open.text + delta })
    if (open.kind === "call" || delta === "") return
    const type = open.kind === "text" ? "text" : "thinking"
    draft.out.push({ method: "item/progress", params: { ...place(draft), item_id: id, delta: { type, text: delta } } })
  },
  item_ended: (draft, { abandoned, id }) => {
    const open = draft.cursor.open.get(id)
    if (open === undefined) return
    if (open.kind === "call") {
      if (abandoned !== true) tellCall(draft, id)
      return
    }
    keep(draft, id, undefined)
    if (open.kind === "text" && open.text !== "")
      create(draft, { id, type: "text", created_at: draft.at, text: open.text })
  },
  call_answered: (draft, event) => {
    tellCall(draft, event.id)
    const call = draft.cursor.open.get(event.id)
    if (call?.kind !== "call") return
    keep(draft, event.id, undefined)
    tellResult(draft, event, call)
  },
  request_opened: (draft, { request }) => {
    // What is no question of yes or no cannot be answered in this dialect: it is for other clients.
    if (request.kind !== "permission" && request.kind !== "plan") return
    tellCall(draft, request.call)
    const action = actionOf(draft, request.call)
    draft.out.push({
      method: "approval/request",
      params: {
        ...place(draft),
        request_id: request.id,
        tool_name: toolName(request.tool, action),
        description: request.message,
        input: request.input
      }
    })
  }
}

const actionOf = ({ cursor }: Draft, id: string): Action | undefined => {
  const call = cursor.open.get(id)
  return call?.kind === "call" ? call.action : undefined
}

/** The result of a call; of a command what it has printed, of a change which files it has written. */
const tellResult = (
  draft: Draft,
  { content, exitCode, failed, id }: EventOf<"call_answered">,
  { action, text, tool }: Extract<Open, { readonly kind: "call" }>
): void => {
  const output = wordsOf(content)
  const about = { created_at: draft.at, tool_call_id: id }
  create(draft, { ...about, id: `${id}:result`, type: "tool_result", output, is_error: failed })
  const input = inputOf(text)
  if (action === "command" && typeof input["command"] === "string") {
    const command = input["command"]
    const code = exitCode === undefined ? {} : { exit_code: exitCode }
    create(draft, { ...about, id: `${id}:output`, type: "command_output", command, output, ...code })
  }
  if (failed || (action !== "write" && action !== "edit")) return
  const paths = callActions({ tool, action, arguments: text }).flatMap((each) =>
    each.type === "write" || each.type === "edit" || each.type === "delete" ? [each.path] : []
  )
  for (const [at, path] of [...new Set(paths)].entries())
    if (path !== undefined) create(draft, { ...about, id: `${id}:file:${at}`, type: "file_change", path })
}
