/**
 * Two processes instead of one: a runtime that has the sessions, and gateways that serve them to clients and may be ended at
 * any time. How they are run is in docs/two-tiers.md.
 */

/** How the runtime is, and who is attached. */
export { askStatus } from "./link/AskStatus.ts"
/** How the link between them is set up: what each says of itself, and why they refuse each other. */
export { type LinkClient, type LinkClientOptions, type LinkState, makeLinkClient } from "./link/LinkClient.ts"
export { LinkRefused } from "./link/LinkErrors.ts"
/** The runtime's end. */
export { type LinkServer, type LinkServerOptions, serveLink } from "./link/LinkServer.ts"
/** Where they meet. */
export { type LinkAddress, type LinkPlace, linkAddress, placeWords } from "./link/Place.ts"
/** The gateway's end: the port of sessions. */
export { layerRemoteSessions } from "./link/RemoteSessions.ts"
export { GatewayReport, LinkStatus } from "./link/Values.ts"
/** Sessions that are in a process which does not answer. */
export { Unreachable } from "./session/Unreachable.ts"
