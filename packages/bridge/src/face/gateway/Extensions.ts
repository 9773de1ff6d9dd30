/**
 * Where others join the gateway: further methods, and further events for clients that subscribe to them.
 *
 * The port alone. Whoever hosts extensions provides it; without it there is nothing but the methods and events of
 * sessions and workspaces. The gateway looks a method up here when it knows none of that name, and sends each event to
 * the clients that have a pattern for its name. What is told of a session is read from its log, and not through here.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"

/** The client that calls a further method. */
export interface GatewayCaller {
  /** The connection, for as long as it lasts. */
  readonly client: string
  /** The session that the client is on, where it is on one. */
  readonly sessionId: string | undefined
}

/** A further event. */
export interface GatewayNews {
  /** Its name, such as `voice.spoken`: what patterns are held against. */
  readonly event: string
  /** Anything that JSON has. */
  readonly payload: unknown
}

/** A prompt whose answer somebody sends back to where it is from. */
export interface GatewayPrompted {
  readonly sessionId: string
  /** The turn of the prompt has it as its ticket. */
  readonly promptId: string
  /** What is said has it as its id: where it is said into a turn that is open, that has another ticket. */
  readonly messageId: string
  /** Such as `imessage/42`. */
  readonly source: string
}

/** A further method that failed: the client is answered with the code and the words. */
export class GatewayMethodFailed extends Schema.TaggedError<GatewayMethodFailed>()("GatewayMethodFailed", {
  /** Stable, in capitals, such as `EXTENSION_FAILED`. */
  code: Schema.String,
  message: Schema.String
}) {}

/** How something that joined is: `ok`, and whatever it says of itself. */
export interface GatewayHealth {
  readonly ok: boolean
  readonly details?: Readonly<Record<string, unknown>> | undefined
}

/** Further methods and events of a gateway. */
export class GatewayExtensions extends Context.Service<
  GatewayExtensions,
  {
    /** The names of the methods there are now. */
    readonly methods: () => ReadonlySet<string>
    /** Calls one of them. The answer is anything that JSON has. Whoever fills this sees to it that it ends. */
    readonly call: (
      method: string,
      params: Readonly<Record<string, unknown>>,
      caller: GatewayCaller
    ) => Effect.Effect<unknown, GatewayMethodFailed>
    /** What is told from now on. Nobody who joins later is told it again. */
    readonly events: Stream.Stream<GatewayNews>
    /** A prompt with a source is about to be said: whoever sends its answer back notes it down. Failing refuses the prompt. */
    readonly prompted?: (prompt: GatewayPrompted) => Effect.Effect<void, GatewayMethodFailed>
    /** How each is, by its name. */
    readonly health: Effect.Effect<Readonly<Record<string, GatewayHealth>>>
  }
>()("@agentwire/bridge/GatewayExtensions") {}
