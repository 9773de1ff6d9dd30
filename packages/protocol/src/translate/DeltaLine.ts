/**
 * Reads text deltas without parsing their lines.
 *
 * Nine lines in ten of a streamed session are text deltas, and those of one text differ in nothing but the piece and a
 * stamp: the uuid of a line of Claude Code, the time of one of Codex. So a line that the codec has read teaches the
 * layout, and the bytes of a line of the same layout are cut at the same places. Whatever does not fit exactly is left to
 * the codec: what is read here, the codec would read in the same way (a property test holds the two together).
 */
import { defaultMaxLineBytes } from "../wire/Framer.ts"
import { readUuidBytes, uuidLength, uuidWords } from "../wire/Uuid.ts"

/** Where the lines of a runtime have what differs. */
export interface LineKeys {
  /** What stands before the piece, its opening quote included. */
  readonly text: string
  /** What stands before the stamp. */
  readonly stamp: string
  /** `uuid`: in quotes, and it names the line. `digits`: a number. */
  readonly stampKind: "uuid" | "digits"
}

/** What a line of a delta says, as the codec reads it. */
export interface DeltaText {
  readonly text: string
  /** The uuid of the line, where lines have one. */
  readonly uuid: string | undefined
}

/** What the lines of one text's deltas have in common. */
export interface DeltaLayout {
  /** Up to the piece. */
  readonly head: Pattern
  /** From the end of the piece to the stamp. */
  readonly middle: Pattern
  readonly stampKind: LineKeys["stampKind"] | "none"
  /** From the end of the stamp. */
  readonly tail: Pattern
}

/** Bytes to compare with: eight at a time, and those that are left. */
interface Pattern {
  readonly bytes: Uint8Array
  readonly words: Float64Array
}

const encoder = new TextEncoder()

const patternOf = (text: string): Pattern => {
  const bytes = encoder.encode(text)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return {
    bytes,
    words: Float64Array.from({ length: bytes.length >> 3 }, (_, word) => view.getFloat64(word * 8, true))
  }
}

/** The layout of a line that the codec has read; undefined when it is an unusual one. `read`: what the codec reads. */
export const layoutOf = (
  line: string,
  keys: LineKeys,
  read: (line: string) => DeltaText | undefined
): DeltaLayout | undefined => {
  const key = line.indexOf(keys.text)
  const from = key + keys.text.length
  const to = key === -1 ? -1 : closingQuote(line, from)
  if (to === -1) return undefined
  const stamp = stampOf(line, to, keys)
  const [head, middle, tail] = [line.slice(0, from), line.slice(to, stamp.from), line.slice(stamp.to)]
  // The places were guessed: whether they are right shows when something else stands there.
  const text = line.slice(from, to) === "a" ? "b" : "a"
  const other = otherStamps[stamp.kind](line.slice(stamp.from, stamp.to))
  const said = read(head + text + middle + other + tail)
  const isRight = said?.text === text && (said.uuid === undefined || said.uuid === other)
  return isRight
    ? { head: patternOf(head), middle: patternOf(middle), stampKind: stamp.kind, tail: patternOf(tail) }
    : undefined
}

const closingQuote = (line: string, from: number): number => {
  for (let at = from; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (code === quote) return at
    if (code === backslash) at++
  }
  return -1
}

interface StampPlace {
  readonly from: number
  readonly to: number
  readonly kind: DeltaLayout["stampKind"]
}

const stampForms = { uuid: /[0-9a-f-]{36}(?=")/y, digits: /[1-9][0-9]{0,14}(?![0-9.eE])/y } as const

/** The stamp of a line, behind the piece. Lines of older versions may have none. */
const stampOf = (line: string, after: number, { stamp, stampKind }: LineKeys): StampPlace => {
  const from = line.lastIndexOf(stamp) + stamp.length
  const form = stampForms[stampKind]
  form.lastIndex = from
  const found = from - stamp.length > after ? form.exec(line)?.[0] : undefined
  return found === undefined
    ? { from: after, to: after, kind: "none" }
    : { from, to: from + found.length, kind: stampKind }
}

const otherStamps: Readonly<Record<DeltaLayout["stampKind"], (stamp: string) => string>> = {
  uuid: (stamp) => `${stamp.startsWith("a") ? "b" : "a"}${stamp.slice(1)}`,
  digits: (stamp) => (stamp === "1" ? "2" : "1"),
  none: () => ""
}

const lineFeed = 10
const quote = 34
const backslash = 92

/** What a byte is within a JSON string. */
const plain = 0
const ending = 1
const escaping = 2
const leading = 3
const forbidden = 4

const kinds = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === quote) return ending
  if (byte === backslash) return escaping
  if (byte < 32) return forbidden
  return byte < 128 ? plain : leading
})

/** What may follow a backslash and is one character of one unit; `\u` may be half of a pair. */
const simpleEscapes = Uint8Array.from({ length: 256 }, (_, byte) =>
  '"\\/bfnrt'.includes(String.fromCharCode(byte)) ? 1 : 0
)

/** Reads the lines of a layout. After each it says where in the bytes things were: it makes no objects. */
export class DeltaReader {
  readonly #layout: DeltaLayout
  readonly #maxLineBytes: number
  /** Where the piece begins, as the inside of a JSON string. */
  from = 0
  /** Where it ends. */
  to = 0
  /** Whether it has escapes. */
  isEscaped = false
  /** Where the next line begins. */
  end = 0
  /** The bits of the uuid, where the lines have one. */
  readonly uuid: Int32Array = new Int32Array(uuidWords)

  constructor(layout: DeltaLayout, maxLineBytes: number = defaultMaxLineBytes) {
    this.#layout = layout
    this.#maxLineBytes = maxLineBytes
  }

  /** Whether the bytes have a whole line of the layout at a place. `view` is of the same bytes. */
  read(bytes: Uint8Array, view: DataView, at: number): boolean {
    const { head, middle, stampKind, tail } = this.#layout
    if (!isAt(head, bytes, view, at)) return false
    const from = at + head.bytes.length
    const to = this.#endOfPiece(bytes, from)
    // An empty piece says nothing, and may yet mean something.
    if (to <= from || !isAt(middle, bytes, view, to)) return false
    const stampEnd = this.#endOfStamp(stampKind, bytes, to + middle.bytes.length)
    if (stampEnd === -1 || !isAt(tail, bytes, view, stampEnd)) return false
    const end = stampEnd + tail.bytes.length
    if (bytes[end] !== lineFeed || end - at > this.#maxLineBytes) return false
    this.from = from
    this.to = to
    this.end = end + 1
    return true
  }

  /** Where the stamp ends; -1 where there is none. */
  #endOfStamp(kind: DeltaLayout["stampKind"], bytes: Uint8Array, from: number): number {
    switch (kind) {
      case "uuid":
        return readUuidBytes(bytes, from, this.uuid) ? from + uuidLength : -1
      case "digits":
        return endOfDigits(bytes, from)
      case "none":
        return from
    }
  }

  /** The place of the closing quote; -1 where something stands before it that is not as simple as it looks. */
  #endOfPiece(bytes: Uint8Array, from: number): number {
    let isEscaped = false
    let at = from
    while (at < bytes.length) {
      const kind = kinds[bytes[at] as number]
      if (kind === plain) at++
      else if (kind === ending) {
        this.isEscaped = isEscaped
        return at
      } else if (kind === leading) {
        at = afterCharacter(bytes, at)
        if (at === -1) return -1
      } else if (kind === escaping && simpleEscapes[bytes[at + 1] ?? 0] === 1) {
        isEscaped = true
        at += 2
      } else return -1
    }
    return -1
  }
}

/**
 * Eight bytes at a time, because all of a line has to be compared but a tenth. As numbers two groups of bytes are equal only
 * if they are the same: bytes of JSON are no zero, and those that are no number equal nothing, which costs time alone.
 */
const isAt = ({ bytes: pattern, words }: Pattern, bytes: Uint8Array, view: DataView, at: number): boolean => {
  const { length } = pattern
  if (at + length > bytes.length) return false
  let place = at
  for (let word = 0; word < words.length; word++) {
    if (view.getFloat64(place, true) !== words[word]) return false
    place += 8
  }
  for (let rest = words.length * 8; rest < length; rest++) if (bytes[at + rest] !== pattern[rest]) return false
  return true
}

/** Where a whole number ends as JSON writes it; -1 where there is none. It has no more digits than a number can hold. */
const endOfDigits = (bytes: Uint8Array, from: number): number => {
  const most = Math.min(bytes.length, from + 15)
  let at = from
  while (at < most && isDigit(bytes[at] as number)) at++
  return at === from || bytes[from] === zero ? -1 : at
}

const zero = 48

const isDigit = (byte: number): boolean => byte >= zero && byte <= 57

/** Where the next character begins after one of several bytes; -1 where it is not UTF-8 (RFC 3629, §4). */
const afterCharacter = (bytes: Uint8Array, at: number): number => {
  const first = bytes[at] as number
  const second = bytes[at + 1] ?? 0
  if (first < 0xe0) return first >= 0xc2 && isTrailing(second) ? at + 2 : -1
  if (first < 0xf0) {
    const [least, most] = first === 0xe0 ? [0xa0, 0xbf] : first === 0xed ? [0x80, 0x9f] : [0x80, 0xbf]
    return second >= least && second <= most && isTrailing(bytes[at + 2]) ? at + 3 : -1
  }
  const [least, most] = first === 0xf0 ? [0x90, 0xbf] : first === 0xf4 ? [0x80, 0x8f] : [0x80, 0xbf]
  const isWhole = second >= least && second <= most && isTrailing(bytes[at + 2]) && isTrailing(bytes[at + 3])
  return first <= 0xf4 && isWhole ? at + 4 : -1
}

const isTrailing = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x80 && byte <= 0xbf
