/**
 * Secrets that are known by value: the home folder, the user's name, the values of variables. They are found as they
 * are, as bytes in a text that is not UTF-8, and encoded: in base64 wherever they begin in what was encoded, in hex,
 * and as a part of an address.
 */

/** What is known to be secret. */
export interface Known {
  readonly home?: string | undefined
  readonly user?: string | undefined
  readonly values?: ReadonlyArray<string>
}

/** One way in which a known secret is written. */
export interface KnownForm {
  readonly kind: string
  readonly secret: string
  /** As it is written. */
  readonly text: string
  readonly because: string
  /** Whether it is a word, which nothing continues. */
  readonly isWord: boolean
  /** Whether it is only known by what is before it: `/root` is a home, "root" is a word. */
  readonly needsSeparator: boolean
}

const utf8 = new TextEncoder()

/** Names that say nothing about a person. */
const commonNames = new Set(["root", "user", "node", "admin", "ubuntu", "runner", "claude", "agent", "home", "test"])

/** A text as its bytes, one character each: how it is found in a line that is not UTF-8. */
const asBytes = (text: string): string =>
  /^[\0-\x7f]*$/.test(text) ? text : Array.from(utf8.encode(text), (byte) => String.fromCharCode(byte)).join("")

/** What is in base64 of anything that contains the bytes, for each of the places where they may begin. */
const inBase64 = (bytes: string): ReadonlyArray<string> =>
  [0, 1, 2].map((before) => {
    const whole = btoa("\0".repeat(before) + bytes)
    const first = Math.ceil((before * 8) / 6)
    const last = Math.floor(((before + bytes.length) * 8) / 6)
    return whole.slice(first, last)
  })

/** Shorter ones are in other texts by chance. */
const shortestEncoded = 7

const encodings = (value: string): ReadonlyArray<readonly [text: string, how: string]> => {
  const bytes = asBytes(value)
  const base64 = inBase64(bytes)
  const hex = Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("")
  const percent = encoded(value)
  const all: ReadonlyArray<readonly [string, string]> = [
    ...base64.map((text) => [text, " in base64"] as const),
    ...base64.map((text) => [text.replace(/\+/g, "-").replace(/\//g, "_"), " in base64"] as const),
    [hex, " in hex"],
    [hex.toUpperCase(), " in hex"],
    [inAddress(value), " in an address"],
    [percent, " in an address"],
    [percent.replace(/%../g, (code) => code.toLowerCase()), " in an address"],
    [percent.replace(/%20/g, "+"), " in an address"]
  ]
  return all.filter(([text]) => text.length >= shortestEncoded && text !== value)
}

/** A lone surrogate has no bytes. */
const inAddress = (value: string): string => encodeURIComponent(value.replace(/\p{Surrogate}/gu, "\ufffd"))

const encoded = (value: string): string =>
  inAddress(value).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** All ways in which they are written. */
export const knownForms = ({ home, user, values = [] }: Known): ReadonlyArray<KnownForm> => {
  const forms = new Map<string, KnownForm>()
  const add = (form: Omit<KnownForm, "text">, texts: ReadonlyArray<string>) => {
    for (const text of texts.flatMap((each) => [each, asBytes(each)]))
      if (!forms.has(text)) forms.set(text, { ...form, text })
  }
  for (const value of [...values].sort((a, b) => b.length - a.length)) {
    if (value.length < 4) continue
    const form = { kind: "env", secret: value, isWord: false, needsSeparator: false }
    add({ ...form, because: "is the value of a secret variable" }, [value])
    for (const [text, how] of encodings(value))
      add({ ...form, because: `is the value of a secret variable${how}` }, [text])
  }
  // The root stays, so that an absolute path stays one.
  const folder = home?.replace(/^(?:[A-Za-z]:)?[\\/]/, "").replace(/[\\/]+$/, "") ?? ""
  if (folder !== "")
    add(
      {
        kind: "home",
        secret: folder,
        because: "is the home folder",
        isWord: true,
        needsSeparator: commonNames.has(folder.toLowerCase())
      },
      [folder, folder.replace(/\\/g, "/"), folder.replace(/[^A-Za-z0-9]/g, "-"), inAddress(folder)].filter(
        (text) => text.length >= 3
      )
    )
  if (user !== undefined && user.length >= 3 && !commonNames.has(user.toLowerCase()))
    add({ kind: "user", secret: user, because: "is the user's name", isWord: true, needsSeparator: false }, [user])
  return [...forms.values()]
}

// `%2Fhome%2Fada`: the F is not part of a word.
const before = /(?:^|[^A-Za-z0-9]|%[0-9A-Fa-f]{2})$/
/** Where a path begins: `/root`, but not the `/root` of `/srv/root`. */
const separator = /(?:^|[^\w$.~/\\%-]|:\/\/)(?:[/\\-]|%2F|%5C)$/i

/** Whether a form that is here stands for what is known. */
export const isKnownHere = ({ isWord, needsSeparator, text: form }: KnownForm, text: string, at: number): boolean => {
  if (!isWord) return true
  const lead = text.slice(Math.max(0, at - 6), at)
  return (
    (needsSeparator ? separator.test(lead) : before.test(lead)) && !/[A-Za-z0-9]/.test(text.charAt(at + form.length))
  )
}

/** The length of the longest end of a text with which a form begins; all of the form does not count. */
export const begunLength = (form: string, text: string): number => {
  const failure: Array<number> = [0]
  for (let index = 1, matched = 0; index < form.length; index++) {
    while (matched > 0 && form[index] !== form[matched]) matched = failure[matched - 1] ?? 0
    if (form[index] === form[matched]) matched++
    failure.push(matched)
  }
  let matched = 0
  for (let index = Math.max(0, text.length - form.length + 1); index < text.length; index++) {
    while (matched > 0 && text[index] !== form[matched]) matched = failure[matched - 1] ?? 0
    if (text[index] === form[matched]) matched++
  }
  return matched
}
