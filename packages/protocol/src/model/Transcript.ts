/**
 * What was said, in order: the fold of a conversation's events.
 *
 * It is the same live, replayed, and read from a store. A result has a place of its own, because other things are
 * said between a call and its result.
 */
import * as Schema from "effect/Schema"
import { JsonObject, optional } from "../wire/Open.ts"
import { Content } from "./Content.ts"
import { Action, type Event, Lane, SessionInfo } from "./Event.ts"

const entry = { id: Schema.String, lane: Lane }

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
  }
}

/** Folds events into a transcript, in constant time for each: nearly all of them are pieces of a text. */
export class TranscriptBuilder {
  #entries: Array<EntryDraft>
  #places: Map<string, EntryDraft>
  #omitted: number
  #session: SessionInfo | undefined

  constructor(before: Transcript = emptyTranscript) {
    this.#entries = before.entries.map((each) => ({ ...each }))
    this.#places = placesOf(this.#entries)
    this.#omitted = before.omitted
    this.#session = before.session
  }

  /** Adds what an event says. */
  apply(event: Event): void {
    if (event.type === "session_changed") this.#session = event.info
    else if (event.type === "call_answered") this.#entries.push(resultOf(event))
    else if ("id" in event) this.#change(event.id, event)
  }

  /** Leaves out the oldest entries until the rest is within a number of characters, as JSON. */
  bound(maxCharacters: number): void {
    let size = 0
    let from = this.#entries.length
    while (from > 0) {
      size += JSON.stringify(this.#entries[from - 1]).length
      if (size > maxCharacters) break
      from--
    }
    if (from === 0) return
    const gone = new Set(this.#entries.slice(0, from).map(({ id }) => id))
    // A result is dropped with its call: clients do not accept one alone.
    const kept = this.#entries.slice(from).filter(({ id, kind }) => kind !== "result" || !gone.has(id))
    this.#omitted += this.#entries.length - kept.length
    this.#entries = kept
    this.#places = placesOf(kept)
  }

  /** The transcript so far, as a value. */
  snapshot(): Transcript {
    return {
      entries: this.#entries.map((each) => ({ ...each })),
      omitted: this.#omitted,
      ...(this.#session !== undefined && { session: this.#session })
    }
  }

  #change(id: string, event: Event): void {
    const known = this.#places.get(id)
    if (known !== undefined) changeEntry(known, event)
    const begun = known === undefined ? entryOf(event) : undefined
    if (begun === undefined) return
    this.#entries.push(begun)
    this.#places.set(id, begun)
  }
}

/** Items by their ids; a result has the id of its call. */
const placesOf = (entries: ReadonlyArray<EntryDraft>): Map<string, EntryDraft> =>
  new Map(entries.filter(({ kind }) => kind !== "result").map((each) => [each.id, each]))

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
