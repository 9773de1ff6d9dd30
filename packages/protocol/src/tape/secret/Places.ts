/**
 * Secrets that their place gives away: between the lines of a private key, in an address, after `Bearer`, beside
 * the id of an AWS key, after an option of a command that takes a password, in a netrc file, or behind the name of a
 * service.
 */
import { begins, type Look, matchAt, nothing, type Rule } from "./Rule.ts"
import { isSecretValue } from "./Value.ts"

const label = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/y
const labelLength = 80
/** Up to the end or the next beginning; what is no part of a key ends it. */
const armoured = /[\w+/=\s:,.()\\<>@;]*(?:-(?!---)[\w+/=\s:,.()\\<>@;]*)*/y
const closingLabel = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/y
/** A key without an end: lines of base64. */
const base64Lines = /(?:(?:[\s\\]{0,8}[A-Za-z0-9+/=]{16,76})+(?:[\s\\]{1,4}[A-Za-z0-9+/=]{1,16}(?![\w-]))?)?/y

const privateKey = (text: string, at: number): Look => {
  const opening = matchAt(label, text, at)
  if (opening === null) return nothing(at + labelLength)
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

const puttyLines = /[ \t]{0,4}\d{1,4}\r?\n((?:[A-Za-z0-9+/=]{1,80}\r?\n?)*)/y

const puttyKey = (text: string, at: number, word: string): Look => {
  const match = matchAt(puttyLines, text, at + word.length)
  if (match === null) return nothing(at + word.length + 16)
  const end = at + word.length + match[0].length
  const start = end - (match[1]?.length ?? 0)
  return {
    seen: end + 1,
    secrets: start < end ? [{ start, end: end - (/\r?\n$/.exec(match[1] ?? "")?.[0].length ?? 0) }] : []
  }
}

/** `//user:password@`, `//:password@`, and `//key@` where that looks random. */
const userinfo = /:\/\/(?:([^\s:@/"'`<>\\?#]{0,128}):([^\s"'`<>/\\]{1,256})|([A-Za-z0-9_-]{16,128}))@(?=[\w.[-])/y
const stand = /^(?:pass(?:word|wd)?|pwd|pw|secret|token|x-oauth-basic|x-token-auth)$/i

const address = (text: string, at: number): Look => {
  const host = at + 3 + (matchAt(authority, text, at + 3)?.[0].length ?? 0)
  const match = matchAt(userinfo, text, at)
  if (match === null) return nothing(host + 1)
  const [whole, user = "", password, key] = match
  const value = password ?? key ?? ""
  const end = at + whole.length - 1
  const isSecret =
    password === undefined ? /\d/.test(value) : !stand.test(value) && !reference.test(value) && !user.startsWith("$")
  return { seen: host + 1, secrets: isSecret ? [{ start: end - value.length, end }] : [] }
}

const authority = /[^\s"'`<>/\\]{0,400}/y
const reference = /^(?:\$[({A-Z]|\{\{|<|\*+$|%[sd]$|REDACTED_|\{\w*\})/

const credentials = /[ \t]{1,4}([\w.~+/=-]{8,})/y

const bearer = (text: string, at: number, word: string): Look => {
  const match = begins(text, at) ? matchAt(credentials, text, at + word.length) : null
  if (match === null) return nothing(at + word.length + 12)
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

/** Commands, and after which of their options a password or a name and a password are. */
const commands: Readonly<Record<string, RegExp>> = {
  curl: /(?:^|\s)(?:-u|--user|-U|--proxy-user)[ \t=]{0,2}["']?[^\s:"']{1,128}:([^\s"']{1,256})/g,
  sshpass: /\s-p[ \t]{0,2}["']?([^\s"']{1,256})/g,
  mysql: /\s-p["']?([^\s"']{1,256})/g,
  mariadb: /\s-p["']?([^\s"']{1,256})/g,
  "redis-cli": /\s(?:-a|--pass)[ \t]{1,2}["']?([^\s"']{1,256})/g,
  docker: /^\s{1,4}login\s[^\n]{0,400}?-p[ \t]{1,2}["']?([^\s"']{1,256})/g,
  podman: /^\s{1,4}login\s[^\n]{0,400}?-p[ \t]{1,2}["']?([^\s"']{1,256})/g,
  ldapsearch: /\s-w[ \t]{1,2}["']?([^\s"']{1,256})/g,
  openssl: /\s-pass(?:in|out)?[ \t]{1,2}["']?pass:([^\s"']{1,256})/g,
  htpasswd: /\s-\w{0,4}b\w{0,4}[ \t]{1,2}(?:[^\s"']{1,128}[ \t]{1,2}){1,2}["']?([^\s"']{1,256})/g,
  smbclient: /\s-U[ \t]{0,2}["']?[^\s"'%]{1,128}%([^\s"']{1,256})/g
}
const commandLength = 600

const command = (text: string, at: number, word: string): Look => {
  const from = at + word.length
  const option = commands[word]
  if (option === undefined || !begins(text, at) || !/^(?:$|\w{0,8}\s)/.test(text.slice(from, from + 10)))
    return nothing(from)
  const rest = text.slice(from, from + commandLength)
  const lineEnd = rest.search(/(?<!\\)\r?\n/)
  const secrets = [...(lineEnd === -1 ? rest : rest.slice(0, lineEnd)).matchAll(option)].flatMap(
    ({ 0: whole, 1: value = "", index }) => {
      const end = from + index + whole.length
      const isBlank = /^(?:[$<*]|\{\{|\d+$|[a-z]+=)/.test(value) || value.includes("REDACTED_")
      return isBlank || value.length < 3 ? [] : [{ start: end - value.length, end }]
    }
  )
  return { seen: from + (lineEnd === -1 ? commandLength : lineEnd), secrets }
}

const netrcLine = /\s{1,20}\S{1,128}\s{1,20}(?:account\s{1,20}\S{1,128}\s{1,20})?password\s{1,20}(\S{1,512})/y

const netrc = (text: string, at: number, word: string): Look => {
  const match = begins(text, at) ? matchAt(netrcLine, text, at + word.length) : null
  if (match === null) return nothing(at + word.length + 360)
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

/** Addresses that carry their own permission: `sig=…` of a shared access signature. */
const signature = /[A-Za-z0-9%+/_-]{20,}(?:%3D|=){0,2}/iy

const signed = (text: string, at: number, word: string): Look => {
  const match = begins(text, at) ? matchAt(signature, text, at + word.length) : null
  if (match === null) return nothing(at + word.length + 24)
  const start = at + word.length
  return { seen: start + match[0].length + 1, secrets: [{ start, end: start + match[0].length }] }
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
    look: (text, at, word) => (word === "Private-MAC:" ? mac(text, at, word) : puttyKey(text, at, word))
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
  { rule: "netrc", kind: "password", because: "is the password of a login", words: ["login"], ...wide, look: netrc },
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

function mac(text: string, at: number, word: string): Look {
  const match = /^[ \t]{0,4}([0-9a-f]{32,128})/.exec(text.slice(at + word.length, at + word.length + 140))
  if (match === null) return nothing(at + word.length + 140)
  const end = at + word.length + match[0].length
  return { seen: end + 1, secrets: [{ start: end - (match[1]?.length ?? 0), end }] }
}
