/**
 * What an extension says of its failures, fit to be logged and shown: short, on one line, and without secrets, neither
 * those that are known by their form nor what its owner has configured.
 */
import * as Tape from "@agentwire/protocol/tape"
import { isRecord } from "@agentwire/protocol/wire"

/** The longest text that is shown. */
const maxLength = 500

/** The shortest value of a configuration that is taken for a secret. */
const minSecret = 6

/** How deep a configuration is searched. */
const maxDepth = 10

/** Names of settings whose values are secrets. */
const secretName = /token|secret|passw|key|auth|credential|cookie|bearer/i

/** Makes texts fit to be shown, for an extension with a configuration. */
export const wordsFor = (config: unknown): ((text: string) => string) => {
  const secrets = secretsIn(config, false, 0).sort((one, other) => other.length - one.length)
  return (text) => {
    const own = secrets.reduce((words, secret) => words.replaceAll(secret, "[redacted]"), text)
    const plain = Tape.redactText(own.slice(0, 10 * maxLength)).replaceAll(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, " ")
    return plain.length > maxLength ? `${plain.slice(0, maxLength - 1)}…` : plain
  }
}

/** The texts under names of secrets. */
const secretsIn = (value: unknown, isSecret: boolean, depth: number): Array<string> => {
  if (depth > maxDepth) return []
  if (typeof value === "string") return isSecret && value.length >= minSecret ? [value] : []
  if (Array.isArray(value)) return value.flatMap((each) => secretsIn(each, isSecret, depth + 1))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([name, each]) => secretsIn(each, isSecret || secretName.test(name), depth + 1))
}
