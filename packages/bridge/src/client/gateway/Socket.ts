/**
 * The part of a WebSocket that the client needs: browsers have it, and Node from 22 on; for Node 20 the package `ws` does.
 */

/** A connection. */
export interface GatewaySocket {
  readonly send: (text: string) => void
  readonly close: () => void
  onopen: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
  onmessage: ((event: never) => void) | null
}

/** Makes connections. */
export type GatewaySocketClass = new (url: string, protocols: Array<string>) => GatewaySocket

/** A token as a protocol: a page cannot set headers. */
const offered = (token: string): string =>
  `bearer.${btoa(token).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`

/** The address of the gateway of a server, whichever way its address is written. */
export const addressOf = (url: string): string => {
  const plain = url.replace(/^http/, "ws").replace(/\/$/, "")
  return plain.endsWith("/ws") ? plain : `${plain}/ws`
}

/** A connection that is being made. */
export const openSocket = (SocketClass: GatewaySocketClass, url: string, token: string | undefined): GatewaySocket =>
  new SocketClass(addressOf(url), ["agentwire", ...(token === undefined ? [] : [offered(token)])])
