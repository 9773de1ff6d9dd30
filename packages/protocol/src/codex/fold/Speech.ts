/**
 * The life of a text or a thought as an item: it begins with its first word, grows, ends.
 *
 * Deltas of a message concatenate to its text (§3.16), but a delta may be missing, a plan may end in other words than it
 * was streamed in, and a cut message is never completed (§3.12).
 */
import type { Lane } from "../../model/Event.ts"
import { withoutPrefix } from "../../wire/Prefix.ts"
import { type FoldState, laneOf, type Out, type Speech, withSpeech } from "./State.ts"

/** What stands between the sections of a thought. */
const sectionBreak = "\n\n"

const newSpeech = (kind: Speech["kind"], id: string, thread: string): Speech => ({
  kind,
  id,
  thread,
  begun: false,
  open: false,
  abandoned: false,
  sent: "",
  half: "",
  section: undefined,
  breaks: false
})

/** A piece of a text or thought. `section`: the part of it that the piece belongs to. */
export const speak = (
  state: FoldState,
  thread: string,
  kind: Speech["kind"],
  id: string,
  piece: string,
  out: Out,
  section?: number
): FoldState => {
  const open = state.speeches.get(id)
  // What is being said is not complete; the list of what is would be searched with every piece.
  if (open === undefined && state.complete.includes(id)) return state
  const known = open ?? newSpeech(kind, id, thread)
  const isNext = known.section !== undefined && section !== undefined && section !== known.section
  const breaks = (known.breaks || isNext) && known.sent + known.half !== ""
  const said = piece === "" ? known : grow(known, breaks ? sectionBreak + piece : piece, laneOf(state, thread), out)
  const next = inSection(said, section ?? said.section, piece === "" ? known.breaks || isNext : false)
  return spoken(withSpeech(state, id, next), next)
}

const inSection = (speech: Speech, section: number | undefined, breaks: boolean): Speech =>
  speech.section === section && speech.breaks === breaks ? speech : { ...speech, section, breaks }

/** Another section of a thought begins. */
export const breakSection = (state: FoldState, thread: string, id: string, section: number | undefined): FoldState => {
  if (state.complete.includes(id)) return state
  const known = state.speeches.get(id) ?? newSpeech("thought", id, thread)
  return withSpeech(state, id, { ...known, section: section ?? known.section, breaks: true })
}

/** A text or thought is whole: what the stream did not bring comes now, and it ends. */
export const completeSpeech = (
  state: FoldState,
  thread: string,
  kind: Speech["kind"],
  id: string,
  whole: string,
  out: Out
): FoldState => {
  const lane = laneOf(state, thread)
  const known = state.speeches.get(id) ?? newSpeech(kind, id, thread)
  const rest = withoutPrefix(whole, known.sent + known.half)
  const said =
    rest === undefined
      ? // What was shown cannot be taken back, so it is abandoned, and the whole is shown in its place.
        grow(replacement(known, lane, out), whole, lane, out)
      : grow(known, rest, lane, out)
  // It was taken for cut off, and has ended after all without another word.
  if (said.abandoned && !said.open) out.push({ type: "item_ended", lane, id: said.id })
  const ended = endSpeech(said, lane, out)
  const speeches = new Map(state.speeches)
  speeches.delete(id)
  return spoken({ ...state, speeches }, ended)
}

const replacement = (speech: Speech, lane: Lane, out: Out): Speech => {
  abandonSpeech(speech, lane, out)
  return newSpeech(speech.kind, `${speech.id}:whole`, speech.thread)
}

/** A call that follows a text hangs on it; after a thought it has a message of its own. */
const spoken = (state: FoldState, { begun, id, kind, thread }: Speech): FoldState => {
  if (!begun || (kind === "text" && state.parents.get(thread) === id)) return state
  const parents = new Map(state.parents)
  if (kind === "text") parents.set(thread, id)
  else if (!parents.delete(thread)) return state
  return { ...state, parents }
}

const grow = (speech: Speech, piece: string, lane: Lane, out: Out): Speech => {
  const text = speech.half + piece
  if (text === "") return speech
  const half = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(-1) : ""
  const ready = half === "" ? text : text.slice(0, -1)
  if (ready === "") return { ...speech, half }
  const begun = begin(speech, lane, out)
  out.push({ type: "item_grew", lane, id: speech.id, delta: ready })
  return withWords(begun, speech.sent + ready, half)
}

/** The state when a text that is open has grown, and whoever reads it was told. */
export const grownSpeech = (state: FoldState, speech: Speech, text: string): FoldState =>
  withSpeech(state, speech.id, withWords(speech, speech.sent + text, ""))

/** Written out, because every piece of a text comes by: see `withSpeech`. */
const withWords = (speech: Speech, sent: string, half: string): Speech => ({
  kind: speech.kind,
  id: speech.id,
  thread: speech.thread,
  begun: speech.begun,
  open: speech.open,
  abandoned: false,
  sent,
  half,
  section: speech.section,
  breaks: speech.breaks
})

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

const begin = (speech: Speech, lane: Lane, out: Out): Speech => {
  if (speech.open) return speech
  // One that was abandoned and continues after all only grows.
  if (!speech.begun || !speech.abandoned)
    out.push({ type: "item_started", lane, id: speech.id, item: { kind: speech.kind } })
  return { ...speech, begun: true, open: true }
}

/** Ends a text or thought, if it is open. Half a surrogate pair that is held will never be whole: it goes out as it is. */
export const endSpeech = (speech: Speech, lane: Lane, out: Out, abandoned = false): Speech => {
  const flushed = speech.half === "" ? speech : flush(speech, lane, out)
  if (!flushed.open) return flushed
  out.push({ type: "item_ended", lane, id: flushed.id, ...(abandoned && { abandoned }) })
  return { ...flushed, open: false, abandoned }
}

const flush = (speech: Speech, lane: Lane, out: Out): Speech => {
  const begun = begin(speech, lane, out)
  out.push({ type: "item_grew", lane, id: speech.id, delta: speech.half })
  return { ...begun, sent: speech.sent + speech.half, half: "" }
}

/** Ends a text or thought that was cut off and is not expected to continue. */
export const abandonSpeech = (speech: Speech, lane: Lane, out: Out): Speech => endSpeech(speech, lane, out, true)

/** Marks all that is being said on a thread as cut off: the model's stream broke, or somebody steered. */
export const abandonSpeeches = (state: FoldState, thread: string, out: Out): FoldState => {
  const speeches = new Map(state.speeches)
  for (const [id, speech] of speeches)
    if (speech.thread === thread) speeches.set(id, abandonSpeech(speech, laneOf(state, thread), out))
  return { ...state, speeches }
}
