/** What the name of a value says about it: that of a variable, a key, an option or a header. */

/**
 * How much a name says: after `password` even a short word is a secret, after `secret` what looks random, after
 * `key` what cannot be anything else, and what a `header` is for decides alone.
 */
export type Named = "password" | "phrase" | "secret" | "key" | "header"

/** The words of which one is in every name that says something. */
export const nameWords: ReadonlyArray<string> = [
  ...["pass", "pwd", "secret", "token", "key", "auth", "cred", "cookie", "sig", "mnemonic", "seed", "psk", "grant"]
]

const wholeNames: Readonly<Record<string, Named>> = {
  authorization: "header",
  "proxy-authorization": "header",
  "x-authorization": "header",
  "x-api-key": "header",
  "x-auth-token": "header",
  "x-auth-key": "header",
  "x-access-token": "header",
  "x-goog-api-key": "header",
  "x-vault-token": "header",
  "x-gitlab-token": "header",
  "private-token": "header",
  "job-token": "header",
  "api-key": "header",
  "ocp-apim-subscription-key": "header",
  cookie: "header",
  "set-cookie": "header",
  pass: "password",
  pw: "password",
  psk: "password",
  auth: "key",
  sig: "key"
}

/** Names with these ends are the name of something else: `token_type`, or `secret_name`. These do not count. */
const meaningless =
  /^(?:\d+|v\d+|base|base64|b64|hex|raw|plain|plaintext|value|val|str|prod|production|dev|development|staging|test|live|old|new|current|default|primary|secondary|main)$/

const passwordWord =
  /(?:password|passwd|passphrase|passcode|passwort|kennwort|contrasena|pwd|(?:store|key|user|root|admin|bind|db|ssh|sudo|become|vault|smtp|mail|ftp|http|login)pass)$/
const phraseWord = /(?:mnemonic|seedphrase|recoveryphrase)$/
const secretWord = /(?:secret|token|apikey|accesskey|secretkey|privatekey|accountkey|authkey|credentials?)$/

/** `api key` is one, `primary key` is none. */
const beforeKey =
  /(?:api|secret|access|private|signing|signature|encryption|encrypt|decryption|account|auth|authentication|master|licen[cs]e|shared|service|admin|deploy|storage|subscription|webhook|session|app|application|client|consumer|function|host|root|user|personal|integration|ingest|server|write|read|cipher|hmac|jwt|crypto|wallet|security|bot|project|org|data|dsa|rsa|aes|fernet|validation|customer|ssh|pgp|gpg|tls|ssl)$/
const neverBeforeKey =
  /^(?:public|pub|primary|foreign|partition|sort|cache|registry|hot|shortcut|row|column|composite|unique|index|idx|natural|schema|sequence|bucket|object|s3|message|translation|i18n|locale|react|map|dictionary|event|press|no|any|each|first|last|next|query|routing|group|topic|storage_key|meta|prop|property|config|setting|feature|hash)$/
const neverBeforeToken =
  /^(?:next|page|continuation|cursor|sync|stop|eos|bos|pad|unk|mask|cls|sep|special|cancellation|cancel|abort|syntax|lexer|punctuation|first|last|max|min|per|end|start|design|word|sub|change)$/

const partsOf = (name: string): ReadonlyArray<string> =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((part) => part !== "")

/** The same few names come again and again. */
const known = new Map<string, Named | "nothing">()
const manyNames = 2000

/** What a name says about its value, if anything. */
export const namedAs = (name: string): Named | undefined => {
  // A placeholder names its kind, and what follows it is not its value.
  if (name === "" || name.length > 200 || name.includes("REDACTED_")) return undefined
  let named = known.get(name)
  if (named === undefined) {
    if (known.size >= manyNames) known.clear()
    named = judge(name) ?? "nothing"
    known.set(name, named)
  }
  return named === "nothing" ? undefined : named
}

const judge = (name: string): Named | undefined => {
  const lower = name.toLowerCase()
  if (Object.hasOwn(wholeNames, lower)) return wholeNames[lower]
  const parts = [...partsOf(name)]
  while (parts.length > 1 && meaningless.test(parts.at(-1) ?? "")) parts.pop()
  const last = (parts.at(-1) ?? "").replace(/\d+$/, "")
  const before = parts.at(-2) ?? ""
  const joined = parts.join("")
  if (passwordWord.test(last) || last === "pass" || last === "pw") return "password"
  if (phraseWord.test(joined)) return "phrase"
  if (last === "key" || last === "keys") {
    if (before === "" || neverBeforeKey.test(before) || parts.includes("public")) return undefined
    if (beforeKey.test(before)) return "secret"
    return name === name.toUpperCase() ? "key" : undefined
  }
  if (secretWord.test(last)) return neverBeforeToken.test(before) || parts.includes("public") ? undefined : "secret"
  // All that a client of Storj needs.
  if (last === "grant") return before === "access" ? "secret" : undefined
  if (last === "authorization") return "header"
  if (last === "auth") return "key"
  // `X-Amz-Signature`, in an address that is signed.
  return /^(?:xamz|xgoog)signature$/.test(joined) ? "key" : undefined
}
