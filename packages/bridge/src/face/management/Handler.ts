/**
 * What does the work of an endpoint: what it is called with, and what it gives back.
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { Sessions } from "../../session/Sessions.ts"
import type { AllowedOptions } from "../http/AllowedOptions.ts"
import type { HttpRefusal } from "../http/HttpRefusal.ts"
import type { Asked } from "../http/Route.ts"
import type { Frame } from "../http/StreamWriter.ts"
import type { Api, BodyOf, OutputOf, QueryOf } from "./Api.ts"
import type { EndpointName, ParamNames, Paths } from "./Paths.ts"
import type { GatewayHealth, RuntimeHealth } from "./Views.ts"

/** What the management API is told about its server. */
export interface ManagementOptions extends AllowedOptions {
  readonly agent?: { readonly version?: string }
  /** How the gateway is, where there is one. */
  readonly gatewayHealth?: Effect.Effect<GatewayHealth>
  /** How the process is that has the sessions, where that is another one. */
  readonly runtimeHealth?: Effect.Effect<RuntimeHealth>
}

/** A request that fits its endpoint. */
export interface Call<N extends EndpointName> {
  readonly params: { readonly [P in ParamNames<Paths[N]>[number]]: string }
  readonly query: QueryOf<N>
  readonly body: BodyOf<N>
  readonly asked: Asked<ManagementOptions>
}

/** What an endpoint gives back: its document, its text with further headers, or its frames. */
export type Given<N extends EndpointName> = Api[N]["output"]["_tag"] extends "Json"
  ? OutputOf<N>
  : Api[N]["output"]["_tag"] extends "Stream"
    ? Stream.Stream<Frame>
    : { readonly text: string; readonly headers?: Readonly<Record<string, string>> }

/** What each endpoint does. */
export type Handlers = {
  readonly [N in EndpointName]: (call: Call<N>) => Effect.Effect<Given<N>, HttpRefusal, Sessions>
}
