/**
 * Which messages have been seen: a window over the last `uuid`s.
 *
 * A CLI on a WebSocket replays its whole buffer after a reconnect (docs/wire/claude-code.md §2), and echoes come
 * with the uuid of what they echo. The window is a value: a state that is kept and stepped again later still knows
 * what it knew then. It stays fast because only the newest state of a line writes into the shared table; any other
 * copies what it may see.
 */

/** The last uuids: between `size` and twice that many. */
export interface Recent {
  readonly size: number
  /** The generation before: full, and never written again. */
  readonly older: Table
  readonly younger: Table
  /** How many of the younger are this state's: those beyond belong to others. */
  readonly count: number
}

/** uuids in the order they came, and where each is: a hash table of positions, counted from 1. Twice as fast as a Map. */
interface Table {
  readonly uuids: Array<string>
  readonly slots: Int32Array
}

const emptyTable = (size: number): Table => ({ uuids: [], slots: new Int32Array(2 ** Math.ceil(Math.log2(size * 2))) })

/** A window that remembers at least the last `size` uuids. */
export const emptyRecent = (size: number): Recent => ({
  size,
  older: emptyTable(1),
  younger: emptyTable(size),
  count: 0
})

/** Whether this uuid is in the window. */
export const isRecent = (recent: Recent, uuid: string): boolean => isIn(recent, uuid, hashOf(uuid))

/** The window with a uuid; the window itself when it has seen it. */
export const addRecent = (recent: Recent, uuid: string): Recent => {
  const hash = hashOf(uuid)
  return isIn(recent, uuid, hash) ? recent : added(recent, uuid, hash)
}

const isIn = ({ count, older, younger }: Recent, uuid: string, hash: number): boolean =>
  find(younger, uuid, hash) <= count || find(older, uuid, hash) <= older.uuids.length

const added = ({ count, older, size, younger }: Recent, uuid: string, hash: number): Recent => {
  if (count >= size) return added({ size, older: younger, younger: emptyTable(size), count: 0 }, uuid, hash)
  const table = younger.uuids.length === count ? younger : copyOf(younger, count, size)
  add(table, uuid, hash)
  return { size, older, younger: table, count: count + 1 }
}

const copyOf = ({ uuids }: Table, count: number, size: number): Table => {
  const copy = emptyTable(size)
  for (const uuid of uuids.slice(0, count)) add(copy, uuid, hashOf(uuid))
  return copy
}

const add = ({ slots, uuids }: Table, uuid: string, hash: number): void => {
  const mask = slots.length - 1
  let slot = hash & mask
  while (slots[slot] !== 0) slot = (slot + 1) & mask
  slots[slot] = uuids.push(uuid)
}

/** The position of a uuid; more than any when it is not there. */
const find = ({ slots, uuids }: Table, uuid: string, hash: number): number => {
  const mask = slots.length - 1
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const position = slots[slot]
    if (position === undefined || position === 0) return Number.MAX_SAFE_INTEGER
    if (uuids[position - 1] === uuid) return position
  }
}

const hashOf = (uuid: string): number => {
  let hash = 0
  for (let at = 0; at < uuid.length; at++) hash = (Math.imul(hash, 31) + uuid.charCodeAt(at)) | 0
  return hash ^ (hash >>> 15)
}
