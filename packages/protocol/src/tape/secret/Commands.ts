/** Passwords on command lines. */
import { isStandIn } from "./Addresses.ts"
import { begins, type Look, matchAt, nothing, notYet } from "./Rule.ts"

/** The value of one of these options, behind a space or not. */
const after = (options: string): RegExp => new RegExp(`\\s(?:${options})["']?([^\\s"']{1,256})`, "g")
const spaced = "[ \\t=]{1,2}"
/** A word that is no option, or what is in quotes. */
const argument = `["']?[^\\s"'-][^\\s"']{0,128}["']?[ \\t]{1,2}`
/** The word after so many others. */
const argumentAfter = (command: string, count: number): RegExp =>
  new RegExp(`^\\s{1,4}${command}[ \\t]{1,2}(?:${argument}){${count}}["']?([^\\s"'-][^\\s"']{2,256})`, "g")

/** Commands, and after which of their options a password or a name and a password are. */
export const commands: Readonly<Record<string, RegExp>> = {
  curl: /(?:^|\s)(?:(?:-u|--user|-U|--proxy-user)[ \t=]{0,2}["']?[^\s:"']{1,128}:|(?:-b|--cookie)[ \t=]{0,2}["']?[\w.-]{1,64}=)([^\s"']{1,256})/g,
  http: /\s(?:-a|--auth)[ \t=]{1,2}["']?[^\s:"']{1,128}:([^\s"']{1,256})/g,
  sshpass: after("-p[ \\t]{0,2}"),
  mysql: after("-p"),
  mariadb: after("-p"),
  mongo: after(`-p${spaced}`),
  sqlcmd: after(`-P${spaced}`),
  sqlplus: /\s["']?[\w.-]{1,64}\/([^\s"'@/]{3,256})@/g,
  "az ": after(`(?:-p|--client-secret)${spaced}`),
  twine: after(`-p${spaced}`),
  "7z ": after("-p"),
  zip: after(`-P${spaced}`),
  "redis-cli": after(`(?:-a|--pass)${spaced}`),
  docker: /^\s{1,4}login\s[^\n]{0,400}?-p[ \t]{1,2}["']?([^\s"']{1,256})/g,
  podman: /^\s{1,4}login\s[^\n]{0,400}?-p[ \t]{1,2}["']?([^\s"']{1,256})/g,
  helm: /^\s{1,4}registry\s{1,4}login\s[^\n]{0,400}?-p[ \t]{1,2}["']?([^\s"']{1,256})/g,
  vault: argumentAfter("login", 0),
  cargo: argumentAfter("login", 0),
  "bundle ":
    /^\s{1,4}config\s(?:[^\n:]{0,200}?\s)?["']?[\w-]{1,64}(?:\.[\w-]{1,64}){1,6}["']?[ \t]{1,2}["']?[^\s:"'/]{1,128}:([^\s"']{3,256})/g,
  "gh ": /^\s{1,4}secret[ \t]{1,2}set\s[^\n]{0,400}?(?:-b|--body)[ \t=]{1,2}["']?([^\s"']{1,256})/g,
  rclone: new RegExp(
    `^\\s{1,4}(?:obscure[ \\t]{1,2}|authorize[ \\t]{1,2}${argument}|config[ \\t]{1,2}(?:password[ \\t]{1,2}(?:${argument}){2}|(?:create|update)[ \\t][^\\n]{0,300}?[ \\t](?:key|pass)[ \\t=]{1,2}))["']?([^\\s"'-][^\\s"']{2,256})`,
    "g"
  ),
  "mc ": argumentAfter("alias[ \\t]{1,2}set", 3),
  rabbitmqctl: argumentAfter("(?:add_user|change_password)", 1),
  ldap: after(`-w${spaced}`),
  openssl: after(`(?:-pass(?:in|out)?[ \\t]{1,2}["']?pass:|-[kK][ \\t]{1,2})`),
  "ssh-keygen": after(`-[NP]${spaced}`),
  htpasswd: /\s-\w{0,4}b\w{0,4}[ \t]{1,2}(?:[^\s"']{1,128}[ \t]{1,2}){1,2}["']?([^\s"']{1,256})/g,
  smbclient: /\s-U[ \t]{0,2}["']?[^\s"'%]{1,128}%([^\s"']{1,256})/g,
  "ConvertTo-SecureString": /^\s{1,4}(?:-String\s{1,4})?["']([^"'\n]{3,256})/g
}
const commandLength = 600

/** The password that an option or an argument of a command is. */
export const command = (text: string, at: number, word: string): Look => {
  const from = at + word.trimEnd().length
  const option = commands[word]
  if (option === undefined || !mayBegin(text, at) || !/^(?:$|[\w-]{0,8}\s)/.test(text.slice(from, from + 10)))
    return nothing(from)
  const rest = text.slice(from, from + commandLength)
  const lineEnd = rest.search(/(?<!\\)\r?\n/)
  const secrets = [...(lineEnd === -1 ? rest : rest.slice(0, lineEnd)).matchAll(option)].flatMap(
    ({ 0: whole, 1: value = "", index }) => {
      const end = from + index + whole.length
      const isBlank = /^(?:[$<*`]|\{\{|\d+$|[a-z]+=)/.test(value) || value.includes("REDACTED_")
      return isBlank || value.length < 3 ? [] : [{ start: end - value.length, end }]
    }
  )
  return { seen: from + (lineEnd === -1 ? commandLength : lineEnd), secrets }
}

/** `unzip` and `7za` have the words in them. */
const mayBegin = (text: string, at: number): boolean => begins(text, at) || text.startsWith("un", at - 2)

/** `echo user:password | chpasswd`: what comes before is told by what comes after. */
const piped = /([^\s:"']{3,128})["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4})?chpasswd/y
const echoed = /[ \t]{1,4}(?:-\w{1,3}[ \t]{1,4})?["']?[\w.-]{1,32}:/y

/** The password that is written to `chpasswd`. */
export const changed = (text: string, at: number, word: string): Look => {
  const user = matchAt(echoed, text, at + word.length)
  const from = at + word.length + (user?.[0].length ?? 0)
  const value = user === null ? null : matchAt(piped, text, from)
  if (value === null) return notYet(at + word.length + 240)
  if (isStandIn(value[1] ?? "")) return nothing(from + value[0].length)
  return { seen: from + value[0].length, secrets: [{ start: from, end: from + (value[1]?.length ?? 0) }] }
}
