/**
 * A step that is being taken: the cursor as it is so far, and what the client is told. One step owns both.
 */
import type { ServerNotifications } from "../codex/generated/Methods.ts"
import type { ThreadItem } from "../codex/generated/ThreadItem.ts"
import type { Lane } from "../model/Event.ts"
import { withEntry } from "../model/Situation.ts"
import type { AppServerCursor, OpenTurn } from "./Cursor.ts"
import type { AppServerOut, Notification, NotificationParams } from "./Message.ts"

/** A step that is being taken. */
export interface Draft {
  cursor: AppServerCursor
  /** When it happens, in milliseconds since 1970. */
  readonly at: number
  readonly out: Array<AppServerOut>
}

/** Changes fields of the cursor. */
export const set = (draft: Draft, fields: Partial<AppServerCursor>): void => {
  draft.cursor = { ...draft.cursor, ...fields }
}

/** Tells the client something. */
export const tell = <M extends keyof ServerNotifications>(
  draft: Draft,
  method: M,
  params: NotificationParams<M>
): void => {
  // The pair of a method and its params is one of the union's by the type of this function.
  draft.out.push({ _tag: "Notification", method, params } as unknown as Notification)
}

/** The turn that somebody speaks in; undefined where none is in progress. */
export const placeOf = ({ lanes, turn }: AppServerCursor, lane: Lane): OpenTurn | undefined =>
  lane === null ? turn : lanes.get(lane)

/** An item of a type that the schema lists. */
export type AnyItem = Extract<ThreadItem, { readonly id: string }>

/** An item begins. */
export const startItem = (draft: Draft, place: OpenTurn, item: AnyItem): void =>
  tell(draft, "item/started", {
    item: { ...item, startedAtMs: draft.at, completedAtMs: null },
    threadId: place.thread,
    turnId: place.turn,
    startedAtMs: draft.at
  })

/** An item is complete. */
export const completeItem = (draft: Draft, lane: Lane, place: OpenTurn, item: AnyItem, startedAt: number): void => {
  const complete: AnyItem = { ...item, startedAtMs: startedAt, completedAtMs: draft.at }
  tell(draft, "item/completed", {
    item: complete,
    threadId: place.thread,
    turnId: place.turn,
    completedAtMs: draft.at
  })
  if (complete.type === "agentMessage") setPlace(draft, lane, { said: complete })
}

/** An item that begins and ends at once. */
export const passItem = (draft: Draft, lane: Lane, place: OpenTurn, item: AnyItem): void => {
  startItem(draft, place, item)
  completeItem(draft, lane, place, item, draft.at)
}

/** Changes fields of the turn that somebody speaks in. */
export const setPlace = (draft: Draft, lane: Lane, fields: Partial<OpenTurn>): void => {
  const { lanes, turn } = draft.cursor
  if (lane === null) {
    if (turn !== undefined) set(draft, { turn: { ...turn, ...fields } })
    return
  }
  const open = lanes.get(lane)
  if (open !== undefined) set(draft, { lanes: withEntry(lanes, lane, { ...open, ...fields }) })
}

/** How many items that are complete are remembered. */
const maxDone = 200

/** Remembers that an item is complete. */
export const markDone = (draft: Draft, id: string, pieces: number): void => {
  const done = [...draft.cursor.done].filter(([each]) => each !== id)
  set(draft, { done: new Map([...done, [id, pieces] as const].slice(-maxDone)) })
}
