/**
 * Texts and thoughts as items: an agentMessage or a reasoning begins, grows and is complete. Every one is closed, also
 * where it was cut off, which Codex itself does not do (docs/wire/codex.md, §3.12).
 *
 * What was cut off may continue. An item cannot be opened again, so the rest is an item of its own.
 */
import type { EventOf, Lane } from "../model/Event.ts"
import { withEntry, withoutEntry } from "../model/Situation.ts"
import type { OpenSpeech, OpenTurn } from "./Cursor.ts"
import { type AnyItem, completeItem, type Draft, markDone, placeOf, set, startItem, tell } from "./Draft.ts"

/** The id of the item that a piece of a text is told in: the first has the id of the text. */
export const pieceId = (id: string, pieces: number): string => (pieces <= 1 ? id : `${id}:${pieces}`)

const itemOf: { readonly [K in OpenSpeech["kind"]]: (id: string, text: string) => AnyItem } = {
  text: (id, text) => ({
    type: "agentMessage",
    id,
    text,
    phase: null,
    memoryCitation: null,
    delivery: null,
    questions: null
  }),
  thought: (id, text) => ({ type: "reasoning", id, summary: text === "" ? [] : [text], content: [] })
}

const grow: {
  readonly [K in OpenSpeech["kind"]]: (draft: Draft, place: OpenTurn, itemId: string, delta: string) => void
} = {
  text: (draft, { thread, turn }, itemId, delta) =>
    tell(draft, "item/agentMessage/delta", { threadId: thread, turnId: turn, itemId, delta }),
  thought: (draft, { thread, turn }, itemId, delta) =>
    tell(draft, "item/reasoning/summaryTextDelta", { threadId: thread, turnId: turn, itemId, delta, summaryIndex: 0 })
}

const begin = (draft: Draft, place: OpenTurn, id: string, speech: OpenSpeech): OpenSpeech => {
  if (speech.startedAt !== undefined) return speech
  const begun = { ...speech, pieces: speech.pieces + 1, startedAt: draft.at }
  const itemId = pieceId(id, begun.pieces)
  startItem(draft, place, itemOf[begun.kind](itemId, begun.text))
  if (begun.kind === "thought")
    tell(draft, "item/reasoning/summaryPartAdded", {
      threadId: place.thread,
      turnId: place.turn,
      itemId,
      summaryIndex: 0
    })
  return begun
}

const put = (draft: Draft, id: string, speech: OpenSpeech): void =>
  set(draft, { speeches: withEntry(draft.cursor.speeches, id, speech) })

/** A text or thought begins, or continues after its end. */
export const startSpeech = (draft: Draft, { id, lane }: EventOf<"item_started">, kind: OpenSpeech["kind"]): void => {
  const place = placeOf(draft.cursor, lane)
  if (place === undefined || draft.cursor.speeches.get(id)?.startedAt !== undefined) return
  const pieces = draft.cursor.speeches.get(id)?.pieces ?? draft.cursor.done.get(id) ?? 0
  const speech: OpenSpeech = { kind, lane, text: "", pieces, startedAt: undefined }
  // The rest of one that was complete begins with its first word: often there is none.
  put(draft, id, pieces === 0 ? begin(draft, place, id, speech) : speech)
}

/** The next piece of a text or thought. */
export const growSpeech = (draft: Draft, id: string, speech: OpenSpeech, delta: string): void => {
  const place = placeOf(draft.cursor, speech.lane)
  if (place === undefined || delta === "") return
  const open = begin(draft, place, id, speech)
  grow[open.kind](draft, place, pieceId(id, open.pieces), delta)
  put(draft, id, { ...open, text: open.text + delta })
}

/** A text or thought is complete, or was cut off. */
export const endSpeech = (draft: Draft, id: string, speech: OpenSpeech, abandoned: boolean): void => {
  const place = placeOf(draft.cursor, speech.lane)
  if (place === undefined) return
  const isUntold = speech.startedAt === undefined && speech.pieces === 0
  const open = isUntold ? begin(draft, place, id, speech) : speech
  if (open.startedAt !== undefined) {
    const item = itemOf[open.kind](pieceId(id, open.pieces), open.text)
    completeItem(draft, open.lane, place, item, open.startedAt)
  }
  if (abandoned) {
    put(draft, id, { ...open, text: "", startedAt: undefined })
    return
  }
  set(draft, { speeches: withoutEntry(draft.cursor.speeches, id) })
  markDone(draft, id, open.pieces)
}

/** Closes all texts and thoughts of some lanes, and forgets those that were cut off. */
export const closeSpeeches = (draft: Draft, isMeant: (lane: Lane) => boolean): void => {
  for (const [id, speech] of draft.cursor.speeches) {
    if (!isMeant(speech.lane)) continue
    if (speech.startedAt !== undefined || speech.pieces === 0) endSpeech(draft, id, speech, false)
    else set(draft, { speeches: withoutEntry(draft.cursor.speeches, id) })
  }
}
