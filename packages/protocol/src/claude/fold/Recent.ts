/**
 * Which messages have been seen: a window over the last `uuid`s.
 *
 * A CLI on a WebSocket replays its whole buffer after a reconnect (docs/wire/claude-code.md §2), and echoes come
 * with the uuid of what they echo. The window is a value: a state that is kept and stepped again later still knows
 * what it knew then. It stays fast because only the newest state of a line writes into the shared table; any other
 * copies what it may see.
 *
 * A uuid is kept as its 128 bits. As strings, two thousand of them would live long enough to be moved about by each
 * collection of garbage, which costs more than reading their lines. What has another form is kept as it is.
 */
import { readUuid, uuidWords } from "../../wire/Uuid.ts"

/** The last uuids: between `size` and twice that many. */
export interface Recent {
  readonly size: number
  /** The generation before: full, and never written again. */
  readonly older: Table
  readonly younger: Table
  /** How many of the younger are this state's: those beyond belong to others. */
  readonly count: number
}

/** Ids in the order they came, and where each is: a hash table of positions, counted from 1. Twice as fast as a Map. */
interface Table {
  count: number
  /** The bits of those that are uuids, four words each; it grows with them. */
  words: Int32Array
  /** Those that are not, by position. */
  readonly texts: Map<number, string>
  readonly slots: Int32Array
}

const emptyTable = (size: number): Table => ({
  count: 0,
  words: new Int32Array(leastWords),
  texts: new Map(),
  slots: new Int32Array(2 ** Math.ceil(Math.log2(size * 2)))
})

const leastWords = 64 * uuidWords

/** A window that remembers at least the last `size` uuids. */
export const emptyRecent = (size: number): Recent => ({
  size,
  older: emptyTable(1),
  younger: emptyTable(size),
  count: 0
})

/** Whether this uuid is in the window. */
export const isRecent = (recent: Recent, uuid: string): boolean => isIn(recent, idOf(uuid))

/** The window with a uuid; the window itself when it has seen it. */
export const addRecent = (recent: Recent, uuid: string): Recent => withId(recent, idOf(uuid))

/** The same for the bits of a uuid, at a place among others'. */
export const addRecentWords = (recent: Recent, words: Int32Array): Recent => withId(recent, words)

/** An id: the bits of a uuid, or a text that is none. */
type Id = Int32Array | string

const scratch = new Int32Array(uuidWords)

/** The bits are only good until the next id is read. */
const idOf = (text: string): Id => (readUuid(text, scratch) ? scratch : text)

const withId = (recent: Recent, id: Id): Recent => (isIn(recent, id) ? recent : added(recent, id))

const isIn = ({ count, older, younger }: Recent, id: Id): boolean =>
  find(younger, id) <= count || find(older, id) <= older.count

const added = ({ count, older, size, younger }: Recent, id: Id): Recent => {
  if (count >= size) return added({ size, older: younger, younger: emptyTable(size), count: 0 }, id)
  const table = younger.count === count ? younger : copyOf(younger, count, size)
  add(table, id)
  return { size, older, younger: table, count: count + 1 }
}

const copyOf = ({ texts, words }: Table, count: number, size: number): Table => {
  const copy = emptyTable(size)
  for (let position = 1; position <= count; position++)
    add(copy, texts.get(position) ?? words.slice((position - 1) * uuidWords, position * uuidWords))
  return copy
}

const add = (table: Table, id: Id): void => {
  const { slots } = table
  const mask = slots.length - 1
  let slot = hashOf(id) & mask
  while (slots[slot] !== 0) slot = (slot + 1) & mask
  const position = ++table.count
  slots[slot] = position
  if (typeof id === "string") {
    table.texts.set(position, id)
    return
  }
  const at = (position - 1) * uuidWords
  if (at >= table.words.length) table.words = grown(table.words, at)
  const { words } = table
  for (let word = 0; word < uuidWords; word++) words[at + word] = id[word] as number
}

const grown = (words: Int32Array, used: number): Int32Array => {
  const longer = new Int32Array(2 * used)
  longer.set(words)
  return longer
}

/** The position of an id; more than any when it is not there. */
const find = ({ slots, texts, words }: Table, id: Id): number => {
  const mask = slots.length - 1
  for (let slot = hashOf(id) & mask; ; slot = (slot + 1) & mask) {
    const position = slots[slot]
    if (position === undefined || position === 0) return Number.MAX_SAFE_INTEGER
    const text = texts.size === 0 ? undefined : texts.get(position)
    if (typeof id === "string" ? text === id : text === undefined && isAt(words, (position - 1) * uuidWords, id))
      return position
  }
}

const isAt = (words: Int32Array, at: number, id: Int32Array): boolean =>
  words[at] === id[0] && words[at + 1] === id[1] && words[at + 2] === id[2] && words[at + 3] === id[3]

const hashOf = (id: Id): number => {
  if (typeof id !== "string") {
    // Of a uuid of version 7, the first words are a time and the last are random.
    const hash = Math.imul((id[0] as number) ^ (id[3] as number), 0x9e3779b1) ^ (id[1] as number) ^ (id[2] as number)
    return hash ^ (hash >>> 15)
  }
  let hash = 0
  for (let at = 0; at < id.length; at++) hash = (Math.imul(hash, 31) + id.charCodeAt(at)) | 0
  return hash ^ (hash >>> 15)
}
