/** Lines of the server, written by hand, and what the fold makes of them. */
import { Dialogue, type FoldState, foldMessage, foldPrompt, initialFold } from "../../../src/codex/index.ts"
import type { Event } from "../../../src/model/Event.ts"

/** The thread of the main conversation. */
export const thread = "t"

/** A notification about the turn `u` of the thread. */
export const note = (method: string, params: object = {}): object => ({
  method,
  params: { threadId: thread, turnId: "u", ...params }
})

/** A turn of the thread. */
export const turn = (id = "u", more: object = {}): object => ({ id, items: [], status: "inProgress", ...more })

/** The beginning of a turn. */
export const began = (id = "u"): object => note("turn/started", { turn: turn(id) })

/** The end of a turn. */
export const over = (id = "u", more: object = { status: "completed" }): object =>
  note("turn/completed", { turn: turn(id, more) })

/** An item begins. */
export const started = (item: object, more: object = {}): object => note("item/started", { item, ...more })

/** An item is complete. */
export const completed = (item: object, more: object = {}): object => note("item/completed", { item, ...more })

/** A piece of a text. */
export const delta = (itemId: string, piece: string, more: object = {}): object =>
  note("item/agentMessage/delta", { itemId, delta: piece, ...more })

/** The state and the events after some lines of the server. A line with `from: "client"` is the client's. */
export const fold = (
  lines: ReadonlyArray<object>,
  from: FoldState = initialFold({ threadId: thread })
): { readonly state: FoldState; readonly events: ReadonlyArray<Event> } => {
  const dialogue = new Dialogue()
  let state = from
  const events: Array<Event> = []
  for (const line of lines) {
    const isClient = "from" in line
    const text = JSON.stringify(isClient ? { ...line, from: undefined } : line)
    const [next, given] = foldMessage(state, dialogue.hear(isClient ? "client" : "server", text))
    state = next
    events.push(...given)
  }
  return { state, events }
}

/** The state after a prompt. */
export const prompted = (words: string, id?: string): FoldState =>
  foldPrompt(initialFold({ threadId: thread }), [{ id: "p", content: words }], id)[0]
