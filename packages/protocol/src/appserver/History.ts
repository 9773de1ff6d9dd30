/**
 * The turns of a thread with their items, as `thread/read`, `thread/turns/list` and `thread/items/list` give them: what
 * the same events were streamed as, kept. So the items and their ids are the same, however a client has come by them.
 *
 * A conversation that went back keeps what was said on other branches, and shows the path that it is on.
 */
import type { ThreadItem } from "../codex/generated/ThreadItem.ts"
import type { Turn } from "../codex/generated/TurnState.ts"
import { type EntryPlace, isOnPath, noBranches, type Origins, pathOf } from "../model/Branch.ts"
import type { Event } from "../model/Event.ts"
import { type AppServerCursor, type AppServerOptions, initialAppServer } from "./Cursor.ts"
import type { Notification, Timed } from "./Message.ts"
import { type AppServerWritten, writeAppServer } from "./Write.ts"

/** An item, and where its turn was when it began. */
interface ItemRow extends EntryPlace {
  readonly id: string
  item: ThreadItem
}

/** A turn, as far as it has been told. */
interface TurnRow extends EntryPlace {
  readonly thread: string
  turn: Turn
  readonly items: Map<string, ItemRow>
}

/** Keeps what a client that follows a thread from its beginning is told of its turns. */
export class ThreadHistory {
  #cursor: AppServerCursor
  readonly #turns: Array<TurnRow> = []
  readonly #byId = new Map<string, TurnRow>()
  readonly #entries = new Set<string>()
  #position = 0
  #branch = 0
  #origins: Origins = noBranches

  constructor(options: AppServerOptions) {
    this.#cursor = initialAppServer(options)
  }

  /** Where a client is that was told all of it: another one that joins goes on from here. */
  get cursor(): AppServerCursor {
    return this.#cursor
  }

  /** Adds an event, and gives what a client is told of it. */
  apply(timed: Timed): AppServerWritten {
    const { event } = timed
    if (event.type === "branched") {
      this.#origins = Object.assign(this.#origins.slice(), { [event.branch]: event.from })
      this.#branch = event.branch
    }
    const written = writeAppServer(this.#cursor, timed)
    this.#cursor = written[0]
    for (const out of written[1]) if (out._tag === "Notification") this.#hear(out)
    this.#count(event)
    return written
  }

  /** The turns of the thread, or of a sub-agent's, in order, each with all of its items. */
  turns(thread: string = this.#cursor.threadId): ReadonlyArray<Turn> {
    const path = pathOf(this.#origins, this.#branch)
    return this.#turns
      .filter((row) => row.thread === thread && isOnPath(path, row))
      .map(({ items, turn }) => ({
        ...turn,
        items: [...items.values()].filter((row) => isOnPath(path, row)).map(({ item }) => item),
        itemsView: "full"
      }))
  }

  /** The items of the thread, or of a sub-agent's, in order, with the turns that they are of. */
  items(thread?: string): ReadonlyArray<{ readonly turnId: string; readonly item: ThreadItem }> {
    return this.turns(thread).flatMap(({ id, items }) => items.map((item) => ({ turnId: id, item })))
  }

  #hear({ method, params }: Notification): void {
    switch (method) {
      case "turn/started": {
        const row: TurnRow = { ...this.#place(), thread: params.threadId, turn: params.turn, items: new Map() }
        this.#turns.push(row)
        this.#byId.set(params.turn.id, row)
        return
      }
      case "turn/completed": {
        const row = this.#byId.get(params.turn.id)
        if (row !== undefined) row.turn = params.turn
        return
      }
      case "item/started":
      case "item/completed": {
        const id = "id" in params.item && typeof params.item.id === "string" ? params.item.id : ""
        const items = this.#byId.get(params.turnId)?.items
        const known = items?.get(id)
        if (known === undefined) items?.set(id, { ...this.#place(), id, item: params.item })
        else known.item = params.item
        return
      }
    }
  }

  /** The place of the entry that is said next. */
  #place(): EntryPlace {
    return { branch: this.#branch, position: this.#position }
  }

  /** Counts the entries of the transcript, as it counts them itself. */
  #count(event: Event): void {
    if (event.type === "call_answered") this.#position++
    else if (event.type === "item_started" && !this.#entries.has(event.id)) {
      this.#entries.add(event.id)
      this.#position++
    }
  }
}

/** The turns of a conversation's events, with their items. */
export const turnsOf = (events: Iterable<Timed>, options: AppServerOptions): ReadonlyArray<Turn> => {
  const history = new ThreadHistory(options)
  for (const event of events) history.apply(event)
  return history.turns()
}
