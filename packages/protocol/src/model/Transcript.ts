/**
 * What was said, in order: the fold of a conversation's events.
 *
 * It is the same live, replayed, and read from a store. A result has a place of its own, because other things are
 * said between a call and its result.
 */
import * as Schema from "effect/Schema"
import { JsonObject, optional } from "../wire/Open.ts"
import { type EntryPlace, isOnPath, noBranches, type Origins, pathOf } from "./Branch.ts"
import { Content } from "./Content.ts"
import { Action, type Event, type EventOf, Lane, SessionInfo } from "./Event.ts"

const entry = {
  id: Schema.String,
  lane: Lane,
  /** The runtime's name for the point just after it, where there is one. */
  anchor: optional(Schema.String)
}

/** Something that was said or done. */
export const TranscriptEntry = Schema.Union([
  Schema.Struct({
    ...entry,
    kind: Schema.Literals(["text", "thought"]),
    text: Schema.String,
    /** The provider's seal on a thought. */
    signature: optional(Schema.String),
    /** It was cut off and did not continue. */
    abandoned: optional(Schema.Boolean)
  }),
  Schema.Struct({
    ...entry,
    kind: Schema.Literal("call"),
    tool: Schema.String,
    action: Action,
    parent: Schema.String,
    /** As they were streamed: JSON, unless the call was cut off. */
    arguments: Schema.String,
    abandoned: optional(Schema.Boolean)
  }),
  /** The result of the call of the same id. */
  Schema.Struct({
    ...entry,
    kind: Schema.Literal("result"),
    content: Content,
    failed: Schema.Boolean,
    exitCode: optional(Schema.Finite)
  }),
  Schema.Struct({ ...entry, kind: Schema.Literal("prompt"), content: Content }),
  Schema.Struct({ ...entry, kind: Schema.Literal("task"), content: JsonObject })
]).annotate({ identifier: "ModelTranscriptEntry" })

/** Something that was said or done. */
export type TranscriptEntry = typeof TranscriptEntry.Type

/** What was said, in order. */
export const Transcript = Schema.Struct({
  entries: Schema.Array(TranscriptEntry),
  /** How many entries before these were left out, to stay within a size. */
  omitted: Schema.Natural,
  /** The session as it described itself last. */
  session: optional(SessionInfo)
}).annotate({ identifier: "ModelTranscript" })

/** What was said, in order. */
export type Transcript = typeof Transcript.Type

/** Nothing was said. */
export const emptyTranscript: Transcript = { entries: [], omitted: 0 }

type Mutable<T> = T extends unknown ? { -readonly [K in keyof T]: T[K] } : never

/** An entry while events change it. */
export type EntryDraft = Mutable<TranscriptEntry>

/** The entry that an event begins; undefined for an event that begins none. */
export const entryOf = (event: Event): EntryDraft | undefined => {
  switch (event.type) {
    case "item_started":
      return startOf(event)
    case "call_answered":
      return resultOf(event)
    default:
      return undefined
  }
}

/** Adds what an event says about an item to its entry. */
export const changeEntry = (entry: EntryDraft, event: Event): void => {
  switch (event.type) {
    case "item_grew":
      if (entry.kind === "text" || entry.kind === "thought") entry.text += event.delta
      else if (entry.kind === "call") entry.arguments += event.delta
      return
    case "item_started":
      // An item that continues is begun once.
      if (entry.kind === "task" && event.item.kind === "task") entry.content = event.item.content
      return
    case "item_changed":
      if (entry.kind === "task") entry.content = { ...entry.content, ...event.content }
      return
    case "item_ended":
      if (entry.kind !== "text" && entry.kind !== "thought" && entry.kind !== "call") return
      if (event.signature !== undefined && entry.kind !== "call") entry.signature = event.signature
      if (event.abandoned === true) entry.abandoned = true
      else delete entry.abandoned
      return
    case "anchored":
      entry.anchor = event.anchor
      return
  }
}

/** An entry in its place. */
interface Row extends EntryPlace {
  readonly draft: EntryDraft
}

/**
 * Folds events into a transcript, in constant time for each: nearly all of them are pieces of a text. It keeps to the
 * branch that the conversation is on.
 */
export class TranscriptBuilder {
  /** The entries of all branches. */
  #all: Array<Row>
  /** Those of the conversation. */
  #rows: Array<Row>
  #items = new Map<string, EntryDraft>()
  #results = new Map<string, EntryDraft>()
  #omitted: number
  #position: number
  #origins: Origins = noBranches
  #branch = 0
  #session: SessionInfo | undefined

  constructor(before: Transcript = emptyTranscript) {
    this.#omitted = before.omitted
    this.#position = before.omitted + before.entries.length
    this.#all = before.entries.map((each, index) => ({
      branch: 0,
      position: before.omitted + index,
      draft: { ...each }
    }))
    this.#rows = this.#all
    this.#index()
    this.#session = before.session
  }

  /** Adds what an event says. */
  apply(event: Event): void {
    switch (event.type) {
      case "call_answered":
        this.#add(resultOf(event))
        return
      case "anchored":
        this.#anchor(event)
        return
      case "branched":
        this.#goBack(event)
        return
      case "session_changed":
        this.#session = event.info
        return
      default:
        if ("id" in event) this.#change(event.id, event)
    }
  }

  /** Leaves out the oldest entries until the rest is within a number of characters, as JSON. */
  bound(maxCharacters: number): void {
    let size = 0
    let from = this.#rows.length
    while (from > 0) {
      size += JSON.stringify(this.#rows[from - 1]?.draft).length
      if (size > maxCharacters) break
      from--
    }
    if (from === 0) return
    const gone = new Set(this.#rows.slice(0, from))
    const calls = new Set([...gone].map(({ draft }) => draft.id))
    // A result is dropped with its call: clients do not accept one alone.
    for (const row of this.#rows.slice(from)) if (row.draft.kind === "result" && calls.has(row.draft.id)) gone.add(row)
    this.#omitted += gone.size
    this.#all = this.#all.filter((row) => !gone.has(row))
    this.#rows = this.#rows.filter((row) => !gone.has(row))
    this.#index()
  }

  /** The transcript so far, as a value. */
  snapshot(): Transcript {
    return {
      entries: this.#rows.map(({ draft }) => ({ ...draft })),
      omitted: this.#omitted,
      ...(this.#session !== undefined && { session: this.#session })
    }
  }

  #change(id: string, event: Event): void {
    const known = this.#items.get(id)
    if (known !== undefined) {
      changeEntry(known, event)
      return
    }
    const begun = entryOf(event)
    if (begun !== undefined) this.#add(begun)
  }

  #anchor(event: EventOf<"anchored">): void {
    const held =
      event.id === undefined
        ? this.#rows.findLast(({ draft }) => draft.lane === event.lane)?.draft
        : (this.#results.get(event.id) ?? this.#items.get(event.id))
    if (held !== undefined) changeEntry(held, event)
  }

  #add(draft: EntryDraft): void {
    const row = { branch: this.#branch, position: this.#position++, draft }
    if (this.#all !== this.#rows) this.#all.push(row)
    this.#rows.push(row)
    this.#note(draft)
  }

  #goBack({ branch, from }: EventOf<"branched">): void {
    const origins = this.#origins.slice()
    origins[branch] = from
    this.#origins = origins
    this.#branch = branch
    const path = pathOf(origins, branch)
    if (this.#all === this.#rows) this.#all = this.#rows.slice()
    this.#rows = this.#all.filter((row) => isOnPath(path, row))
    // What was left out is the oldest.
    this.#omitted = Math.min(this.#omitted, from === null ? 0 : from.position + 1)
    this.#index()
  }

  /** Items by their ids; a result has the id of its call. */
  #index(): void {
    this.#items = new Map()
    this.#results = new Map()
    for (const { draft } of this.#rows) this.#note(draft)
  }

  #note(draft: EntryDraft): void {
    if (draft.kind === "result") this.#results.set(draft.id, draft)
    else this.#items.set(draft.id, draft)
  }
}

const resultOf = ({
  content,
  exitCode,
  failed,
  id,
  lane
}: Extract<Event, { readonly type: "call_answered" }>): EntryDraft => ({
  id,
  lane,
  kind: "result",
  content,
  failed,
  ...(exitCode !== undefined && { exitCode })
})

const startOf = ({ id, item, lane }: Extract<Event, { readonly type: "item_started" }>): EntryDraft => {
  switch (item.kind) {
    case "text":
    case "thought":
      return { id, lane, kind: item.kind, text: "" }
    case "call":
      return { id, lane, kind: "call", tool: item.tool, action: item.action, parent: item.parent, arguments: "" }
    case "prompt":
      return { id, lane, kind: "prompt", content: item.content }
    case "task":
      return { id, lane, kind: "task", content: item.content }
  }
}

/** The transcript of some events. */
export const transcriptOf = (events: Iterable<Event>, before: Transcript = emptyTranscript): Transcript => {
  const builder = new TranscriptBuilder(before)
  for (const event of events) builder.apply(event)
  return builder.snapshot()
}

/** A transcript without its oldest entries, so that the rest is within a number of characters, as JSON. */
export const boundTranscript = (transcript: Transcript, maxCharacters: number): Transcript => {
  const builder = new TranscriptBuilder(transcript)
  builder.bound(maxCharacters)
  return builder.snapshot()
}
