/**
 * Refusals of what never became a request: bytes that are not HTTP, headers that are too many or too slow, methods that
 * ask for something other than an answer. `node:http` would refuse them without words and without a trace.
 */
import type { IncomingMessage, Server } from "node:http"
import type { Duplex } from "node:stream"
import { HttpRefusal, type RefusalCode, refuse } from "./HttpRefusal.ts"

const timeout: Refused = ["REQUEST_TIMEOUT", "The request did not arrive in time."]
const headersTooLarge: Refused = ["HEADERS_TOO_LARGE", "The address and the headers are too long, or too many."]

type Refused = readonly [code: RefusalCode, message: string]

/** What `node:http` says of bytes it cannot read, where that is not `BAD_REQUEST`. */
const refusals: Readonly<Record<string, Refused>> = {
  ERR_HTTP_REQUEST_TIMEOUT: timeout,
  HPE_HEADER_OVERFLOW: headersTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ["BODY_TOO_LARGE", "Chunk extensions are too long."]
}

/** The refusal of bytes that cannot be read; undefined when there is nobody to tell. */
export const refusalOf = ({ code = "" }: NodeJS.ErrnoException): HttpRefusal | undefined => {
  if (code === "ECONNRESET" || code === "EPIPE") return undefined
  const [known, message]: Refused = refusals[code] ?? ["BAD_REQUEST", "The request is not readable HTTP/1.1."]
  return refuse(known, message)
}

/**
 * The refusal of a request with too many headers. A server leaves out those above its own limit (1,000 by
 * default) and continues: an `Origin` may be among them, and nobody would see it.
 */
export const tooManyHeaders = (
  { rawHeaders, socket }: IncomingMessage,
  maxHeaders: number
): HttpRefusal | undefined => {
  const { server } = socket as unknown as { readonly server?: Pick<Server, "maxHeadersCount"> | null }
  const seen = (server?.maxHeadersCount || Number.POSITIVE_INFINITY) - 1
  return rawHeaders.length / 2 > Math.min(maxHeaders, seen) ? refuse(...headersTooLarge) : undefined
}

/** The refusal of a tunnel. */
export const tunnelRefusal = new HttpRefusal({
  code: "METHOD_NOT_ALLOWED",
  message: "This server is not a proxy.",
  allow: "GET, POST"
})

/** The refusal of an `Expect` that is not `100-continue`. */
export const unsupportedExpectation = refuse("BAD_REQUEST", "Nothing but 100-continue can be expected here.")

/** Writes a refusal to a connection and closes it. */
export const writeRawRefusal = (socket: Duplex, { allow, body, status }: HttpRefusal): void => {
  const text = JSON.stringify(body)
  const lines = [
    `HTTP/1.1 ${status} ${body.error.code}`,
    "Connection: close",
    "Content-Type: application/json; charset=utf-8",
    "Cache-Control: no-store",
    "X-Content-Type-Options: nosniff",
    `Content-Length: ${Buffer.byteLength(text)}`,
    ...(allow === undefined ? [] : [`Allow: ${allow}`])
  ]
  socket.on("error", () => undefined)
  // The other side may never close its half.
  socket.end(`${lines.join("\r\n")}\r\n\r\n${text}`, () => socket.destroy())
}
