/**
 * What an extension answers a request for a page with, as an answer over HTTP. It says nothing about the connection, and
 * nothing about who may read it: that is decided for everything alike.
 */
import * as Effect from "effect/Effect"
import type { Page } from "../../extension/Schemas.ts"
import type { OwnAnswer } from "../http/Answer.ts"

/**
 * What the pages of an extension may do in a browser, unless it says otherwise: they are beside those of all others, and
 * what they show may be what somebody else has said.
 */
export const pagePolicy = {
  "content-security-policy": [
    "default-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'"
  ].join("; ")
}

/** Headers that an extension may set, besides those that begin with `x-`. */
const allowed: ReadonlySet<string> = new Set([
  "cache-control",
  "content-disposition",
  "content-language",
  "content-security-policy",
  "content-type",
  "etag",
  "last-modified",
  "location",
  "retry-after"
])

const isValue = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text)

const ownHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name, value]) => (allowed.has(name) || /^x-[a-z0-9-]+$/.test(name)) && isValue(value))
  )

/** The answer. */
export const pageAnswer = ({ headers = {}, json, status = 200, text }: Page): OwnAnswer => ({
  _tag: "Own",
  write: (_, response) =>
    Effect.sync(() => {
      const hasJson = json !== undefined
      response.writeHead(status, {
        "content-type": hasJson ? "application/json; charset=utf-8" : "text/plain; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        ...pagePolicy,
        ...ownHeaders(headers)
      })
      response.end(status === 204 || status === 304 ? undefined : hasJson ? JSON.stringify(json) : (text ?? ""))
    })
})
