/**
 * A real coding agent as a server for user interfaces: the bridge as a class with promises, and as layers. What it is
 * made of has subpaths: `./session`, `./claude`, `./replay`, `./policy`, `./observe`, `./agui`, `./http`, `./store`.
 */

/** A question of an agent that waits for its answer. */
export type { Approval } from "./embed/Approval.ts"
/** The bridge as a class, and what its methods take and give. */
export {
  type Approve,
  Bridge,
  type NewSession,
  type SessionInfo,
  type SessionListed,
  type Started
} from "./embed/Bridge.ts"
/** What the class is told. */
export type { BridgeConfig, Decide } from "./embed/BridgeConfig.ts"
/** What the promises of the class are rejected with. */
export { BridgeError } from "./embed/BridgeError.ts"
/** Hooks of the program, as functions. */
export type { BridgeHook, BridgeHookContext, BridgeHookOptions, BridgeHooks } from "./embed/BridgeHooks.ts"
/** The bridge as layers: one that listens, and its sessions alone. */
export {
  type BridgeFailed,
  type BridgeOptions,
  layerBridge,
  layerBridgeSessions,
  type PreparationFailed,
  type PreparedSession,
  type SharedSessionOptions
} from "./embed/BridgeLayer.ts"
/** What `bridge.on` tells. */
export type { BridgeEventName, BridgeEvents, Listener, SessionEvent } from "./embed/Listeners.ts"
/** One answer of an agent, while it comes and when it is there. */
export type { Run, RunResult } from "./embed/Run.ts"
/** Every error code, with what it means and what to do. */
export { errorAreas } from "./errors/Catalogue.ts"
export type { ErrorArea, Explained } from "./errors/Explained.ts"
