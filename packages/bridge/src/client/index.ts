/** The management API of a bridge, for programs and pages: typed calls over `fetch`, streams that reconnect. */
export type { Agui, Claude } from "@agentwire/protocol"
export type { BodyOf, EventFrame, OutputOf, QueryOf } from "../face/management/Api.ts"
export type { EndpointName } from "../face/management/Paths.ts"
export { type CallOptions, type Client, type ClientOptions, type Method, makeClient } from "./Client.ts"
export { ManagementError } from "./ManagementError.ts"
