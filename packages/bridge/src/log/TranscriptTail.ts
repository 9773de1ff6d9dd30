/**
 * The part of a transcript that may still change: what was said since the last checkpoint, and what is open from before.
 * The rest is in the store.
 *
 * Events come one after the other and nobody waits, so an event about an entry that is not here cannot look it up at
 * once. It is kept, and so is the question whether an item that begins was begun before (one that continues is begun once). The
 * store answers both when the entries are needed: for a checkpoint, or for a reader who joins.
 */
import * as Model from "@agentwire/protocol/model"
import type { PlacedEntry } from "../store/Store.ts"
import { branchOf, type ConversationPath, isOnPath } from "./ConversationPath.ts"

/** An entry in its place. */
interface Slot {
  readonly position: number
  readonly branch: number
  readonly entry: Model.EntryDraft
  /** Whether the store has an entry of this position. */
  stored: boolean
  /** Its item was begun here, and nobody has looked yet whether it was begun before. */
  isNew: boolean
  /** An end was reported since it was begun here. */
  hasEnded: boolean
  /** It has changed since the last checkpoint. */
  changed: boolean
}

/** The tail at one moment, as a value. */
export interface TailCut extends ConversationPath {
  readonly slots: ReadonlyArray<Readonly<Slot>>
  readonly late: ReadonlyMap<string, ReadonlyArray<Model.Event>>
}

/** The tail at one moment when all is known about its entries. */
export interface SettledTail extends ConversationPath {
  /** In order of their positions. */
  readonly entries: ReadonlyArray<PlacedEntry & { readonly stored: boolean }>
}

/** The part of a transcript that may still change. */
export class TranscriptTail {
  #place: ConversationPath
  #slots = new Map<number, Slot>()
  /** The newest slot of each item; a result has the id of its call and is not among them. */
  #items = new Map<string, Slot>()
  #late = new Map<string, Array<Model.Event>>()

  constructor(place: ConversationPath) {
    this.#place = place
  }

  /** Adds what an event says. */
  apply(event: Model.Event): void {
    if (event.type === "call_answered") {
      const result = Model.entryOf(event)
      if (result !== undefined) this.#add(result)
    } else if (event.type in aboutItems && "id" in event) this.#change(event.id, event)
  }

  /** The items that the store has to be asked about. */
  unsure(): ReadonlyArray<string> {
    return unsureOf({ slots: [...this.#slots.values()], late: this.#late })
  }

  /** Learns what the store has of items that it was asked about. */
  learn(asked: ReadonlyArray<string>, found: ReadonlyArray<PlacedEntry>): void {
    const known = itemsIn(found, this.#place)
    for (const id of asked) {
      const before = known.get(id)
      const slot = this.#items.get(id)
      const late = this.#late.get(id) ?? []
      this.#late.delete(id)
      if (before === undefined) {
        if (slot !== undefined) slot.isNew = false
        continue
      }
      if (slot !== undefined && !slot.isNew) continue
      const merged = mergedSlot(before, late, slot)
      if (slot !== undefined) this.#slots.delete(slot.position)
      this.#put(merged)
    }
  }

  /** What is to be written at a checkpoint. Ask {@link unsure} first: what is not known yet is left for the next one. */
  takeChanged(): ReadonlyArray<PlacedEntry> {
    const changed = [...this.#slots.values()].filter((slot) => slot.changed && !slot.isNew)
    for (const slot of changed) {
      slot.changed = false
      slot.stored = true
    }
    return changed.map(placed).sort((a, b) => a.position - b.position)
  }

  /** Lets go of what is in the store and not open any more. */
  forget(isOpen: (id: string) => boolean): void {
    for (const [position, slot] of this.#slots) {
      const { changed, entry, isNew } = slot
      if (changed || isNew || (entry.kind !== "result" && isOpen(entry.id))) continue
      this.#slots.delete(position)
      if (this.#items.get(entry.id) === slot) this.#items.delete(entry.id)
    }
  }

  /** Where the conversation is. */
  get place(): ConversationPath {
    return this.#place
  }

  /** The tail as it is now. */
  cut(): TailCut {
    return {
      ...this.#place,
      slots: [...this.#slots.values()].map((slot) => ({ ...slot, entry: { ...slot.entry } })),
      late: new Map([...this.#late].map(([id, events]) => [id, [...events]]))
    }
  }

  #change(id: string, event: Model.Event): void {
    const slot = this.#items.get(id)
    if (slot !== undefined) {
      Model.changeEntry(slot.entry, event)
      if (event.type === "item_ended") slot.hasEnded = true
      slot.changed = true
      return
    }
    const begun = Model.entryOf(event)
    const late = this.#late.get(id)
    if (begun !== undefined) this.#add(begun)
    else if (late === undefined) this.#late.set(id, [event])
    else late.push(event)
  }

  #add(entry: Model.EntryDraft): void {
    const { nextPosition, path } = this.#place
    this.#place = { path, nextPosition: nextPosition + 1 }
    this.#put({
      position: nextPosition,
      branch: branchOf(this.#place),
      entry,
      stored: false,
      isNew: entry.kind !== "result",
      hasEnded: false,
      changed: true
    })
  }

  #put(slot: Slot): void {
    this.#slots.set(slot.position, slot)
    if (slot.entry.kind !== "result") this.#items.set(slot.entry.id, slot)
  }
}

const aboutItems: Readonly<Partial<Record<Model.EventType, true>>> = {
  item_started: true,
  item_grew: true,
  item_changed: true,
  item_ended: true
}

/** The items of a tail that the store has to be asked about. */
export const unsureOf = ({ late, slots }: Pick<TailCut, "slots" | "late">): ReadonlyArray<string> => [
  ...new Set([...late.keys(), ...slots.flatMap(({ entry, isNew }) => (isNew ? [entry.id] : []))])
]

/** A tail, with what the store has of the items that were not known. */
export const settleTail = (cut: TailCut, found: ReadonlyArray<PlacedEntry>): SettledTail => {
  const known = itemsIn(found, cut)
  const merged = cut.slots.map((slot) => {
    const before = slot.isNew ? known.get(slot.entry.id) : undefined
    return before === undefined ? slot : mergedSlot(before, cut.late.get(slot.entry.id) ?? [], slot)
  })
  const here = new Set(cut.slots.flatMap(({ entry }) => (entry.kind === "result" ? [] : [entry.id])))
  const changed = [...cut.late].flatMap(([id, late]) => {
    const before = here.has(id) ? undefined : known.get(id)
    return before === undefined ? [] : [mergedSlot(before, late, undefined)]
  })
  const entries = [...merged, ...changed]
    .map((slot) => ({ ...placed(slot), stored: slot.stored }))
    .sort((a, b) => a.position - b.position)
  return { path: cut.path, nextPosition: cut.nextPosition, entries }
}

const placed = ({ branch, entry, position }: Pick<Slot, "branch" | "entry" | "position">): PlacedEntry => ({
  position,
  branch,
  entry: { ...entry }
})

/** The items among entries of the store that belong to the conversation, each by its id. */
const itemsIn = (
  found: ReadonlyArray<PlacedEntry>,
  place: Pick<ConversationPath, "path">
): ReadonlyMap<string, PlacedEntry> =>
  new Map(
    found.filter((each) => each.entry.kind !== "result" && isOnPath(place, each)).map((each) => [each.entry.id, each])
  )

/** An entry of the store with what was said of it here: late, and since its item was begun again. */
const mergedSlot = (before: PlacedEntry, late: ReadonlyArray<Model.Event>, again: Readonly<Slot> | undefined): Slot => {
  const entry: Model.EntryDraft = { ...before.entry }
  for (const event of late) Model.changeEntry(entry, event)
  if (again !== undefined) mergeAgain(entry, again)
  return { ...before, entry, stored: true, isNew: false, hasEnded: again?.hasEnded === true, changed: true }
}

/** What the events of an item that was begun again do to the entry it had: see `Model.changeEntry`. */
const mergeAgain = (entry: Model.EntryDraft, { entry: again, hasEnded }: Readonly<Slot>): void => {
  if (entry.kind === "task") {
    if (again.kind === "task") entry.content = again.content
    return
  }
  if (entry.kind !== "text" && entry.kind !== "thought" && entry.kind !== "call") return
  const more =
    again.kind === "text" || again.kind === "thought" ? again.text : again.kind === "call" ? again.arguments : ""
  if (entry.kind === "call") entry.arguments += more
  else {
    entry.text += more
    if ("signature" in again && again.signature !== undefined) entry.signature = again.signature
  }
  if (!hasEnded) return
  if ("abandoned" in again && again.abandoned === true) entry.abandoned = true
  else delete entry.abandoned
}
