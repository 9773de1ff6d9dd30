/**
 * UUIDs as their 128 bits. Only the form that nearly all programs write is read, `01a1ee7b-23b4-78c2-a788-21ba8f9fa267`:
 * what is written otherwise is another text, and texts that differ are different ids.
 */

/** How many 32-bit words a uuid has. */
export const uuidWords = 4

/** How many characters a uuid has. */
export const uuidLength = 36

const dash = 45

/** The values of hexadecimal digits as they are written in lower case; -1 for all other bytes. */
const digits = new Int8Array(256).fill(-1)
for (let value = 0; value < 16; value++) digits["0123456789abcdef".charCodeAt(value)] = value

/** Reads the uuid at a place in some bytes; false when there is none. `words` has its bits only when it is true. */
export const readUuidBytes = (bytes: Uint8Array, at: number, words: Int32Array): boolean => {
  if (at + uuidLength > bytes.length) return false
  if (bytes[at + 8] !== dash || bytes[at + 13] !== dash || bytes[at + 18] !== dash || bytes[at + 23] !== dash)
    return false
  const a = four(bytes, at)
  const b = four(bytes, at + 4)
  const c = four(bytes, at + 9)
  const d = four(bytes, at + 14)
  const e = four(bytes, at + 19)
  const f = four(bytes, at + 24)
  const g = four(bytes, at + 28)
  const h = four(bytes, at + 32)
  words[0] = (a << 16) | b
  words[1] = (c << 16) | d
  words[2] = (e << 16) | f
  words[3] = (g << 16) | h
  return (a | b | c | d | e | f | g | h) >= 0
}

/** Four digits; negative when one of them is none. */
const four = (bytes: Uint8Array, at: number): number =>
  (digit(bytes, at) << 12) | (digit(bytes, at + 1) << 8) | (digit(bytes, at + 2) << 4) | digit(bytes, at + 3)

const digit = (bytes: Uint8Array, at: number): number => digits[bytes[at] as number] as number

const scratch = new Uint8Array(uuidLength)

/** Reads a text that is a uuid; false when it is none. `words` has its bits only when it is true. */
export const readUuid = (text: string, words: Int32Array): boolean => {
  if (text.length !== uuidLength) return false
  for (let at = 0; at < uuidLength; at++) {
    const code = text.charCodeAt(at)
    if (code > 127) return false
    scratch[at] = code
  }
  return readUuidBytes(scratch, 0, words)
}
