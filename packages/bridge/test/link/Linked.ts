/**
 * Sessions at the other end of a link, for tests that are given a layer of sessions: what holds here holds there.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import { type LinkClient, type LinkClientOptions, makeLinkClient } from "../../src/link/LinkClient.ts"
import type { LinkRefused } from "../../src/link/LinkErrors.ts"
import { type LinkServer, type LinkServerOptions, serveLink } from "../../src/link/LinkServer.ts"
import { type LinkAddress, linkAddress } from "../../src/link/Place.ts"
import { makeRemoteSessions } from "../../src/link/RemoteSessions.ts"
import { Sessions } from "../../src/session/Sessions.ts"

/** A folder of a link, for as long as the scope lives. */
export const linkFolder: Effect.Effect<LinkAddress, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "agentwire-link-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  ),
  (folder) => Result.getOrThrow(linkAddress(folder))
)

/** A runtime of sessions. */
export const serving = (
  address: LinkAddress,
  options: Partial<LinkServerOptions> = {}
): Effect.Effect<LinkServer, LinkRefused, Sessions | Scope.Scope> =>
  serveLink({ address, program: "agentwire test", agent: "a fake agent", cwd: "/", asks: true, ...options })

/** A gateway of a runtime. */
export const attached = (
  address: LinkAddress,
  options: Partial<LinkClientOptions> = {}
): Effect.Effect<LinkClient, never, Scope.Scope> => makeLinkClient({ address, program: "agentwire test", ...options })

/** The same sessions, at the other end of a link. */
export const layerLinked = <E, R>(sessions: Layer.Layer<Sessions, E, R>): Layer.Layer<Sessions, E, R> =>
  Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const address = yield* linkFolder
      yield* Effect.orDie(serving(address))
      return yield* makeRemoteSessions(yield* attached(address))
    })
  ).pipe(Layer.provide(sessions))

/** The same sessions in this process or at the other end of a link, as `AGENTWIRE_LINKED` says. */
export const linkedIfAsked: <E, R>(sessions: Layer.Layer<Sessions, E, R>) => Layer.Layer<Sessions, E, R> =
  process.env["AGENTWIRE_LINKED"] === "1" ? layerLinked : (sessions) => sessions

/** The service of a layer, in the scope. */
export const sessionsOf = <E>(layer: Layer.Layer<Sessions, E>): Effect.Effect<Sessions["Service"], E, Scope.Scope> =>
  Effect.map(Layer.build(layer), (context) => Context.get(context, Sessions))
