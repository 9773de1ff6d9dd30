/**
 * A request that is being handled, and the connection that it came on.
 */
import type { GatewayMethod, ParamsOf, ResultOf } from "@agentwire/protocol/gateway"
import type * as Effect from "effect/Effect"
import type { Sessions } from "../../session/Sessions.ts"
import type { AllowedOptions } from "../http/AllowedOptions.ts"
import type { HttpRefusal } from "../http/HttpRefusal.ts"
import type { GatewayExtensions, GatewayMethodFailed } from "./Extensions.ts"
import type { Feeds } from "./Feeds.ts"
import type { OutboxLimits } from "./Outbox.ts"
import type { Audience } from "./SessionFeed.ts"

/** How much a client may take. */
export interface GatewayLimits extends OutboxLimits {
  /** How many requests of a client are handled at once; others wait. Default 32. */
  readonly maxHandled?: number
  /** How many patterns a client may subscribe to. Default 1,000. */
  readonly maxPatterns?: number
  /** How often a client is asked whether it is there, in milliseconds; one that is not is let go. Default 30,000. */
  readonly heartbeat?: number
}

/** How a gateway is set up. */
export interface GatewayOptions extends AllowedOptions {
  readonly limits?: GatewayLimits
}

/** What connections have in common. */
export interface Shared {
  readonly options: GatewayOptions
  readonly feeds: Feeds
  readonly extensions: GatewayExtensions["Service"] | undefined
}

/** A connection, to those who handle its requests. */
export interface Client extends Audience {
  readonly id: string
  /** The session that it has made, switched to or prompted last. */
  current: string | undefined
}

/** A request, to its handler. */
export interface Call {
  readonly client: Client
  readonly shared: Shared
}

/** Does the work of a method. */
export type Handler<M extends GatewayMethod> = (
  params: ParamsOf<M>,
  call: Call
) => Effect.Effect<ResultOf<M>, HttpRefusal | GatewayMethodFailed, Sessions>

/** What does the work of each method. */
export type Handlers = { readonly [M in GatewayMethod]: Handler<M> }
