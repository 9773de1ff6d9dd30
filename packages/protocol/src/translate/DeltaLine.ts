/**
 * Reads text deltas without parsing their lines.
 *
 * Nine lines in ten of a streamed session are text deltas, and those of one block differ in nothing but their text
 * and their uuid. So a line that the codec has read teaches the layout, and a line of the same layout is cut at
 * the same places. Whatever does not fit exactly is left to the codec: what is read here, the codec would read in
 * the same way (a property test holds the two together).
 */

/** A delta as it is read from a line. */
export interface DeltaText {
  /** The text, as the inside of a JSON string. */
  readonly raw: string
  readonly text: string
  readonly uuid: string
}

/** What the lines of one block's deltas have in common. */
export interface DeltaLayout {
  /** Up to the text. */
  readonly head: string
  /** From the end of the text to the uuid. */
  readonly middle: string
  /** From the end of the uuid. */
  readonly tail: string
  readonly uuidLength: number
}

const textKey = '"delta":{"type":"text_delta","text":"'
const uuidKey = '"uuid":"'

/** The layout of a line that the codec has read as this delta; undefined when it is an unusual one. */
export const layoutOf = (line: string, { text, uuid }: Omit<DeltaText, "raw">): DeltaLayout | undefined => {
  const key = line.indexOf(textKey)
  const from = key + textKey.length
  const to = line.indexOf('"}}', from)
  const at = line.lastIndexOf(`${uuidKey}${uuid}"`) + uuidKey.length
  if (key === -1 || to === -1 || at < to) return undefined
  const layout = {
    head: line.slice(0, from),
    middle: line.slice(to, at),
    tail: line.slice(at + uuid.length),
    uuidLength: uuid.length
  }
  // The places were guessed: reading the line back shows whether they are right.
  const read = readDelta(layout, line)
  return read?.text === text && read.uuid === uuid ? layout : undefined
}

/** The delta of a line of this layout; undefined when the line has another. */
export const readDelta = ({ head, middle, tail, uuidLength }: DeltaLayout, line: string): DeltaText | undefined => {
  const end = line.length - tail.length
  const at = end - uuidLength
  const to = at - middle.length
  // `startsWith` compares character by character on Node 20: seventy times slower than cutting and comparing.
  if (
    to < head.length ||
    line.slice(0, head.length) !== head ||
    line.slice(to, at) !== middle ||
    line.slice(end) !== tail
  )
    return undefined
  const raw = line.slice(head.length, to)
  const uuid = detached(line.slice(at, end))
  const text = special.test(raw) ? unescaped(raw) : raw
  return text === undefined || special.test(uuid) ? undefined : { raw, text, uuid }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: a JSON string may not hold them
const special = /["\\\x00-\x1f]/

const unescaped = (raw: string): string | undefined => {
  try {
    return JSON.parse(`"${raw}"`) as string
  } catch {
    return undefined
  }
}

/**
 * A copy that does not keep the line alive: V8 cuts strings of 13 characters and more by pointing into the whole,
 * and a uuid is remembered for thousands of lines.
 */
const detached = (uuid: string): string => {
  let copy = ""
  for (let at = 0; at < uuid.length; at += 12) copy += uuid.slice(at, at + 12)
  return copy
}
