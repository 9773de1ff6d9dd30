/**
 * A running `codex app-server`: a channel of lines, and how it ended. A launcher starts one; it lives in the scope it was
 * launched in, and is gone with all it started when that is closed.
 */
import type { Channel } from "@agentwire/protocol/jsonrpc"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { AgentExit, LaunchFailed } from "../../process/AgentLife.ts"
import type { AgentOptions } from "../../session/AgentOptions.ts"

/** An app-server that runs. */
export interface CodexServer {
  /** The version of Codex, such as `0.166.0`. */
  readonly version: string
  /** Its lines. They end when it is gone. */
  readonly channel: Channel
  /** Waits for the end. */
  readonly exit: Effect.Effect<AgentExit>
}

/** An app-server to start. */
export interface ServerRequest {
  /** The name of the session, for logs. */
  readonly sessionKey: string
  /** An existing folder. */
  readonly cwd: string
  readonly options: AgentOptions
}

/** Starts app-servers. */
export class CodexLauncher extends Context.Service<
  CodexLauncher,
  {
    readonly launch: (request: ServerRequest) => Effect.Effect<CodexServer, LaunchFailed, Scope.Scope>
    /** The folder in which it keeps its threads. Absent: nobody knows of one. */
    readonly rollouts?: string | undefined
  }
>()("@agentwire/bridge/CodexLauncher") {}
