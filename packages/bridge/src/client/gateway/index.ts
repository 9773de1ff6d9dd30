/** The gateway of a bridge, for programs and pages: typed calls and events over a WebSocket that connects again. */

/** What methods take and give, and what events say. */
export type {
  GatewayMethod,
  ParamsOf,
  PayloadOf,
  PayloadType,
  Position,
  ResultOf,
  SessionEvent
} from "@agentwire/protocol/gateway"
export {
  type EventNamed,
  type GatewayCallOptions,
  type GatewayClient,
  type GatewayClientOptions,
  type GatewayState,
  type ListenOptions,
  makeGatewayClient
} from "./GatewayClient.ts"
export { GatewayError, type GatewayFailure } from "./GatewayError.ts"
export type { GatewaySocket, GatewaySocketClass } from "./Socket.ts"
