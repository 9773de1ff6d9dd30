/**
 * Who may connect. Decisions alone: what a request says about itself goes in, a verdict comes out.
 *
 * An agent that can run a shell listens on this port, and any web page the user opens can send requests to it. So a
 * request must name this server as its `Host` (a page may rebind its own name to 127.0.0.1), must come from no page
 * or from one on the list, and must carry the token. The token is read from `Authorization` only, of which there must be
 * one: URLs end up in histories, logs and `Referer` headers, cookies are sent by whoever is asked to, and of two headers
 * Node would show the first and a proxy may have looked at the other.
 */
import { createHash, timingSafeEqual } from "node:crypto"
import * as Redacted from "effect/Redacted"
import { type HttpRefusal, refuse } from "./HttpRefusal.ts"

/** Who may connect. */
export interface AccessOptions {
  /** What callers must send as `Authorization: Bearer`. `none` lets in everyone who reaches the loopback interface. */
  readonly token: Redacted.Redacted<string> | "none"
  /** Origins of web pages that may ask, such as `http://localhost:3000`, exactly as browsers send them. Default none. */
  readonly allowedOrigins?: ReadonlyArray<string>
  /**
   * Names besides the loopback's under which this server may be addressed: `name` with the port it listens on, or
   * `name:port`. Default none.
   */
  readonly allowedHosts?: ReadonlyArray<string>
  /** Whether this server has web pages of its own, which may ask. Default no. */
  readonly ownPages?: boolean
}

/** What is looked at. */
export interface AccessRequest {
  readonly method: string
  /** Every `Host` header there is. */
  readonly hosts: ReadonlyArray<string>
  readonly origin: string | undefined
  /** Every `Authorization` header there is. */
  readonly authorizations: ReadonlyArray<string>
  /** The method a browser wants to use, where this is a preflight. */
  readonly preflightMethod: string | undefined
  /** Whether a browser asks for permission to reach a private network. */
  readonly privateNetwork: boolean
  /** The address of this end of the connection. */
  readonly localAddress: string | undefined
  readonly localPort: number | undefined
}

/** Headers for CORS; none where the request comes from no page. */
export type CorsHeaders = Readonly<Record<string, string>>

/** Whether a request gets in. Its headers belong on every answer, so that an allowed page can read errors. */
export type AccessVerdict =
  | { readonly _tag: "Enter"; readonly headers: CorsHeaders }
  | { readonly _tag: "Preflight"; readonly headers: CorsHeaders }
  | { readonly _tag: "Refused"; readonly headers: CorsHeaders; readonly refusal: HttpRefusal }

const corsMethods = "GET, POST, PUT, PATCH, DELETE"
const corsRequestHeaders = "authorization, content-type, last-event-id, mcp-session-id, mcp-protocol-version"

/** Decides about a request. Host first, then origin, then token: a foreign page learns nothing about the token. */
export const checkAccess = (options: AccessOptions, asked: AccessRequest): AccessVerdict => {
  const host = hostProblem(options, asked)
  if (host !== undefined) return { _tag: "Refused", headers: {}, refusal: host }

  const { origin } = asked
  // A page without an origin of its own says `null`: any sandboxed frame does, so it identifies nobody.
  if (origin !== undefined && (origin === "null" || !isAllowedOrigin(options, asked, origin)))
    return {
      _tag: "Refused",
      headers: { vary: "Origin" },
      refusal: refuse(
        "ORIGIN_REFUSED",
        "Web pages of this origin may not use this server. Add it to the allowed origins."
      )
    }
  const headers: CorsHeaders =
    origin === undefined ? { vary: "Origin" } : { vary: "Origin", "access-control-allow-origin": origin }

  if (asked.method === "OPTIONS" && origin !== undefined && asked.preflightMethod !== undefined)
    return {
      _tag: "Preflight",
      headers: {
        ...headers,
        "access-control-allow-methods": corsMethods,
        "access-control-allow-headers": corsRequestHeaders,
        "access-control-max-age": "600",
        ...(asked.privateNetwork && { "access-control-allow-private-network": "true" })
      }
    }

  const token = tokenProblem(options, asked)
  return token === undefined ? { _tag: "Enter", headers } : { _tag: "Refused", headers, refusal: token }
}

/** The `Host` is known to be this server's by now, so a page of that name is one of its own. */
const isAllowedOrigin = (
  { allowedOrigins = [], ownPages = false }: AccessOptions,
  { hosts }: AccessRequest,
  origin: string
) => allowedOrigins.includes(origin) || (ownPages && origin === `http://${hosts[0]}`.toLowerCase())

const hostProblem = (
  { allowedHosts = [] }: AccessOptions,
  { hosts, localPort }: AccessRequest
): HttpRefusal | undefined => {
  const [host, ...more] = hosts
  const asked = host === undefined || more.length > 0 ? undefined : parseHost(host)
  if (asked === undefined) return refuse("BAD_REQUEST", "The request needs exactly one Host header, a name and a port.")
  const { name, port = 80 } = asked
  const allowed =
    (isLoopback(name) && port === localPort) ||
    allowedHosts.some((entry) => {
      const own = parseHost(entry)
      return own?.name === name && port === (own.port ?? localPort)
    })
  return allowed
    ? undefined
    : refuse(
        "HOST_REFUSED",
        "The Host header does not name this server. Use 127.0.0.1 or localhost and its port, or add the name to the allowed hosts."
      )
}

/** A name in lower case, without the brackets of an IPv6 address, and a port; undefined when it is neither. */
const parseHost = (host: string): { readonly name: string; readonly port?: number } | undefined => {
  const found = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9._-]+))(?::([0-9]{1,5}))?$/i.exec(host)
  const name = found?.[1] ?? found?.[2]
  if (name === undefined) return undefined
  return { name: name.toLowerCase(), ...(found?.[3] !== undefined && { port: Number(found[3]) }) }
}

const tokenProblem = (
  { token }: AccessOptions,
  { authorizations, localAddress }: AccessRequest
): HttpRefusal | undefined => {
  if (token === "none")
    return localAddress !== undefined && isLoopback(localAddress)
      ? undefined
      : refuse("LOOPBACK_ONLY", "This server has no token and serves its own machine only. Start it with a token.")
  const [authorization = "", ...more] = authorizations
  if (more.length > 0)
    return refuse("UNAUTHORIZED", "Send the server's token once: there is more than one Authorization.")
  const given = /^bearer +(\S+) *$/i.exec(authorization)?.[1]
  return given !== undefined && sameText(given, Redacted.value(token))
    ? undefined
    : refuse("UNAUTHORIZED", "Send the server's token: Authorization: Bearer <token>.")
}

/** Takes a time that depends on neither text: digests have one length, and are compared whole. */
const sameText = (left: string, right: string): boolean => timingSafeEqual(digest(left), digest(right))

const digest = (text: string): Buffer => createHash("sha256").update(text).digest()

/** Whether a name or an address is that of the loopback interface. */
export const isLoopback = (name: string): boolean => {
  const address = name.toLowerCase().replace(/^::ffff:/, "")
  return address === "localhost" || address === "::1" || /^127(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$/.test(address)
}

/** The shortest token that is accepted: what a person makes up can be guessed. */
const minTokenLength = 16

/** What makes a server unsafe to start on this host; undefined when nothing does. */
export const unsafeAccess = (
  { allowedHosts = [], allowedOrigins = [], token }: AccessOptions,
  host: string
): string | undefined => {
  if (token === "none" && !isLoopback(host))
    return `Without a token the server listens on loopback only, not on ${host}. Give it a token.`
  if (token !== "none" && !isToken(Redacted.value(token)))
    return `The token must have at least ${minTokenLength} characters, all of them visible ASCII.`
  const origin = allowedOrigins.find((entry) => !isOrigin(entry))
  if (origin !== undefined)
    return `"${origin}" is not an origin. Write it as browsers send it: scheme, host and port, no path, no *.`
  const name = allowedHosts.find((entry) => parseHost(entry) === undefined)
  return name === undefined ? undefined : `"${name}" is not a host. Write a name, or name:port.`
}

const isToken = (text: string): boolean => text.length >= minTokenLength && /^[!-~]+$/.test(text)

const isOrigin = (text: string): boolean => URL.canParse(text) && text !== "null" && new URL(text).origin === text
