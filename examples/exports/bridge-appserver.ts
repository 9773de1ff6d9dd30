/** `@agentwire/bridge/appserver`: clients of Codex in front of the sessions of a bridge. */
import { layerBridgeSessions } from "@agentwire/bridge"
import {
  type AppServer,
  type AppServerOptions,
  answeredMethods,
  type ClaudeAppServer,
  type ClaudeAppServerOptions,
  listenOnUnixSocket,
  makeAppServer,
  makeClaudeAppServer,
  makeSocketDoor,
  type SocketDoor,
  type SocketDoorOptions,
  streamChannel,
  UnixSocketFailed
} from "@agentwire/bridge/appserver"
import * as Effect from "effect/Effect"

const options: AppServerOptions = { runtime: "claude", cwd: process.cwd() }
console.log(answeredMethods.includes("turn/start"))

// One client on standard input and output, until it closes its end. It needs the sessions of a bridge and an agent.
const cwd = process.cwd()
export const sessions = layerBridgeSessions({ session: { cwd, approvals: "interrupt" } })
export const onStdio = Effect.gen(function* () {
  const server: AppServer = yield* makeAppServer(options)
  yield* server.serve(streamChannel(process.stdin, process.stdout))
}).pipe(Effect.scoped)

// The same sessions for a client that speaks the dialect claude-app-server.
const dialect: ClaudeAppServerOptions = { cwd, mayWiden: false }
export const inDialect = Effect.suspend(() => {
  const server: ClaudeAppServer = makeClaudeAppServer(dialect)
  return server.serve(streamChannel(process.stdin, process.stdout))
})

// Any number of them on a unix socket, for as long as the scope lives. Over HTTP, `appServer` is an option of the server.
const everybody: SocketDoorOptions = { access: "file" }
export const onSocket = (path: string) =>
  Effect.gen(function* () {
    const door: SocketDoor = yield* makeSocketDoor(yield* makeAppServer(options), everybody)
    yield* listenOnUnixSocket(path, door)
  }).pipe(
    Effect.catchIf(
      (failed) => failed instanceof UnixSocketFailed,
      ({ code, message }) => Effect.logError(`${code}: ${message}`)
    )
  )
