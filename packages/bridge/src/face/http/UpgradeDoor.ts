/**
 * Where clients come in by WebSocket, whichever protocol they speak then. Who may is decided as for every request over
 * HTTP: by the `Host`, the `Origin` and the token. A web page cannot set the header of the token: it offers the token as
 * a protocol of the WebSocket, `bearer.` and the token in base64url, which is a header, too, and is never repeated.
 */
import type { IncomingMessage } from "node:http"
import type { Duplex } from "node:stream"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import type * as Scope from "effect/Scope"
import { type WebSocket, WebSocketServer } from "ws"
import { makeRefusalLog } from "../../log/RefusalLog.ts"
import { countRefusal } from "../../observe/HttpMetrics.ts"
import type { Sessions } from "../../session/Sessions.ts"
import { type AccessOptions, checkAccess } from "./Access.ts"
import { noteEntry } from "./Entry.ts"
import { defaultHttpLimits, type HttpLimits } from "./HttpLimits.ts"
import { type HttpRefusal, refuse } from "./HttpRefusal.ts"
import { tooManyHeaders, writeRawRefusal } from "./RawRefusal.ts"
import { accessRequestOf } from "./RequestHandler.ts"

/** Who comes in. */
export interface UpgradeDoorOptions {
  /** `file`: whoever may open the socket. */
  readonly access: AccessOptions | "file"
  readonly limits?: HttpLimits | undefined
}

/** Takes what asks to become a WebSocket, in `node:http`: a listener of `upgrade`. */
export type UpgradeDoor = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** Where clients of one protocol come in. */
export interface Entrance {
  /** What it is, for whoever knocks elsewhere. */
  readonly name: string
  /** The last is the one to name to people. */
  readonly paths: ReadonlyArray<string>
  /** Serves a client until it is gone. */
  readonly serve: (socket: WebSocket, connection: Duplex) => Effect.Effect<void, never, Sessions>
}

const bearer = "bearer."

/** The protocols that a client offers. */
const offeredIn = ({ headers }: IncomingMessage): ReadonlyArray<string> =>
  (headers["sec-websocket-protocol"] ?? "").split(",").map((each) => each.trim())

/** The tokens that are offered as protocols, as headers would have them. */
const offeredTokens = (request: IncomingMessage): ReadonlyArray<string> =>
  offeredIn(request).flatMap((each) =>
    each.startsWith(bearer) ? [`Bearer ${Buffer.from(each.slice(bearer.length), "base64url").toString()}`] : []
  )

/** A door that is closed with its scope, and so are the connections of those who came in. */
export const makeUpgradeDoor = (
  entrances: ReadonlyArray<Entrance>,
  { access, limits = {} }: UpgradeDoorOptions
): Effect.Effect<UpgradeDoor, never, Sessions | Scope.Scope> =>
  Effect.gen(function* () {
    const { maxBodyBytes, maxConnections, maxHeaders } = { ...defaultHttpLimits, ...limits }
    const sockets = new WebSocketServer({
      noServer: true,
      maxPayload: maxBodyBytes,
      perMessageDeflate: false,
      handleProtocols: (offered) => [...offered].find((each) => !each.startsWith(bearer)) ?? false
    })
    const run = yield* FiberSet.makeRuntime<Sessions>()
    const refusals = yield* makeRefusalLog
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const socket of sockets.clients) socket.terminate()
      })
    )
    const places = new Map(entrances.flatMap((entrance) => entrance.paths.map((path) => [path, entrance] as const)))
    const ways = entrances.map(({ name, paths }) => `${name} is at ${paths.at(-1)}`).join(", ")

    const refusalFor = (request: IncomingMessage, entrance: Entrance | undefined): HttpRefusal | undefined => {
      if (entrance === undefined) return refuse("NOT_FOUND", `There is no WebSocket here: ${ways}.`)
      if (sockets.clients.size >= maxConnections) return refuse("SESSION_LIMIT", "Too many clients are connected.")
      const tooMany = tooManyHeaders(request, maxHeaders)
      if (tooMany !== undefined || access === "file") return tooMany
      const asked = accessRequestOf(request)
      const authorizations = [...asked.authorizations, ...offeredTokens(request)]
      const verdict = checkAccess(access, { ...asked, authorizations })
      return verdict._tag === "Refused" ? verdict.refusal : undefined
    }

    return (request, connection, head) => {
      connection.on("error", () => undefined)
      const [path = ""] = (request.url ?? "").split("?")
      const entrance = places.get(path)
      const refusal = refusalFor(request, entrance)
      if (entrance === undefined || refusal !== undefined) {
        const { code, status } = refusal ?? refuse("NOT_FOUND", ways)
        run(Effect.andThen(countRefusal(code), refusals({ code, status, method: request.method })))
        return writeRawRefusal(connection, refusal ?? refuse("NOT_FOUND", ways))
      }
      noteEntry(connection)
      sockets.handleUpgrade(request, connection, head, (open) => {
        open.on("error", () => open.terminate())
        run(entrance.serve(open, connection))
      })
    }
  })
