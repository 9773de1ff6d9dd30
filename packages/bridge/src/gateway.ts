/** A gateway as a face: clients over one WebSocket in front of the sessions of a bridge, and a place for extensions. */

export type { GatewayLimits, GatewayOptions } from "./face/gateway/Call.ts"
/** Where further methods and events join it. */
export {
  type GatewayCaller,
  GatewayExtensions,
  type GatewayHealth,
  GatewayMethodFailed,
  type GatewayNews,
  type GatewayPrompted
} from "./face/gateway/Extensions.ts"
/** The gateway. */
export { type Gateway, makeGateway } from "./face/gateway/Gateway.ts"
/** Where its clients come in by WebSocket. */
export { type Entrance, makeUpgradeDoor, type UpgradeDoor, type UpgradeDoorOptions } from "./face/http/UpgradeDoor.ts"
