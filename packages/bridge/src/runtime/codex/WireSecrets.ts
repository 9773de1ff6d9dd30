/**
 * Lines of the wire as others may see them: without the values of environment variables, headers and keys. The names
 * stay.
 */
import { isRecord } from "@agentwire/protocol/wire"
import { hidden, hideValues } from "../../session/OptionRules.ts"

/** Fields that hold secrets by name. */
const holders: ReadonlySet<string> = new Set(["env", "http_headers", "env_http_headers", "headers", "set"])

/** Fields that are secrets. */
const secrets: ReadonlySet<string> = new Set([
  "apiKey",
  "accessToken",
  "idToken",
  "refreshToken",
  "secretAccessKey",
  "sessionToken",
  "authBearerToken",
  "bearer_token",
  "experimental_bearer_token"
])

/** Where settings and logins are in a message. Looking into every delta would cost more than it protects. */
const places: ReadonlySet<string> = new Set(["config", "layers", "value", "edits", "env", "headers"])

/** A message without the secrets that are known to be in messages of its kind. */
export const withoutSecrets = (message: unknown): unknown => {
  if (!isRecord(message)) return message
  const { method, params, result } = message
  if (isRecord(params)) {
    const isLogin = typeof method === "string" && method.startsWith("account/")
    return { ...message, params: isLogin ? shown(params) : shownAt(params) }
  }
  return isRecord(result) ? { ...message, result: shownAt(shownTop(result)) } : message
}

type Fields = Readonly<Record<string, unknown>>

const shownAt = (fields: Fields): Fields =>
  Object.keys(fields).some((key) => places.has(key))
    ? Object.fromEntries(
        Object.entries(fields).map(([key, value]) => [key, places.has(key) ? shownField(key, value) : value])
      )
    : fields

const shownTop = (fields: Fields): Fields =>
  Object.keys(fields).some((key) => secrets.has(key))
    ? Object.fromEntries(
        Object.entries(fields).map(([key, value]) => [key, secrets.has(key) ? shownField(key, value) : value])
      )
    : fields

const shown = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shown)
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shownField(key, each)]))
}

const shownField = (key: string, value: unknown): unknown => {
  if (secrets.has(key) && typeof value === "string") return hidden
  return holders.has(key) && isRecord(value) ? hideValues(value) : shown(value)
}
