/**
 * Text that comes in pieces, each in a frame of its own, and the secrets that may be cut over them.
 *
 * A {@link Span} is a text somewhere in the frames: an edit of it is an edit of theirs. {@link Pieces} joins the
 * text of several spans, holds their frames until it is known that no secret reaches from them into what is still
 * to come, and then edits them as one: joined, the edited pieces say what the edited whole says.
 */
import { type Range, toEscaped } from "../wire/internal/JsonText.ts"

/** A replacement of a range. */
export interface Edit extends Range {
  readonly text: string
}

/** A frame that may have to wait for others. */
export interface Held {
  /** Its number on the tape, from 1. */
  readonly number: number
  /** Its text; one character a byte where that is not UTF-8. */
  readonly text: string
  readonly edits: Array<Edit>
  /** How many others may still change it. */
  waiting: number
}

/** The index of the part in which a place is, or of the last; parts are in order and leave nothing out. */
const indexAt = (parts: ReadonlyArray<{ readonly end: number }>, place: number): number => {
  let [low, high] = [0, parts.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((parts[middle]?.end ?? 0) <= place) low = middle + 1
    else high = middle
  }
  return Math.max(0, low)
}

/** Where the parts of a text are. */
export class Span {
  /** In order; `at` is where the part is in the text of the span. */
  readonly #parts: Array<{ readonly held: Held; readonly start: number; readonly at: number; readonly end: number }> =
    []

  /** Adds a part of a frame at the end. */
  add(held: Held, start: number, length: number): void {
    const at = this.#parts.at(-1)?.end ?? 0
    this.#parts.push({ held, start, at, end: at + length })
  }

  /** Replaces a range: the whole replacement goes where the range begins. */
  edit({ end, start, text }: Edit): void {
    let rest = text
    for (let index = indexAt(this.#parts, start); index < this.#parts.length; index++) {
      const part = this.#parts[index]
      if (part === undefined || part.at >= end) return
      const from = Math.max(start, part.at)
      const to = Math.min(end, part.end)
      if (from < to) {
        part.held.edits.push({ start: part.start + from - part.at, end: part.start + to - part.at, text: rest })
        rest = ""
      }
    }
  }

  /** The number of the frame in which a place is. */
  frameAt(place: number): number {
    return this.#parts[indexAt(this.#parts, place)]?.held.number ?? 0
  }

  /** Makes the frames wait. */
  hold(): void {
    for (const { held } of this.#parts) held.waiting++
  }

  /** Lets the frames go, as far as this one is concerned. */
  release(): void {
    for (const { held } of this.#parts) held.waiting--
  }
}

/** A text with its edits made. */
export const applyEdits = (text: string, edits: ReadonlyArray<Edit>): string => {
  if (edits.length === 0) return text
  let result = ""
  let at = 0
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at)
}

interface Piece {
  readonly span: Span
  /** Where in its span the text is as it is written, escapes and all. */
  readonly start: number
  readonly written: string
  /** How much of it was there before, and is settled. */
  done: number
  /** The length of what it says. */
  readonly length: number
  readonly edits: Array<Edit>
}

/** How pieces are edited. */
export interface PiecesOptions {
  /** The replacements in a text, of which it can be told in which frame a place is. */
  readonly edit: (text: string, frameOf: (at: number) => number) => ReadonlyArray<Edit>
  /** How much of a text's beginning nothing that follows can change. */
  readonly settledLength: (text: string) => number
  /** Whether to wait for the end, or until told, and not settle on the way. */
  readonly isPatient: boolean
}

/** A text that waits and is longer than this is looked at again only when it has doubled, not with every piece. */
const shortWait = 1024

/** Pieces of one text. */
export class Pieces {
  readonly #options: PiecesOptions
  #pieces: Array<Piece> = []
  #text = ""
  /** How long the text must be to be looked at again. */
  #enough = 0

  constructor(options: PiecesOptions) {
    this.#options = options
  }

  /** Takes the next piece: what it says, and how and where that is written. */
  add(span: Span, start: number, written: string, says: string): void {
    if (says === "") return
    span.hold()
    this.#pieces.push({ span, start, written, done: 0, length: says.length, edits: [] })
    this.#text += says
    if (this.#options.isPatient || this.#text.length < this.#enough) return
    this.#settle(this.#options.settledLength(this.#text))
    this.#enough = this.#text.length > shortWait ? this.#text.length * 2 : 0
  }

  /** Settles what can be settled, or everything when nothing can. */
  flush(): void {
    this.#settle(this.#options.settledLength(this.#text) || this.#text.length)
  }

  /** Nothing follows. */
  end(): void {
    this.#settle(this.#text.length)
  }

  #settle(length: number): void {
    if (length === 0) return
    const places = this.#places(length)
    const edits = this.#options.edit(this.#text.slice(0, length), (at) => {
      const { piece } = places[indexAt(places, at)] ?? {}
      return piece?.span.frameAt(piece.start) ?? 0
    })
    for (const edit of edits) distribute(edit, places)
    for (const { end, piece, start } of places) {
      piece.done += end - start
      if (piece.done < piece.length) continue
      for (const edit of toEscaped(piece.written, piece.edits))
        piece.span.edit({ ...edit, start: piece.start + edit.start, end: piece.start + edit.end })
      piece.span.release()
    }
    this.#pieces = this.#pieces.slice(places.filter(({ piece }) => piece.done === piece.length).length)
    this.#text = this.#text.slice(length)
  }

  /** Where the pieces are of which this much of the text is made. */
  #places(length: number): ReadonlyArray<Place> {
    const places: Array<Place> = []
    let at = 0
    for (const piece of this.#pieces) {
      if (at >= length) break
      const end = Math.min(length, at + piece.length - piece.done)
      places.push({ piece, start: at, end })
      at = end
    }
    return places
  }
}

/** A piece, and where what is left of it is in a text. */
interface Place extends Range {
  readonly piece: Piece
}

const distribute = ({ end, start, text }: Edit, places: ReadonlyArray<Place>): void => {
  let rest = text
  for (let index = indexAt(places, start); index < places.length; index++) {
    const place = places[index]
    if (place === undefined || place.start >= end) return
    const from = Math.max(start, place.start) - place.start + place.piece.done
    const to = Math.min(end, place.end) - place.start + place.piece.done
    if (from >= to) continue
    place.piece.edits.push({ start: from, end: to, text: rest })
    rest = ""
  }
}
