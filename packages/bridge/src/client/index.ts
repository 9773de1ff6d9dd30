/** The management API of a bridge, for programs and pages: typed calls over `fetch`, streams that reconnect. */

/** The types of AG-UI's events, which streams have. */
export type * as Agui from "@agentwire/protocol/agui"
/** The types of what Claude Code says of itself, which answers have. */
export type * as Claude from "@agentwire/protocol/claude"
/** What an endpoint takes and gives, by its name. */
export type { BodyOf, EventFrame, OutputOf, QueryOf } from "../face/management/Api.ts"
/** The endpoints: `sessions.list` is `client.sessions.list`. */
export type { EndpointName } from "../face/management/Paths.ts"
export {
  type CallOptions,
  type Client,
  type ClientOptions,
  type Method,
  makeClient,
  type PagedMethod
} from "./Client.ts"
export { ManagementError } from "./ManagementError.ts"
