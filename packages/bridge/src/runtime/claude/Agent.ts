/**
 * A running coding agent: what it says, how to tell it something, and how it ended.
 *
 * How its bytes travel (stdio, WebSocket, a tape) is the launcher's business. An agent lives in the scope it was
 * launched in: closing the scope ends the process and everything it started.
 */
import type { Decoded } from "@agentwire/protocol/claude"
import type * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Queue from "effect/Queue"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { AgentExit, LaunchFailed } from "../../process/AgentLife.ts"
import type { AgentOptions } from "../../session/AgentOptions.ts"

export { type AgentExit, LaunchFailed } from "../../process/AgentLife.ts"

/** The agent is gone: nothing can be sent any more. */
export class AgentGone extends Schema.TaggedError<AgentGone>()("AgentGone", {
  message: Schema.String
}) {}

/** An agent that runs. */
export interface Agent {
  /** The CLI's version, such as `2.1.325`. */
  readonly version: string
  readonly transport: "stdio" | "ws" | "hybrid" | "replay"
  /** What it says, in order. Ends when it is gone and everything it said was read. Bounded: a slow reader slows the agent. */
  readonly messages: Queue.Dequeue<Decoded, Cause.Done>
  /** Sends one message as a line. */
  readonly send: (message: object) => Effect.Effect<void, AgentGone>
  /** Waits for the end. */
  readonly exit: Effect.Effect<AgentExit>
}

/** An agent to start. */
export interface LaunchRequest {
  /** The name of the session, safe in a path: it is part of the URL a WebSocket CLI connects to. */
  readonly sessionKey: string
  /** An existing folder. */
  readonly cwd: string
  /** The provider's id of the conversation to resume. */
  readonly resume?: string
  /** The uuid of the line of it after which to continue. */
  readonly at?: string
  /** Continue in a copy of it. */
  readonly fork?: boolean
  readonly options: AgentOptions
  /** The events that the host has hooks for. A version that does not know one of them is not started. */
  readonly hookEvents?: ReadonlyArray<string>
  /** The name of the in-process MCP server of the frontend tools; 2.1.37 needs it on its command line. */
  readonly frontendServer: string
}

/** Starts agents. */
export class AgentLauncher extends Context.Service<
  AgentLauncher,
  {
    readonly launch: (request: LaunchRequest) => Effect.Effect<Agent, LaunchFailed, Scope.Scope>
    /** The folder in which its agents keep their sessions. Absent: they keep none. */
    readonly projects?: string | undefined
  }
>()("@agentwire/bridge/AgentLauncher") {}
