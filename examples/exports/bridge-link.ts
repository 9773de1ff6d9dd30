/** `@agentwire/bridge/link`: the sessions of a bridge in one process, and its doors in another. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layerBridgeSessions } from "@agentwire/bridge"
import { layerClaudeRuntime } from "@agentwire/bridge/claude"
import {
  askStatus,
  GatewayReport,
  LinkRefused,
  LinkStatus,
  layerRemoteSessions,
  linkAddress,
  makeLinkClient,
  placeWords,
  serveLink,
  Unreachable
} from "@agentwire/bridge/link"
import { replayLauncher } from "@agentwire/bridge/replay"
import { Sessions } from "@agentwire/bridge/session"
import { Effect, Layer, Logger, Result, Schema } from "effect"

const folder = await mkdtemp(join(tmpdir(), "agentwire-example-"))
const address = Result.getOrThrow(linkAddress(folder))
const program = "an example"

// The runtime: sessions behind a private socket.
const agents = layerClaudeRuntime.pipe(Layer.provide(replayLauncher({ tapes: [] })))
const sessions = layerBridgeSessions({ session: { cwd: folder } }).pipe(Layer.provide(agents))
const runtime = serveLink({ address, program, agent: "an agent", cwd: folder, asks: false })

// A gateway, in a process of its own: it has the same sessions.
const gateway = Effect.gen(function* () {
  const link = yield* makeLinkClient({ address, program })
  yield* link.call("report", Schema.decodeSync(GatewayReport)({ clients: 0, memory: 0, extensions: 0 }))
  const remote = Effect.gen(function* () {
    const found = yield* Sessions
    const session = yield* found.open("t")
    return [session.threadId, (yield* found.list).length, link.state()._tag]
  })
  return yield* Effect.provide(remote, layerRemoteSessions(link))
})

const both = Effect.gen(function* () {
  const { place } = yield* runtime
  console.log(placeWords(place) === join(folder, "link", "runtime.sock")) // true
  console.log(yield* gateway) // [ 't', 1, 'Up' ]
  console.log(Schema.is(LinkStatus)(yield* askStatus({ address, program }))) // true
})
await Effect.runPromise(both.pipe(Effect.scoped, Effect.provide(sessions), Effect.provide(Logger.layer([]))))

// Where nobody listens, that is said; what is asked of a runtime that is gone fails with a code.
const nobody = await Effect.runPromise(Effect.flip(askStatus({ address, program })))
console.log(nobody instanceof LinkRefused, nobody.code) // true LINK_FAILED
console.log(new Unreachable({ code: "RUNTIME_RESTARTED", message: "It was started again." }).code) // RUNTIME_RESTARTED
await rm(folder, { recursive: true })
