/** `@agentwire/bridge/gateway`: clients over one WebSocket in front of the sessions of a bridge, and a place for extensions. */
import { createServer } from "node:http"
import { layerBridgeSessions } from "@agentwire/bridge"
import { layerClaudeRuntime } from "@agentwire/bridge/claude"
import {
  type GatewayCaller,
  GatewayExtensions,
  GatewayMethodFailed,
  makeGateway,
  makeUpgradeDoor,
  type UpgradeDoorOptions
} from "@agentwire/bridge/gateway"
import { replayLauncher } from "@agentwire/bridge/replay"
import { Sessions } from "@agentwire/bridge/session"
import { Effect, Layer, Redacted, Stream } from "effect"

// A host of extensions: a method that clients call, and events for those who subscribe to `clock.*`.
const clock = Layer.succeed(GatewayExtensions, {
  methods: () => new Set(["clock.zone", "clock.set"]),
  call: (method, _, { client }: GatewayCaller) =>
    method === "clock.zone"
      ? Effect.succeed({ zone: "UTC", client })
      : new GatewayMethodFailed({ code: "READ_ONLY", message: "This clock cannot be set." }),
  events: Stream.make({ event: "clock.started", payload: {} }),
  health: Effect.succeed({ clock: { ok: true } })
})

// In a server of one's own. That of `@agentwire/bridge/http` has it with its option `gateway`.
const access: UpgradeDoorOptions = { access: { token: Redacted.make("sixteen-or-more-characters") } }
const serve = Effect.gen(function* () {
  const gateway = yield* makeGateway({ limits: { maxHandled: 8 } })
  const sessions = yield* gateway.watch(yield* Sessions)
  const door = yield* Effect.provideService(makeUpgradeDoor([gateway.entrance], access), Sessions, sessions)
  const server = createServer().on("upgrade", door)
  console.log(server.listenerCount("upgrade"), yield* gateway.health) // 1 { clients: 0, extensions: { clock: { ok: true } } }
})

const sessions = layerBridgeSessions({ session: { cwd: process.cwd() } }).pipe(
  Layer.provide(layerClaudeRuntime),
  Layer.provide(replayLauncher({ tapes: [] }))
)
await Effect.runPromise(Effect.scoped(serve).pipe(Effect.provide(clock), Effect.provide(sessions)))
