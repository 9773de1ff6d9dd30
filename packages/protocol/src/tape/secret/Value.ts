/** Whether a value with a telling name is a secret, or a type, a reference, a text for people, or a blank to fill in. */
import type { Named } from "./Name.ts"

/** How a value is written. */
export interface Writing {
  readonly isQuoted: boolean
  /** `NAME=value` of an environment, or an option of a command. */
  readonly isAssigned: boolean
  /** Alone on its line after its name and a colon. */
  readonly isOwnLine: boolean
}

/** So much of a value is judged. */
export const judged = 256

/** `$NAME`, `${NAME}`, `$(command)`, `{{ name }}`, `%NAME%`, `<name>`, `@NAME@`. */
const reference = /^(?:\$(?:[({[]|env:|::|[A-Za-z_]\w*$|\d$)|%\w+%$|\{\{|\{\w*\}?$|:\w+$|<|@\w+@$|![a-z]+$)/i
/** `process.env.NAME`, `config.password`, `read()`, `names[0]`, `Option<string>`, `a|b`. */
const code =
  /^(?:(?:process|import|os|env|secrets?|vars?|config|settings|this|self|props|ctx|req|request|options?|args?|params?|github|inputs)\b[.[(?]|[A-Za-z_$][\w$.]*(?:\(|\[|<[A-Z]|\?\.|!\.|\|)|[A-Za-z_$][A-Za-z_$]*(?:\.[A-Za-z_$]+)+$|function\b|async\b|await\b|new\b|=>|\()/
const blank =
  /^(.)\1*$|[x*•]{4,}|\.{3}|…|redacted|placeholder|change[-_ ]?me|^your[a-z_ -]*$|^(?:my|the|some|an?|insert|enter|replace|put|add|use|paste|dummy|fake|sample|example|todo|tbd|new|old|current|confirm|invalid|wrong|bad|no|not|is|has)(?:[-_ ][a-z]+)+$/i
const plainWord =
  /^(?:string|str|text|number|int|integer|float|bool|boolean|true|false|null|nil|none|undefined|any|unknown|never|void|object|array|bytes|buffer|char|varchar|uuid|email|required|optional|invalid|incorrect|missing|empty|expired|disabled|enabled|default|prompt|stdin|inherit|hidden|visible|unchanged|changed|generated|encrypted|protected|private|public|valid|wrong|denied|rejected|accepted|passw(?:or)?d|pass|pwd|passphrase|secret|secrets|token|tokens|key|apikey|auth|bearer|basic|digest|oauth|authorization|authentication|credentials?|cookie|session|username|user|admin|root|login|file|path|header|query|body|value|name|type|field|input|label|error|errors|warning|message|function|keyword|identifier|operator|comment|literal|variable|punctuation|secure|strong|weak|simple|reset|forgot|update|confirm|require|provide|protect|example|literally|otherwise|before|after|should|cannot|without|within|instead)$/i
const sentence =
  /\b(?:the|a|an|your|you|is|are|was|must|should|be|to|at|of|in|on|for|with|or|and|not|please|enter|least|no|this|that|it|can|will|has|have|when|from|by|as|if)\b/i
/** A path, such as that of `PWD`, or an address. */
const path = /^(?:(?:~|\.{1,2})?\/\S*$|[A-Za-z]:\\|[a-z][a-z0-9+.-]*:\/\/)/i
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** One in 64 texts of base64 begins with a slash; their letters change from large to small as those of no path do. */
const isPath = (value: string): boolean =>
  path.test(value) &&
  !(
    /^\/[A-Za-z0-9+/]{22,}={0,2}$/.test(value) &&
    count(/\d/g, value) >= 2 &&
    count(/[a-z][A-Z]|[A-Z][a-z]/g, value) >= value.length / 8
  )

const count = (pattern: RegExp, text: string): number => text.match(pattern)?.length ?? 0

/** Whether a value under such a name is a secret. */
export const isSecretValue = (named: Named, whole: string, writing: Writing): boolean => {
  const value = whole.slice(0, judged)
  if (value.length < 4 || value.includes("REDACTED_") || reference.test(value)) return false
  // A template, a colour.
  if (value.includes("${") || /^#[0-9a-f]{3,8}$/i.test(value) || (!writing.isQuoted && code.test(value))) return false
  if (named === "header") return value.length >= 8 && !plainWord.test(value) && !isSentence(value) && !blank.test(value)
  if (plainWord.test(value) || blank.test(value) || isPath(value)) return false
  switch (named) {
    case "password":
      return isPassword(value, writing)
    case "phrase":
      return value.split(" ").length >= 11 || !isSentence(value)
    case "secret":
      return isRandom(value, writing)
    case "key":
      return value.length >= 12 && isRandom(value, writing) && count(/\d/g, value) >= 2
  }
}

const isSentence = (value: string): boolean => /\s/.test(value) && sentence.test(value)

const isPassword = (value: string, { isAssigned, isOwnLine, isQuoted }: Writing): boolean => {
  if (/\s/.test(value))
    return (
      isQuoted &&
      !sentence.test(value) &&
      /^[a-z0-9]+(?:[ -][a-z0-9]+){2,}$|^(?=.*\d)(?=.*[@#$%^&*!?=+]).+$/.test(value)
    )
  if (/^\d+$/.test(value)) return value.length >= 6
  if (/^[.,\d]+[a-z%]{0,3}$/.test(value)) return false
  if (!/^[A-Za-z_-]+$/.test(value)) return true
  // Letters only: a name in code, a word in a form, or the password of somebody careless.
  if (/password|passwd|token|apikey/i.test(value)) return false
  if (isAssigned) return value.length >= 6
  if (isQuoted) return value.length >= 6 && (/^[a-z]+(?:-[a-z]+)*$/.test(value) || /[a-z][A-Z]/.test(value))
  return isOwnLine && value.length >= 6 && /^[a-z]+(?:-[a-z]+)*$/.test(value)
}

const isRandom = (value: string, { isAssigned, isOwnLine, isQuoted }: Writing): boolean => {
  if (value.length < 8 || /[^\x21-\x7e]/.test(value)) return false
  if (uuid.test(value)) return true
  // A number, a version, a date, a path.
  if (/^(?:[\d.,:_+-]+|v?\d+\.\d+[\w.+-]*|\d{4}-\d\d-\d\d.*)$/.test(value) || isPath(value)) return false
  const digits = count(/\d/g, value)
  if (digits === 0) {
    if (isMixed(value)) return true
    return isAssigned && /^[A-Za-z]+(?:[-_][A-Za-z]+)*$/.test(value) && !/key|token|secret|pass/i.test(value)
  }
  if (digits === 1 && value.length < 16 && !(/[a-z]/.test(value) && /[A-Z]/.test(value))) return false
  // `handler2_of_x1` is a name in code.
  return isQuoted || isAssigned || isOwnLine || (value.length >= 16 && digits >= 3) || isMixed(value)
}

/** Large and small letters change as in no name: of forty characters of base64 some have but two digits. */
const isMixed = (value: string): boolean =>
  value.length >= 20 && count(/[a-z][A-Z]|[A-Z][a-z]/g, value) >= value.length / 4
