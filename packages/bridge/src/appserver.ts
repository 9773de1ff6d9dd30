/** Codex's app-server as a face: clients of Codex in front of the sessions of a bridge. */

/** The server, and how it is set up. */
export { type AppServer, makeAppServer } from "./face/appserver/AppServer.ts"
/** The methods that are answered. */
export { answeredMethods } from "./face/appserver/Methods.ts"
export type { AppServerOptions } from "./face/appserver/Shared.ts"
/** Where clients come in by WebSocket. */
export { makeSocketDoor, type SocketDoor, type SocketDoorOptions } from "./face/appserver/SocketDoor.ts"
/** A client on the standard input and output of a process. */
export { streamChannel } from "./face/appserver/StreamChannel.ts"
/** A unix socket for clients. */
export { listenOnUnixSocket, UnixSocketFailed } from "./face/appserver/UnixDoor.ts"
/** The same sessions in the dialect claude-app-server. */
export { type ClaudeAppServer, makeClaudeAppServer } from "./face/claudeappserver/ClaudeAppServer.ts"
export type { ClaudeAppServerOptions } from "./face/claudeappserver/Options.ts"
