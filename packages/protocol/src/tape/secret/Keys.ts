/** Private keys: what their own lines, or the names of their parts, give away. */
import { newLine } from "./Line.ts"
import { type Look, matchAt, nothing, notYet } from "./Rule.ts"

const label = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/y
const labelLength = 80
/** Up to the end or the next beginning; what is no part of a key ends it. */
const armoured = /[\w+/=\s:,.()\\<>@;[\]|\u2192]*(?:-(?!---)[\w+/=\s:,.()\\<>@;[\]|\u2192]*)*/y
const closingLabel = /-{4,6} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/y
/** A key without an end: lines of base64. */
const base64Lines = new RegExp(
  `(?:(?:(?:${newLine})?[\\s\\\\]{0,8}[A-Za-z0-9+/=]{16,76})+(?:(?:${newLine}|[\\s\\\\])[\\s\\\\]{0,3}[A-Za-z0-9+/=]{1,16}(?![\\w-]))?)?`,
  "y"
)

/** Between the lines of a private key, or up to where the text of one is cut. */
export const privateKey = (text: string, at: number): Look => {
  const opening = matchAt(label, text, at)
  if (opening === null) return notYet(at + labelLength)
  const from = at + opening[0].length
  const body = from + (matchAt(armoured, text, from)?.[0].length ?? 0)
  const closed = matchAt(closingLabel, text, body)
  if (closed !== null) {
    const end = body + closed[0].length
    return { seen: end, secrets: [{ start: at, end }] }
  }
  const end = from + (matchAt(base64Lines, text, from)?.[0].length ?? 0)
  return { seen: Math.max(body + labelLength, end), secrets: [{ start: at, end }] }
}

const puttyLines = new RegExp(`[ \\t]{0,4}\\d{1,4}((?:${newLine}[ \\t]{0,8}[A-Za-z0-9+/=]{1,80}(?![\\w-]))*)`, "y")

const puttyLinesOf = (text: string, at: number, word: string): Look => {
  const match = matchAt(puttyLines, text, at + word.length)
  if (match === null) return notYet(at + word.length + 16)
  const end = at + word.length + match[0].length
  const start = end - (match[1]?.length ?? 0)
  return {
    seen: end + 1,
    secrets: start < end ? [{ start: start + (/^\r?\n/.exec(match[1] ?? "")?.[0].length ?? 0), end }] : []
  }
}

const mac = (text: string, at: number, word: string): Look => {
  const match = /^[ \t]{0,4}([0-9a-f]{32,128})/.exec(text.slice(at + word.length, at + word.length + 140))
  if (match === null) return notYet(at + word.length + 140)
  const end = at + word.length + match[0].length
  return { seen: end + 1, secrets: [{ start: end - (match[1]?.length ?? 0), end }] }
}

/** The private numbers of a key in JSON, after the sort of key it is. */
const keyParts = /["'](?:d|p|q|dp|dq|qi|k)["']\s{0,8}:\s{0,8}["']([\w-]{20,2000})["']/g
const keyLength = 6000

/** After `kty`, which only keys in JSON have. */
export const jsonKey = (text: string, at: number, word: string): Look => {
  if (!/^["']\s{0,8}:/.test(text.slice(at + word.length, at + word.length + 10))) return nothing(at + word.length + 10)
  const rest = text.slice(at, at + keyLength)
  const close = rest.indexOf("}")
  const secrets = [...(close === -1 ? rest : rest.slice(0, close)).matchAll(keyParts)].map(
    ({ 0: whole, 1: value = "", index }) => {
      const end = at + index + whole.length - 1
      return { start: end - value.length, end }
    }
  )
  const seen = at + (close === -1 ? keyLength : close)
  return { seen, secrets, done: seen }
}

/** The private lines of a PuTTY key, and what proves them. */
export const puttyKey = (text: string, at: number, word: string): Look =>
  word === "Private-MAC:" ? mac(text, at, word) : puttyLinesOf(text, at, word)
