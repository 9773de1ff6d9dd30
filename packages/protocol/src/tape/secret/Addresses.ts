/** Secrets in addresses: passwords, keys and signatures. */
import { begins, type Look, matchAt, nothing, notYet } from "./Rule.ts"
import { isSecretValue } from "./Value.ts"

/** `//user:password@`, `//:password@`, and `//key@` where that looks random. */
const userinfo = /:\/\/(?:([^\s:@/"'`<>\\?#]{0,128}):([^\s"'`<>/\\]{1,256})|([A-Za-z0-9_-]{16,128}))@(?=[\w.[-])/y
const stand = /^(?:pass(?:word|wd)?|pwd|pw|secret|token|x-oauth-basic|x-token-auth)$/i

/** The password before the host. */
export const address = (text: string, at: number): Look => {
  const host = at + 3 + (matchAt(authority, text, at + 3)?.[0].length ?? 0)
  const match = matchAt(userinfo, text, at)
  if (match === null) return nothing(host + 1)
  const [whole, user = "", password, key] = match
  const value = password ?? key ?? ""
  const end = at + whole.length - 1
  const isSecret = password === undefined ? /\d/.test(value) : !isStandIn(value) && !user.startsWith("$")
  return { seen: host + 1, secrets: isSecret ? [{ start: end - value.length, end }] : [] }
}

const authority = /[^\s"'`<>/\\]{0,400}/y
const reference = /^(?:\$[({A-Z]|\{\{|<|\*+$|%[sd]$|REDACTED_|\{\w*\})/

/** A word that stands where a password would: `password`, `$PASSWORD`. */
export const isStandIn = (value: string): boolean => stand.test(value) || reference.test(value)

/** `?key=…` and `&code=…` of an address, where the value is random. */
const inQuery = /([\w.~%+-]{20,512})(?=[&\s"'`<>)#]|$)/y

/** The value of a parameter that is a key or a code. */
export const queryKey = (text: string, at: number, word: string): Look => {
  const match = matchAt(inQuery, text, at + word.length)
  if (match === null) return notYet(at + word.length + 520)
  const value = match[1] ?? ""
  const end = at + word.length + value.length
  const isReal = isSecretValue("key", value, { isQuoted: true, isAssigned: true, isOwnLine: false })
  return isReal ? { seen: end + 1, secrets: [{ start: end - value.length, end }] } : nothing(end + 1)
}

/** `jdbc:oracle:thin:user/password@`. */
const oracleUser = /["']?[\w.-]{1,64}\/([^\s"'@/]{3,128})@/y

/** The password behind the name of an Oracle driver. */
export const oracle = (text: string, at: number, word: string): Look => {
  const match = matchAt(oracleUser, text, at + word.length)
  if (match === null) return notYet(at + word.length + 200)
  const value = match[1] ?? ""
  const end = at + word.length + match[0].length - 1
  return isStandIn(value) ? nothing(end + 1) : { seen: end + 1, secrets: [{ start: end - value.length, end }] }
}

/** `user:password@tcp(host)`, as the drivers of Go write it. */
const goUser = /(?<![\w.-])[\w.-]{1,64}:([^\s:"'`/@]{3,128})$/

/** The password before the network of a Go driver. */
export const goAddress = (text: string, at: number): Look => {
  const match = goUser.exec(text.slice(Math.max(0, at - 200), at))
  const value = match?.[1] ?? ""
  return match === null || isStandIn(value)
    ? nothing(at)
    : { seen: at, secrets: [{ start: at - value.length, end: at, from: at - match[0].length }] }
}

/** `host:5432:database:user:password`. */
const pgpassLine = /[\w*.-]{1,64}:[\w*.-]{1,64}:([^\s:"'`]{4,128})(?=[\s"'`\\]|$)/y

/** The last field of a line of `.pgpass`. */
export const pgpass = (text: string, at: number, word: string): Look => {
  const match = matchAt(pgpassLine, text, at + word.length)
  if (match === null) return notYet(at + word.length + 260)
  const value = match[1] ?? ""
  const end = at + word.length + match[0].length
  const isReal = isSecretValue("password", value, { isQuoted: false, isAssigned: true, isOwnLine: true })
  return isReal ? { seen: end + 1, secrets: [{ start: end - value.length, end }] } : nothing(end + 1)
}

/** Addresses that carry their own permission: `sig=…` of a shared access signature. */
const signature = /[A-Za-z0-9%+/_-]{20,}(?:%3D|=){0,2}/iy

/** The signature of an address. */
export const signed = (text: string, at: number, word: string): Look => {
  const match = begins(text, at) ? matchAt(signature, text, at + word.length) : null
  if (match === null) return notYet(at + word.length + 24)
  const start = at + word.length
  return { seen: start + match[0].length + 1, secrets: [{ start, end: start + match[0].length }] }
}
