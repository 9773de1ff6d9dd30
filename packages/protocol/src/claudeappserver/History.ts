/** The turns of a thread as `thread/resume` gives them: what a client would have been told of them, put together. */
import type { Content } from "../model/Content.ts"
import type { Event } from "../model/Event.ts"
import type { Item, Turn } from "./Message.ts"
import { initialClaudeApp, turnName, writeClaudeApp } from "./Write.ts"

/** What was said by the person, as text. */
const textOf = (content: Content): string =>
  typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" ? part.text : `(${part.type})`)).join("\n")

/** The turns of a thread from its events. One that has not ended is in progress. */
export const turnsOf = (
  threadId: string,
  entries: Iterable<{ readonly at: number; readonly event: Event }>
): ReadonlyArray<Turn> => {
  const turns: Array<{ turn_id: string; status: Turn["status"]; said: Array<string>; items: Array<Item> }> = []
  const early: Array<string> = []
  let cursor = initialClaudeApp(threadId)
  for (const entry of entries) {
    const { event } = entry
    const [next, told] = writeClaudeApp(cursor, entry)
    cursor = next
    if (event.type === "turn_started")
      turns.push({ turn_id: turnName(cursor.turns), status: "in_progress", said: early.splice(0), items: [] })
    // A prompt may be noted a moment before its turn begins.
    if (event.type === "item_started" && event.item.kind === "prompt" && event.lane === null)
      (cursor.inTurn ? turns.at(-1)?.said : early)?.push(textOf(event.item.content))
    for (const { method, params } of told) {
      const turn = turns.at(-1)
      if (turn === undefined) continue
      if (method === "item/created") turn.items.push(params.item)
      if (method === "turn/completed") turn.status = params.status
    }
  }
  return turns.map(({ items, said, status, turn_id }) => ({
    turn_id,
    status,
    ...(said.length > 0 && { content: said.join("\n") }),
    items
  }))
}
