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
import { branchOf, type ConversationPath } from "./ConversationPath.ts"

/** An entry in its place. */
interface Slot {
  readonly position: number
  readonly branch: number
  /** The path of the conversation when it was begun here: where to look for what it continues. */
  readonly path: ConversationPath["path"]
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

/** Events about an item that is not here. */
interface Late {
  readonly id: string
  readonly path: ConversationPath["path"]
  readonly events: ReadonlyArray<Model.Event>
}

/** The tail at one moment, as a value. */
export interface TailCut extends ConversationPath {
  readonly slots: ReadonlyArray<Readonly<Slot>>
  readonly late: ReadonlyArray<Late>
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
  #results = new Map<string, Slot>()
  /** What was said last on the main thread. */
  #last: Slot | undefined
  #late = new Map<string, Array<Model.Event>>()
  /** The same, from before the conversation went back. */
  #left: ReadonlyArray<Late> = []

  constructor(place: ConversationPath) {
    this.#place = place
  }

  /** Adds what an event says. */
  apply(event: Model.Event): void {
    if (event.type === "call_answered") {
      const result = Model.entryOf(event)
      if (result !== undefined) this.#add(result)
    } else if (event.type === "anchored") this.#anchor(event)
    else if (event.type in aboutItems && "id" in event) this.#change(event.id, event)
  }

  /**
   * The conversation went back, and goes on along a path. What is not on it stays as it is, to be written. The agent that said
   * what was said before is gone: nothing of that continues.
   */
  follow(path: ConversationPath["path"]): void {
    this.#left = this.#allLate()
    this.#late.clear()
    this.#place = { path, nextPosition: this.#place.nextPosition }
    this.#items.clear()
    this.#results.clear()
    for (const slot of [...this.#slots.values()].sort((a, b) => a.position - b.position)) this.#index(slot)
    // What was said last there may not be here.
    this.#last = undefined
  }

  /** The items that the store has to be asked about. */
  unsure(): ReadonlyArray<string> {
    return unsureOf({ slots: [...this.#slots.values()], late: this.#allLate() })
  }

  /** Learns what the store has of items that it was asked about. */
  learn(asked: ReadonlyArray<string>, found: ReadonlyArray<PlacedEntry>): void {
    const ids = new Set(asked)
    const late = this.#allLate().filter(({ id }) => ids.has(id))
    for (const id of asked) this.#late.delete(id)
    this.#left = this.#left.filter(({ id }) => !ids.has(id))
    const merged = new Set<Late>()
    for (const slot of [...this.#slots.values()]) {
      if (!slot.isNew || !ids.has(slot.entry.id)) continue
      const before = itemIn(found, slot.entry.id, slot.path)
      slot.isNew = false
      const own = late.find(({ id, path }) => id === slot.entry.id && path === slot.path)
      if (own !== undefined) merged.add(own)
      if (before === undefined) continue
      const whole = mergedSlot(before, own?.events ?? [], slot, slot.path)
      this.#slots.delete(slot.position)
      if (slot === this.#last) this.#last = whole
      this.#put(whole)
    }
    for (const each of late) {
      const before = merged.has(each) ? undefined : itemIn(found, each.id, each.path)
      if (before !== undefined) this.#put(mergedSlot(before, each.events, undefined, each.path))
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
      // A point may still be named that is the one after whatever was said last.
      if (changed || isNew || slot === this.#last || (entry.kind !== "result" && isOpen(entry.id))) continue
      this.#slots.delete(position)
      const index = entry.kind === "result" ? this.#results : this.#items
      if (index.get(entry.id) === slot) index.delete(entry.id)
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
      late: this.#allLate()
    }
  }

  #allLate(): ReadonlyArray<Late> {
    const { path } = this.#place
    return [...this.#left, ...[...this.#late].map(([id, events]) => ({ id, path, events: [...events] }))]
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

  #anchor(event: Model.EventOf<"anchored">): void {
    if (event.id === undefined) {
      if (this.#last === undefined || event.lane !== null) return
      Model.changeEntry(this.#last.entry, event)
      this.#last.changed = true
      return
    }
    const result = this.#results.get(event.id)
    if (result === undefined) {
      this.#change(event.id, event)
      return
    }
    Model.changeEntry(result.entry, event)
    result.changed = true
  }

  #add(entry: Model.EntryDraft): void {
    const { nextPosition, path } = this.#place
    this.#place = { path, nextPosition: nextPosition + 1 }
    this.#put({
      position: nextPosition,
      branch: branchOf(this.#place),
      path,
      entry,
      stored: false,
      isNew: entry.kind !== "result",
      hasEnded: false,
      changed: true
    })
  }

  #put(slot: Slot): void {
    this.#slots.set(slot.position, slot)
    this.#index(slot)
  }

  #index(slot: Slot): void {
    if (!Model.isOnPath(this.#place.path, slot)) return
    const { entry, position } = slot
    ;(entry.kind === "result" ? this.#results : this.#items).set(entry.id, slot)
    if (entry.lane === null && (this.#last === undefined || position >= this.#last.position)) this.#last = slot
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
  ...new Set([...late.map(({ id }) => id), ...slots.flatMap(({ entry, isNew }) => (isNew ? [entry.id] : []))])
]

/** A tail, with what the store has of the items that were not known. */
export const settleTail = (cut: TailCut, found: ReadonlyArray<PlacedEntry>): SettledTail => {
  const settled = new Set<Late>()
  const slots = cut.slots.map((slot) => {
    if (!slot.isNew) return slot
    const own = cut.late.find(({ id, path }) => id === slot.entry.id && path === slot.path)
    if (own !== undefined) settled.add(own)
    const before = itemIn(found, slot.entry.id, slot.path)
    return before === undefined ? slot : mergedSlot(before, own?.events ?? [], slot, slot.path)
  })
  const changed = cut.late.flatMap((each) => {
    const before = settled.has(each) ? undefined : itemIn(found, each.id, each.path)
    return before === undefined ? [] : [mergedSlot(before, each.events, undefined, each.path)]
  })
  const entries = [...slots, ...changed]
    .map((slot) => ({ ...placed(slot), stored: slot.stored }))
    .sort((a, b) => a.position - b.position)
  return { path: cut.path, nextPosition: cut.nextPosition, entries }
}

const placed = ({ branch, entry, position }: Pick<Slot, "branch" | "entry" | "position">): PlacedEntry => ({
  position,
  branch,
  entry: { ...entry }
})

/** The entry of an item among entries of the store, on a path. */
const itemIn = (
  found: ReadonlyArray<PlacedEntry>,
  id: string,
  path: ConversationPath["path"]
): PlacedEntry | undefined =>
  found.findLast(({ entry, ...place }) => entry.id === id && entry.kind !== "result" && Model.isOnPath(path, place))

/** An entry of the store with what was said of it here: late, and since its item was begun again. */
const mergedSlot = (
  { branch, entry: before, position }: PlacedEntry,
  late: ReadonlyArray<Model.Event>,
  again: Readonly<Slot> | undefined,
  path: ConversationPath["path"]
): Slot => {
  const entry: Model.EntryDraft = { ...before }
  for (const event of late) Model.changeEntry(entry, event)
  if (again !== undefined) mergeAgain(entry, again)
  return {
    position,
    branch,
    path,
    entry,
    stored: true,
    isNew: false,
    hasEnded: again?.hasEnded === true,
    changed: true
  }
}

/** What the events of an item that was begun again do to the entry it had: see `Model.changeEntry`. */
const mergeAgain = (entry: Model.EntryDraft, { entry: again, hasEnded }: Readonly<Slot>): void => {
  if (again.anchor !== undefined) entry.anchor = again.anchor
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
