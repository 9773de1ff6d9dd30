/**
 * Secrets that their place gives away: between the lines of a private key, in an address, after `Bearer`, beside
 * the id of an AWS key, after an option of a command that takes a password, in a netrc file, or behind the name of a
 * service.
 */
import { address, goAddress, oracle, pgpass, queryKey, signed } from "./Addresses.ts"
import { changed, command, commands } from "./Commands.ts"
import { jsonKey, privateKey, puttyKey } from "./Keys.ts"
import { newLine } from "./Line.ts"
import { rcloneSection, rcloneTypes } from "./Rclone.ts"
import { begins, type Look, matchAt, nothing, notYet, type Rule } from "./Rule.ts"
import { isSecretValue } from "./Value.ts"

const credentials = /(?:[ \t]{1,4}|\.(?=[\w-]{20}))([\w.~+/=-]{8,})/y

const bearer = (text: string, at: number, word: string): Look => {
  const match = begins(text, at) ? matchAt(credentials, text, at + word.length) : null
  if (match === null) return notYet(at + word.length + 12)
  const value = match[1] ?? ""
  const end = at + word.length + match[0].length
  const start = end - value.length
  const judged = value.slice(0, 256)
  const isFound =
    word === "basic"
      ? isUserAndPassword(judged)
      : !judged.startsWith("REDACTED_") && (/\d/.test(judged) || /[a-z][A-Z].{12}/.test(judged))
  return isFound ? { seen: end + 1, secrets: [{ start, end }] } : nothing(Math.min(end + 1, start + 258))
}

const isUserAndPassword = (value: string): boolean => {
  if (!/^(?:[A-Za-z0-9+/]{4}){2,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value)) return false
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(atob(value))
}

/** Forty characters of an AWS secret, soon after the id of its key. */
const awsSecret = /(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g
const besideLength = 240

const besideAwsId = (text: string, at: number): Look => {
  const seen = at + besideLength
  if (!begins(text, at) || !/^[A-Z0-9]{16}(?![A-Za-z0-9])/.test(text.slice(at + 4, at + 21))) return nothing(at)
  const from = at + 20
  const secrets = [...text.slice(from, seen).matchAll(awsSecret)].flatMap(({ 0: value, index }) => {
    const isRandom = /[a-z]/.test(value) && /[A-Z]/.test(value) && /[\d/+]/.test(value)
    return isRandom && index + 40 < besideLength - 21 ? [{ start: from + index, end: from + index + 40 }] : []
  })
  return { seen, secrets }
}

const space = `(?:${newLine}[ \\t]{0,20}|[ \\t]{1,20})`
const netrcLine = new RegExp(
  `${space}\\S{1,128}${space}(?:account${space}\\S{1,128}${space})?password${space}(\\S{1,512})`,
  "y"
)

const netrc = (text: string, at: number, word: string): Look => {
  const match = begins(text, at) ? matchAt(netrcLine, text, at + word.length) : null
  if (match === null) return notYet(at + word.length + 360)
  const value = match[1] ?? ""
  const end = at + word.length + match[0].length
  const isReal = isSecretValue("password", value, { isQuoted: false, isAssigned: true, isOwnLine: true })
  return isReal ? { seen: end + 1, secrets: [{ start: end - value.length, end }] } : nothing(end + 1)
}

/** The values of a secret of Kubernetes are base64, each on a line under `data:`. */
const dataLines = new RegExp(
  `(?:${newLine}[ \\t]{0,8}[\\w.-]{1,64}:[ \\t]["']?[A-Za-z0-9+/]{4,20000}={0,2}["']?(?=[\\s\\\\"']|$)){1,50}`,
  "y"
)
const dataValue = /: ["']?((?:[A-Za-z0-9+/]{4}){2,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)["']?(?=[\r\n]|$)/g

const kubernetes = (text: string, at: number, word: string): Look => {
  const from = at + word.length
  const block = matchAt(dataLines, text, from)?.[0]
  if (block === undefined) return notYet(from + 200)
  const secrets = [...block.matchAll(dataValue)].flatMap(({ 0: whole, 1: value = "", index }) => {
    const start = from + index + whole.indexOf(value)
    const isCoded = /[a-z]/.test(value) && /[A-Z]/.test(value) && (value.endsWith("=") || /\d/.test(value))
    return isCoded ? [{ start, end: start + value.length }] : []
  })
  return { seen: from + block.length + 1, reach: from + block.length + 200, secrets, done: from + block.length }
}

/** `AUTH user password` of Redis, `AUTH PLAIN …` of mail. */
const authLine = /(?:[A-Za-z][\w-]{1,31}[ \t]{1,2})?["']?((?=\S{0,64}\d)(?=\S{0,64}[A-Za-z])[^\s"']{8,256})/y

const authenticate = (text: string, at: number, word: string): Look => {
  const match = begins(text, at) ? matchAt(authLine, text, at + word.length) : null
  if (match === null) return notYet(at + word.length + 320)
  const value = match[1] ?? ""
  const end = at + word.length + match[0].length
  const isReal = isSecretValue("password", value, { isQuoted: false, isAssigned: true, isOwnLine: true })
  return isReal ? { seen: end + 1, secrets: [{ start: end - value.length, end }] } : nothing(end + 1)
}

/** `BUNDLE_GEMS__EXAMPLE__COM: user:password`: the name is a host, in capitals and with `__` for its dots. */
const bundlerValue = /[A-Z0-9_]{1,80}__[A-Z0-9_]{2,40}(?:: |=)["']?[^\s:"'/]{1,128}:(?!\/\/)([^\s"'`]{3,256})/y

const bundler = (text: string, at: number, word: string): Look => {
  const match = begins(text, at) ? matchAt(bundlerValue, text, at + word.length) : null
  if (match === null) return notYet(at + word.length + 260)
  const value = match[1] ?? ""
  const end = at + word.length + match[0].length
  const isReal = isSecretValue("password", value, { isQuoted: false, isAssigned: true, isOwnLine: true })
  return isReal ? { seen: end + 1, secrets: [{ start: end - value.length, end }] } : nothing(end + 1)
}

const sqlPassword = /\s{1,4}by\s{1,4}(?:password\s{1,4})?'([^'\n]{1,256})/iy

const identifiedBy = (text: string, at: number, word: string): Look => {
  const match = matchAt(sqlPassword, text, at + word.length)
  const end = at + word.length + (match?.[0].length ?? 32)
  const start = end - (match?.[1]?.length ?? 0)
  const isReal =
    match !== null &&
    isSecretValue("password", text.slice(start, end), { isQuoted: true, isAssigned: true, isOwnLine: false })
  return isReal ? { seen: end + 1, secrets: [{ start, end }] } : nothing(end + 1)
}

/** Services whose keys have no form of their own. */
const services: ReadonlyArray<string> = [
  ...["adafruit", "airtable", "algolia", "alibaba", "artifactory", "asana", "auth0", "beamer", "bitbucket", "bittrex"],
  ...[
    "braintree",
    "cloudflare",
    "cloudinary",
    "codecov",
    "cohere",
    "coinbase",
    "confluence",
    "confluent",
    "contentful"
  ],
  ...["datadog", "deepgram", "discord", "droneci", "dropbox", "elevenlabs", "etsy", "facebook", "fastly", "finicity"],
  ...["finnhub", "flickr", "freshbooks", "gitter", "gocardless", "heroku", "hubspot", "intercom", "jfrog", "jira"],
  ...["kraken", "kucoin", "launchdarkly", "linear", "linkedin", "linode", "mailchimp", "mailgun", "mailjet", "mapbox"],
  ...[
    "mattermost",
    "meraki",
    "messagebird",
    "mistral",
    "mixpanel",
    "netlify",
    "newrelic",
    "new_relic",
    "nytimes",
    "okta"
  ],
  ...["opsgenie", "pagerduty", "plaid", "postmark", "pusher", "rapidapi", "scaleway", "sendbird", "sentry", "snyk"],
  ...["sonar", "squarespace", "sumologic", "supabase", "telegram", "travis", "trello", "twilio", "twitch", "twitter"],
  ...["typeform", "vercel", "vultr", "wandb", "yandex", "zendesk", "zoom"]
]
const serviceLead =
  /[\w .-]{0,24}["'`]{0,2}[ \t]{0,4}(?:=>|:=|[=:,])[ \t]{0,4}["'`]?(?=([A-Za-z0-9_=+/-]{14,200})(?![\w.(=+/-]))/iy

const service = (text: string, at: number, word: string): Look => {
  const lead = begins(text, at) || text.charAt(at - 1) === "_" ? matchAt(serviceLead, text, at + word.length) : null
  if (lead === null) return nothing(at + word.length + 60)
  const start = at + word.length + lead[0].length
  const value = lead[1] ?? ""
  const isKey = isSecretValue("key", value, { isQuoted: false, isAssigned: false, isOwnLine: true })
  if (!isKey || !/[a-z]/i.test(value) || (value.match(/\d/g)?.length ?? 0) < 3)
    return nothing(Math.min(start + 258, start + value.length + 1))
  return { seen: start + value.length + 1, secrets: [{ start, end: start + value.length }] }
}

const wide = { isWide: true } as const

/** The rules for secrets that their place gives away. */
export const placeRules: ReadonlyArray<Rule> = [
  {
    rule: "private key",
    kind: "private-key",
    because: "is the text of a private key",
    words: ["-----BEGIN"],
    ...wide,
    look: privateKey
  },
  {
    rule: "PuTTY key",
    kind: "private-key",
    because: "is the private half of a PuTTY key",
    words: ["Private-Lines:", "Private-MAC:"],
    ...wide,
    look: puttyKey
  },
  {
    rule: "AWS secret",
    kind: "aws-key",
    because: "is beside the id of an AWS key",
    words: ["AKIA", "ASIA"],
    ...wide,
    look: besideAwsId
  },
  {
    rule: "credentials",
    kind: "bearer",
    because: "follows Bearer or Basic",
    words: ["bearer", "basic"],
    ignoreCase: true,
    ...wide,
    look: bearer
  },
  {
    rule: "address",
    kind: "password",
    because: "is the password in an address",
    words: ["://"],
    ...wide,
    look: address
  },
  {
    rule: "signed address",
    kind: "secret",
    because: "is the signature of an address",
    words: ["sig=", "signature="],
    ignoreCase: true,
    ...wide,
    look: signed
  },
  {
    rule: "command",
    kind: "password",
    because: "is what a command takes for a password",
    words: Object.keys(commands),
    ...wide,
    look: command
  },
  {
    rule: "changed password",
    kind: "password",
    because: "is what a command takes for a password",
    words: ["echo", "printf"],
    ...wide,
    look: changed
  },
  {
    rule: "key in an address",
    kind: "secret",
    because: "is the key of an address",
    words: ["?key=", "&key=", "?code=", "&code=", "?k=", "&k=", "?t=", "&t="],
    ...wide,
    look: queryKey
  },
  {
    rule: "Oracle address",
    kind: "password",
    because: "is the password in an address",
    words: ["oracle:thin:", "oracle:oci:"],
    ...wide,
    look: oracle
  },
  {
    rule: "Go address",
    kind: "password",
    because: "is the password in an address",
    words: ["@tcp(", "@unix("],
    look: goAddress
  },
  {
    rule: ".pgpass",
    kind: "password",
    because: "is the password of a line of .pgpass",
    words: [":5432:", ":5433:", ":6432:", ":*:"],
    ...wide,
    look: pgpass
  },
  {
    rule: "JSON web key",
    kind: "private-key",
    because: "is a private number of a key",
    words: ["kty"],
    ...wide,
    look: jsonKey
  },
  { rule: "netrc", kind: "password", because: "is the password of a login", words: ["login"], ...wide, look: netrc },
  {
    rule: "AUTH",
    kind: "password",
    because: "follows AUTH",
    words: ["AUTH "],
    ...wide,
    look: authenticate
  },
  {
    rule: "Bundler",
    kind: "password",
    because: "is the password of a source of gems",
    words: ["BUNDLE_"],
    ...wide,
    look: bundler
  },
  {
    rule: "rclone",
    kind: "secret",
    because: "is the key of a storage of rclone",
    words: rcloneTypes.flatMap((type) => [`type = ${type}`, `type=${type}`]),
    ...wide,
    look: rcloneSection
  },
  {
    rule: "Kubernetes secret",
    kind: "secret",
    because: "is base64 under data",
    words: ["data:", "Data:"],
    ...wide,
    look: kubernetes
  },
  {
    rule: "SQL",
    kind: "password",
    because: "is the password of a user of a database",
    words: ["identified"],
    ignoreCase: true,
    ...wide,
    look: identifiedBy
  },
  {
    rule: "service",
    kind: "secret",
    because: "follows the name of a service",
    words: services,
    ignoreCase: true,
    ...wide,
    look: service
  }
]
