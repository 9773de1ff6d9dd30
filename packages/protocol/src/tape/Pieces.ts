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
  /** Its text; one character a byte where that is not UTF-8. */
  readonly text: string
  readonly edits: Array<Edit>
  /** How many others may still change it. */
  waiting: number
}

/** Where the parts of a text are. */
export class Span {
  readonly #parts: Array<{ readonly held: Held; readonly start: number; readonly length: number }> = []

  /** Adds a part of a frame at the end. */
  add(held: Held, start: number, length: number): void {
    this.#parts.push({ held, start, length })
  }

  /** Replaces a range: the whole replacement goes where the range begins. */
  edit({ end, start, text }: Edit): void {
    let at = 0
    let rest = text
    for (const part of this.#parts) {
      const from = Math.max(start, at)
      const to = Math.min(end, at + part.length)
      if (from < to) {
        part.held.edits.push({ start: part.start + from - at, end: part.start + to - at, text: rest })
        rest = ""
      }
      at += part.length
    }
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
  /** The replacements in a text. */
  readonly edit: (text: string) => ReadonlyArray<Edit>
  /** How much of a text's beginning nothing that follows can change. */
  readonly settledLength: (text: string) => number
  /** Whether to wait for the end, or until told, and not settle on the way. */
  readonly isPatient: boolean
}

/** Pieces of one text. */
export class Pieces {
  readonly #options: PiecesOptions
  #pieces: Array<Piece> = []
  #text = ""

  constructor(options: PiecesOptions) {
    this.#options = options
  }

  /** Takes the next piece: what it says, and how and where that is written. */
  add(span: Span, start: number, written: string, says: string): void {
    if (says === "") return
    span.hold()
    this.#pieces.push({ span, start, written, done: 0, length: says.length, edits: [] })
    this.#text += says
    if (!this.#options.isPatient) this.#settle(this.#options.settledLength(this.#text))
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
    const whole = new Map<Piece, Array<Edit>>()
    for (const edit of this.#options.edit(this.#text.slice(0, length))) this.#distribute(edit, whole)
    for (const [piece, edits] of whole) piece.edits.push(...edits)
    let left = length
    while (left > 0) {
      const piece = this.#pieces[0]
      if (piece === undefined) break
      const rest = piece.length - piece.done
      if (rest > left) {
        piece.done += left
        break
      }
      left -= rest
      this.#pieces.shift()
      for (const edit of toEscaped(piece.written, piece.edits))
        piece.span.edit({ ...edit, start: piece.start + edit.start, end: piece.start + edit.end })
      piece.span.release()
    }
    this.#text = this.#text.slice(length)
  }

  #distribute({ end, start, text }: Edit, whole: Map<Piece, Array<Edit>>): void {
    let at = 0
    let rest = text
    for (const piece of this.#pieces) {
      if (at >= end) return
      const from = Math.max(start, at)
      const to = Math.min(end, at + piece.length - piece.done)
      if (from < to) {
        const edits = whole.get(piece) ?? []
        edits.push({ start: piece.done + from - at, end: piece.done + to - at, text: rest })
        whole.set(piece, edits)
        rest = ""
      }
      at += piece.length - piece.done
    }
  }
}
