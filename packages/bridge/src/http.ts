/** Sessions over HTTP: a server that listens, a handler for one that exists already, and who may connect. */

/** Who may connect: token, origins, hosts. */
export type { AccessOptions } from "./face/http/Access.ts"
/** How much a request may take. */
export { defaultHttpLimits, type HttpLimits } from "./face/http/HttpLimits.ts"
/** Handles requests of `node:http`. */
export { type Handler, type HandlerOptions, makeHandler } from "./server/HttpHandler.ts"
/** Listens. */
export { HttpServer, HttpServerFailed, type HttpServerOptions, type Listening } from "./server/HttpServer.ts"
